interface Waiter { readonly resolve: () => void; readonly reject: (error: unknown) => void }

/**
 * Runs `commit` for whoever asks, never two at once: those who ask while one runs share the next one, which begins
 * after they asked and so covers what they wrote before.
 */
export class GroupCommit {
  private waiting: Waiter[] = [];
  private running = false;
  private idlers: (() => void)[] = [];

  constructor(private readonly commit: () => Promise<void>) {}

  get busy(): boolean {
    return this.running;
  }

  /** Resolves when nothing runs. Asks for nothing itself: two who wait so can't keep each other waiting. */
  idle(): Promise<void> {
    return this.running ? new Promise((resolve) => this.idlers.push(resolve)) : Promise.resolve();
  }

  request(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (this.running) return;
      this.running = true;
      // A turn later, so that all who ask in this one share it.
      queueMicrotask(() => void this.work());
    });
  }

  private async work(): Promise<void> {
    await this.commitAll();
    for (const wake of this.idlers.splice(0)) wake();
  }

  private async commitAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      try {
        await this.commit();
        // Before anyone is told, so that who acts on it finds nothing running.
        if (this.waiting.length === 0) this.running = false;
        for (const { resolve } of group) resolve();
      } catch (error) {
        if (this.waiting.length === 0) this.running = false;
        for (const { reject } of group) reject(error);
      }
      if (!this.running) return;
    }
    this.running = false;
  }
}
