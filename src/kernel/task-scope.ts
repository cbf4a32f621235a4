import type { Draft } from '../contracts/bus.js';
import type { Envelope, MessageType, Recipient } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import type { EffectAddress, Ledger, LedgerBody, LedgerEvent, RecordedError } from '../contracts/ledger.js';
import type { ApprovalReply, Stop } from '../contracts/messages.js';
import type { Effect, RoleId } from '../contracts/names.js';
import type { ActResult, Clock, Lane, TaskRuntime, ToolIntent } from '../contracts/runtime.js';
import { Actions } from './actions.js';
import type { Redactor } from '../text/index.js';
import type { BudgetMeter } from './budget-meter.js';
import { Causality } from './causality.js';
import { GuardedCall } from './guarded-call.js';
import { LaneCounter } from './lanes.js';
import { MessageDesk } from './message-desk.js';
import { QuestionDesk } from './question-desk.js';
import { fromRecordedError, toRecordedError } from './recorded-error.js';
import { sameRequest } from './same-request.js';
import type { EffectLine, ReplayIndex } from './replay-index.js';
import { RunningTime } from './running-time.js';
import type { TaskOptions } from './task-options.js';

/** The version of ledger events that this library writes. */
export const LEDGER_VERSION = 1;

/** What may still be said once a task was stopped: only what ends it. */
const AFTER_STOP: ReadonlySet<MessageType> = new Set(['Stop', 'FinalResult', 'MegramWrite', 'RoleFailure']);
/** Why a task rests until somebody does something about it; any other one is interrupted and may just be resumed. */
const RESTS_ON_RECORD: ReadonlySet<string> = new Set(['ARTOO_APPROVAL_PENDING', 'ARTOO_LEDGER_DIVERGED', 'ARTOO_LEDGER_REDACTED']);
const SYNC = Object.freeze({ sync: true });

export interface TaskServices {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly redactor: Redactor | undefined;
  /** The record can't be kept or followed any more: the task must rest until the host decides. */
  readonly onParked: (task: TaskScope, error: ArtooError) => void;
  /** A recorded stop has been reached again. */
  readonly onStopReached: (task: TaskScope, stop: Stop) => void;
}

/**
 * One running task: its effects, its messages' numbers, its clock and what it spent.
 *
 * Every value that comes from outside passes through `effect`, `act` or the model calls, which look it up in the
 * record first; what the roles compute from such values needs no recording, because it comes out the same again.
 */
export class TaskScope implements TaskRuntime {
  readonly taskId: string;
  readonly causality = new Causality();
  readonly time: RunningTime;
  readonly lanes = new LaneCounter();
  /** Tool calls that ran. */
  toolCalls = 0;
  readonly messages: MessageDesk;
  readonly questions: QuestionDesk;
  readonly actions = new Actions(this);
  stopped: Stop | undefined;
  parked: ArtooError | undefined;
  closed = false;
  /** Things under way that the kernel knows of: calls, tools, questions. */
  inFlight = 0;
  /** Lines that the ledger has not kept yet. */
  private writing = 0;
  lastActivity: number;
  private readonly controller = new AbortController();
  private readonly states = new Map<object, unknown>();
  private readonly notes = new Map<string, number>();
  private readonly calls = new Set<GuardedCall<unknown>>();
  private waitingForStop: (() => void)[] = [];
  private trusted: readonly string[] | undefined;

  constructor(
    readonly options: TaskOptions,
    readonly meter: BudgetMeter,
    private readonly services: TaskServices,
    readonly replay?: ReplayIndex,
  ) {
    this.taskId = options.request.taskId;
    this.time = new RunningTime(services.clock, replay?.elapsedMs ?? 0);
    this.lastActivity = services.clock.monotonic();
    this.messages = new MessageDesk(this.taskId, this.causality, () => services.clock.now(), replay);
    this.questions = new QuestionDesk(this, services.clock, options.limits.approvalMs, replay);
  }

  /** Set where the record holds masks in the place of secrets. */
  get redactor(): Redactor | undefined { return this.services.redactor; }
  get signal(): AbortSignal { return this.controller.signal; }
  get limits(): TaskOptions['limits'] { return this.options.limits; }
  get hyperparameters(): TaskOptions['hyperparameters'] { return this.options.hyperparameters; }
  get workspace(): TaskOptions['workspace'] { return this.options.workspace; }
  get tools(): readonly string[] { return this.options.request.tools; }
  get trustedTexts(): readonly string[] { return (this.trusted ??= trustedTextsOf(this.options.request)); }
  /** The user has said more. */
  trust(texts: readonly string[]): void { this.trusted = [...this.trustedTexts, ...texts]; }
  get date(): string { return this.options.date; }
  get nonce(): string { return this.options.nonce; }

  // ——— the record ———

  /** Appends a line. Returns a promise only where the ledger wants to be waited for. */
  append(body: LedgerBody, sync = false): void | Promise<void> {
    if (this.parked) throw this.parked;
    const event: LedgerEvent = { v: LEDGER_VERSION, taskId: this.taskId, at: this.services.clock.now(), elapsedMs: this.time.elapsed(), ...body };
    try {
      const kept = this.services.ledger.append(event, sync ? SYNC : undefined);
      if (kept === undefined) return undefined;
      this.writing += 1;
      return kept.then(() => this.wrote(), (error: unknown) => {
        this.wrote();
        return this.failToRecord(error);
      });
    } catch (error) {
      this.failToRecord(error);
    }
  }

  /** Appends a line that nothing waits for; a failure parks the task all the same. */
  record(body: LedgerBody): void {
    if (!this.parked && !this.replaying(body)) this.note(body);
  }

  private wrote(): void {
    this.writing -= 1;
    this.questions.rested();
  }

  private failToRecord(error: unknown): never {
    const failure = ArtooError.is(error) ? error : new ArtooError('ARTOO_LEDGER_WRITE', 'The ledger could not keep a line.', {
      cause: error, hint: 'Mend the ledger and resume the task: what was recorded is not done again.',
    });
    this.park(failure);
    throw failure;
  }

  /** Lets the task rest: nothing more is done or said, and no result is made up. */
  park(error: ArtooError): void {
    if (this.parked || this.closed) return;
    if (RESTS_ON_RECORD.has(error.code)) this.note({ kind: 'task.parked', code: error.code, message: error.message }, true);
    if (this.parked) return;
    this.parked = error;
    this.abort(error);
    this.services.onParked(this, error);
  }

  /** GGS decisions and verdicts are computed again on a resume and stand in the record already. */
  private replaying(body: LedgerBody): boolean {
    if (!this.replay) return false;
    const count = (this.notes.get(body.kind) ?? 0) + 1;
    this.notes.set(body.kind, count);
    return count <= (this.replay.notes.get(body.kind) ?? 0);
  }

  // ——— effects ———

  async effect<T>(lane: Lane, request: unknown, live: () => T | Promise<T>): Promise<T> {
    const address = this.lanes.take(lane);
    const line = this.recorded(address);
    if (line?.kind === 'effect') {
      if (sameRequest(line.request, request, this.redactor)) return restore<T>(line);
      this.diverge(address, `${lane.role} asks for another ${lane.kind} than the record holds`);
    }
    if (this.replay) await this.beforeLive();
    this.begin();
    try {
      const value = await (lane.kind === 'check' ? this.inTime(live) : live());
      const kept = this.append({ kind: 'effect', address, request, value });
      if (kept) await kept;
      return value;
    } catch (error) {
      if (this.signal.aborted) throw this.signal.reason;
      await this.append({ kind: 'effect', address, request, error: toRecordedError(error) });
      throw error;
    } finally {
      this.finish();
    }
  }

  act<T>(lane: Lane, intent: ToolIntent, live: (intentId: string) => Promise<T>): Promise<ActResult<T>> {
    return this.actions.act(lane, intent, live);
  }

  elapsedMs(reader: RoleId): number | Promise<number> {
    const address = this.lanes.take({ role: reader, kind: 'clock' });
    const line = this.recorded(address);
    if (line?.kind === 'effect') return restore<number>(line);
    const read = (): number | Promise<number> => {
      const value = this.time.elapsed();
      const kept = this.append({ kind: 'effect', address, value });
      return kept ? kept.then(() => value) : value;
    };
    return this.replay ? this.awaitStop().then(read) : read();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.finish();
    }
  }

  async waitForHuman<T>(wait: () => Promise<T>): Promise<T> {
    this.time.pause();
    try {
      return await wait();
    } finally {
      this.time.unpause();
    }
  }

  question(question: { readonly approvalId: string; readonly fingerprint: string; readonly masked?: boolean }, put: ((expiresAt: number) => void) | undefined, wait: () => Promise<ApprovalReply>): Promise<ApprovalReply | undefined> {
    return this.questions.ask(question, put, wait);
  }

  isQuiet(): boolean {
    return this.inFlight === 0 && this.writing === 0;
  }

  /** The last line at an address, taken out of the record. */
  recorded(address: EffectAddress): EffectLine | undefined {
    const effect = this.replay?.take(address);
    if (effect) this.reachStop();
    return effect?.lines.at(-1);
  }

  /** Where the run has left its record: goes on alone if that can't repeat an action, else parks. */
  diverge(address: EffectAddress, message: string, here?: { readonly tool: string; readonly effect: Effect; readonly target: string }): void {
    const ahead = here && here.effect !== 'read' ? `${here.tool} on ${here.target}` : this.replay?.actionAhead();
    if (ahead !== undefined) {
      const error = new ArtooError('ARTOO_LEDGER_DIVERGED', `${message}, and a recorded action lies ahead (${ahead}).`, {
        hint: 'Resume with the version and settings that began the task, or start it anew after looking at what was done.',
        details: { address },
      });
      this.park(error);
      throw error;
    }
    this.replay?.dropLane(address);
  }

  /** What is not in the record waits until a recorded stop has been delivered, and then never happens. */
  async beforeLive(): Promise<void> {
    if (this.replay) await this.awaitStop();
    this.throwIfStopped();
  }

  private async awaitStop(): Promise<void> {
    if (!this.replay?.stop || this.stopped) return;
    await new Promise<void>((resolve) => {
      this.waitingForStop.push(resolve);
      this.reachStop();
    });
  }

  reachStop(): void {
    const replay = this.replay;
    if (!replay?.stop || this.stopped || !replay.reachedStop) return;
    this.services.onStopReached(this, replay.stop);
  }

  throwIfStopped(): void {
    if (this.signal.aborted) throw this.signal.reason;
    if (this.closed) throw new ArtooError('ARTOO_ABORTED', 'The task has ended.');
  }

  /**
   * Runs something under the task's stop and a time limit of its own. Settles at once when the task stops or the time is
   * up, whether or not what runs listens to its signal; that signal is only made when it is read.
   */
  guard<T>(ms: number, run: (scope: GuardedCall<T>) => Promise<T>, onTimeout: () => Error): Promise<T> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason as Error);
    return new Promise<T>((resolve, reject) => {
      const call = new GuardedCall<T>(this.calls as Set<unknown>, resolve, reject, onTimeout);
      call.start(this.services.clock, ms, run);
    });
  }

  /** What a host's own function gets: as long as a model call, and no longer. */
  private inTime<T>(live: () => T | Promise<T>): Promise<T> {
    const ms = this.limits.callTimeoutMs;
    return this.guard(ms, async () => live(), () => new ArtooError('ARTOO_DEADLINE', `no answer within ${ms} ms`));
  }

  private abort(reason: Error): void {
    this.controller.abort(reason);
    for (const call of [...this.calls]) call.cancel(reason);
  }

  begin(): void {
    this.throwIfStopped();
    this.inFlight += 1;
  }

  finish(): void {
    this.inFlight -= 1;
    this.touch();
    this.questions.rested();
  }

  touch(): void {
    this.lastActivity = this.services.clock.monotonic();
  }

  // ——— messages ———

  /** Makes the envelope of what a role wants to say, numbers it and records it; undefined when nothing may be said. */
  stamp(draft: Draft, from: RoleId, to: Recipient): Envelope | undefined {
    const { type } = draft;
    if (this.closed || this.parked || (this.stopped && !AFTER_STOP.has(type))) return undefined;
    const { envelope, record } = this.messages.make(draft, from, to);
    this.touch();
    if (record) this.note({ kind: 'message', envelope });
    return this.parked ? undefined : envelope;
  }

  /** Appends a line that nobody waits for. A failure has parked the task, and there is nobody else to tell. */
  private note(body: LedgerBody, sync = false): void {
    try {
      const kept = this.append(body, sync);
      if (kept) kept.catch(() => undefined);
    } catch {
      // The task is parked: append has seen to it.
    }
  }

  /** Once per role and message, and not after the end. */
  accepts(envelope: Envelope, role: RoleId): boolean {
    if (this.closed || this.parked) return false;
    const { subtaskId } = envelope.payload as { readonly subtaskId?: string };
    return this.causality.heard(envelope, role, subtaskId);
  }

  taint(role: RoleId, subtaskId?: string, source = 'a tool'): void {
    this.causality.taint(role, subtaskId, source);
  }

  influence(role: RoleId, subtaskId?: string): readonly string[] | undefined {
    return this.causality.influence(role, subtaskId);
  }

  canCall(): boolean {
    return !this.signal.aborted && this.meter.hasRoom();
  }

  state<S>(owner: object, create: () => S): S {
    let state = this.states.get(owner) as S | undefined;
    if (state === undefined) this.states.set(owner, (state = create()));
    return state;
  }

  // ——— the end ———

  /** Stops the work: everything under way is cancelled. Only the first stop counts. */
  stop(stop: Stop): boolean {
    if (this.stopped || this.closed || this.parked) return false;
    if (!this.replay?.stop) this.note({ kind: 'stop', stop }, true);
    if (this.parked) return false;
    this.stopped = stop;
    this.abort(new ArtooError(stop.reason === 'deadline' ? 'ARTOO_DEADLINE' : 'ARTOO_ABORTED', stop.message));
    for (const wake of this.waitingForStop.splice(0)) wake();
    return true;
  }

  /** Ends the task for good; leftover work is cancelled. */
  close(): void {
    this.closed = true;
    this.time.stop();
    // An abort costs more than the rest of the end: it is spared where nothing is left that could hear it.
    if (!this.signal.aborted && this.inFlight > 0) this.abort(new ArtooError('ARTOO_ABORTED', 'The task has ended.'));
    for (const wake of this.waitingForStop.splice(0)) wake();
  }
}

function restore<T>(line: { readonly value?: unknown; readonly error?: RecordedError }): T {
  if (line.error) throw fromRecordedError(line.error);
  return line.value as T;
}

/** What the user and the host said. Earlier answers may hold anything: of a turn of the context only the question counts. */
function trustedTextsOf({ input, intent, criteria, context, plan }: TaskOptions['request']): readonly string[] {
  const turns = context.map((turn) => (typeof turn === 'string' ? '' : turn.input));
  return [input, intent ?? '', ...criteria.map(({ criterion }) => criterion), ...turns, plan ? JSON.stringify(plan) : ''].filter((text) => text !== '');
}
