import type { MemoryReport } from '../../memory/store-types.js';
import type { Change, Database } from './database.js';
import type { Draft } from './draft.js';
import { allOf, DERIVED, keys, LAYOUT } from './layout.js';
import { addEntry, additionOf } from './operations.js';
import { decodeStored } from './records.js';

const CHUNK = 500;

/**
 * Makes everything derived anew from the megrams, in the order they were written in. The layout mark is taken away
 * first: a crash in the middle is found at the next opening, which begins again.
 */
export async function rebuildStore(draft: Draft, options: { readonly database: Database; readonly now: number; readonly report: (report: MemoryReport) => void }): Promise<void> {
  const { database, now, report } = options;
  await draft.commit();
  await database.batch([{ type: 'del', key: keys.layout }]);
  draft.discard();
  for (const prefix of DERIVED) await clear(database, prefix);
  const order = await readOrder(database, draft, report);
  for (let start = 0; start < order.length; start += CHUNK) {
    const ids = order.slice(start, start + CHUNK).map(({ key }) => key);
    const values = await database.getMany([...ids, ...ids.map((key) => `r${key.slice(1)}`)]);
    for (let index = 0; index < ids.length; index += 1) {
      const stored = decodeStored(values[index] ?? '');
      if (typeof stored === 'string') continue;
      const recalled = Number(values[ids.length + index] ?? Number.NaN);
      const megram = Number.isNaN(recalled) ? stored.megram : { ...stored.megram, lastRecalledAt: recalled };
      await addEntry(draft, additionOf(megram), { sequence: stored.sequence || draft.nextSequence(), now });
    }
    await draft.commit();
  }
  await database.batch([{ type: 'put', key: keys.layout, value: LAYOUT }]);
}

/** Keys of all megrams: those with a place in the log in its order, after them the others by their age. */
async function readOrder(database: Database, draft: Draft, report: (report: MemoryReport) => void): Promise<readonly { readonly key: string }[]> {
  const order: { readonly key: string; readonly sequence: number; readonly createdAt: number }[] = [];
  for await (const page of database.pages(allOf('m'))) {
    for (const [key, raw] of page) {
      const stored = decodeStored(raw);
      if (typeof stored === 'string') report({ kind: 'damaged', key, reason: stored });
      else {
        draft.raiseSequence(stored.sequence + 1);
        order.push({ key, sequence: stored.sequence || Infinity, createdAt: stored.megram.createdAt });
      }
    }
  }
  return order.sort((a, b) => (a.sequence === b.sequence ? a.createdAt - b.createdAt : a.sequence - b.sequence));
}

async function clear(database: Database, prefix: string): Promise<void> {
  for await (const page of database.pages(allOf(prefix))) {
    await database.batch(page.map(([key]): Change => ({ type: 'del', key })));
  }
}
