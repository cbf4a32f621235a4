import type { Budget, TaskRequest } from '../contracts/messages.js';
import type { RunLimits } from '../contracts/runtime.js';
import type { Workspace } from '../contracts/tool.js';

/** What binds one run, filled with defaults. */
export interface TaskOptions {
  readonly request: TaskRequest;
  readonly budget: Budget;
  readonly limits: RunLimits;
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  readonly workspace: Workspace | undefined;
  /** Today, ISO 8601. */
  readonly date: string;
  readonly nonce: string;
}

/** Caps where neither the host nor the call sets any. Times in ms. */
export const DEFAULT_LIMITS: RunLimits = Object.freeze({
  parallel: 8, subtasks: 16, toolCalls: 20, maxRetries: 2, callTimeoutMs: 300_000, callRetries: 3, stallMs: 120_000,
  approvalMs: 604_800_000,
});
