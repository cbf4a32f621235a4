import { createArtoo, defineTool, type Artoo, type ArtooOptions, type FinalResult, type Run, type RunOptions, type Tool } from 'artoo';
import { createBus } from 'artoo/bus';
import type { Envelope, LLMClient, LLMReply, LLMRequest, RoleId } from 'artoo/contracts';
import { CountingIds, ManualClock, RecordingBus } from 'artoo/testing';
import * as z from 'zod';

/** What a role's model answers: a text, a value (as JSON), or an object with `raw`, which is handed over as it is. */
export type Answer = (request: LLMRequest, call: { readonly signal: AbortSignal; readonly number: number }) => unknown;
export type Answers = Partial<Record<RoleId, Answer>>;

/** Marks what the client returns untouched, be it a reply or not. */
export const raw = (value: unknown): { readonly raw: unknown } => ({ raw: value });
export const text = (content: string, finishReason: LLMReply['finishReason'] = 'stop'): { readonly raw: LLMReply } => raw({ text: content, finishReason }) as { raw: LLMReply };
export const calls = (list: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[]): { readonly raw: unknown } =>
  raw({ text: '', toolCalls: list.map((call, index) => ({ id: `c${index}`, ...call })), finishReason: 'tool_calls' });

const WORDS = ['tree', 'lake', 'wind', 'moss', 'dune', 'reef'];

/** A plan for one word. */
export const planFor = (word: string, change: object = {}): object => ({
  taskCriteria: ['The answer states the number of letters'],
  subtasks: [{ intent: `Look up ${word}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'], targets: [word], ...change }],
});
export const passAll = (count = 1, evidence = 'four letters'): object => ({ verdicts: Array.from({ length: count }, (_, index) => ({ index, verdict: 'pass', evidence })) });
export const failAll = (count = 1): object => ({ verdicts: Array.from({ length: count }, (_, index) => ({ index, verdict: 'fail', evidence: '', failureClass: 'logical' })), whatWasWrong: 'not shown', whatToDo: 'show it' });

/** Answers that carry any task through, whatever the round. */
export function goodAnswers(): Answers {
  const rounds = new Map<string, number>();
  return {
    R1: () => ({ slug: 'look_up', intent: 'Find out about a word.' }),
    R2: (request) => {
      if (request.schema?.name === 'next_moves') return { moves: ['Try another word', 'Ask somebody'] };
      const round = rounds.get(request.taskId) ?? 0;
      if (request.messages.length === 1) rounds.set(request.taskId, round + 1);
      return planFor(WORDS[round % WORDS.length]!);
    },
    R3: (request) => {
      const word = /^Subtask: Look up (\S+)/m.exec(request.messages[0]!.content)?.[1] ?? 'tree';
      return request.messages.some(({ role }) => role === 'tool') ? { status: 'completed', output: `${word} has four letters` } : calls([{ name: 'lookup', input: { word } }]);
    },
    R4a: () => passAll(),
    R4b: () => ({ summary: 'Looked it up.', mergedOutput: 'tree has four letters', ...passAll() }),
  };
}

/** A client that hands over whatever the answers say, also what no client should. */
export class Model implements LLMClient {
  readonly model = 'played';
  readonly requests: LLMRequest[] = [];
  /** Calls under way at once, at most. */
  peak = 0;
  private underWay = 0;
  private readonly counts = new Map<RoleId, number>();
  private readonly answers: Answers;

  constructor(answers: Answers = {}, readonly capabilities: { readonly tools?: boolean; readonly jsonSchema?: boolean } = { tools: true, jsonSchema: true }) {
    this.answers = { ...goodAnswers(), ...answers };
  }

  /** Throws at once where an answer throws, as a careless client does. */
  complete(request: LLMRequest, { signal }: { readonly signal: AbortSignal }): Promise<LLMReply> {
    this.requests.push(request);
    const number = (this.counts.get(request.role) ?? 0) + 1;
    this.counts.set(request.role, number);
    const answer = this.answers[request.role];
    if (!answer) throw new Error(`nobody answers for ${request.role}`);
    this.peak = Math.max(this.peak, ++this.underWay);
    let value: unknown;
    try {
      value = answer(request, { signal, number });
    } finally {
      if (!(value instanceof Promise)) this.underWay -= 1;
    }
    if (!(value instanceof Promise)) return handed(value) as Promise<LLMReply>;
    return value.then(handed).finally(() => { this.underWay -= 1; }) as Promise<LLMReply>;
  }

  of(role: RoleId): readonly LLMRequest[] {
    return this.requests.filter((request) => request.role === role);
  }
}

function handed(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'raw' in value) return isReply(value.raw) ? Promise.resolve(value.raw) : value.raw;
  return Promise.resolve({ text: typeof value === 'string' ? value : JSON.stringify(value), finishReason: 'stop' });
}

const isReply = (value: unknown): boolean => typeof value === 'object' && value !== null && 'finishReason' in value;

/** Never answers, and does not listen either. */
export const never = (): Promise<never> => new Promise<never>(() => undefined);

export function lookupTool(onCall: (word: string) => unknown = () => undefined): Tool {
  return defineTool({
    name: 'lookup', description: 'Looks a word up.', input: z.object({ word: z.string() }), effect: 'read', target: ({ word }) => word,
    execute: async ({ word }) => (await onCall(word)) ?? `${word}: four letters`,
  });
}

export interface Played {
  readonly result: FinalResult | undefined;
  readonly error: unknown;
  readonly run: Run;
  readonly bus: RecordingBus;
  readonly clock: ManualClock;
  readonly model: Model;
  readonly artoo: Artoo;
}

export interface Play {
  readonly model?: Model;
  readonly clock?: ManualClock;
  readonly options?: Partial<ArtooOptions>;
  readonly run?: Partial<RunOptions>;
  /** How far the clock is moved at a time, and how often at most. */
  readonly stepMs?: number;
  readonly most?: number;
  readonly onRun?: (run: Run, artoo: Artoo) => void;
}

/** Runs one task to its end, moving the clock as often as it takes; a run that takes too often hangs. */
export async function play({ model = new Model(), clock = new ManualClock(), options = {}, run: runOptions = {}, stepMs = 30_000, most = 200, onRun }: Play = {}): Promise<Played> {
  const bus = new RecordingBus(createBus());
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], ids: new CountingIds(), clock, bus, ...options });
  const run = artoo.run({ input: 'look up tree', ...runOptions });
  onRun?.(run, artoo);
  const settled = await settle(run, clock, { stepMs, most });
  return { ...settled, run, bus, clock, model, artoo };
}

export async function settle(run: Run, clock: ManualClock, { stepMs = 30_000, most = 200 }: { readonly stepMs?: number; readonly most?: number } = {}): Promise<{ result: FinalResult | undefined; error: unknown }> {
  const end: { done: boolean; result: FinalResult | undefined; error: unknown } = { done: false, result: undefined, error: undefined };
  run.result.then((result) => Object.assign(end, { done: true, result }), (error: unknown) => Object.assign(end, { done: true, error }));
  for (let moved = 0; moved <= most && !end.done; moved += 1) {
    await clock.advance(moved === 0 ? 0 : stepMs);
    await quiet(() => end.done);
  }
  if (!end.done) throw new Error(`the run did not end within ${most} moves of ${stepMs} ms`);
  return { result: end.result, error: end.error };
}

/** Lets work go on that no clock rules, such as hashing in another thread: time must not run away from under it. */
async function quiet(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5 && !isDone(); turn += 1) {
    await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(64));
    await new Promise<void>((resolve) => { setImmediate(resolve); });
  }
}

export const finals = (bus: RecordingBus): readonly Envelope[] => bus.ofType('FinalResult') as readonly Envelope[];
