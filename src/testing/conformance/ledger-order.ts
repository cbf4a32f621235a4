import { ArtooError } from '../../contracts/errors.js';
import type { Ledger } from '../../contracts/ledger.js';
import type { ConformanceSuite } from './case.js';
import { check, checkEqual, checkRejects } from './check.js';
import { endEvent, eventsOf, lawEvent, sampleRun, type LedgerFactory } from './ledger-parts.js';

/** Runs a rule on an empty ledger and closes it, also when the rule fails. */
export async function withLedger(factory: LedgerFactory, rule: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = await factory();
  try {
    await rule(ledger);
  } finally {
    await ledger.close?.();
  }
}

const ODD_IDS = ['task', 'Task', 'task ', '../task', '/etc/passwd', 'a/b', 'a\\b', '..', '.', '', '__proto__', 'constructor', 'nul', 'task\u0000', 'task\n', '😀', '任务', 'a.jsonl', 'x'.repeat(10_000), `${'x'.repeat(9_999)}y`, '\ud800', '\ud801', '%2e%2e', 'C:\\x'];

/** Order, line numbers and the separation of tasks. */
export const ledgerOrderRules: ConformanceSuite<LedgerFactory> = [
  {
    name: 'ledger: every kind of line comes back as it was, in order, numbered from 1',
    run: (factory) => withLedger(factory, async (ledger) => {
      const events = sampleRun('task-1');
      for (const event of events) await ledger.append(event);
      const lines = await ledger.read('task-1');
      checkEqual(lines.map(({ line }) => line), events.map((_, index) => index + 1), 'Lines are not numbered from 1 without a gap.');
      checkEqual(eventsOf(lines, events), events, 'A line is not what was appended.');
    }),
  },
  {
    name: 'ledger: appends that nobody awaits keep the order of their calls, synced and not',
    run: (factory) => withLedger(factory, async (ledger) => {
      const waiting = Array.from({ length: 300 }, (_, index) => ledger.append(lawEvent('task-1', index + 1), index % 7 === 0 ? { sync: true } : undefined));
      await Promise.all(waiting);
      const lines = await ledger.read('task-1');
      checkEqual(lines.map(({ at }) => at), waiting.map((_, index) => lawEvent('', index + 1).at), 'Lines changed places.');
    }),
  },
  {
    name: 'ledger: tasks are kept apart, whatever their ids look like',
    run: (factory) => withLedger(factory, async (ledger) => {
      for (const round of [1, 2]) {
        for (const [index, taskId] of ODD_IDS.entries()) await ledger.append(lawEvent(taskId, round, `${round} of ${index}`));
      }
      for (const [index, taskId] of ODD_IDS.entries()) {
        const lines = await ledger.read(taskId);
        checkEqual(lines.map((line) => [line.taskId === taskId, line.kind === 'law' && line.what]), [[true, `1 of ${index}`], [true, `2 of ${index}`]], `Task ${JSON.stringify(taskId.slice(0, 20))} has lines that are not its own, or lost some.`);
      }
      check((await ledger.list()).length === ODD_IDS.length, 'list does not name each task once.');
    }),
  },
  {
    name: 'ledger: a thousand tasks at once lose nothing',
    run: (factory) => withLedger(factory, async (ledger) => {
      const taskIds = Array.from({ length: 1_000 }, (_, index) => `task-${index}`);
      for (const number of [1, 2, 3]) await Promise.all(taskIds.map((taskId) => ledger.append(lawEvent(taskId, number))));
      const list = await ledger.list();
      check(list.length === 1_000 && list.every(({ lines, status }) => lines === 3 && status === 'running'), 'Lines or tasks were lost.', { tasks: list.length });
    }),
  },
  {
    name: 'ledger: a task without a record is ARTOO_LEDGER_NOT_FOUND',
    run: (factory) => withLedger(factory, async (ledger) => {
      await ledger.append(lawEvent('task-1', 1));
      const error = await checkRejects(() => ledger.read('task-2'), 'read of an unknown task must reject.');
      check(ArtooError.is(error, 'ARTOO_LEDGER_NOT_FOUND'), 'read of an unknown task must reject with ARTOO_LEDGER_NOT_FOUND.', { error: String(error) });
    }),
  },
  {
    name: 'ledger: a read sees every line that was appended before it, and reading changes nothing',
    run: (factory) => withLedger(factory, async (ledger) => {
      for (let number = 1; number <= 5; number += 1) {
        const kept = ledger.append(lawEvent('task-1', number));
        const before = await ledger.read('task-1');
        check(before.length === number, 'A read did not see the line appended before it.', { expected: number, actual: before.length });
        await kept;
      }
      const first = await ledger.read('task-1');
      try {
        (first as unknown[]).length = 0;
        (first[0] as unknown as { what: string }).what = 'forged';
      } catch {
        // Frozen is as good as copied.
      }
      const again = await ledger.read('task-1');
      check(again.length === 5 && again[0]?.kind === 'law' && again[0].what === 'event 1', 'A reader could change the record.');
    }),
  },
  {
    name: 'ledger: a line after the task has ended is kept or dropped, and starts no second record',
    run: (factory) => withLedger(factory, async (ledger) => {
      await ledger.append(lawEvent('task-1', 1));
      await ledger.append(endEvent('task-1', 2));
      await ledger.append(lawEvent('task-1', 3));
      const lines = await ledger.read('task-1');
      checkEqual(lines.map(({ line, at }) => line === at - lawEvent('', 0).at), lines.map(() => true), 'A late line got the number of another.');
      checkEqual((await ledger.list()).map(({ status }) => status), ['finished'], 'A late line reopened a finished task.');
    }),
  },
];
