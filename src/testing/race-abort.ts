import type { Clock } from '../contracts/runtime.js';

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. Leaves no listener behind. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

/** Resolves after `ms` of the clock; rejects with the signal's reason on abort and cancels the timer. */
export function waitFor(ms: number, signal: AbortSignal, clock: Pick<Clock, 'setTimeout'> = realClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

const realClock: Pick<Clock, 'setTimeout'> = {
  setTimeout(callback, ms) {
    const handle = setTimeout(callback, ms);
    return () => clearTimeout(handle);
  },
};
