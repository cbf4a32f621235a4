import { encodeSegment, keyOf, rangeOf, timeSegment } from '../../mkct/keys.js';
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
  recalled: (id: string): string => keyOf('r', id),
  tag: ({ space, entity }: MemoryTag): string => (entity === undefined ? keyOf('s', space) : keyOf('e', space, entity)),
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

/** All keys of one entry. `rule` and `due` only where it has them. */
export interface EntryKeys {
  readonly megram: string;
  readonly index: string;
  readonly level: string;
  readonly recalled: string;
  /** Sums of its own tag and of its space. */
  readonly tag: string;
  readonly space: string;
  readonly dirty: string;
  readonly watermark: string;
  readonly rule?: string;
  readonly due?: string;
}

/** The keys of an entry, each segment encoded once: a write needs a dozen of them. */
export function keysOf(megram: Megram): EntryKeys {
  const [id, space, entity] = [encodeSegment(megram.id), encodeSegment(megram.space), encodeSegment(megram.entity)];
  const place = `${space}|${entity}`;
  const common = {
    megram: `m|${id}`, index: `x|${place}|${id}`, level: `l|${megram.level}|${id}`, recalled: `r|${id}`,
    tag: `e|${place}`, space: `s|${space}`, dirty: `q|${place}`, watermark: `p|${place}`,
  };
  if (megram.level === 'C') return { ...common, rule: `c|${place}|${id}` };
  const time = dueAt(megram);
  return (megram.level === 'M' || megram.level === 'K') && Number.isFinite(time) ? { ...common, due: `d|${timeSegment(time)}|${id}` } : common;
}

/** Words that find a kind of task: of its name and of the first line of an entry, which says what was asked. */
export function wordsOfIntent({ space, content }: Pick<Megram, 'space' | 'content'>): readonly string[] {
  const slug = slugOfSpace(space);
  if (slug === undefined) return [];
  const [asked] = content.slice(0, 2_000).split('\n', 1);
  return wordsOf(`${slug.replaceAll('_', ' ')} ${(asked ?? '').replace(/^Asked:/, '')}`, 48);
}
