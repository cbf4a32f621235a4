import type { Envelope } from '../contracts/envelope.js';
import type { ArtooError } from '../contracts/errors.js';
import type { FinalResult } from '../contracts/messages.js';

/**
 * One task on its way. Iterate it for every message from the first on; await `result` for how it ended.
 *
 * `result` resolves with a FinalResult whatever happens inside the task. It rejects for misuse, and with the reason when
 * the task is parked: then there is no result yet, and `artoo.pending()` lists the task.
 */
export interface Run extends AsyncIterable<Envelope> {
  readonly taskId: string;
  /** The ledger has the task: from here on it survives a crash. */
  readonly accepted: Promise<void>;
  readonly result: Promise<FinalResult>;
  /** Stops the task; it ends in a FinalResult with reason `aborted`. Once is enough, again does no harm. */
  abort(reason?: string): void;
}

/** Who looks at runs, and how they see what is said. */
export interface Audience { watchers: number; readonly show: (envelope: Envelope) => Envelope }

/** The run's inside: what the kernel does with it. */
export class RunHandle implements Run {
  readonly accepted: Promise<void>;
  readonly result: Promise<FinalResult>;
  /** How many iterate: only then are lines for people made. */
  watchers = 0;
  private readonly events: Envelope[] = [];
  private over = false;
  private wake: (() => void)[] = [];
  private accept!: () => void;
  private refuse!: (error: ArtooError) => void;
  private resolve!: (result: FinalResult) => void;
  private reject!: (error: ArtooError) => void;

  constructor(readonly taskId: string, private readonly onAbortAsked: (reason: string) => void, private readonly audience: Audience) {
    this.accepted = new Promise((resolve, reject) => { this.accept = resolve; this.refuse = reject; });
    this.result = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
    // Who looks at neither promise has asked not to know; that is no unhandled rejection.
    this.accepted.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  /** Why the host wanted it aborted, as soon as it did: the task may not have been opened yet. */
  abortAsked: string | undefined;

  abort(reason = 'the host aborted the task'): void {
    this.abortAsked ??= reason;
    this.onAbortAsked(reason);
  }

  push(envelope: Envelope): void {
    if (this.over) return;
    const fleeting = envelope.type === 'Progress' || envelope.type === 'Delta';
    if (fleeting && this.watchers === 0) return;
    this.events.push(envelope);
    this.stir();
  }

  begun(): void {
    this.accept();
  }

  end(result: FinalResult): void {
    this.over = true;
    this.accept();
    this.resolve(result);
    this.stir();
  }

  fail(error: ArtooError): void {
    this.over = true;
    this.refuse(error);
    this.reject(error);
    this.stir();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Envelope> {
    this.watchers += 1;
    this.audience.watchers += 1;
    try {
      for (let index = 0; ; index++) {
        while (index >= this.events.length) {
          if (this.over) return;
          await new Promise<void>((resolve) => this.wake.push(resolve));
        }
        yield this.audience.show(this.events[index]!);
      }
    } finally {
      this.watchers -= 1;
      this.audience.watchers -= 1;
    }
  }

  private stir(): void {
    for (const wake of this.wake.splice(0)) wake();
  }
}
