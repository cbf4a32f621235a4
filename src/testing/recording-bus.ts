import type { Bus, BusFilter, BusObserver, BusReport, BusTap } from '../contracts/bus.js';
import type { Envelope, MessageType } from '../contracts/envelope.js';
import type { RoleId } from '../contracts/names.js';

/**
 * A bus that keeps what was published on it, in order, and passes everything on to the bus it wraps.
 *
 * Only what goes through this object is kept: hand it to `createArtoo({ bus })` and to role ports. What is no envelope
 * is passed on (the wrapped bus makes it a dead letter) and not kept. Reports of the wrapped bus are in `reports`.
 *
 * @example
 * import { createBus } from 'artoo/bus';
 * import { RecordingBus } from 'artoo/testing';
 * const bus = new RecordingBus(createBus());
 * // … run …
 * bus.trace(); // ['user→R1 TaskRequest', 'R1→R2,R7 TaskSpec', …]
 */
export class RecordingBus implements Bus {
  private readonly envelopes: Envelope[] = [];
  private readonly noticed: BusReport[] = [];
  declare readonly listens?: (type: MessageType, to?: RoleId) => boolean;
  declare readonly redactTaps?: (show: (envelope: Envelope) => Envelope) => void;

  constructor(private readonly inner: Bus) {
    inner.tap({ message: () => undefined, report: (report) => void this.noticed.push(report) });
    // A bus that can't know who listens must keep saying so.
    if (inner.redactTaps) this.redactTaps = (show) => inner.redactTaps?.(show);
    if (inner.listens) this.listens = (type, to) => inner.listens?.(type, to) ?? true;
  }

  /** Everything published, in order. */
  get messages(): readonly Envelope[] {
    return [...this.envelopes];
  }

  /** What the wrapped bus reported: failed handlers, dead letters, refused messages, drops. */
  get reports(): readonly BusReport[] {
    return [...this.noticed];
  }

  /** The types in order. `except` leaves some out, e.g. Progress. */
  types(options: { readonly except?: readonly MessageType[] } = {}): readonly MessageType[] {
    return this.envelopes.filter(({ type }) => !options.except?.includes(type)).map(({ type }) => type);
  }

  /** The messages of one type, in order. */
  ofType<T extends MessageType>(type: T): readonly Envelope<T>[] {
    return this.envelopes.filter((envelope): envelope is Envelope<T> & Envelope => envelope.type === type);
  }

  /** One line per message: `R1→R2 TaskSpec`; several recipients are joined by commas. */
  trace(options: { readonly except?: readonly MessageType[] } = {}): readonly string[] {
    return this.envelopes
      .filter(({ type }) => !options.except?.includes(type))
      .map(({ from, to, type }) => `${from}→${typeof to === 'string' ? to : to.join(',')} ${type}`);
  }

  /** Forgets what was kept so far. */
  clear(): void {
    this.envelopes.length = 0;
    this.noticed.length = 0;
  }

  publish(envelope: Envelope): void {
    if (looksLikeEnvelope(envelope)) this.envelopes.push(envelope);
    this.inner.publish(envelope);
  }

  subscribe<T extends MessageType>(filter: BusFilter & { readonly type: T }, handler: (envelope: Envelope<T>) => unknown): () => void;
  subscribe(filter: BusFilter, handler: (envelope: Envelope) => unknown): () => void;
  subscribe(filter: BusFilter, handler: (envelope: never) => unknown): () => void {
    return this.inner.subscribe(filter, handler as (envelope: Envelope) => unknown);
  }

  tap(observer: BusObserver | BusObserver['message'], options?: { readonly limit?: number }): BusTap {
    return this.inner.tap(observer, options);
  }

  report(report: BusReport): void {
    this.inner.report(report);
  }

  drain(): Promise<void> {
    return this.inner.drain();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

function looksLikeEnvelope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, from, to } = value as Partial<Envelope>;
  return typeof type === 'string' && typeof from === 'string' && (typeof to === 'string' || Array.isArray(to));
}
