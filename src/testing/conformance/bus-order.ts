import type { Envelope } from '../../contracts/envelope.js';
import type { ConformanceSuite } from './case.js';
import { check, checkEqual, gate, turns } from './check.js';
import { collectTexts, count, withBus, type BusFactory } from './bus-parts.js';
import { sampleLawEvent, sampleProgress } from './sample-envelope.js';

/** Order, filters, subscriptions, drain and close. */
export const busOrderRules: ConformanceSuite<BusFactory> = [
  {
    name: 'bus: messages start in the order of publication, at every subscriber',
    run: (factory) => withBus(factory, async (bus) => {
      const [first, second] = [collectTexts(bus), collectTexts(bus)];
      for (const number of count(100)) bus.publish(sampleProgress(number, { taskId: `task-${number % 3}` }));
      await bus.drain();
      const expected = count(100).map((number) => `step ${number}`);
      checkEqual(first, expected, 'The first subscriber saw another order.');
      checkEqual(second, expected, 'The second subscriber saw another order.');
    }),
  },
  {
    name: 'bus: a burst of 10,000 messages reaches a slow subscriber without a loss',
    run: (factory) => withBus(factory, async (bus) => {
      const seen: string[] = [];
      bus.subscribe({ type: 'Progress' }, async ({ id }: Envelope<'Progress'>) => {
        await Promise.resolve();
        seen.push(id);
      });
      for (const number of count(10_000)) bus.publish(sampleProgress(number));
      await bus.drain();
      check(seen.length === 10_000, 'Messages to a subscriber were lost.', { delivered: seen.length });
      check(new Set(seen).size === 10_000, 'Messages were delivered twice.');
    }),
  },
  {
    name: 'bus: a message is delivered once to each subscription that fits it by type, sender, recipient and task',
    run: (factory) => withBus(factory, async (bus) => {
      const seen: string[] = [];
      const listen = (name: string, filter: Parameters<typeof bus.subscribe>[0]): void => {
        bus.subscribe(filter, ({ id }: Envelope) => void seen.push(`${name} ${id}`));
      };
      listen('any', {});
      listen('type', { type: 'LawEvent' });
      listen('types', { type: ['LawEvent', 'Progress'] });
      listen('to', { to: 'R2' });
      listen('from', { from: 'R7' });
      listen('task', { taskId: 'b' });
      listen('both', { type: 'Progress', to: 'R2', taskId: 'b' });
      bus.publish(sampleProgress(1, { taskId: 'a', to: 'R2' }));
      bus.publish(sampleProgress(2, { taskId: 'b', to: ['R4a', 'R2'], from: 'R7' }));
      bus.publish(sampleLawEvent(3, { taskId: 'a' }));
      bus.publish(sampleProgress(4, { taskId: 'b', to: 'user' }));
      await bus.drain();
      checkEqual(seen.sort(), [
        'any a/1', 'any a/law-3', 'any b/2', 'any b/4', 'both b/2', 'from b/2', 'task b/2', 'task b/4',
        'to a/1', 'to a/law-3', 'to b/2', 'type a/law-3', 'types a/1', 'types a/law-3', 'types b/2', 'types b/4',
      ], 'Filters let other messages through than they say.');
    }),
  },
  {
    name: 'bus: publishing inside a handler keeps the order of publication',
    run: (factory) => withBus(factory, async (bus) => {
      bus.subscribe({ type: 'Progress' }, (envelope: Envelope<'Progress'>) => {
        if (envelope.payload.text === 'step 1') bus.publish(sampleProgress(9));
      });
      const texts = collectTexts(bus);
      bus.publish(sampleProgress(1));
      bus.publish(sampleProgress(2));
      await bus.drain();
      checkEqual(texts, ['step 1', 'step 2', 'step 9'], 'A message published by a handler overtook an earlier one.');
    }),
  },
  {
    name: 'bus: publish returns before a handler has run to its end',
    run: (factory) => withBus(factory, async (bus) => {
      const held = gate();
      let ended = false;
      bus.subscribe({ type: 'Progress' }, async () => {
        await held.promise;
        ended = true;
      });
      bus.publish(sampleProgress(1));
      check(!ended, 'publish waited for a handler.');
      held.open();
      await bus.drain();
      check(ended, 'drain did not wait for a handler.');
    }),
  },
  {
    name: 'bus: after a subscription ended nothing more is delivered to it, also not what was published before',
    run: (factory) => withBus(factory, async (bus) => {
      const texts: string[] = [];
      const stop = bus.subscribe({ type: 'Progress' }, (envelope: Envelope<'Progress'>) => {
        texts.push(envelope.payload.text);
        stop();
        stop();
      });
      const others = collectTexts(bus);
      for (const number of count(3)) bus.publish(sampleProgress(number));
      await bus.drain();
      checkEqual(texts, ['step 1'], 'An ended subscription got another message.');
      checkEqual(others, ['step 1', 'step 2', 'step 3'], 'Ending a subscription inside a handler disturbed another one.');
    }),
  },
  {
    name: 'bus: a subscription made inside a handler gets what is published after it',
    run: (factory) => withBus(factory, async (bus) => {
      let late: string[] | undefined;
      bus.subscribe({ type: 'Progress' }, () => {
        late ??= collectTexts(bus);
      });
      bus.publish(sampleProgress(1));
      await bus.drain();
      bus.publish(sampleProgress(2));
      await bus.drain();
      check(late?.includes('step 2') === true, 'A subscription made inside a handler got nothing.', { late });
    }),
  },
  {
    name: 'bus: drain waits for what handlers publish while it waits',
    run: (factory) => withBus(factory, async (bus) => {
      const texts = collectTexts(bus);
      bus.subscribe({ type: 'Progress' }, async (envelope: Envelope<'Progress'>) => {
        await turns(1);
        const number = Number(envelope.payload.text.slice(5));
        if (number < 5) bus.publish(sampleProgress(number + 1));
      });
      bus.publish(sampleProgress(1));
      await bus.drain();
      checkEqual(texts, count(5).map((number) => `step ${number}`), 'drain resolved while messages were under way.');
    }),
  },
  {
    name: 'bus: close delivers what was published, then delivers nothing more, and may be called twice',
    run: (factory) => withBus(factory, async (bus) => {
      const texts = collectTexts(bus);
      bus.publish(sampleProgress(1));
      await bus.close();
      checkEqual(texts, ['step 1'], 'close did not deliver what was published before it.');
      try {
        bus.publish(sampleProgress(2));
      } catch {
        // Refusing by an error is as good as by a dead letter.
      }
      await turns();
      checkEqual(texts, ['step 1'], 'A closed bus delivered a message.');
      await bus.close();
    }),
  },
];
