import type { Clock } from '../contracts/runtime.js';
import { abortError } from '../signals/abort-error.js';
import { onAbort } from '../signals/on-abort.js';

export interface LimiterOptions {
  /** Calls at once. */
  readonly concurrency?: number;
  /** Calls begun, and tokens used, in any 60 seconds. */
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** A call under way. `done` gives the place back; with the real count of tokens it corrects the estimate. */
export interface LimiterGrant { done(tokens?: number): void }

interface Spent { readonly at: number; tokens: number }
interface Waiting { readonly tokens: number; readonly start: (grant: LimiterGrant) => void }

const WINDOW_MS = 60_000;

/** Lets calls through in the order they came, as the limits allow. One limiter may serve several clients. */
export class Limiter {
  private running = 0;
  private readonly queue = new Set<Waiting>();
  /** Calls of the last minute, oldest first. */
  private spent: Spent[] = [];
  private cancelTimer: (() => void) | undefined;

  constructor(private readonly options: LimiterOptions, private readonly clock: Clock) {}

  /** Calls that wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Resolves when the call may start. Rejects with ARTOO_ABORTED when the signal aborts first, and leaves the queue. */
  acquire(tokens: number, signal: AbortSignal): Promise<LimiterGrant> {
    if (signal.aborted) return Promise.reject(abortError(signal));
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        tokens,
        start: (grant) => {
          stopListening();
          resolve(grant);
        },
      };
      this.queue.add(entry);
      const stopListening = onAbort(signal, () => {
        this.queue.delete(entry);
        reject(abortError(signal));
        this.pump();
      });
      this.pump();
    });
  }

  private pump(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    for (const entry of this.queue) {
      if (this.running >= (this.options.concurrency ?? Infinity)) return;
      const wait = this.waitFor(entry.tokens);
      if (wait > 0) {
        this.cancelTimer = this.clock.setTimeout(() => this.pump(), wait);
        return;
      }
      this.queue.delete(entry);
      entry.start(this.grant(entry.tokens));
    }
  }

  private grant(tokens: number): LimiterGrant {
    this.running += 1;
    const spent: Spent = { at: this.clock.monotonic(), tokens };
    if (this.isPaced) this.spent.push(spent);
    let open = true;
    return {
      done: (actual) => {
        if (!open) return;
        open = false;
        this.running -= 1;
        if (actual !== undefined) spent.tokens = actual;
        this.pump();
      },
    };
  }

  private get isPaced(): boolean {
    return this.options.requestsPerMinute !== undefined || this.options.tokensPerMinute !== undefined;
  }

  /** Ms until a call of that many tokens fits into the window. One larger than the whole limit waits for an empty one. */
  private waitFor(tokens: number): number {
    if (!this.isPaced) return 0;
    const now = this.clock.monotonic();
    const firstInside = this.spent.findIndex((spent) => spent.at > now - WINDOW_MS);
    this.spent = firstInside === -1 ? [] : this.spent.slice(firstInside);
    const requests = this.options.requestsPerMinute ?? Infinity;
    const limit = this.options.tokensPerMinute ?? Infinity;
    let count = this.spent.length;
    let sum = this.spent.reduce((total, spent) => total + spent.tokens, 0);
    let free = now;
    for (const spent of this.spent) {
      if (count + 1 <= requests && sum + tokens <= limit) break;
      count -= 1;
      sum -= spent.tokens;
      free = spent.at + WINDOW_MS;
    }
    return free - now;
  }
}
