import { encodeSegment, rangeOf, segmentsOf } from '../../mkct/keys.js';
import type { RelatedIntent } from '../../mkct/recollection.js';
import { wordsOf } from '../../mkct/words.js';
import type { Database } from './database.js';
import { keys } from './layout.js';
import type { Reader } from './reader.js';
import { decodeTag } from './records.js';

/** Kinds of tasks looked at for one word: a word that more of them share says little. */
const MOST_SPACES = 200;
/** Below this overlap two intents are strangers. */
const LEAST_OVERLAP = 0.2;
/** What a word weighs that no kind of task has: most are names of files and people. */
const UNKNOWN_WEIGHT = 0.5;

/** Kinds of tasks that share words with a text. Rare words weigh more; the cost depends on the words, not the store. */
export async function relatedIntents(database: Database, intent: string, limit: number): Promise<readonly RelatedIntent[]> {
  const words = wordsOf(intent.replaceAll('_', ' '));
  const found = new Map<string, { weight: number; readonly shared: string[] }>();
  let whole = 0;
  const hits = await Promise.all(words.map((word) => database.first(rangeOf('w', word), MOST_SPACES)));
  for (const [index, word] of words.entries()) {
    const entries = hits[index] ?? [];
    const weight = entries.length === 0 ? UNKNOWN_WEIGHT : 1 / (1 + Math.log2(entries.length));
    whole += weight;
    for (const [key] of entries) {
      const space = segmentsOf(key)[1] ?? '';
      const hit = found.get(space) ?? { weight: 0, shared: [] };
      hit.weight += weight;
      hit.shared.push(word);
      found.set(space, hit);
    }
  }
  return [...found]
    .map(([space, { weight, shared }]) => ({ space, overlap: Math.min(1, weight / whole), shared }))
    .filter(({ overlap }) => overlap >= LEAST_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || (a.space < b.space ? -1 : 1))
    .slice(0, limit);
}

/** Kinds of tasks on record, each with what was asked in its strongest entry. */
export async function knownIntents(database: Database, reader: Reader, limit: number): Promise<readonly { readonly space: string; readonly text: string }[]> {
  const start = `s|${encodeSegment('intent:')}`;
  const entries = await database.first({ gte: start, lt: `${start}}` }, limit);
  const places = entries.flatMap(([key, raw]) => {
    const [strongest] = decodeTag(raw)?.entities ?? [];
    return strongest ? [keys.tag({ space: segmentsOf(key)[0] ?? '', entity: strongest.entity })] : [];
  });
  const ids = (await database.getMany(places)).map((raw) => (raw === undefined ? undefined : decodeTag(raw)?.top[0]?.id)).filter((id) => id !== undefined);
  const known = new Map((await reader.byId(ids)).map((megram) => [megram.space, megram.content]));
  return [...known].map(([space, content]) => ({ space, text: (content.split('\n', 1)[0] ?? '').replace(/^Asked: /, '') }));
}
