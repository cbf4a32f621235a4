import type { Ledger } from 'artoo';
import { createMemoryLedger } from 'artoo/ledger';
import type { LedgerEvent, LedgerLine } from 'artoo/contracts';

/** Where the process dies: before or after the n-th append counted from the last birth. */
export interface Kill { readonly append: number; readonly when: 'before' | 'after' }

/**
 * A ledger that survives while the process around it is killed by throwing: from the kill on this life keeps nothing
 * more. What is read back went through JSON, as it would from a disk.
 */
export class KillableLedger {
  appends = 0;
  private readonly kept = createMemoryLedger();

  /** A new life of the process. */
  born(kill: Kill | undefined): Ledger {
    let count = 0;
    let dead = false;
    return {
      append: (event: LedgerEvent) => {
        if (dead) throw new Error('this process is dead');
        count += 1;
        this.appends = count;
        dead = kill?.append === count;
        if (dead && kill?.when === 'before') throw new Error('killed before the append');
        void this.kept.append(event);
        if (dead) throw new Error('killed after the append');
        return undefined;
      },
      read: async (taskId) => JSON.parse(JSON.stringify(await this.kept.read(taskId))) as LedgerLine[],
      list: () => this.kept.list(),
    };
  }

  lines(taskId: string): Promise<readonly LedgerLine[]> {
    return this.kept.read(taskId);
  }
}
