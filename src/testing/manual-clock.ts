import type { Clock } from '../contracts/runtime.js';

interface Timer { readonly due: number; readonly order: number; readonly callback: () => void }

/**
 * A clock that stands still until a test moves it.
 *
 * @example
 * import { ManualClock } from 'artoo/testing';
 * const clock = new ManualClock();
 * clock.setTimeout(() => console.log('due'), 1_000);
 * await clock.advance(1_000);
 */
export class ManualClock implements Clock {
  private time: number;
  private elapsed = 0;
  private order = 0;
  private readonly timers = new Set<Timer>();

  /** `start` in epoch ms. */
  constructor(start = 1_700_000_000_000) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.elapsed;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.timers.size;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer: Timer = { due: this.elapsed + Math.max(0, ms), order: this.order++, callback };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** Moves on by `ms`, firing what falls due in order and letting promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settle();
    for (let next = this.next(end); next; next = this.next(end)) {
      this.time += next.due - this.elapsed;
      this.elapsed = next.due;
      this.timers.delete(next);
      next.callback();
      await settle();
    }
    this.time += end - this.elapsed;
    this.elapsed = end;
  }

  /** Sets the wall clock alone, as NTP, DST or a user would; running time and timers do not move. */
  jump(ms: number): void {
    this.time += ms;
  }

  private next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.due <= end && (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))) first = timer;
    }
    return first;
  }
}

/** Gives pending promise reactions their turn: the event loop once around. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
