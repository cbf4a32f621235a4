import { onAbort } from '../../signals/on-abort.js';
/** An error as the outside world makes them: with `status`, `retryAfterMs` or a system `code`. */
export function injectedError(message: string, facts: Readonly<Record<string, unknown>> = {}): Error {
  return Object.assign(new Error(`injected: ${message}`), facts);
}

/** Never answers; rejects when the signal aborts. Leaves no listener behind. */
export function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    onAbort(signal, () => reject(signal.reason as Error));
  });
}
