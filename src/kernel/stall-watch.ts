import type { Clock } from '../contracts/runtime.js';
import type { TaskScope } from './task-scope.js';

/**
 * Finds runs in which nothing is under way and nothing is said: a role that swallowed a message would else hang them
 * for good. One timer for all tasks, and none while there are none.
 */
export class StallWatch {
  private cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly stallMs: number,
    private readonly tasks: () => readonly TaskScope[],
    private readonly onStall: (task: TaskScope, ms: number) => void,
  ) {}

  watch(): void {
    this.cancel ??= this.clock.setTimeout(() => this.look(), this.stallMs / 2);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private look(): void {
    this.cancel = undefined;
    const now = this.clock.monotonic();
    const tasks = this.tasks();
    for (const task of tasks) {
      const silence = now - task.lastActivity;
      if (task.inFlight === 0 && silence >= Math.min(task.limits.stallMs, this.stallMs)) this.onStall(task, Math.round(silence));
    }
    if (this.tasks().length > 0) this.watch();
  }
}
