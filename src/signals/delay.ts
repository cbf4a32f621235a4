import type { Clock } from '../contracts/runtime.js';
import { abortError } from './abort-error.js';

export interface DelayOptions { readonly clock: Clock; readonly ms: number; readonly signal?: AbortSignal | undefined }

/** Resolves after `ms`. Rejects with ARTOO_ABORTED as soon as the signal aborts; leaves no timer and no listener. */
export function delay({ clock, ms, signal }: DelayOptions): Promise<void> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      reject(abortError(signal!));
    };
    const cancel = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort);
  });
}
