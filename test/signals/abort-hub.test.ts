import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { AbortHub } from '../../src/signals/abort-hub.js';

test('a thousand waiters on one signal are one listener, which goes with the last of them', () => {
  const controller = new AbortController();
  const hub = new AbortHub();
  const called: number[] = [];
  const offs = Array.from({ length: 1_000 }, (_, index) => hub.watch(controller.signal, () => called.push(index)));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  for (const off of offs.slice(2)) off();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  expect(called).toEqual([0, 1]);
  for (const off of offs) off();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a signal that is free again can be watched again, and one that has aborted calls back at once', () => {
  const controller = new AbortController();
  const hub = new AbortHub();
  hub.watch(controller.signal, () => undefined)();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  let called = 0;
  hub.watch(controller.signal, () => { called += 1; });
  controller.abort();
  hub.watch(controller.signal, () => { called += 1; });
  expect(called).toBe(2);
});
