/** Calls back once when the signal aborts, at once if it has. Returns the function that takes the listener off again. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const listener = (): void => {
    signal.removeEventListener('abort', listener);
    callback();
  };
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}
