import { canonicalJson } from '../../text/index.js';
import type { Skill, Skills } from '../methods.js';

/** A call that a procedure wants made. */
export interface Call { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
/** What came of a call. `cut`: not all of the output is there. */
export interface CallResult { readonly ok: boolean; readonly text: string; readonly cut: boolean }
/**
 * Work that asks for calls and goes on with their results. It holds no state between turns: each turn it is run from
 * its beginning over the results that the conversation shows, up to the first call that has none.
 */
export type Procedure<T> = Generator<readonly Call[], T, readonly CallResult[]>;

/** Thrown by a procedure that can't reach its end. The reason is for people, and says what the tools said. */
export class Unable extends Error {
  override readonly name = 'Unable';
}

/** How far a procedure came: its answer, the calls it waits for, or why it can't go on. */
export type Progress<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'wants'; readonly calls: readonly Call[] } | { readonly kind: 'unable'; readonly why: string };

/** Calls of one subtask: below the runtime's limit for an attempt, which this model isn't told. */
export const MOST_CALLS = 18;

/** What a procedure works with. */
export interface Hands {
  readonly skills: Skills;
  /** Paths that must not be used. */
  readonly avoid: readonly string[];
}

export function callKey({ tool, input }: { readonly tool: string; readonly input: unknown }): string {
  return `${tool}\n${canonicalJson(input)}`;
}

/** Runs a procedure over the results that are known. */
export function runOver<T>(procedure: Procedure<T>, results: ReadonlyMap<string, CallResult>): Progress<T> {
  const made = new Set<string>();
  try {
    let step = procedure.next();
    while (!step.done) {
      for (const call of step.value) made.add(callKey(call));
      if (made.size > MOST_CALLS) throw new Unable(`it would take more than ${MOST_CALLS} tool calls; narrow it to a smaller folder or a single file`);
      const missing = step.value.filter((call) => !results.has(callKey(call)));
      if (missing.length > 0) return { kind: 'wants', calls: missing };
      step = procedure.next(step.value.map((call) => results.get(callKey(call))!));
    }
    return { kind: 'done', value: step.value };
  } catch (error) {
    if (error instanceof Unable) return { kind: 'unable', why: error.message };
    throw error;
  }
}

/** One call with the tool of a skill. */
export function* call(hands: Hands, skill: Skill, input: Readonly<Record<string, unknown>>): Procedure<CallResult> {
  const results = yield [{ tool: toolFor(hands, skill), input }];
  return results[0]!;
}

export function toolFor(hands: Hands, skill: Skill): string {
  const tool = hands.skills.get(skill);
  if (tool === undefined) throw new Unable(`no tool to ${skill} with is offered here`);
  return tool;
}

/** The result, or the end with what the tool said. */
export function expectOk(result: CallResult): CallResult {
  if (!result.ok) throw new Unable(result.text.trim() || 'the call failed and said nothing');
  return result;
}

/** An output of one thing per line: its lines, and whether the tool's own notes say that there is more. */
export function readListing(result: CallResult): { readonly lines: readonly string[]; readonly complete: boolean; readonly unread: string } {
  const all = result.text.split('\n').filter((line) => line !== '');
  const notes = all.filter((line) => NOTE.test(line));
  return {
    lines: all.filter((line) => !NOTE.test(line)),
    complete: !result.cut && !notes.some((note) => MORE.test(note)),
    unread: notes.filter((note) => !MORE.test(note)).join(' '),
  };
}

const NOTE = /^\[(?:\d+ more left out;|The time for this search was over|Stopped after \d+ entries|\d+ (?:folders|files|long lines) ).*\]$/;
const MORE = /left out|time for this search was over|Stopped after|only in their/;
