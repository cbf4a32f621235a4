import { createBus } from 'artoo/bus';
import type { BusReport, Envelope } from 'artoo/contracts';
import { expect, test } from 'vitest';

const message = { v: 1, id: 'm', type: 'Progress', from: 'R1', to: 'user', taskId: 't', at: 0, integrity: 'trusted', payload: { text: 'x' } } as Envelope;

test('F21 a handler that blocks the loop is named, and the others get their message', async () => {
  const reports: BusReport[] = [];
  // Any time at all counts as blocking here, so that the test need not block.
  const bus = createBus({ blockedMs: 0, onReport: (report) => reports.push(report) });
  const heard: string[] = [];
  bus.subscribe({ type: 'Progress', to: 'user' }, function hog() { heard.push('hog'); });
  bus.subscribe({ type: 'Progress' }, () => heard.push('other'));
  bus.publish(message);
  await bus.drain();
  expect(heard).toEqual(['hog', 'other']);
  expect(reports[0]).toMatchObject({ kind: 'handler_blocked', subscriber: 'user hog' });
});

test('a handler that returns in time is not reported', async () => {
  const reports: BusReport[] = [];
  const bus = createBus({ blockedMs: 60_000, onReport: (report) => reports.push(report) });
  bus.subscribe({ type: 'Progress' }, () => undefined);
  bus.publish(message);
  await bus.drain();
  expect(reports).toEqual([]);
});
