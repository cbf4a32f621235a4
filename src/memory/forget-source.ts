import type { MemoryStore } from '../contracts/memory.js';
import { DREAMER_SOURCE } from './store-types.js';

/**
 * Removes everything that came from one source, and the rules that were distilled where its entries lay: a rule can't be
 * taken apart again. Reads the whole store.
 *
 * @returns ids of what was removed.
 * @example
 * import { forgetSource } from 'artoo/memory';
 * await forgetSource(store, 'web:example.com');
 */
export async function forgetSource(store: MemoryStore, source: string): Promise<readonly string[]> {
  const entries = (await store.list()).filter(({ origin }) => origin.source === source);
  const ids = new Set(entries.map(({ id }) => id));
  const places = new Map(entries.filter(({ origin }) => origin.integrity === 'trusted').map(({ space, entity }) => [JSON.stringify([space, entity]), { space, entity }]));
  for (const tag of places.values()) {
    for (const { id, origin } of await store.list({ tag })) if (origin.source === DREAMER_SOURCE) ids.add(id);
  }
  await store.remove([...ids]);
  return [...ids];
}
