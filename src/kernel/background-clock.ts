import type { Clock } from '../contracts/runtime.js';
import { systemClock } from '../signals/system-clock.js';

/** The host's time for work in the background: a timer that waits does not keep a process alive whose work is done. */
export const backgroundClock: Clock = {
  ...systemClock,
  setTimeout(callback, ms) {
    const handle: unknown = setTimeout(callback, ms);
    // Browsers have numbers here, and nothing to keep alive.
    if (typeof handle === 'object' && handle !== null) (handle as { unref?: () => void }).unref?.();
    return () => clearTimeout(handle as ReturnType<typeof setTimeout>);
  },
};
