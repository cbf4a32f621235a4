import { EventEmitter } from 'eventemitter3';
import type { Bus, BusFilter, BusObserver, BusReport } from '../contracts/bus.js';
import { isAddressedTo, MESSAGE_VERSION, payloadSchemas, type Envelope } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import { deepFreeze } from './freeze.js';
import { isPromise, TapQueue } from './tap-queue.js';

/** Options of {@link createBus}. */
export interface BusOptions {
  /** Characters of text that one message may hold; default 8,000,000. A longer one is a dead letter. */
  readonly maxMessageSize?: number;
  /** A handler that keeps the event loop to itself for so many ms is reported; default 1,000. */
  readonly blockedMs?: number;
  /** Told what taps are told, for hosts that keep no tap. */
  readonly onReport?: (report: BusReport) => void;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(Object.keys(payloadSchemas));
const ANY = '*';
const DEFAULT_TAP_LIMIT = 1024;
const RESOLVED = Promise.resolve();

/**
 * The in-process bus. Messages are delivered in a microtask, in the order of publication.
 *
 * @example
 * import { createBus } from 'artoo/bus';
 * const bus = createBus();
 * bus.subscribe({ type: 'FinalResult' }, (message) => console.log(message.payload.summary));
 */
export function createBus(options: BusOptions = {}): Bus {
  const maxMessageSize = options.maxMessageSize ?? 8_000_000;
  const blockedMs = options.blockedMs ?? 1_000;
  const emitter = new EventEmitter();
  const filters = new Map<string, Set<BusFilter>>();
  const taps = new Set<TapQueue>();
  let show = (envelope: Envelope): Envelope => envelope;
  let queue: Envelope[] = [];
  let scheduled = false;
  let closed = false;
  let running = 0;
  let idle: (() => void)[] = [];

  const report = (notice: BusReport): void => {
    const shown = shownReport(notice, show);
    for (const tap of taps) tap.tell(shown);
    try {
      options.onReport?.(shown);
    } catch {
      // A host's callback is no reason for the bus to stop.
    }
  };

  const settled = (): void => {
    running -= 1;
    wakeWhenIdle();
  };
  const wakeWhenIdle = (): void => {
    if (running > 0 || scheduled || idle.length === 0) return;
    const waiting = idle;
    idle = [];
    for (const wake of waiting) wake();
  };

  const start = (handler: (envelope: Envelope) => unknown, envelope: Envelope, filter: BusFilter): void => {
    const startedAt = performance.now();
    try {
      const result = handler(envelope);
      const ms = performance.now() - startedAt;
      if (ms >= blockedMs) report({ kind: 'handler_blocked', envelope, subscriber: nameOf(filter, handler), ms: Math.round(ms) });
      if (!isPromise(result)) return;
      running += 1;
      result.then(settled, (error: unknown) => {
        report({ kind: 'handler_failed', envelope, error });
        settled();
      });
    } catch (error) {
      report({ kind: 'handler_failed', envelope, error });
    }
  };

  const deliver = (): void => {
    // Messages published by handlers during this pass join its end: order of publication holds.
    for (let index = 0; index < queue.length; index++) {
      const envelope = queue[index]!;
      if (taps.size > 0) {
        const shown = show(envelope);
        for (const tap of taps) tap.offer(shown);
      }
      emitter.emit(envelope.type, envelope);
      if (emitter.listenerCount(ANY) > 0) emitter.emit(ANY, envelope);
    }
    queue = [];
    scheduled = false;
    wakeWhenIdle();
  };

  const refuse = (envelope: unknown, reason: string): void => report({ kind: 'dead_letter', reason, envelope });

  const listenTo = (filter: BusFilter, event: string, handler: (envelope: Envelope) => unknown): (() => void) => {
    let active = true;
    const listener = (envelope: Envelope): void => {
      if (active && matches(filter, envelope)) start(handler, envelope, filter);
    };
    emitter.on(event, listener);
    const known = filters.get(event) ?? new Set();
    filters.set(event, known.add(filter));
    return () => {
      active = false;
      emitter.off(event, listener);
      known.delete(filter);
    };
  };

  const bus: Bus = {
    publish(envelope) {
      let problem: string | undefined;
      try {
        problem = closed ? 'the bus is closed' : findProblem(envelope);
        if (problem === undefined && deepFreeze(envelope, maxMessageSize) === Infinity) problem = `larger than ${maxMessageSize} characters`;
      } catch (error) {
        problem = `can't be read: ${error instanceof Error ? error.message : String(error)}`;
      }
      if (problem !== undefined) return refuse(envelope, problem);
      queue.push(envelope);
      if (scheduled) return;
      scheduled = true;
      // A resolved promise and not queueMicrotask, which in Node makes an async resource for each call.
      void RESOLVED.then(deliver);
    },
    subscribe(filter: BusFilter, handler: (envelope: never) => unknown) {
      const types = filter.type === undefined ? [ANY] : typeof filter.type === 'string' ? [filter.type] : filter.type;
      const stops = types.map((type) => listenTo({ ...filter }, type, handler as (envelope: Envelope) => unknown));
      return () => stops.forEach((stop) => stop());
    },
    tap(observer, tapOptions = {}) {
      const full: BusObserver = typeof observer === 'function' ? { message: observer } : observer;
      const tap: TapQueue = new TapQueue(
        full,
        tapOptions.limit ?? DEFAULT_TAP_LIMIT,
        (envelope, error) => report({ kind: 'handler_failed', envelope, error }),
        () => taps.delete(tap),
      );
      taps.add(tap);
      return tap;
    },
    redactTaps(next) {
      const before = show;
      show = (envelope) => deepFreezeCopy(next(before(envelope)), envelope);
    },
    report,
    listens(type, to) {
      for (const event of [type, ANY]) {
        for (const filter of filters.get(event) ?? []) {
          if (to === undefined || filter.to === undefined || filter.to === to) return true;
        }
      }
      return false;
    },
    drain() {
      return running === 0 && !scheduled ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));
    },
    async close() {
      await bus.drain();
      closed = true;
      for (const tap of [...taps]) tap.close();
    },
  };
  return bus;
}

/** A report shows its message as taps see messages. What is no message can't be read, and stays as it came. */
function shownReport(report: BusReport, show: (envelope: Envelope) => Envelope): BusReport {
  try {
    if (!('envelope' in report) || findProblem(report.envelope) !== undefined) return report;
    const envelope = report.envelope as Envelope;
    return { ...report, envelope: show(envelope), ...('error' in report ? { error: shownError(report.error, envelope, show) } : {}) } as BusReport;
  } catch {
    return report;
  }
}

/** An error quotes what it failed with, so it is shown as the content of its message would be; itself where that hides nothing. */
function shownError(error: unknown, envelope: Envelope, show: (envelope: Envelope) => Envelope): unknown {
  if (!(error instanceof Error)) return contentAsShown({ error }, envelope, show)['error'];
  const { name, message, stack = '', cause } = error;
  const { code, hint, details } = error as Partial<ArtooError>;
  const content = { name, message, stack, code, hint, details, cause };
  const shown = contentAsShown(content, envelope, show);
  if (shown === content) return error;
  const copy = ArtooError.is(error) ? new ArtooError(error.code, String(shown['message']), { hint: shown['hint'] as string, details: shown['details'] as ArtooError['details'] }) : new Error(String(shown['message']));
  return Object.assign(copy, { name, stack: shown['stack'] }, cause === undefined ? {} : { cause: shown['cause'] });
}

function contentAsShown(content: Readonly<Record<string, unknown>>, envelope: Envelope, show: (envelope: Envelope) => Envelope): Readonly<Record<string, unknown>> {
  return show({ ...envelope, payload: content } as unknown as Envelope).payload as unknown as Readonly<Record<string, unknown>>;
}

/** What was made anew of a message is as unchangeable as the message. */
function deepFreezeCopy(shown: Envelope, envelope: Envelope): Envelope {
  if (shown !== envelope) deepFreeze(shown);
  return shown;
}

function matches(filter: BusFilter, envelope: Envelope): boolean {
  return (
    (filter.to === undefined || isAddressedTo(envelope, filter.to)) &&
    (filter.from === undefined || filter.from === envelope.from) &&
    (filter.taskId === undefined || filter.taskId === envelope.taskId)
  );
}

/** Who a subscriber is: the role it listens for and the function's name, as far as they are known. */
function nameOf(filter: BusFilter, handler: (envelope: Envelope) => unknown): string {
  return [filter.to, handler.name === '' ? 'a handler without a name' : handler.name].filter((part) => part !== undefined).join(' ');
}

function findProblem(envelope: unknown): string | undefined {
  if (typeof envelope !== 'object' || envelope === null) return 'no envelope';
  const { v, type, from, to, taskId, payload } = envelope as Partial<Envelope>;
  if (typeof v !== 'number') return 'no message version';
  if (v > MESSAGE_VERSION) return `message version ${v} is newer than ${MESSAGE_VERSION}: update artoo on this side`;
  if (v !== MESSAGE_VERSION) return `unknown message version ${v}`;
  if (typeof type !== 'string' || !KNOWN_TYPES.has(type)) return `unknown message type ${String(type)}`;
  if (typeof from !== 'string' || (typeof to !== 'string' && !Array.isArray(to)) || typeof taskId !== 'string') return 'sender, recipient or task is missing';
  if (typeof payload !== 'object' || payload === null) return 'no payload';
  return undefined;
}

/** For adapters of other message systems: throws what {@link createBus} would treat as a dead letter. */
export function assertEnvelope(envelope: unknown): asserts envelope is Envelope {
  const problem = findProblem(envelope);
  if (!problem) return;
  const newer = problem.startsWith('message version') || problem.startsWith('unknown message version');
  throw new ArtooError(newer ? 'ARTOO_MESSAGE_VERSION' : 'ARTOO_MESSAGE_INVALID', problem, {
    hint: 'Publish envelopes as artoo/contracts describes them, with v: 1.',
  });
}
