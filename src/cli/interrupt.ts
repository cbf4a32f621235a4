/** Ctrl-C: the first time stops what runs, so that it ends with a result; the second time ends the process at once. */
export class Interrupt {
  private stop: (() => void) | undefined;
  private asked = false;

  constructor(private readonly events: NodeJS.EventEmitter, private readonly exit: (code: number) => void, private readonly idle: () => void) {
    events.on('SIGINT', this.hear);
  }

  /** What Ctrl-C stops from now on; undefined: nothing runs. */
  set target(stop: (() => void) | undefined) {
    this.stop = stop;
    this.asked = false;
  }

  dispose(): void {
    this.events.off('SIGINT', this.hear);
  }

  private readonly hear = (): void => {
    if (this.asked) this.exit(130);
    else if (this.stop) {
      this.asked = true;
      this.stop();
    } else this.idle();
  };
}
