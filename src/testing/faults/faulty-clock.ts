import type { Clock } from '../../contracts/runtime.js';
import type { SourceMaker } from './fault-source.js';

const ALL = ['jump_forward', 'jump_back', 'timer_early', 'timer_late'] as const;
const DAY_MS = 86_400_000;

/** What can go wrong with time (F33, F35). Running time stays monotonic, as a system's does. */
export type ClockFault = (typeof ALL)[number];

/** A clock whose wall time sometimes jumps by up to a day, for good, and whose timers sometimes fire early or late. */
export function faultyClock(clock: Clock, makeSource: SourceMaker<ClockFault>): Clock {
  const source = makeSource(ALL);
  let offset = 0;
  return {
    now() {
      const fault = source.next(['jump_forward', 'jump_back']);
      if (fault !== undefined) offset += Math.round(source.random() * DAY_MS) * (fault === 'jump_back' ? -1 : 1);
      return clock.now() + offset;
    },
    monotonic: () => clock.monotonic(),
    setTimeout(callback, ms) {
      const fault = source.next(['timer_early', 'timer_late']);
      if (fault === 'timer_early') return clock.setTimeout(callback, Math.floor(ms * source.random()));
      if (fault === 'timer_late') return clock.setTimeout(callback, ms + Math.ceil(ms * source.random()));
      return clock.setTimeout(callback, ms);
    },
  };
}
