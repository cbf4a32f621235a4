import type { Clock } from '../contracts/runtime.js';

/** The platform's time, for a role on its own; the kernel hands its own clock in. */
export const platformClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, ms) {
    const handle = setTimeout(callback, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(handle);
  },
};
