import type { Clock } from '../contracts/runtime.js';

/** Node and browsers fire a longer timer after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The host's time. Timers of any length; a timer never keeps the process alive longer than a running task does. */
export const systemClock: Clock = clockWith((handle) => handle);

/** The same for what waits in the background: its timers don't keep a process alive whose work is done. */
export const backgroundClock: Clock = clockWith((handle) => {
  // Browsers have numbers here, and nothing to keep alive.
  const timer: unknown = handle;
  if (typeof timer === 'object' && timer !== null) (timer as { unref?: () => void }).unref?.();
  return handle;
});

function clockWith(made: (handle: ReturnType<typeof setTimeout>) => ReturnType<typeof setTimeout>): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout(callback, ms) {
      let handle: ReturnType<typeof setTimeout>;
      const arm = (left: number): void => {
        handle = made(left > LONGEST_TIMER_MS
          ? setTimeout(() => arm(left - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
          : setTimeout(callback, Math.max(0, left)));
      };
      arm(ms);
      return () => clearTimeout(handle);
    },
  };
}
