import { onAbort } from '../signals/on-abort.js';

/** Lets so many in at once; the others wait in the order they came. */
export interface Semaphore {
  /** Resolves with the function that gives the place back (calling it twice is harmless); rejects with the signal's reason when it aborts first. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Callers that wait. */
  readonly waiting: number;
}

interface Waiter { readonly admit: () => void }

/** A semaphore of `places`, at least 1. An abort while waiting leaves the queue and removes its listener. */
export function createSemaphore(places: number): Semaphore {
  const queue = new Set<Waiter>();
  let free = places;

  const release = (): void => {
    free += 1;
    for (const waiter of queue) {
      queue.delete(waiter);
      waiter.admit();
      return;
    }
  };
  const take = (): (() => void) => {
    free -= 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      release();
    };
  };

  return {
    get waiting() {
      return queue.size;
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) return Promise.resolve(take());
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          admit: () => {
            stopListening();
            resolve(take());
          },
        };
        queue.add(waiter);
        const stopListening = onAbort(signal, () => {
          queue.delete(waiter);
          reject(signal.reason);
        });
      });
    },
  };
}
