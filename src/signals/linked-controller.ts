/** A controller of one's own under an outer signal. `unlink` takes the listener off the outer signal. */
export interface LinkedController { readonly controller: AbortController; readonly unlink: () => void }

/** Makes a controller that aborts with the outer signal (same reason), and can be aborted alone. Always call `unlink`. */
export function linkedController(signal: AbortSignal): LinkedController {
  const controller = new AbortController();
  if (signal.aborted) {
    controller.abort(signal.reason);
    return { controller, unlink: () => {} };
  }
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  return { controller, unlink: () => signal.removeEventListener('abort', onAbort) };
}
