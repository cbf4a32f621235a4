import type { MemoryStore } from '../contracts/memory.js';
import { comesFrom } from './sources.js';
import { DREAMER_SOURCE } from './store-types.js';

/**
 * Removes everything that came from one source, by its writer or by what influenced it, also by way of other memories; and
 * the rules that were distilled where its entries lay: a rule can't be taken apart again. Reads the whole store.
 *
 * @returns ids of what was removed.
 * @example
 * import { forgetSource } from 'artoo/memory';
 * await forgetSource(store, 'fetch https://example.com/page');
 */
export async function forgetSource(store: MemoryStore, source: string): Promise<readonly string[]> {
  const entries = (await store.list()).filter((entry) => comesFrom(entry, source));
  const ids = new Set(entries.map(({ id }) => id));
  const places = new Map(entries.filter(({ origin }) => origin.integrity === 'trusted').map(({ space, entity }) => [JSON.stringify([space, entity]), { space, entity }]));
  for (const tag of places.values()) {
    for (const { id, origin } of await store.list({ tag })) if (origin.source === DREAMER_SOURCE) ids.add(id);
  }
  await store.remove([...ids]);
  return [...ids];
}
