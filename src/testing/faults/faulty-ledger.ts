import { ArtooError, type ArtooErrorCode } from '../../contracts/errors.js';
import type { Ledger } from '../../contracts/ledger.js';
import type { SourceMaker } from './fault-source.js';

const ALL = ['full', 'write', 'full_later', 'slow', 'kept_then_failed'] as const;

/** What can go wrong with a ledger (F29, F32). After all but `slow` the task's later appends fail too, as on a real disk. */
export type LedgerFault = (typeof ALL)[number];

/** A ledger that sometimes can't keep a line. `kept_then_failed`: the line is there, and the caller is told it is not. */
export function faultyLedger(ledger: Ledger, makeSource: SourceMaker<LedgerFault>): Ledger {
  const source = makeSource(ALL);
  const failed = new Map<string, ArtooError>();
  const fail = (taskId: string, code: ArtooErrorCode): ArtooError => {
    const error = new ArtooError(code, `injected: a line of ${taskId} could not be kept.`, { hint: 'Reopen the ledger and resume the task.' });
    failed.set(taskId, error);
    return error;
  };
  return {
    append(event, options) {
      const earlier = failed.get(event.taskId);
      if (earlier) throw earlier;
      const fault = source.next();
      switch (fault) {
        case undefined: return ledger.append(event, options);
        case 'full': throw fail(event.taskId, 'ARTOO_STORE_FULL');
        case 'write': throw fail(event.taskId, 'ARTOO_LEDGER_WRITE');
        case 'full_later': return Promise.reject(fail(event.taskId, 'ARTOO_STORE_FULL'));
        case 'slow': return slowly(ledger.append(event, options));
        case 'kept_then_failed': {
          const error = fail(event.taskId, 'ARTOO_LEDGER_WRITE');
          return Promise.resolve(ledger.append(event, options)).then(() => Promise.reject(error));
        }
      }
    },
    read: (taskId) => ledger.read(taskId),
    list: () => ledger.list(),
    // As with a real one, taking the task anew reads what is there and goes on.
    acquire: async (taskId) => {
      await ledger.acquire?.(taskId);
      failed.delete(taskId);
    },
    release: async (taskId) => {
      failed.delete(taskId);
      await ledger.release?.(taskId);
    },
    close: async () => ledger.close?.(),
  };
}

async function slowly(kept: void | Promise<void>): Promise<void> {
  await kept;
  await new Promise<void>((resolve) => void setTimeout(resolve, 0));
}
