import type { Envelope } from './envelope.js';
import type { LLMReply } from './llm.js';
import type { Stop } from './messages.js';
import type { Effect, RoleId, StopReason } from './names.js';
import type { ApprovalDecision } from './people.js';

/** Where an effect stands: its lane and its place in that lane. The recorded request only checks it. */
export interface EffectAddress { readonly subtaskId?: string; readonly role: RoleId; readonly kind: EffectKind; readonly ordinal: number }

/** The kinds of things a run takes from outside itself. */
export type EffectKind = 'llm' | 'tool' | 'gate' | 'memory' | 'check' | 'clarify' | 'clock' | 'host';

/** One line of a task's record. `elapsedMs` is running time, downtime left out. */
export type LedgerEvent = { readonly v: number; readonly taskId: string; readonly at: number; readonly elapsedMs: number } & LedgerBody;

export type LedgerBody =
  | { readonly kind: 'task.begin'; readonly library: string; readonly request: unknown; readonly date: string; readonly nonce: string; readonly configuration: unknown }
  | { readonly kind: 'task.resume'; readonly library: string; readonly afterLine: number }
  | { readonly kind: 'task.parked'; readonly code: string; readonly message: string }
  | { readonly kind: 'task.end'; readonly directive: string }
  | { readonly kind: 'message'; readonly envelope: Envelope }
  | { readonly kind: 'subtask.begin' | 'subtask.end'; readonly subtaskId: string; readonly status?: string }
  /** A grant: recorded before the call, spent whatever becomes of it. */
  | { readonly kind: 'llm.call'; readonly address: EffectAddress; readonly attempt: number; readonly model: string; readonly reserved: { readonly tokens: number; readonly money: number }; readonly request: unknown }
  | { readonly kind: 'llm.reply'; readonly address: EffectAddress; readonly attempt: number; readonly durationMs: number; readonly reply?: LLMReply; readonly error?: RecordedError; readonly estimated?: boolean }
  | { readonly kind: 'budget.denied'; readonly address: EffectAddress; readonly reason: StopReason; readonly message: string }
  | { readonly kind: 'tool.intent'; readonly address: EffectAddress; readonly tool: string; readonly effect: Effect; readonly target: string; readonly input: unknown }
  | { readonly kind: 'tool.outcome'; readonly address: EffectAddress; readonly effect: Effect; readonly value?: unknown; readonly error?: RecordedError }
  | { readonly kind: 'effect'; readonly address: EffectAddress; readonly request?: unknown; readonly value?: unknown; readonly error?: RecordedError }
  /** A question to a person is open until an answer to the same fingerprint follows. `expiresAt` in epoch ms. */
  | { readonly kind: 'approval.asked'; readonly approvalId: string; readonly fingerprint: string; readonly expiresAt: number }
  | { readonly kind: 'approval.answered'; readonly approvalId: string; readonly fingerprint: string; readonly decision: ApprovalDecision; readonly reason?: string }
  | { readonly kind: 'ggs.decision'; readonly round: number; readonly input: unknown; readonly decision: unknown; readonly hyperparameters: unknown }
  | { readonly kind: 'verdicts'; readonly role: RoleId; readonly subtaskId?: string; readonly attempt?: number; readonly verdicts: unknown }
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'law'; readonly law: number; readonly what: string; readonly decision: string };

export type LedgerKind = LedgerBody['kind'];

export interface RecordedError { readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

/** An event as it stands in the ledger. `line` counts from 1 per task. */
export type LedgerLine = LedgerEvent & { readonly line: number };

export interface LedgerTask {
  readonly taskId: string;
  readonly status: 'running' | 'finished' | 'parked' | 'damaged';
  readonly lines: number;
  /** Epoch ms of the first and the newest line. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Why it is damaged or parked. */
  readonly reason?: string;
}

/**
 * The record of tasks: append-only, one sequence of lines per task.
 *
 * `append` keeps the order of its calls per task. It returns nothing when the line is as durable as it will get, else a
 * promise that the caller awaits before acting on the line. `sync` asks for durability against a power cut where the
 * ledger's policy has it. It throws or rejects with ARTOO_LEDGER_WRITE or ARTOO_STORE_FULL when the line could not be
 * kept; that task must then stop. Events are frozen and shared: a ledger never changes them.
 */
export interface Ledger {
  append(event: LedgerEvent, options?: { readonly sync?: boolean }): void | Promise<void>;
  /** Lines in order. ARTOO_LEDGER_NOT_FOUND, _DAMAGED, _VERSION. */
  read(taskId: string): Promise<readonly LedgerLine[]>;
  list(): Promise<readonly LedgerTask[]>;
  /** Takes ownership of a task for this process: ARTOO_LEDGER_LOCKED when another has it. Absent: no other process can. */
  acquire?(taskId: string): Promise<void>;
  release?(taskId: string): Promise<void>;
  close?(): Promise<void>;
}
