const MARK = Symbol.for('artoo.error');

/** Every code artoo throws or rejects with. docs/errors.md says for each what happened and what to do. */
export type ArtooErrorCode =
  | 'ARTOO_INVALID_ARGUMENT'
  | 'ARTOO_INVALID_CONFIG'
  | 'ARTOO_BOUNDARY'
  | 'ARTOO_CLOSED'
  | 'ARTOO_ABORTED'
  | 'ARTOO_DEADLINE'
  | 'ARTOO_BUDGET'
  | 'ARTOO_STALLED'
  | 'ARTOO_TASK_POISONED'
  | 'ARTOO_ROLE_FAILED'
  | 'ARTOO_GGS_INVALID_NUMBER'
  | 'ARTOO_GGS_INVALID_HYPERPARAMETER'
  | 'ARTOO_LLM_TIMEOUT'
  | 'ARTOO_LLM_RATE_LIMITED'
  | 'ARTOO_LLM_UNAVAILABLE'
  | 'ARTOO_LLM_NETWORK'
  | 'ARTOO_LLM_REJECTED'
  | 'ARTOO_LLM_CONTEXT_TOO_LONG'
  | 'ARTOO_LLM_CONTENT_FILTER'
  | 'ARTOO_LLM_BAD_RESPONSE'
  | 'ARTOO_LLM_FAILED'
  | 'ARTOO_STRUCTURED_OUTPUT'
  | 'ARTOO_TOOL_INVALID'
  | 'ARTOO_TOOL_TIMEOUT'
  | 'ARTOO_TOOL_FAILED'
  | 'ARTOO_WORKSPACE_ESCAPE'
  | 'ARTOO_WORKSPACE_CHANGED'
  | 'ARTOO_SANDBOX'
  | 'ARTOO_APPROVAL_PENDING'
  | 'ARTOO_APPROVAL_UNKNOWN'
  | 'ARTOO_APPROVAL_EXPIRED'
  | 'ARTOO_LEDGER_WRITE'
  | 'ARTOO_LEDGER_DAMAGED'
  | 'ARTOO_LEDGER_DIVERGED'
  | 'ARTOO_LEDGER_VERSION'
  | 'ARTOO_LEDGER_NOT_FOUND'
  | 'ARTOO_LEDGER_LOCKED'
  | 'ARTOO_STORE_FULL'
  | 'ARTOO_LEDGER_REDACTED'
  | 'ARTOO_MESSAGE_VERSION'
  | 'ARTOO_MESSAGE_INVALID'
  | 'ARTOO_MEMORY_LOCKED'
  | 'ARTOO_MEMORY_INVALID'
  | 'ARTOO_MEMORY_WRITE'
  | 'ARTOO_SCRIPT_UNEXPECTED_CALL'
  | 'ARTOO_SCRIPT_UNUSED_STEP'
  | 'ARTOO_CONFORMANCE';

/** Options of {@link ArtooError}. */
export interface ArtooErrorOptions {
  /** What was caught. Kept, never flattened into the message. */
  readonly cause?: unknown;
  /** What the reader can do about it, as one sentence. */
  readonly hint?: string;
  /** Facts that belong to the code, such as `retryAfterMs` or the raw text of a reply. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The one error class. Recognised by a registered symbol, so that a second copy of the package is no obstacle.
 *
 * @example
 * import { ArtooError } from 'artoo';
 * try { await run.result } catch (error) {
 *   if (ArtooError.is(error, 'ARTOO_CLOSED')) console.error(error.hint);
 * }
 */
export class ArtooError extends Error {
  readonly code: ArtooErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ArtooErrorCode, message: string, options: ArtooErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ArtooError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
    Object.defineProperty(this, MARK, { value: true });
  }

  /** True for an ArtooError of any copy of the package; with `code`, only for that code. */
  static is(error: unknown, code?: ArtooErrorCode): error is ArtooError {
    return (
      typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[MARK] === true &&
      (code === undefined || (error as ArtooError).code === code)
    );
  }
}
