import { expect, test } from 'vitest';
import { createMemoryLedger } from 'artoo/ledger';
import { end, law } from './support.js';

test('append is synchronous and keeps the very object', async () => {
  const ledger = createMemoryLedger();
  const event = Object.freeze(law('task-1', 1));
  expect(ledger.append(event, { sync: true })).toBeUndefined();
  expect((await ledger.read('task-1'))[0]).toEqual({ ...event, line: 1 });
});

test('of finished tasks the newest stay, running and parked ones all stay', async () => {
  const ledger = createMemoryLedger({ keepFinished: 2 });
  ledger.append(law('running', 1));
  ledger.append({ ...law('parked', 1), kind: 'task.parked', code: 'ARTOO_LEDGER_DIVERGED', message: '' } as never);
  for (let task = 1; task <= 10; task += 1) {
    ledger.append(law(`task-${task}`, 1));
    ledger.append(end(`task-${task}`, 2));
  }
  expect((await ledger.list()).map(({ taskId }) => taskId)).toEqual(['running', 'parked', 'task-9', 'task-10']);
  await expect(ledger.read('task-8')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_NOT_FOUND' });
});

test('a late line for a dropped task starts no record that would never end', async () => {
  const ledger = createMemoryLedger({ keepFinished: 0 });
  ledger.append(law('task-1', 1));
  ledger.append(end('task-1', 2));
  ledger.append(law('task-1', 3));
  expect(await ledger.list()).toEqual([]);
  ledger.append({ v: 1, taskId: 'task-1', at: 4, elapsedMs: 0, kind: 'task.resume', library: '', afterLine: 0 });
  expect(await ledger.list()).toMatchObject([{ taskId: 'task-1', status: 'running' }]);
});

test('a finished task that goes on is running again, and does not count as finished', async () => {
  const ledger = createMemoryLedger({ keepFinished: 1 });
  ledger.append(end('task-1', 1));
  ledger.append({ v: 1, taskId: 'task-1', at: 2, elapsedMs: 0, kind: 'task.resume', library: '', afterLine: 1 });
  ledger.append(end('task-2', 1));
  ledger.append(end('task-3', 1));
  expect((await ledger.list()).map(({ taskId, status }) => `${taskId} ${status}`)).toEqual(['task-1 running', 'task-3 finished']);
});

test('after 10,000 finished tasks 32 are kept', () => {
  const ledger = createMemoryLedger();
  for (let task = 0; task < 10_000; task += 1) {
    ledger.append(law(`task-${task}`, 1));
    ledger.append(end(`task-${task}`, 2));
  }
  return expect(ledger.list()).resolves.toHaveLength(32);
});

test.each([-1, Number.NaN])('keepFinished %s is refused', (keepFinished) => {
  expect(() => createMemoryLedger({ keepFinished })).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT' }));
});
