import { ArtooError } from '../contracts/errors.js';
import type { Clock } from '../contracts/runtime.js';
import { abortError } from './abort-error.js';

export interface RunWithTimeoutOptions<T> {
  readonly clock: Clock;
  /** Of any size; Infinity sets no timer. */
  readonly ms: number;
  /** The outer signal. May live long: nothing of this call stays on it. */
  readonly signal: AbortSignal;
  /** Gets a signal that aborts with the outer one and at the timeout. May ignore it. */
  readonly run: (signal: AbortSignal) => Promise<T> | T;
  /** Makes the error of a timeout. Called once, only when there was one. */
  readonly onTimeout: () => Error;
}

/** Holds a signal that is made when it is first read: most work that ends at once never looks at it. */
export interface TimeScope { readonly signal: AbortSignal }

export type RunWithTimeScopeOptions<T> = Omit<RunWithTimeoutOptions<T>, 'run'> & {
  /** Gets what holds the signal; may be handed on as call options, since those are `{ signal }` too. */
  readonly run: (scope: TimeScope) => Promise<T> | T;
};

/**
 * Runs something under an outer signal and a time limit. Settles with `run`, or rejects at once when the outer signal
 * aborts (ARTOO_ABORTED) or the time is up, whether or not `run` listens; what `run` does after that is ignored.
 *
 * A timer that fires may only mean that the event loop was blocked, with the answer waiting behind it. So the loop is
 * given one more turn before a timeout is declared. When the promise settles, the timer and the listener are gone.
 */
export function runWithTimeout<T>(options: RunWithTimeoutOptions<T>): Promise<T> {
  return runWithTimeScope({ ...options, run: (scope) => options.run(scope.signal) });
}

/** {@link runWithTimeout} for hot paths: the inner signal is only made if `run` reads it. */
export function runWithTimeScope<T>(options: RunWithTimeScopeOptions<T>): Promise<T> {
  const { clock, ms, signal } = options;
  if (Number.isNaN(ms)) {
    return Promise.reject(new ArtooError('ARTOO_INVALID_ARGUMENT', 'A time limit must be a number of milliseconds.', { hint: 'Pass Infinity for no limit.' }));
  }
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise<T>((resolve, reject) => {
    const scope = ms === Infinity ? undefined : new LazyScope();
    let settled = false;
    let cancelTimer: (() => void) | undefined;

    const finish = (): boolean => {
      if (settled) return false;
      settled = true;
      cancelTimer?.();
      signal.removeEventListener('abort', onAbort);
      return true;
    };
    const giveUp = (makeError: () => unknown): void => {
      if (!finish()) return;
      const error = makeError();
      reject(error);
      scope?.abort(error);
    };
    const onAbort = (): void => giveUp(() => abortError(signal));
    const declare = (): void => giveUp(() => {
      try {
        return options.onTimeout();
      } catch (thrown) {
        return thrown;
      }
    });
    const succeed = (value: T): void => {
      if (finish()) resolve(value);
    };
    const fail = (error: unknown): void => {
      if (finish()) reject(error);
    };

    signal.addEventListener('abort', onAbort);
    if (scope) cancelTimer = clock.setTimeout(() => { if (!settled) cancelTimer = clock.setTimeout(declare, 0); }, ms);
    try {
      const outcome = options.run(scope ?? { signal });
      if (isPromise(outcome)) outcome.then(succeed, fail);
      else succeed(outcome);
    } catch (error) {
      fail(error);
    }
  });
}

class LazyScope implements TimeScope {
  private controller: AbortController | undefined;
  private ended: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.ended) this.controller.abort(this.ended.reason);
    }
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.ended = { reason };
    this.controller?.abort(reason);
  }
}

function isPromise<T>(value: Promise<T> | T): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';
}
