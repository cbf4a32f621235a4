import type { ConformanceSuite } from './case.js';
import { check, checkEqual, gate, turns } from './check.js';
import { collectReports, collectTexts, count, withBus, type BusFactory } from './bus-parts.js';
import { sampleLawEvent, sampleProgress } from './sample-envelope.js';

/** Observers see everything that their bounded queue holds, and disturb nobody. */
export const busTapRules: ConformanceSuite<BusFactory> = [
  {
    name: 'bus: a tap sees every message in order, whoever it is for',
    run: (factory) => withBus(factory, async (bus) => {
      const ids: string[] = [];
      const tap = bus.tap(({ id }) => void ids.push(id));
      bus.publish(sampleProgress(1, { to: 'R2' }));
      bus.publish(sampleLawEvent(2));
      bus.publish(sampleProgress(3, { taskId: 'other' }));
      await bus.drain();
      await turns();
      checkEqual(ids, ['task-1/1', 'task-1/law-2', 'other/3'], 'A tap missed a message.');
      check(tap.dropped === 0, 'Nothing was dropped, but the tap counts.', { dropped: tap.dropped });
    }),
  },
  {
    name: 'bus: a slow tap drops its oldest messages, counts them, and delays nobody',
    run: (factory) => withBus(factory, async (bus) => {
      const held = gate();
      const ids: string[] = [];
      const tap = bus.tap(async ({ id }) => {
        ids.push(id);
        await held.promise;
      }, { limit: 5 });
      const texts = collectTexts(bus);
      for (const number of count(100)) bus.publish(sampleProgress(number));
      await turns();
      check(texts.length === 100, 'A slow tap held up a subscriber.', { delivered: texts.length });
      held.open();
      await turns(20);
      check(tap.dropped > 0 && tap.dropped + ids.length === 100, 'Messages seen and dropped must add up.', { seen: ids.length, dropped: tap.dropped });
      check(ids.length <= 7, 'A tap kept more messages than its limit.', { seen: ids.length });
      checkEqual(ids.slice(-5), [96, 97, 98, 99, 100].map((number) => `task-1/${number}`), 'A tap must drop its oldest messages, not its newest.');
      tap.close();
    }),
  },
  {
    name: 'bus: a tap that throws or rejects disturbs neither other taps nor subscribers',
    run: (factory) => withBus(factory, async (bus) => {
      bus.tap(() => {
        throw new Error('thrown by a tap');
      });
      bus.tap(() => Promise.reject(new Error('rejected by a tap')));
      bus.tap({ message: () => undefined, report: () => {
        throw new Error('thrown while told');
      } });
      const ids: string[] = [];
      bus.tap(({ id }) => void ids.push(id));
      const texts = collectTexts(bus);
      for (const number of count(3)) bus.publish(sampleProgress(number));
      await bus.drain();
      await turns();
      checkEqual(texts, ['step 1', 'step 2', 'step 3'], 'A failing tap starved a subscriber.');
      checkEqual(ids.length, 3, 'A failing tap starved another tap.');
    }),
  },
  {
    name: 'bus: a closed tap sees nothing more',
    run: (factory) => withBus(factory, async (bus) => {
      const ids: string[] = [];
      const tap = bus.tap(({ id }) => void ids.push(id));
      bus.publish(sampleProgress(1));
      await bus.drain();
      await turns();
      tap.close();
      tap.close();
      bus.publish(sampleProgress(2));
      await bus.drain();
      await turns();
      checkEqual(ids, ['task-1/1'], 'A closed tap saw a message.');
    }),
  },
  {
    name: 'bus: what is reported from outside reaches every tap',
    run: (factory) => withBus(factory, async (bus) => {
      const first = collectReports(bus);
      const second = collectReports(bus);
      const report = { kind: 'boundary_violation', role: 'R6', type: 'PlanDirective', taskId: 't', message: 'may not' } as const;
      bus.report(report);
      await turns();
      checkEqual([first, second], [[report], [report]], 'A report did not reach the taps.');
    }),
  },
];
