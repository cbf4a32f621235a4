import type { Bus } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import type { SourceMaker } from './fault-source.js';

const ALL = ['duplicate', 'late', 'garbage_before', 'newer_version_before'] as const;

/**
 * What a bus between machines may do (F23 to F25). `late`: the message comes after the next one of its task, or when
 * the bus is drained. State-bearing messages are never lost, so there is no fault that drops one.
 */
export type BusFault = (typeof ALL)[number];

/** A bus that sometimes delivers twice, late, or brings messages that nobody should have sent. */
export function faultyBus(bus: Bus, makeSource: SourceMaker<BusFault>): Bus {
  const source = makeSource(ALL);
  const held: Envelope[] = [];
  const deliverHeld = (taskId?: string): void => {
    for (let index = 0; index < held.length; index += 1) {
      const envelope = held[index] as Envelope;
      if (taskId !== undefined && envelope.taskId !== taskId) continue;
      held.splice(index, 1);
      index -= 1;
      bus.publish(envelope);
    }
  };
  const inject = (envelope: Envelope, fault: BusFault | undefined): void => {
    if (fault === 'garbage_before') bus.publish({ garbage: true, taskId: envelope.taskId } as unknown as Envelope);
    if (fault === 'newer_version_before') bus.publish({ ...envelope, v: envelope.v + 1 });
    bus.publish(envelope);
    if (fault === 'duplicate') bus.publish(envelope);
  };
  return {
    publish(envelope) {
      const fault = source.next();
      if (fault === 'late') {
        held.push(envelope);
        // Nothing may follow it: it then comes late by a turn of the event loop.
        setTimeout(() => deliverHeld(envelope.taskId), 0);
        return;
      }
      inject(envelope, fault);
      deliverHeld(envelope.taskId);
    },
    subscribe: bus.subscribe.bind(bus) as Bus['subscribe'],
    tap: (observer, options) => bus.tap(observer, options),
    report: (report) => bus.report(report),
    ...(bus.redactTaps ? { redactTaps: bus.redactTaps.bind(bus) } : {}),
    ...(bus.listens ? { listens: bus.listens.bind(bus) } : {}),
    async drain() {
      deliverHeld();
      await bus.drain();
    },
    async close() {
      deliverHeld();
      await bus.close();
    },
  };
}
