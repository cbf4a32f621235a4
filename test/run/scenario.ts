import { defineTool, type ArtooOptions, type Tool } from 'artoo';
import { CountingIds, ManualClock, ScriptedLLM } from 'artoo/testing';
import * as z from 'zod';

/** A small world outside the process: what tools did to it stays when a run dies. */
export class World {
  readonly writes: string[] = [];
  readonly reads: string[] = [];
  readonly files = new Map<string, string>([['a.txt', 'alpha 3'], ['b.txt', 'beta 5']]);

  tools(): Tool[] {
    return [
      defineTool({
        name: 'read', description: 'Reads a file.', input: z.object({ path: z.string() }), effect: 'read', target: ({ path }) => path,
        execute: async ({ path }) => {
          this.reads.push(path);
          const text = this.files.get(path);
          if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' });
          return text;
        },
      }),
      defineTool({
        name: 'write', description: 'Writes a file.', input: z.object({ path: z.string(), text: z.string() }), effect: 'write', target: ({ path }) => path,
        execute: async ({ path, text }) => {
          this.writes.push(path);
          this.files.set(path, text);
          return `wrote ${path}: ${text}`;
        },
      }),
    ];
  }
}

const intentOf = (content: string): string => /^Subtask: (.*)$/m.exec(content)?.[1] ?? '';
const toolResults = (messages: readonly { role: string }[]): number => messages.filter(({ role }) => role === 'tool').length;

/**
 * A model that plays one task with everything in it: two subtasks in parallel, one of them corrected once, a third that
 * fails on an absent file, a replan that keeps what matched, and a write.
 */
export function scenarioModel(): ScriptedLLM {
  const read = (path: string): object => ({ toolCalls: [{ name: 'read', input: { path } }] });
  const write = (path: string, text: string): object => ({ toolCalls: [{ name: 'write', input: { path, text } }] });
  return new ScriptedLLM([
    { role: 'R1', times: Infinity, reply: { slug: 'sum_files', intent: 'Sum the numbers of the files.' } },
    {
      role: 'R2', times: Infinity, reply: (request: { messages: readonly { content: string }[]; system: string }) => {
        const prompt = request.messages[0]!.content;
        if (prompt.includes('The last plan failed')) {
          return {
            taskCriteria: ['The sum 8 is stated'], keep: [0, 1],
            subtasks: [{ intent: 'Write the sum into sum.txt', successCriteria: [{ criterion: 'sum.txt holds the sum', mode: 'verifiable', check: { type: 'toolSucceeded', tool: 'write', target: 'sum.txt' } }], sequence: 0, tools: ['write'], targets: ['sum.txt'] }],
          };
        }
        return {
          taskCriteria: ['The sum 8 is stated'],
          subtasks: [
            { intent: 'Read a.txt', successCriteria: ['The content of a.txt is shown'], sequence: 0, tools: ['read'] },
            { intent: 'Copy b.txt to c.txt', successCriteria: ['The text beta 5 was written to c.txt'], sequence: 0, tools: ['read', 'write'] },
            { intent: 'Read z.txt', successCriteria: ['The content of z.txt is shown'], sequence: 1, tools: ['read'] },
          ],
        };
      },
    },
    {
      role: 'R3', times: Infinity, reply: (request: { messages: readonly { role: string; content: string }[] }) => {
        const [first] = request.messages;
        const done = toolResults(request.messages);
        const last = request.messages.at(-1)!.content;
        const corrected = request.messages.some(({ role, content }) => role === 'user' && content.startsWith('Not done yet'));
        const doubt = last.includes('Outcome unknown');
        switch (intentOf(first!.content)) {
          case 'Read a.txt': return done === 0 ? read('a.txt') : { status: 'completed', output: 'alpha 3' };
          case 'Copy b.txt to c.txt':
            if (done === 0) return read('b.txt');
            if (!corrected) return { status: 'completed', output: 'copied' };
            if (done === 1) return write('c.txt', 'beta 5');
            if (doubt) return read('c.txt');
            return { status: 'completed', output: 'copied b.txt to c.txt: beta 5' };
          case 'Write the sum into sum.txt':
            if (done === 0) return write('sum.txt', '8');
            return doubt ? { status: 'completed', output: 'maybe written' } : { status: 'completed', output: 'sum 8' };
          default: return done === 0 || !last.includes('ENOENT') && !corrected ? read('z.txt') : { status: 'failed', output: 'there is no z.txt', infeasible: true };
        }
      },
    },
    {
      role: 'R4a', times: Infinity, reply: (request: { messages: readonly { content: string }[] }) => {
        const prompt = request.messages[0]!.content;
        if (intentOf(prompt) === 'Read a.txt') return { verdicts: [{ index: 0, verdict: 'pass', evidence: 'alpha 3' }] };
        const pass = prompt.includes('wrote c.txt') || (prompt.includes('Outcome unknown') && prompt.includes('c.txt'));
        return pass
          ? { verdicts: [{ index: 0, verdict: 'pass', evidence: 'beta 5' }] }
          : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }], whatWasWrong: 'nothing was written', whatToDo: 'write c.txt' };
      },
    },
    { role: 'R4b', times: Infinity, reply: { summary: 'Summed.', mergedOutput: 'The sum is 8', verdicts: [{ index: 0, verdict: 'pass', evidence: '8' }] } },
  ], {});
}

export function scenarioOptions(world: World, llm: ScriptedLLM, clock: ManualClock = new ManualClock()): ArtooOptions {
  return { models: { brain: llm, tool: llm }, tools: world.tools(), ids: new CountingIds(), clock };
}
