import type { Clock } from '../../contracts/runtime.js';

export interface Watchdog { touch(): void; stop(): void }

/**
 * Calls `onIdle` once when nothing was touched for `ms`, from the first touch on. One timer that is set anew only when it
 * fires; a blocked event loop gets one turn to show what was waiting before the silence counts.
 */
export function createWatchdog(options: { readonly clock: Clock; readonly ms: number; readonly onIdle: () => void }): Watchdog {
  const { clock, ms } = options;
  let last: number | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;
  const arm = (wait: number): void => { cancel = clock.setTimeout(look, wait); };
  const look = (): void => {
    const left = last! + ms - clock.monotonic();
    if (left > 0) { arm(left); return; }
    const seen = last;
    cancel = clock.setTimeout(() => {
      if (last !== seen) look();
      else if (!stopped) options.onIdle();
    }, 0);
  };
  return {
    touch: () => {
      const first = last === undefined;
      last = clock.monotonic();
      if (first && ms !== Infinity) arm(ms);
    },
    stop: () => {
      stopped = true;
      cancel?.();
    },
  };
}
