/** One thing at a time for each key: what comes later waits for what came before, however that ended. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const turn = before ? before.then(work, work) : work();
    this.last.set(key, turn);
    const done = (): void => {
      if (this.last.get(key) === turn) this.last.delete(key);
    };
    turn.then(done, done);
    return turn;
  }
}
