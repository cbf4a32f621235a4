import type { Clock } from '../contracts/runtime.js';
import { onAbort } from '../signals/on-abort.js';

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. Leaves no listener behind. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(stopListening);
  });
}

/** Resolves after `ms` of the clock; rejects with the signal's reason on abort and cancels the timer. */
export function waitFor(ms: number, signal: AbortSignal, clock: Pick<Clock, 'setTimeout'> = realClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(() => {
      stopListening();
      resolve();
    }, ms);
    const stopListening = onAbort(signal, () => {
      cancel();
      reject(signal.reason as Error);
    });
  });
}

const realClock: Pick<Clock, 'setTimeout'> = {
  setTimeout(callback, ms) {
    const handle = setTimeout(callback, ms);
    return () => clearTimeout(handle);
  },
};
