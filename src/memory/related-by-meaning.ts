import type { Embed, MemoryStore } from '../contracts/memory.js';
import type { RelatedIntent } from '../mkct/recollection.js';
import { slugOfSpace } from '../mkct/tags.js';
import { checkedMegrams } from './foreign.js';
import { hasExtras } from './store-types.js';

export type { Embed };

/** Closer than this counts as related. */
const LEAST_SIMILARITY = 0.6;
const MOST_INTENTS = 500;
const MOST_CACHED = 2_000;
/** Texts embedded at once. */
const AT_ONCE = 16;

/**
 * Finds related kinds of tasks by meaning instead of shared words, with the host's own embedding. Texts of known tasks
 * are embedded once each.
 *
 * @example
 * import { recollect, relatedByMeaning } from 'artoo/memory';
 * const related = relatedByMeaning((text) => myEmbedding(text));
 * await recollect(store, { tags, intent: 'count lines', at: Date.now(), related });
 */
export function relatedByMeaning(embed: Embed): (store: MemoryStore, intent: string) => Promise<readonly RelatedIntent[]> {
  const cache = new Map<string, readonly number[]>();
  const meaning = async (text: string): Promise<readonly number[]> => {
    const known = cache.get(text);
    if (known) return known;
    const vector = await embed(text);
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(text, vector);
    return vector;
  };
  return async (store, intent) => {
    const wanted = await meaning(intent);
    const found: RelatedIntent[] = [];
    const intents = await intentsOf(store);
    for (let start = 0; start < intents.length; start += AT_ONCE) {
      const some = intents.slice(start, start + AT_ONCE);
      const meanings = await Promise.all(some.map(({ text }) => meaning(text)));
      for (const [index, { space }] of some.entries()) {
        const overlap = similarity(wanted, meanings[index] ?? []);
        if (overlap >= LEAST_SIMILARITY) found.push({ space, overlap: Math.min(1, overlap), shared: [] });
      }
    }
    return found.sort((a, b) => b.overlap - a.overlap);
  };
}

async function intentsOf(store: MemoryStore): Promise<readonly { readonly space: string; readonly text: string }[]> {
  if (hasExtras(store)) return store.intents({ limit: MOST_INTENTS });
  const spaces = new Map<string, string>();
  for (const { space, content } of checkedMegrams(await store.list({ level: 'M', limit: MOST_INTENTS }))) {
    if (slugOfSpace(space) !== undefined && !spaces.has(space)) spaces.set(space, (content.split('\n', 1)[0] ?? '').replace(/^Asked: /, ''));
  }
  return [...spaces].map(([space, text]) => ({ space, text }));
}

/** Cosine of the angle between two vectors; 0 for vectors that can't be compared. */
function similarity(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return 0;
  let [product, left, right] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    product += value * other;
    left += value * value;
    right += other * other;
  }
  const cosine = product / Math.sqrt(left * right);
  return Number.isFinite(cosine) ? cosine : 0;
}
