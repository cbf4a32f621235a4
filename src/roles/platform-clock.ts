import type { Clock } from '../contracts/runtime.js';

/** Node and browsers fire a longer timer after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The platform's time, for a role on its own; the kernel hands its own clock in. */
export const platformClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, ms) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      handle = left > LONGEST_TIMER_MS ? setTimeout(() => arm(left - LONGEST_TIMER_MS), LONGEST_TIMER_MS) : setTimeout(callback, left);
    };
    arm(ms);
    return () => clearTimeout(handle);
  },
};
