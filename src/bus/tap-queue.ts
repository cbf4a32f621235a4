import type { BusObserver, BusReport, BusTap } from '../contracts/bus.js';
import type { Envelope } from '../contracts/envelope.js';

/** The bounded queue of one observer: a slow observer loses its oldest messages, counted, and delays nobody. */
export class TapQueue implements BusTap {
  dropped = 0;
  private readonly waiting: Envelope[] = [];
  private busy = false;
  private open = true;

  constructor(
    private readonly observer: BusObserver,
    private readonly limit: number,
    private readonly onFailure: (envelope: Envelope, error: unknown) => void,
    private readonly onClose: () => void,
  ) {}

  offer(envelope: Envelope): void {
    if (!this.open) return;
    if (!this.busy) return this.observe(envelope);
    this.waiting.push(envelope);
    if (this.waiting.length > this.limit) {
      this.waiting.shift();
      this.dropped += 1;
      this.tell({ kind: 'dropped', count: this.dropped });
    }
  }

  tell(report: BusReport): void {
    try {
      this.observer.report?.(report);
    } catch {
      // An observer that fails while it is told of a failure has nobody left to tell.
    }
  }

  close(): void {
    this.open = false;
    this.waiting.length = 0;
    this.onClose();
  }

  private observe(envelope: Envelope): void {
    try {
      const pending = this.observer.message(envelope);
      if (!isPromise(pending)) return;
      this.busy = true;
      pending.then(() => this.next(), (error: unknown) => {
        this.onFailure(envelope, error);
        this.next();
      });
    } catch (error) {
      this.onFailure(envelope, error);
    }
  }

  private next(): void {
    this.busy = false;
    while (!this.busy && this.open && this.waiting.length > 0) this.observe(this.waiting.shift()!);
  }
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function';
}
