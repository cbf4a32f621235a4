import type { EffectKind, LedgerBody } from './ledger.js';
import type { ApprovalReply, Limits } from './messages.js';
import type { Effect, RoleId } from './names.js';
import type { ProbeAnswer, Workspace } from './tool.js';

/** Time as an argument. `now` in epoch ms; `monotonic` in ms from an unknown start, never backwards. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `ms` (any size); returns the function that cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** Limits with every default filled in. */
export type RunLimits = { readonly [K in keyof Limits]-?: NonNullable<Limits[K]> };

/** Where fresh ids and nonces come from. Everything else derives from them. */
export interface Ids { next(kind: 'task' | 'nonce' | 'approval'): string }

/** The lane of an effect: (subtask, role, kind). */
export interface Lane { readonly subtaskId?: string | undefined; readonly role: RoleId; readonly kind: EffectKind }

/** What is about to be done: recorded before it is. */
export interface ToolIntent {
  readonly tool: string;
  readonly effect: Effect;
  readonly target: string;
  readonly input: unknown;
  readonly probe?: ((intentId: string) => ProbeAnswer | Promise<ProbeAnswer>) | undefined;
}
export type ActResult<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'done-before' | 'in-doubt'; readonly intentId: string };

/**
 * What a role may ask about the task at hand. A role keeps what it knows of a task in `state`, so that nothing
 * outlives the task and no name that a model made can mix two tasks up.
 */
export interface TaskRuntime {
  readonly taskId: string;
  /** Aborts when the task stops. Nothing may be published after that but what ends the task. */
  readonly signal: AbortSignal;
  /** Today, ISO 8601, read once at the task's begin. */
  readonly date: string;
  /** Secret of the task; the marks that fence untrusted text derive from it. */
  readonly nonce: string;
  readonly limits: RunLimits;
  /** A partial Hyperparameters of artoo/ggs. */
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  readonly workspace: Workspace | undefined;
  /** The tools that the run was given, where a kernel runs it: no plan adds to them. */
  readonly tools: readonly string[] | undefined;
  /** What the user and the host said: only such words may name what leaves the machine unasked. */
  readonly trustedTexts: readonly string[];
  /** Running time in ms, recorded under the reader's name. */
  elapsedMs(reader: RoleId): Promise<number> | number;
  /** Takes a value from outside: from the record where it was taken before, else by `live`, and records it. */
  effect<T>(lane: Lane, request: unknown, live: () => T | Promise<T>): Promise<T>;
  /**
   * Runs a tool between a recorded intent and a recorded outcome. A write whose outcome is unknown after a crash is not
   * run again: `probe` is asked, and without a clear answer the call comes back in doubt.
   */
  act<T>(lane: Lane, intent: ToolIntent, live: (intentId: string) => Promise<T>): Promise<ActResult<T>>;
  /** Counts as under way while it lasts, for work of a role's own that takes its time. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for a person: the time counts neither against the budget nor in Ω. */
  waitForHuman<T>(wait: () => Promise<T>): Promise<T>;
  /**
   * Keeps a question on record, puts it and waits for its answer, over `later` and a restart as well. `put` gets the epoch ms
   * after which an answer comes too late; `wait` is called for each answer that is waited for. Without `put`, where nobody
   * can be asked, only an answer counts that is on record already; undefined where there is none. `masked`: the call came
   * back from the record with masks in it, so there is nothing left that a person could agree to.
   */
  question(question: { readonly approvalId: string; readonly fingerprint: string; readonly masked?: boolean }, put: ((expiresAt: number) => void) | undefined, wait: () => Promise<ApprovalReply>): Promise<ApprovalReply | undefined>;
  /** Marks the lane as having taken in text that nobody vouched for, and from where. */
  taint(role: RoleId, subtaskId?: string, source?: string): void;
  /** Where the untrusted text of a lane came from; undefined for one that took in none. */
  influence(role: RoleId, subtaskId?: string): readonly string[] | undefined;
  /** Adds a line that is no effect. */
  record(body: LedgerBody): void;
  /** Can another model call be paid for? */
  canCall(role: RoleId): boolean;
  /** The role's own state of this task, made on first use. */
  state<S>(owner: object, create: () => S): S;
}

/** Looks up a task; undefined once it has ended. */
export interface Runtime { task(taskId: string): TaskRuntime | undefined }
