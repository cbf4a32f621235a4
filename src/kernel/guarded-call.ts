import type { Clock } from '../contracts/runtime.js';

/** One call that a task waits for. Hands itself to what runs as `{ signal, onDelta? }`. */
export class GuardedCall<T> {
  onDelta?: (text: string) => void;
  private controller: AbortController | undefined;
  private ended: { readonly reason: unknown } | undefined;
  private settled = false;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly calls: Set<unknown>,
    private readonly resolve: (value: T) => void,
    private readonly reject: (error: unknown) => void,
    private readonly onTimeout: () => Error,
  ) {}

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.ended) this.controller.abort(this.ended.reason);
    }
    return this.controller.signal;
  }

  start(clock: Clock, ms: number, run: (scope: GuardedCall<T>) => Promise<T>): void {
    this.calls.add(this);
    // A timer may only have fired because the loop was blocked, with the answer waiting behind it: one more turn tells.
    this.cancelTimer = clock.setTimeout(() => {
      if (!this.settled) this.cancelTimer = clock.setTimeout(() => this.cancel(this.onTimeout()), 0);
    }, ms);
    try {
      // A client written by hand may answer without a promise.
      Promise.resolve(run(this)).then((value) => { if (this.finish()) this.resolve(value); }, (error: unknown) => { if (this.finish()) this.reject(error); });
    } catch (error) {
      if (this.finish()) this.reject(error);
    }
  }

  /** Gives up waiting and tells what runs; what it still says is dropped. */
  cancel(reason: unknown): void {
    if (!this.finish()) return;
    this.ended = { reason };
    this.reject(reason);
    this.controller?.abort(reason);
  }

  private finish(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.calls.delete(this);
    this.cancelTimer?.();
    return true;
  }
}
