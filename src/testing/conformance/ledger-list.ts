import type { ConformanceSuite } from './case.js';
import { check, checkEqual } from './check.js';
import { beginEvent, endEvent, lawEvent, sampleFrame, START, type LedgerFactory } from './ledger-parts.js';
import { withLedger } from './ledger-order.js';

/** What `list` says, and ownership. */
export const ledgerListRules: ConformanceSuite<LedgerFactory> = [
  {
    name: 'ledger: an empty ledger lists nothing',
    run: (factory) => withLedger(factory, async (ledger) => checkEqual(await ledger.list(), [], 'An empty ledger lists tasks.')),
  },
  {
    name: 'ledger: list tells running, parked, finished and resumed tasks, their lines and times',
    run: (factory) => withLedger(factory, async (ledger) => {
      for (const taskId of ['running', 'parked', 'finished', 'resumed']) await ledger.append(beginEvent(taskId, 1));
      for (const taskId of ['parked', 'resumed']) {
        await ledger.append({ ...sampleFrame(taskId, 2), kind: 'task.parked', code: 'ARTOO_LEDGER_DIVERGED', message: 'the prompt changed' });
      }
      await ledger.append(endEvent('finished', 5));
      await ledger.append({ ...sampleFrame('resumed', 7), kind: 'task.resume', library: '0.0.0', afterLine: 2 });
      const list = await ledger.list();
      const facts = list.map(({ taskId, status, lines, startedAt, updatedAt }) => [taskId, status, lines, startedAt - START, updatedAt - START]);
      checkEqual(facts.sort(), [['finished', 'finished', 2, 1, 5], ['parked', 'parked', 2, 1, 2], ['resumed', 'running', 3, 1, 7], ['running', 'running', 1, 1, 1]], 'list is wrong.');
      const reason = list.find(({ taskId }) => taskId === 'parked')?.reason ?? '';
      check(reason.includes('ARTOO_LEDGER_DIVERGED'), 'list does not say why a task is parked.', { reason });
      check(list.filter(({ taskId }) => taskId !== 'parked').every((task) => task.reason === undefined), 'list gives a reason where there is none.');
    }),
  },
  {
    name: 'ledger: owning a task twice is the same as once, and giving up what nobody owns is nothing',
    run: (factory) => withLedger(factory, async (ledger) => {
      await ledger.acquire?.('task-1');
      await ledger.acquire?.('task-1');
      await ledger.append(lawEvent('task-1', 1));
      await ledger.release?.('task-1');
      await ledger.release?.('task-1');
      await ledger.release?.('task-2');
      await ledger.append(lawEvent('task-1', 2));
      checkEqual((await ledger.read('task-1')).map(({ line }) => line), [1, 2], 'A task could not go on after it was given up.');
      checkEqual((await ledger.list()).map(({ taskId }) => taskId), ['task-1'], 'Owning a task made a record of it.');
    }),
  },
  {
    name: 'ledger: closing twice is the same as once',
    run: async (factory) => {
      const ledger = await factory();
      await ledger.append(lawEvent('task-1', 1));
      await Promise.all([ledger.close?.(), ledger.close?.()]);
      await ledger.close?.();
    },
  },
];
