import type { Clock } from '../contracts/runtime.js';

/** A task's running time in ms: what it spent before a crash included, waiting for people left out. */
export class RunningTime {
  private startedAt: number;
  private pauses = 0;
  private pausedAt = 0;
  private cancelDeadline: (() => void) | undefined;
  private deadline: { readonly at: number; readonly callback: () => void } | undefined;

  constructor(private readonly clock: Clock, elapsedBefore: number) {
    this.startedAt = clock.monotonic() - elapsedBefore;
  }

  elapsed(): number {
    return Math.max(0, Math.round((this.pauses > 0 ? this.pausedAt : this.clock.monotonic()) - this.startedAt));
  }

  /** Calls back when so much running time has passed, and again no more. An earlier deadline is not put off. */
  setDeadline(atElapsedMs: number, callback: () => void): void {
    if (this.deadline && this.deadline.at <= atElapsedMs) return;
    this.deadline = { at: atElapsedMs, callback };
    this.arm();
  }

  pause(): void {
    if (this.pauses++ > 0) return;
    this.pausedAt = this.clock.monotonic();
    this.cancelDeadline?.();
  }

  unpause(): void {
    if (--this.pauses > 0) return;
    this.startedAt += this.clock.monotonic() - this.pausedAt;
    this.arm();
  }

  stop(): void {
    this.cancelDeadline?.();
    this.deadline = undefined;
  }

  private arm(): void {
    this.cancelDeadline?.();
    const { deadline } = this;
    if (!deadline || this.pauses > 0) return;
    this.cancelDeadline = this.clock.setTimeout(() => {
      this.deadline = undefined;
      deadline.callback();
    }, deadline.at - this.elapsed());
  }
}
