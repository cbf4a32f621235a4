import { ArtooError } from '../contracts/errors.js';
import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest } from '../contracts/llm.js';
import type { RoleId } from '../contracts/names.js';
import type { Clock } from '../contracts/runtime.js';
import { frozenCopy } from './frozen-copy.js';
import { raceAbort, waitFor } from './race-abort.js';
import { toReply } from './scripted-reply.js';

/** What a step answers: JSON text of a value, a text, a whole reply, an Error to reject with, or a function of those. */
export type ScriptedAnswer = unknown;
/** Computes an answer. May be async; what it throws, the call rejects with. */
export type ScriptedFunction = (request: LLMRequest, options: LLMCallOptions) => ScriptedAnswer;

/** One expected call. */
export interface ScriptedStep {
  /** Only calls of this role, or of one of these. */
  readonly role?: RoleId | readonly RoleId[];
  /** Only calls for which this is true, e.g. `(request) => request.subtaskId === 's2'`. */
  readonly when?: (request: LLMRequest) => boolean;
  readonly reply: ScriptedAnswer | ScriptedFunction;
  /** How many calls the step answers; default 1. `Infinity` answers any number, also none. */
  readonly times?: number;
  /** Answers after so many ms of the clock. */
  readonly delayMs?: number;
}

/** Options of {@link ScriptedLLM}. */
export interface ScriptedLLMOptions {
  /** Default `'scripted'`. */
  readonly model?: string;
  readonly rank?: number;
  /** Default both true. */
  readonly capabilities?: { readonly tools?: boolean; readonly jsonSchema?: boolean };
  /** Default true: a call that no step expects rejects. False: the newest step that fits answers again. */
  readonly strict?: boolean;
  /** Where `delayMs` passes; default the real clock. */
  readonly clock?: Pick<Clock, 'setTimeout'>;
  /** How many of the newest requests are kept; default all. For long soaks. */
  readonly keepRequests?: number;
}

interface StepState { readonly step: ScriptedStep; readonly index: number; left: number; used: number }

/**
 * A model that follows a script: the first unused step that fits a call answers it.
 *
 * Strict in both directions. A call that no step expects rejects with ARTOO_SCRIPT_UNEXPECTED_CALL, and
 * {@link ScriptedLLM.assertComplete} throws that error again, so that it can't get lost in a retry; a step that nobody
 * used makes it throw ARTOO_SCRIPT_UNUSED_STEP. Usage is one token for each four characters unless the reply says
 * otherwise. The choice of a step is made synchronously, in the order of the calls.
 *
 * Replies: a value becomes JSON text; a string is the text itself; an object with `finishReason`, or of nothing but
 * `text`, `toolCalls` and `usage`, is the reply; `{ tool, input }` becomes a native tool call where the request
 * offers tools; an Error rejects.
 *
 * @example
 * import { ScriptedLLM } from 'artoo/testing';
 * const llm = new ScriptedLLM([
 *   { role: 'R1', reply: { slug: 'count_lines', intent: 'count the lines' } },
 *   { role: 'R3', reply: { toolCalls: [{ name: 'count', input: { path: 'a.txt' } }] } },
 *   { role: 'R3', reply: { status: 'completed', output: '12 lines' } },
 * ]);
 * // … run …
 * llm.assertComplete();
 */
export class ScriptedLLM implements LLMClient {
  readonly model: string;
  declare readonly rank?: number;
  readonly capabilities: { readonly tools?: boolean; readonly jsonSchema?: boolean };
  private readonly steps: readonly StepState[];
  private readonly strict: boolean;
  private readonly clock: Pick<Clock, 'setTimeout'> | undefined;
  private readonly keepRequests: number;
  private kept: LLMRequest[] = [];
  private firstUnused = 0;
  private calls = 0;
  private unexpected: ArtooError | undefined;

  /** @throws ARTOO_INVALID_ARGUMENT for a step without a reply or with `times` that is no count. */
  constructor(steps: readonly ScriptedStep[], options: ScriptedLLMOptions = {}) {
    this.steps = steps.map((step, index) => checkedStep(step, index));
    this.model = options.model ?? 'scripted';
    if (options.rank !== undefined) this.rank = options.rank;
    this.capabilities = Object.freeze({ ...(options.capabilities ?? { tools: true, jsonSchema: true }) });
    this.strict = options.strict ?? true;
    this.clock = options.clock;
    this.keepRequests = options.keepRequests ?? Number.POSITIVE_INFINITY;
  }

  /** The requests in the order of the calls, frozen. A call whose signal was aborted before it began is none. */
  get requests(): readonly LLMRequest[] {
    return Object.freeze(this.keepRequests === 0 ? [] : this.kept.slice(-this.keepRequests));
  }

  /** How many calls began. */
  get callCount(): number {
    return this.calls;
  }

  async complete(request: LLMRequest, options: LLMCallOptions = { signal: new AbortController().signal }): Promise<LLMReply> {
    const { signal } = options;
    signal.throwIfAborted();
    this.calls += 1;
    const call = this.calls;
    this.remember(request);
    const state = this.take(request);
    return raceAbort(this.answer(state.step, call, request, options), signal);
  }

  /** @throws the first ARTOO_SCRIPT_UNEXPECTED_CALL there was; else ARTOO_SCRIPT_UNUSED_STEP when steps are left. */
  assertComplete(): void {
    if (this.unexpected) throw this.unexpected;
    const left = this.steps.filter((state) => state.left > 0 && state.left !== Number.POSITIVE_INFINITY);
    if (left.length === 0) return;
    throw new ArtooError('ARTOO_SCRIPT_UNUSED_STEP', `${left.length} scripted step(s) were never used: ${left.map(describeStep).join('; ')}`, {
      hint: 'Remove the steps, or find out why the run ended before it asked for them.',
      details: { unused: left.map(({ index, step, used }) => ({ index, role: step.role, used })) },
    });
  }

  private async answer(step: ScriptedStep, call: number, request: LLMRequest, options: LLMCallOptions): Promise<LLMReply> {
    if (step.delayMs !== undefined) await waitFor(step.delayMs, options.signal, this.clock);
    const computed = typeof step.reply === 'function';
    const answer = computed ? await (step.reply as ScriptedFunction)(request, options) : step.reply;
    if (answer instanceof Error) throw answer;
    const reply = toReply(answer, { call, request });
    if (!computed && reply.text !== '' && !options.signal.aborted) options.onDelta?.(reply.text);
    return reply;
  }

  private remember(request: LLMRequest): void {
    this.kept.push(frozenCopy(request));
    // Cut in halves, so that a bounded list costs a constant time per call.
    if (this.kept.length > 2 * this.keepRequests) this.kept = [...this.requests];
  }

  private take(request: LLMRequest): StepState {
    for (let index = this.firstUnused; index < this.steps.length; index += 1) {
      const state = this.steps[index] as StepState;
      if (state.left === 0 || !fits(state.step, request)) continue;
      state.left -= 1;
      state.used += 1;
      while (this.steps[this.firstUnused]?.left === 0) this.firstUnused += 1;
      return state;
    }
    const again = this.strict ? undefined : this.steps.findLast((state) => fits(state.step, request));
    if (again) return again;
    const error = this.unexpectedCall(request);
    this.unexpected ??= error;
    throw error;
  }

  private unexpectedCall(request: LLMRequest): ArtooError {
    const left = this.steps.filter((state) => state.left > 0);
    const where = request.subtaskId === undefined ? request.role : `${request.role} (subtask ${request.subtaskId})`;
    const remaining = left.length === 0 ? 'no step is left' : `steps left: ${left.map(describeStep).join('; ')}`;
    return new ArtooError('ARTOO_SCRIPT_UNEXPECTED_CALL', `No scripted step fits call ${this.calls}, by ${where}: ${remaining}. Last message: ${lastMessage(request)}`, {
      hint: `Add a step for ${request.role} that fits this call, or raise \`times\` of one that does.`,
      details: { role: request.role, subtaskId: request.subtaskId, call: this.calls, remaining: left.map(describeStep) },
    });
  }
}

function checkedStep(step: ScriptedStep, index: number): StepState {
  const times = step.times ?? 1;
  if (step.reply === undefined) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `Scripted step ${index + 1} has no reply.`, { hint: 'Give each step a `reply`; an empty text is \'\'.' });
  }
  if (times !== Number.POSITIVE_INFINITY && (!Number.isInteger(times) || times < 1)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `Scripted step ${index + 1} has times ${String(times)}.`, { hint: '`times` is a positive integer or Infinity.' });
  }
  return { step, index, left: times, used: 0 };
}

function fits(step: ScriptedStep, request: LLMRequest): boolean {
  const { role, when } = step;
  if (role !== undefined && (typeof role === 'string' ? role !== request.role : !role.includes(request.role))) return false;
  return when === undefined || when(request);
}

function describeStep({ step, index, left }: StepState): string {
  const role = step.role === undefined ? 'any role' : String(step.role);
  const times = left === 1 ? '' : ` ×${left}`;
  return `#${index + 1} ${role}${step.when ? ' when …' : ''}${times} → ${short(preview(step.reply))}`;
}

function preview(reply: unknown): string {
  if (typeof reply === 'function') return 'function';
  if (reply instanceof Error) return `${reply.name}: ${reply.message}`;
  try {
    return typeof reply === 'string' ? reply : JSON.stringify(reply);
  } catch {
    return 'a value that is no JSON';
  }
}

function lastMessage(request: LLMRequest): string {
  const last = request.messages?.at(-1);
  return last ? `${last.role}: ${short(last.content)}` : '(none)';
}

function short(text: string, limit = 160): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}
