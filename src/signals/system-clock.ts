import type { Clock } from '../contracts/runtime.js';

/** Node and browsers fire a longer timer after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The host's time. Timers of any length; a timer never keeps the process alive longer than a running task does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, ms) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      handle = left > LONGEST_TIMER_MS
        ? setTimeout(() => arm(left - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
        : setTimeout(callback, Math.max(0, left));
    };
    arm(ms);
    return () => clearTimeout(handle);
  },
};
