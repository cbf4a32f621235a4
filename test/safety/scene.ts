import { createArtoo, defineTool, type Artoo, type ArtooOptions, type ApprovalQuestion, type Tool } from 'artoo';
import { createMemoryLedger } from 'artoo/ledger';
import { CountingIds } from 'artoo/testing';
import * as z from 'zod';
import { calls, Model, passAll } from '../hostile/scene.js';

/** One call after the other, as subtasks in parallel; each subtask's executor makes its calls in order and then ends. */
export function modelThatCalls(...subtasks: readonly (readonly { readonly name: string; readonly input: unknown }[])[]): Model {
  return new Model({
    R1: () => ({ slug: 'work', intent: 'Do the work.' }),
    R2: () => ({
      taskCriteria: ['The answer states the word ok'],
      subtasks: subtasks.map((list, index) => ({
        intent: `Part ${index}`, successCriteria: ['The tool output names the word ok'], sequence: 0, tools: [...new Set(list.map(({ name }) => name))],
      })),
    }),
    R3: (request) => {
      const list = subtasks[Number(/^Subtask: Part (\d+)/m.exec(request.messages[0]!.content)?.[1] ?? 0)] ?? [];
      const made = request.messages.filter(({ role }) => role === 'tool').length;
      const next = list[made];
      return next ? calls([next]) : { status: 'completed', output: 'done: ok' };
    },
    R4a: () => passAll(1, 'ok'),
    R4b: () => ({ summary: 'Done.', mergedOutput: 'ok', ...passAll(1, 'ok') }),
  });
}

/** A world that counts what was done to it. */
export class Hands {
  readonly done: string[] = [];

  tool(name: string, change: Partial<Tool> = {}): Tool {
    return {
      ...defineTool({
        name, description: `Does ${name}.`, input: z.object({ what: z.string() }), effect: 'irreversible', target: ({ what }) => what,
        execute: ({ what }) => { this.done.push(`${name} ${what}`); return `ok ${what}`; },
      }),
      ...change,
    };
  }
}

export const call = (name: string, what: string): { readonly name: string; readonly input: unknown } => ({ name, input: { what } });

/** An artoo on the real clock whose questions are kept. */
export function scene(model: Model, tools: readonly Tool[], more: Partial<ArtooOptions> = {}): { readonly artoo: Artoo; readonly asked: ApprovalQuestion[]; readonly ledger: NonNullable<ArtooOptions['ledger']> } {
  const asked: ApprovalQuestion[] = [];
  const ledger = more.ledger ?? createMemoryLedger();
  const { confirm = () => 'allow' as const } = more;
  const artoo = createArtoo({
    models: { brain: model, tool: model }, tools, ids: new CountingIds(), hyperparameters: { maxReplans: 1 }, ...more, ledger,
    confirm: (question) => {
      asked.push(question);
      return confirm(question);
    },
  });
  return { artoo, asked, ledger };
}
