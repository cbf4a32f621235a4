import type { Ledger } from '../../contracts/ledger.js';
import type { ConformanceSuite } from './case.js';
import { check, checkEqual } from './check.js';
import { endEvent, eventsOf, lawEvent, sampleRun, type LedgerFactory } from './ledger-parts.js';

/** Closes a ledger after `fill` and runs `rule` on one over what it kept. */
async function reopened(factory: LedgerFactory, fill: (ledger: Ledger) => Promise<void>, rule: (ledger: Ledger) => Promise<void>): Promise<void> {
  const first = await factory();
  try {
    await fill(first);
  } finally {
    await first.close?.();
  }
  const second = await factory(first);
  try {
    await rule(second);
  } finally {
    await second.close?.();
  }
}

/** What is kept beyond one ledger object. */
export const ledgerReopenRules: ConformanceSuite<LedgerFactory> = [
  {
    name: 'ledger: a closed ledger kept every line, also those that nobody awaited',
    needs: ['reopen'],
    run: (factory) => {
      const events = sampleRun('task-1');
      const fill = async (ledger: Ledger): Promise<void> => {
        // A handler is set at once, so that a rejection is this rule's failure and no unhandled one.
        await Promise.all(events.map((event) => ledger.append(event)));
      };
      return reopened(factory, fill, async (ledger) => {
        checkEqual(eventsOf(await ledger.read('task-1'), events), events, 'Lines were lost or changed.');
        checkEqual((await ledger.list()).map(({ taskId, status }) => [taskId, status]), [['task-1', 'finished']], 'list is wrong after reopening.');
      });
    },
  },
  {
    name: 'ledger: a reopened task goes on where it stopped',
    needs: ['reopen'],
    run: (factory) => reopened(
      factory,
      async (ledger) => {
        await ledger.append(lawEvent('task-1', 1));
        await ledger.append(lawEvent('task-1', 2), { sync: true });
        await ledger.append(lawEvent('other', 1));
      },
      async (ledger) => {
        await ledger.acquire?.('task-1');
        await ledger.append({ v: 1, taskId: 'task-1', at: lawEvent('', 3).at, elapsedMs: 3, kind: 'task.resume', library: '0.0.0', afterLine: 2 }, { sync: true });
        await ledger.append(endEvent('task-1', 4));
        const lines = await ledger.read('task-1');
        checkEqual(lines.map(({ line, kind }) => `${line} ${kind}`), ['1 law', '2 law', '3 task.resume', '4 task.end'], 'The record did not go on.');
        check((await ledger.read('other')).length === 1, 'Another task was disturbed.');
      },
    ),
  },
];
