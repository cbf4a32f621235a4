import { keyOf, rangeOf, timeSegment } from '../../mkct/keys.js';
import { dueAt } from '../../mkct/decay.js';
import type { Megram, MemoryTag } from '../../contracts/messages.js';
import { wordsOf } from '../../mkct/words.js';
import { slugOfSpace, type Place } from '../../mkct/tags.js';
import type { Range } from './database.js';

/** The layout that this library writes. A store with another number, or none, gets its derived data made anew. */
export const LAYOUT = '1';

/**
 * Keys. After the paper (§6.6): `m` megram, `x` tag index, `l` level index, `r` last recall. Ours: `e` and `s` sums of an
 * entity and of a space, `d` due times, `c` rules by tag, `q` tags changed since the Dreamer's last look, `p` how far a
 * tag's log was distilled, `w` words of intents, `u` entries per untrusted source, `v` layout and log position.
 */
export const keys = {
  megram: (id: string): string => keyOf('m', id),
  index: ({ space, entity, id }: Pick<Megram, 'space' | 'entity' | 'id'>): string => keyOf('x', space, entity, id),
  level: ({ level, id }: Pick<Megram, 'level' | 'id'>): string => keyOf('l', level, id),
  recalled: (id: string): string => keyOf('r', id),
  tag: ({ space, entity }: MemoryTag): string => (entity === undefined ? keyOf('s', space) : keyOf('e', space, entity)),
  due: (time: number, id: string): string => keyOf('d', timeSegment(time), id),
  rule: ({ space, entity, id }: Pick<Megram, 'space' | 'entity' | 'id'>): string => keyOf('c', space, entity, id),
  dirty: ({ space, entity }: Place): string => keyOf('q', space, entity),
  watermark: ({ space, entity }: Place): string => keyOf('p', space, entity),
  word: (word: string, space: string): string => keyOf('w', word, space),
  quota: (source: string): string => keyOf('u', source),
  layout: keyOf('v', 'layout'),
  sequence: keyOf('v', 'sequence'),
} as const;

/** Prefixes of what can be made anew from the megrams. */
export const DERIVED = ['x', 'l', 'e', 's', 'd', 'c', 'w', 'u'] as const;

/** Every key with a prefix. */
export function allOf(prefix: string): Range {
  return rangeOf(prefix);
}

/** The keys under a tag in the index `x` or `c`. */
export function under(prefix: 'x' | 'c', { space, entity }: MemoryTag): Range {
  return entity === undefined ? rangeOf(prefix, space) : rangeOf(prefix, space, entity);
}

/** The moment of an entry's due key, or undefined for one that is never collected. */
export function dueKeyOf(megram: Megram): string | undefined {
  const time = dueAt(megram);
  return (megram.level === 'M' || megram.level === 'K') && Number.isFinite(time) ? keys.due(time, megram.id) : undefined;
}

/** Words that find a kind of task: of its name and of the first line of an entry, which says what was asked. */
export function wordsOfIntent({ space, content }: Pick<Megram, 'space' | 'content'>): readonly string[] {
  const slug = slugOfSpace(space);
  if (slug === undefined) return [];
  const [asked] = content.slice(0, 2_000).split('\n', 1);
  return wordsOf(`${slug.replaceAll('_', ' ')} ${(asked ?? '').replace(/^Asked:/, '')}`, 48);
}
