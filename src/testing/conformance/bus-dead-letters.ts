import type { Bus, BusReport } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import type { ConformanceSuite } from './case.js';
import { check, checkEqual, turns } from './check.js';
import { collectReports, withBus, type BusFactory } from './bus-parts.js';
import { sampleProgress } from './sample-envelope.js';

/** What is no envelope of this version is reported with a reason and delivered to nobody; the bus goes on. */
export const busDeadLetterRules: ConformanceSuite<BusFactory> = [
  {
    name: 'bus: a message of an unknown version is a dead letter',
    run: (factory) => withBus(factory, (bus) => expectDeadLetters(bus, [{ ...sampleProgress(1), v: 999 }, { ...sampleProgress(2), v: 0 }, without('v')])),
  },
  {
    name: 'bus: garbage is a dead letter',
    run: (factory) => withBus(factory, (bus) => expectDeadLetters(bus, [
      undefined, null, 0, 'text', true, [], {}, () => undefined, new Map(), Symbol('no message'),
      without('type'), without('from'), without('to'), without('taskId'), without('payload'),
      { ...sampleProgress(1), type: 'NoSuchType' }, { ...sampleProgress(1), type: '__proto__' }, { ...sampleProgress(1), type: '*' },
      { ...sampleProgress(1), to: null }, { ...sampleProgress(1), to: 5 }, { ...sampleProgress(1), from: null },
      { ...sampleProgress(1), taskId: 7 }, { ...sampleProgress(1), payload: null }, { ...sampleProgress(1), payload: 'text' },
    ])),
  },
  {
    name: 'bus: a message whose reading throws is a dead letter',
    run: (factory) => withBus(factory, (bus) => expectDeadLetters(bus, [
      { ...sampleProgress(1), get payload(): never { throw new Error('thrown by a getter'); } },
      { ...sampleProgress(2), payload: { get text(): never { throw new Error('thrown by a getter'); } } },
    ])),
  },
  {
    name: 'bus: a message of 10 MB and one that refers to itself are delivered whole or are dead letters, and the bus goes on',
    run: (factory) => withBus(factory, async (bus) => {
      const reports = collectReports(bus);
      const circular: Record<string, unknown> = { text: 'step 1' };
      circular.self = circular;
      const large = sampleProgress(2, { text: 'x'.repeat(10_000_000) });
      const seen: Envelope<'Progress'>[] = [];
      bus.subscribe({ type: 'Progress' }, (envelope: Envelope<'Progress'>) => void seen.push(envelope));
      for (const message of [{ ...sampleProgress(1), payload: circular }, large, sampleProgress(3)]) bus.publish(message as Envelope);
      await bus.drain();
      await turns();
      const dead = deadLetters(reports).length;
      check(dead + seen.length === 3, 'A message was neither delivered nor reported.', { delivered: seen.length, deadLetters: dead });
      check(seen.at(-1)?.payload.text === 'step 3', 'The bus did not go on after a large message.');
      const delivered = seen.find(({ id }) => id === large.id);
      check(delivered === undefined || delivered.payload.text.length === 10_000_000, 'A large message was delivered in part.');
    }),
  },
];

async function expectDeadLetters(bus: Bus, messages: readonly unknown[]): Promise<void> {
  const reports = collectReports(bus);
  const seen: unknown[] = [];
  bus.subscribe({}, (envelope) => void seen.push(envelope));
  bus.subscribe({ to: 'R2' }, (envelope) => void seen.push(envelope));
  for (const [index, message] of messages.entries()) {
    try {
      bus.publish(message as Envelope);
    } catch (error) {
      check(false, `publish threw for message ${index + 1} of what must become dead letters.`, { error: String(error) });
    }
    await Promise.race([bus.drain(), turns(50)]);
    await turns(1);
    check(deadLetters(reports).length === index + 1, `Message ${index + 1} was not reported as a dead letter.`, { message: describe(message) });
  }
  check(deadLetters(reports).every(({ reason }) => typeof reason === 'string' && reason !== ''), 'A dead letter must say why.');
  check(seen.length === 0, 'A dead letter was delivered.', { delivered: seen.length });
  bus.publish(sampleProgress(99));
  await Promise.race([bus.drain(), turns(50)]);
  checkEqual(seen.length, 1, 'The bus did not go on after a dead letter.');
}

function deadLetters(reports: readonly BusReport[]): readonly (BusReport & { readonly kind: 'dead_letter' })[] {
  return reports.filter((report) => report.kind === 'dead_letter');
}

function without(key: keyof Envelope): unknown {
  return Object.fromEntries(Object.entries(sampleProgress(1)).filter(([name]) => name !== key));
}

function describe(message: unknown): string {
  try {
    return JSON.stringify(message) ?? String(message);
  } catch {
    return 'a message that can\'t be shown';
  }
}
