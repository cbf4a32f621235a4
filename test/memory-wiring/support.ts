import { createArtoo, defineTool, type Artoo, type ArtooOptions, type Envelope, type FinalResult, type LLMRequest, type Payload, type Tool } from 'artoo';
import type { MemoryStore, Megram } from 'artoo/memory';
import { CountingIds, ManualClock, ScriptedLLM, type ScriptedStep } from 'artoo/testing';
import * as z from 'zod';

export const DAY = 86_400_000;
export const START = 1_700_000_000_000;

/** A tool about one path that answers from a table; a path that isn't in it fails. */
export function lookIn(name: string, table: Readonly<Record<string, string>>, more: { readonly trusted?: boolean } = {}): Tool & { readonly calls: string[] } {
  const calls: string[] = [];
  const tool = defineTool({
    name, description: `Looks a path up by ${name}.`, input: z.object({ path: z.string() }), effect: 'read', target: ({ path }) => path,
    execute: ({ path }) => {
      calls.push(path);
      const text = table[path];
      if (text === undefined) throw new Error(`${name} can't read ${path}`);
      return text;
    },
    ...more,
  });
  return Object.assign({ ...tool }, { calls });
}

/** A plan of one subtask. */
export function planOf(tool: string, path: string): object {
  return {
    taskCriteria: ['The total is stated'],
    subtasks: [{ intent: `Find the total in ${path} with ${tool}`, successCriteria: ['The tool output shows the total'], sequence: 0, tools: [tool], targets: [path] }],
  };
}

export const promptOf = (request: LLMRequest): string => request.messages.map(({ content }) => content).join('\n');
export const plannersPrompts = (llm: ScriptedLLM): string[] => llm.requests.filter(({ role }) => role === 'R2').map(promptOf);
export const toolsOffered = (prompt: string): string[] => [...(prompt.split('Checks:')[0] ?? '').matchAll(/^- (\w+)\(/gm)].map((match) => match[1]!);

/** A model whose planner is given, and whose other roles do what the plan says and judge by what the tools showed. */
export function modelThat(plans: (prompt: string) => object, more: readonly ScriptedStep[] = []): ScriptedLLM {
  return new ScriptedLLM([
    ...more,
    { role: 'R2', times: Infinity, when: ({ schema }) => schema?.name === 'next_moves', reply: { moves: ['Look elsewhere.'] } },
    { role: 'R2', times: Infinity, reply: (request: LLMRequest) => plans(promptOf(request)) },
    {
      role: 'R3', times: Infinity, reply: (request: LLMRequest) => {
        const [, path, tool] = /Find the total in (\S+) with (\w+)/.exec(promptOf(request)) ?? [];
        const last = request.messages.at(-1)!;
        if (last.role !== 'tool') return { toolCalls: [{ name: tool, input: { path } }] };
        return /total \d/.test(last.content) ? { status: 'completed', output: /total \d+/.exec(last.content)![0] } : { status: 'failed', output: 'no total there', infeasible: true };
      },
    },
    {
      role: 'R4a', times: Infinity, reply: (request: LLMRequest) => {
        const shown = /total \d+/.exec(promptOf(request).split('Tool')[1] ?? promptOf(request));
        return shown
          ? { verdicts: [{ index: 0, verdict: 'pass', evidence: shown[0] }] }
          : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }], whatWasWrong: 'no total', whatToDo: 'look again' };
      },
    },
    { role: 'R4b', times: Infinity, reply: (request: LLMRequest) => ({ summary: 'Found.', mergedOutput: /total \d+/.exec(promptOf(request))?.[0] ?? 'total', verdicts: [{ index: 0, verdict: 'pass', evidence: /total \d+/.exec(promptOf(request))?.[0] ?? '' }] }) },
  ]);
}

export interface Ended { readonly result: FinalResult; readonly events: readonly Envelope[] }

/** Runs one task whose reading is given, to its end. */
export async function runTask(artoo: Artoo, task: { readonly intent?: string; readonly slug?: string } = {}): Promise<Ended> {
  const intent = task.intent ?? 'Find the total of the invoices';
  const run = artoo.run({ input: intent, intent, slug: task.slug ?? 'find_total' });
  const events: Envelope[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, events };
}

export function payloadsOf<T extends Envelope['type']>(events: readonly Envelope[], type: T): Payload<T>[] {
  return events.filter((event): event is Extract<Envelope, { type: T }> => event.type === type).map(({ payload }) => payload as Payload<T>);
}

export function artooWith(llm: ScriptedLLM, options: Partial<ArtooOptions> & { readonly memory?: MemoryStore }): Artoo {
  return createArtoo({ models: { brain: llm, tool: llm }, ids: new CountingIds(), clock: new ManualClock(START), ...options });
}

/** Runs tasks one after the other on the same memory, each with an id of its own. */
export class OwnIds extends CountingIds {
  constructor(private readonly prefix: string) {
    super();
  }

  override next(kind: 'task' | 'nonce' | 'approval'): string {
    return `${this.prefix}-${super.next(kind)}`;
  }
}

export function megram(id: string, change: Partial<Megram>): Megram {
  return {
    id, level: 'M', createdAt: START, lastRecalledAt: null, space: 'tool:read', entity: 'path:a.txt', content: `lesson ${id}`, state: 'accept',
    f: 0.9, sigma: 1, k: 0.05, origin: { taskId: 'earlier', integrity: 'trusted', source: 'R7' }, ...change,
  };
}
