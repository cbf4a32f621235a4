import { expect, test } from 'vitest';
import { createBus } from 'artoo/bus';
import { RecordingBus } from 'artoo/testing';
import { sampleLawEvent, sampleProgress } from '../../src/testing/conformance/sample-envelope.js';

test('what is published is kept at once, in order, by type and as a trace', () => {
  const bus = new RecordingBus(createBus());
  bus.publish(sampleProgress(1, { from: 'R1', to: 'user' }));
  bus.publish(sampleLawEvent(2));
  bus.publish(sampleProgress(3, { from: 'R2', to: ['R3', 'R4a'] }));
  expect(bus.types()).toEqual(['Progress', 'LawEvent', 'Progress']);
  expect(bus.types({ except: ['Progress'] })).toEqual(['LawEvent']);
  expect(bus.ofType('Progress').map(({ payload }) => payload.text)).toEqual(['step 1', 'step 3']);
  expect(bus.trace()).toEqual(['R1→user Progress', 'R3→all LawEvent', 'R2→R3,R4a Progress']);
  expect(bus.trace({ except: ['Progress'] })).toEqual(['R3→all LawEvent']);
  bus.clear();
  expect([bus.messages, bus.trace()]).toEqual([[], []]);
});

test('reports of the wrapped bus are kept; garbage is passed on and not kept', async () => {
  const bus = new RecordingBus(createBus());
  bus.subscribe({ type: 'Progress' }, () => { throw new Error('thrown'); });
  bus.publish(sampleProgress(1));
  bus.publish(undefined as never);
  await bus.drain();
  expect(bus.reports.map(({ kind }) => kind).sort()).toEqual(['dead_letter', 'handler_failed']);
  expect(bus.types()).toEqual(['Progress']);
});

test('it says who listens exactly where the wrapped bus can', () => {
  const bus = new RecordingBus(createBus());
  bus.subscribe({ type: 'Progress', to: 'R2' }, () => undefined);
  expect([bus.listens?.('Progress', 'R2'), bus.listens?.('Progress', 'R3'), bus.listens?.('LawEvent')]).toEqual([true, false, false]);
  const { listens: _listens, ...silent } = createBus();
  expect('listens' in new RecordingBus(silent)).toBe(false);
});
