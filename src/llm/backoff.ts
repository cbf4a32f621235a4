export interface BackoffOptions {
  /** Gives 0 to 1. */
  readonly random: () => number;
  /** What the provider asked for. */
  readonly retryAfterMs?: number | undefined;
  /** The first wait at most. Default 500. */
  readonly baseMs?: number;
  /** Any later wait at most. Default 30,000. */
  readonly maxMs?: number;
  /** The longest that a provider's wish is followed. Default 60,000. */
  readonly maxRetryAfterMs?: number;
}

/**
 * How long to wait before the next try, in ms. `attempt` is the number of tries that failed, from 1.
 *
 * Without a wish of the provider: anything between 0 and `baseMs * 2^(attempt - 1)` (full jitter), capped. With one: that
 * long, capped, and up to a tenth more (a second at most), so that waiters don't come back all at once.
 *
 * @example
 * import { backoffMs } from 'artoo/llm';
 * backoffMs(3, { random: () => 0.5 }); // 1000
 */
export function backoffMs(attempt: number, options: BackoffOptions): number {
  const random = Math.min(1, Math.max(0, options.random()));
  if (options.retryAfterMs !== undefined && options.retryAfterMs > 0) {
    const wish = Math.min(options.retryAfterMs, options.maxRetryAfterMs ?? 60_000);
    return wish + random * Math.min(1_000, wish / 10);
  }
  const ceiling = Math.min(options.maxMs ?? 30_000, (options.baseMs ?? 500) * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  return random * ceiling;
}
