import { expect, test } from 'vitest';
import { CountingIds, ManualClock } from 'artoo/testing';

test('timers fire in the order they fall due, those made on the way too, and time stands still between', async () => {
  const clock = new ManualClock(1_000);
  const fired: string[] = [];
  clock.setTimeout(() => fired.push(`late at ${clock.monotonic()}`), 20);
  clock.setTimeout(() => {
    fired.push(`early at ${clock.monotonic()}`);
    clock.setTimeout(() => fired.push(`made on the way at ${clock.monotonic()}`), 5);
  }, 10);
  clock.setTimeout(() => fired.push('same time, later made'), 20);
  const cancel = clock.setTimeout(() => fired.push('cancelled'), 15);
  cancel();
  expect([clock.now(), clock.pending]).toEqual([1_000, 3]);
  await clock.advance(20);
  expect(fired).toEqual(['early at 10', 'made on the way at 15', 'late at 20', 'same time, later made']);
  expect([clock.now(), clock.monotonic(), clock.pending]).toEqual([1_020, 20, 0]);
});

test('a jump moves wall time alone', async () => {
  const clock = new ManualClock(1_000);
  let fired = false;
  clock.setTimeout(() => { fired = true; }, 10);
  clock.jump(-5_000);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([-4_000, 0, false]);
  await clock.advance(10);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([-3_990, 10, true]);
});

test('timers of any length fire when they are due', async () => {
  const clock = new ManualClock();
  let fired = false;
  clock.setTimeout(() => { fired = true; }, 2 ** 33);
  await clock.advance(2 ** 33 - 1);
  expect(fired).toBe(false);
  await clock.advance(1);
  expect(fired).toBe(true);
});

test('ids count by kind', () => {
  const ids = new CountingIds();
  expect([ids.next('task'), ids.next('nonce'), ids.next('task'), ids.next('approval')]).toEqual(['task-1', 'nonce-1', 'task-2', 'approval-1']);
});
