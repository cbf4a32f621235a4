import type { Envelope } from '../../contracts/envelope.js';
import type { ConformanceSuite } from './case.js';
import { check, checkEqual, gate, turns } from './check.js';
import { collectReports, collectTexts, count, withBus, type BusFactory } from './bus-parts.js';
import { sampleProgress } from './sample-envelope.js';

/** A handler harms neither the sender nor its siblings. */
export const busIsolationRules: ConformanceSuite<BusFactory> = [
  {
    name: 'bus: a handler that throws harms neither the sender nor the others, and is reported',
    run: (factory) => withBus(factory, async (bus) => {
      const reports = collectReports(bus);
      const failure = new Error('thrown by a handler');
      bus.subscribe({ type: 'Progress' }, () => {
        throw failure;
      });
      const texts = collectTexts(bus);
      for (const number of count(3)) bus.publish(sampleProgress(number));
      await bus.drain();
      checkEqual(texts, ['step 1', 'step 2', 'step 3'], 'A throwing handler starved another one.');
      const failed = reports.filter((report) => report.kind === 'handler_failed');
      check(failed.length === 3, 'Each failure of a handler must be reported once.', { reports: reports.map(({ kind }) => kind) });
      check(failed.every((report) => report.error === failure && report.envelope.type === 'Progress'), 'The report must carry the error and the message.');
    }),
  },
  {
    name: 'bus: a handler that rejects, also with what is no Error, is reported and nothing is left unhandled',
    run: (factory) => withBus(factory, async (bus) => {
      const reports = collectReports(bus);
      bus.subscribe({ type: 'Progress' }, () => Promise.reject(new Error('later')));
      bus.subscribe({ type: 'Progress' }, () => Promise.reject(undefined));
      const texts = collectTexts(bus);
      bus.publish(sampleProgress(1));
      bus.publish(sampleProgress(2));
      await bus.drain();
      checkEqual(texts, ['step 1', 'step 2'], 'A rejecting handler starved another one.');
      check(reports.filter(({ kind }) => kind === 'handler_failed').length === 4, 'Each rejection must be reported once.', { reports: reports.length });
    }),
  },
  {
    name: 'bus: nobody waits for a slow handler',
    run: (factory) => withBus(factory, async (bus) => {
      const held = gate();
      let started = 0;
      bus.subscribe({ type: 'Progress' }, () => {
        started += 1;
        return held.promise;
      });
      const texts = collectTexts(bus);
      for (const number of count(20)) bus.publish(sampleProgress(number, { taskId: `task-${number % 4}` }));
      await turns();
      try {
        check(started === 20, 'A slow handler held up its own later messages.', { started });
        check(texts.length === 20, 'A slow handler held up another subscriber.', { delivered: texts.length });
      } finally {
        held.open();
      }
      await bus.drain();
    }),
  },
  {
    name: 'bus: a handler can change neither what others see nor what the sender holds',
    run: (factory) => withBus(factory, async (bus) => {
      bus.subscribe({ type: 'Progress' }, (envelope) => {
        (envelope.payload as { text: string }).text = 'forged';
        (envelope as { from: string }).from = 'R7';
      });
      const seen: Envelope[] = [];
      bus.subscribe({ type: 'Progress' }, (envelope) => void seen.push(envelope as Envelope));
      const sent = sampleProgress(1);
      bus.publish(sent);
      await bus.drain();
      checkEqual([seen.length, seen[0]?.from, (seen[0] as Envelope<'Progress'>).payload.text], [1, 'R1', 'step 1'], 'A handler changed a message.');
      checkEqual([sent.from, sent.payload.text], ['R1', 'step 1'], 'A handler changed what the sender holds.');
    }),
  },
];
