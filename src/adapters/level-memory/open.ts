import { ArtooError } from '../../contracts/errors.js';
import type { MemoryReport } from '../../memory/store-types.js';
import type { Database } from './database.js';
import { Draft } from './draft.js';
import { storeError } from './failures.js';
import { allOf, keys, LAYOUT } from './layout.js';
import { rebuildStore } from './rebuild.js';

/** Opens a database as a memory: reads its layout mark and makes derived data anew where it is old or missing. */
export async function openLayout(database: Database, options: { readonly report: (report: MemoryReport) => void; readonly now: number }): Promise<{ readonly sequence: number }> {
  try {
    await database.open();
    await database.probe(keys.layout);
    const [entry] = await database.first(allOf('m'), 1);
    if (entry) await database.probe(entry[0]);
    const [layout, sequence] = await database.getMany([keys.layout, keys.sequence]);
    if (layout !== undefined && !(Number(layout) <= Number(LAYOUT))) {
      throw new ArtooError('ARTOO_MEMORY_INVALID', `The memory has layout ${layout}; this version reads up to ${LAYOUT}.`, { hint: 'Open it with the newer version of artoo that wrote it, or export there and import here.' });
    }
    const next = Math.max(1, Number(sequence) || 1);
    const reason = await reasonToRebuild(database, { layout, megrams: entry !== undefined });
    if (reason === undefined) return { sequence: next };
    const draft = new Draft(database, options.report, next);
    await rebuildStore(draft, { database, ...options });
    await database.probe(keys.layout);
    if (reason !== '') options.report({ kind: 'rebuilt', reason });
    return { sequence: draft.position };
  } catch (error) {
    throw storeError(error, 'opened');
  }
}

/** Why derived data has to be made anew; empty for a store that is simply new. */
async function reasonToRebuild(database: Database, { layout, megrams }: { readonly layout: string | undefined; readonly megrams: boolean }): Promise<string | undefined> {
  const sums = (await database.first(allOf('s'), 1)).length > 0;
  if (layout === undefined) return megrams ? 'the store has no layout mark' : '';
  if (layout !== LAYOUT) return `the store has layout ${layout}`;
  return megrams && !sums ? 'the sums are missing' : undefined;
}
