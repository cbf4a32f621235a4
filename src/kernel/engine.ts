import { deepFreeze } from '../bus/freeze.js';
import { rolePort, roleFailure, type PortHooks } from '../bus/role-port.js';
import type { Bus, Draft, RolePort } from '../contracts/bus.js';
import * as z from 'zod/mini';
import { payloadSchemas, type Envelope, type Recipient } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import type { Ledger } from '../contracts/ledger.js';
import type { FinalResult, LawEvent, Stop, SubTaskOutcome, TaskRequest } from '../contracts/messages.js';
import type { RoleId, StopReason } from '../contracts/names.js';
import type { Clock, Runtime } from '../contracts/runtime.js';
import { describeIssues } from '../text/describe-issues.js';
import type { Redactor } from '../text/index.js';
import type { ApprovalDecision } from '../contracts/people.js';
import { answeredBefore, assertInTime } from './answers.js';
import { BudgetMeter, type Prices } from './budget-meter.js';
import type { ReplayIndex } from './replay-index.js';
import { RunHandle, type Audience } from './run.js';
import { StallWatch } from './stall-watch.js';
import type { TaskOptions } from './task-options.js';
import { TaskScope } from './task-scope.js';

export interface EngineOptions {
  readonly bus: Bus;
  readonly ledger: Ledger;
  /** Set where the ledger keeps masks in the place of secrets. */
  readonly redactor: Redactor | undefined;
  /** How a host sees a message. */
  readonly show: (envelope: Envelope) => Envelope;
  readonly clock: Clock;
  readonly prices: Prices | undefined;
  readonly onEvent: ((envelope: Envelope) => unknown) | undefined;
  readonly stallMs: number;
  /** Words the result of a run whose controller has failed. */
  readonly lastResult: (end: LastEnd) => FinalResult;
}

const MOST_UNHEARD = 1_000;
const MOST_RESTING = 100;

/** How a run stands whose controller has failed. */
export interface LastEnd {
  readonly taskId: string;
  readonly reason: StopReason;
  readonly because: string;
  readonly outcomes: readonly SubTaskOutcome[];
  readonly elapsedMs: number;
}

interface Entry { readonly task: TaskScope; readonly run: RunHandle; readonly dispose: (() => void)[]; ended: boolean }

/** The running tasks of one artoo: hands out their scopes, stops and ends them, and gives every role its port. */
export class Engine implements Runtime {
  private readonly entries = new Map<string, Entry>();
  private readonly ports = new Map<RoleId, RolePort>();
  private readonly stalls: StallWatch;
  /** How many iterate over runs: lines for people are only made when someone looks. */
  readonly audience: Audience;
  /** What runs learned, said right before their end and not heard yet. */
  private readonly lessons = new Set<Envelope>();
  /** Tasks that were parked here: what still comes of their handlers is not of the run that takes them up again. */
  private readonly resting = new Map<string, TaskScope>();
  private idle: (() => void)[] = [];

  constructor(private readonly options: EngineOptions) {
    this.audience = { watchers: 0, show: options.show };
    this.stalls = new StallWatch(options.clock, options.stallMs, () => [...this.entries.values()].map(({ task }) => task), (task, ms) =>
      this.wake(task, `nothing happened for ${ms} ms: a role has fallen silent (ARTOO_STALLED)`));
  }

  task(taskId: string): TaskScope | undefined {
    return this.entries.get(taskId)?.task;
  }

  get size(): number {
    return this.entries.size;
  }

  runOf(taskId: string): RunHandle | undefined {
    return this.entries.get(taskId)?.run;
  }

  get taskIds(): string[] {
    return [...this.entries.keys()];
  }

  /** A role's port under this kernel. `validate` for roles that the host wrote. */
  port(role: RoleId, validate = false): RolePort {
    const known = this.ports.get(role);
    if (known) return known;
    const hooks: PortHooks = {
      validate,
      stamp: (draft, from, to) => this.stamp(draft, from, to),
      deliver: (envelope, to, handle) => (this.hears(envelope, to) ? handle(envelope) : undefined),
      failed: (envelope, from, error) => this.roleFailed(envelope, from, error),
      published: (envelope) => this.published(envelope),
      wants: (type) => (type === 'Progress' || type === 'Delta' ? this.isWatched() : undefined),
    };
    const port = rolePort(this.options.bus, role, hooks);
    this.ports.set(role, port);
    return port;
  }

  /** A message that this kernel did not make comes from foreign code: its payload is checked where it comes in. */
  private hears(envelope: Envelope, role: RoleId): boolean {
    const task = this.task(envelope.taskId);
    // What a run learned is said right before its end and heard right after it.
    if (envelope.type === 'MegramWrite' && this.lessons.delete(envelope)) return true;
    if (!task || task.closed) return false;
    if (!task.messages.isOwn(envelope)) {
      const parsed = z.safeParse(payloadSchemas[envelope.type] as z.ZodMiniType, envelope.payload);
      if (!parsed.success) {
        this.options.bus.report({ kind: 'dead_letter', reason: `${envelope.type} is not as its schema says: ${describeIssues(parsed.error.issues)}`, envelope });
        return false;
      }
    }
    return task.accepts(envelope, role);
  }

  /** Makes a task known and gives it its scope; nothing is said yet. */
  open(options: TaskOptions, run: RunHandle, replay?: ReplayIndex): TaskScope {
    const task = new TaskScope(options, new BudgetMeter(options.budget, this.options.prices), {
      clock: this.options.clock,
      ledger: this.options.ledger,
      redactor: this.options.redactor,
      onParked: (parked, error) => this.park(parked, error),
      onStopReached: (reached, stop) => this.deliverStop(reached, stop),
    }, replay);
    this.entries.set(task.taskId, { task, run, dispose: [], ended: false });
    return task;
  }

  /** Starts a task that was opened: sets its deadline and hands its request to R1. */
  start(task: TaskScope): void {
    const { timeMs } = task.options.budget;
    if (timeMs !== undefined) this.setDeadline(task, timeMs, `the time budget of ${timeMs} ms is spent`);
    this.stalls.watch();
    if (holdsAnswers(task.options.request)) task.taint('user', undefined, 'earlier turns of the context');
    this.port('user').publish({ type: 'TaskRequest', taskId: task.taskId, payload: task.options.request });
  }

  /** Has something undone when the task is over. */
  onEnd(taskId: string, dispose: () => void): void {
    this.entries.get(taskId)?.dispose.push(dispose);
  }

  stop(taskId: string, reason: StopReason, message: string): void {
    const task = this.task(taskId);
    if (task) this.deliverStop(task, { reason, message, outcomes: task.messages.orderedOutcomes() });
  }

  /**
   * Hands an answer to a question that is open in a running task, once the record has it; false when the task has no such
   * question. What a resumed task has not come to yet is kept until it does.
   */
  async answer(task: TaskScope, approvalId: string, answer: { readonly decision: ApprovalDecision; readonly reason?: string }): Promise<boolean> {
    const live = task.questions.find(approvalId);
    if (live?.settled !== undefined) throw answeredBefore(approvalId, live.settled);
    const ahead = task.replay?.questions.get(approvalId);
    const question = live ?? (ahead?.answer ? undefined : ahead);
    if (!question) return false;
    const { fingerprint } = assertInTime(approvalId, question, this.options.clock.now());
    if (!live) task.replay?.questions.set(approvalId, { ...ahead!, answer });
    const reply = { approvalId, fingerprint, ...answer };
    const kept = (async () => task.append({ kind: 'approval.answered', ...reply }, true))();
    if (live) task.questions.handIn(approvalId, answer.decision, kept.then(() => reply));
    await kept;
    if (live) this.port('host').publish({ type: 'ApprovalReply', taskId: task.taskId, payload: reply });
    return true;
  }

  /** A run that stands still is stopped; one that stands still after that has a controller that doesn't answer. */
  private wake(task: TaskScope, message: string): void {
    if (task.stopped) this.endWithoutController(task, new Error(message));
    else this.stop(task.taskId, 'role_failure', message);
  }

  /** Lets all tasks rest where they are; the ledger keeps them. */
  parkAll(error: ArtooError): void {
    for (const { task } of [...this.entries.values()]) task.park(error);
  }

  /** Resolves when no task runs. */
  whenIdle(): Promise<void> {
    return this.entries.size === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private deliverStop(task: TaskScope, stop: Stop): void {
    if (task.stop(stop)) this.port('kernel').publish({ type: 'Stop', taskId: task.taskId, to: 'all', payload: stop });
  }

  private setDeadline(task: TaskScope, atElapsedMs: number, message: string): void {
    // One more turn of the loop: a deadline that fires after a stall may have the result waiting behind it.
    task.time.setDeadline(atElapsedMs, () => this.options.clock.setTimeout(() => this.stop(task.taskId, 'deadline', message), 0));
  }

  private stamp(draft: Draft, from: RoleId, to: Recipient): Envelope | undefined {
    const entry = this.entries.get(draft.taskId);
    if (!entry || entry.ended) return undefined;
    const envelope = entry.task.stamp(this.complete(entry.task, draft), from, to);
    if (!envelope) return undefined;
    if (envelope.type === 'MegramWrite') this.keepLesson(envelope);
    if (envelope.type === 'FinalResult') entry.ended = true;
    return envelope;
  }

  /** Adds what only the kernel knows: what a run cost, what it had achieved when it broke off, what is left open. */
  private complete(task: TaskScope, draft: Draft): Draft {
    if (draft.type === 'FinalResult') {
      const result = draft.payload as FinalResult;
      const usage = { toolCalls: task.toolCalls, ...task.meter.usage(task.causality.longest, task.time.elapsed()) };
      return { ...draft, payload: { ...result, usage, lawEvents: [...result.lawEvents, ...openActions(task)] } };
    }
    if (draft.type === 'RoleFailure' && !('outcomes' in draft.payload)) {
      return { ...draft, payload: { ...draft.payload, outcomes: task.messages.orderedOutcomes() } } as Draft;
    }
    return draft;
  }

  private published(envelope: Envelope): void {
    const entry = this.entries.get(envelope.taskId);
    if (!entry) return;
    deepFreeze(envelope);
    entry.run.push(envelope);
    this.tellHost(envelope);
    if (envelope.type === 'TaskSpec') this.obeyDeadline(entry.task, envelope.payload.constraints.deadline);
    if (envelope.type === 'FinalResult') this.end(entry, envelope.payload);
  }

  private keepLesson(envelope: Envelope): void {
    this.lessons.add(envelope);
    // Where nobody keeps memories, nobody takes them out again either.
    if (this.lessons.size > MOST_UNHEARD) this.lessons.delete(this.lessons.values().next().value!);
  }

  private obeyDeadline(task: TaskScope, deadline: string | null): void {
    if (deadline === null) return;
    const ms = Date.parse(deadline) - this.options.clock.now();
    this.setDeadline(task, task.time.elapsed() + Math.max(0, ms), `the deadline ${deadline} has passed`);
  }

  private end(entry: Entry, result: FinalResult): void {
    const { task, run } = entry;
    const finish = (): void => {
      this.forget(entry);
      this.resting.delete(task.taskId);
      run.end(result);
    };
    try {
      const kept = task.append({ kind: 'task.end', directive: result.directive });
      if (kept) kept.then(finish, () => undefined);
      else finish();
    } catch {
      // The record could not be closed: append has parked the task, and its run says so.
    }
  }

  private park(task: TaskScope, error: ArtooError): void {
    const entry = this.entries.get(task.taskId);
    if (!entry) return;
    this.forget(entry);
    this.resting.set(task.taskId, task);
    if (this.resting.size > MOST_RESTING) this.resting.delete(this.resting.keys().next().value!);
    entry.run.fail(error);
  }

  private forget(entry: Entry): void {
    const { task } = entry;
    this.entries.delete(task.taskId);
    task.close();
    for (const dispose of entry.dispose) dispose();
    // Nothing to be told: a lock that can't be given back is taken over when its owner is gone.
    this.options.ledger.release?.(task.taskId).catch(() => undefined);
    if (this.entries.size > 0) return;
    this.stalls.stop();
    for (const wake of this.idle.splice(0)) wake();
  }

  private roleFailed(envelope: Envelope, role: RoleId, error: unknown): void {
    const entry = this.entries.get(envelope.taskId);
    if (!entry || entry.ended || this.resting.get(envelope.taskId)?.messages.isOwn(envelope)) return;
    if (role === 'R7') return this.endWithoutController(entry.task, error);
    if (entry.task.signal.aborted) return;
    this.options.bus.report({ kind: 'handler_failed', envelope, error });
    this.port(role).publish({ type: 'RoleFailure', taskId: envelope.taskId, causeId: envelope.id, payload: roleFailure(role, envelope.type, error) });
  }

  /** R7 itself has failed: the built-in controller's arithmetic ends the run in its name. */
  private endWithoutController(task: TaskScope, error: unknown): void {
    const { message } = roleFailure('R7', '', error);
    const payload = this.options.lastResult({
      taskId: task.taskId, reason: task.stopped?.reason ?? 'role_failure', because: `R7 failed: ${message}`,
      outcomes: task.messages.orderedOutcomes(), elapsedMs: task.time.elapsed(),
    });
    this.port('R7').publish({ type: 'FinalResult', taskId: task.taskId, payload });
  }

  private isWatched(): boolean {
    if (this.options.onEvent || this.audience.watchers > 0) return true;
    return this.options.bus.listens?.('Progress', 'user') ?? false;
  }

  /** A host's callback can neither delay nor break a run. */
  private tellHost(envelope: Envelope): void {
    try {
      const pending = this.options.onEvent?.(this.options.show(envelope));
      if (pending instanceof Promise) pending.catch((error: unknown) => this.options.bus.report({ kind: 'handler_failed', envelope, error }));
    } catch (error) {
      this.options.bus.report({ kind: 'handler_failed', envelope, error });
    }
  }
}

/** Earlier answers may quote whatever was read then, and nothing says what that was. */
function holdsAnswers({ context }: TaskRequest): boolean {
  return context.some((turn) => typeof turn === 'string' || (turn.output !== undefined && turn.output !== null));
}

/** Actions that were under way when the run ended: they may have happened, and the result says so. */
function openActions(task: TaskScope): LawEvent[] {
  return [...task.actions.open.values()].map(({ tool, target }) => ({
    law: 0, what: `${tool} on ${target} was under way when the run ended: whether it took effect is unknown`, decision: 'in doubt', tool, target,
  }));
}
