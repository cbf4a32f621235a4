import { onAbort } from './on-abort.js';

interface Watched { readonly callbacks: Set<() => void>; readonly off: () => void }

/**
 * Many waiters on one signal, one listener: a host may give the same signal to a thousand runs, and platforms warn of a
 * leak from the eleventh listener on. The listener goes with the last waiter.
 */
export class AbortHub {
  private readonly signals = new WeakMap<AbortSignal, Watched>();

  /** Calls back once when the signal aborts, at once if it has. Returns the function that ends the waiting. */
  watch(signal: AbortSignal, callback: () => void): () => void {
    if (signal.aborted) {
      callback();
      return () => undefined;
    }
    const watched = this.signals.get(signal) ?? this.listen(signal);
    watched.callbacks.add(callback);
    return () => {
      watched.callbacks.delete(callback);
      if (watched.callbacks.size > 0) return;
      watched.off();
      if (this.signals.get(signal) === watched) this.signals.delete(signal);
    };
  }

  private listen(signal: AbortSignal): Watched {
    const callbacks = new Set<() => void>();
    const watched = { callbacks, off: onAbort(signal, () => { for (const callback of [...callbacks]) callback(); }) };
    this.signals.set(signal, watched);
    return watched;
  }
}
