import { ArtooError } from '../contracts/errors.js';
import type { MemoryStore } from '../contracts/memory.js';
import type { Megram, MemoryTag } from '../contracts/messages.js';
import { attentionOf, FORGET_BELOW } from '../mkct/decay.js';
import { potentials } from '../mkct/potentials.js';

/** Megrams that the brief memory keeps, in all and of one space; the oldest go first. */
const MOST_MEGRAMS = 500;
const MOST_OF_A_SPACE = 32;

/**
 * The memory of an artoo that was given none: the newest megrams, in RAM, gone with the process. It scans those of one
 * space, which is fine for so few; `artoo/memory` has stores that last and that stay fast at any size.
 */
export function createBriefMemory(now: () => number): MemoryStore {
  const megrams = new Map<string, Megram>();
  const spaces = new Map<string, Set<string>>();
  const drop = (id: string): void => {
    const megram = megrams.get(id);
    if (!megram) return;
    megrams.delete(id);
    const ids = spaces.get(megram.space);
    ids?.delete(id);
    if (ids?.size === 0) spaces.delete(megram.space);
  };
  const matching = (tag: MemoryTag | undefined): Megram[] => {
    if (!tag) return [...megrams.values()];
    const found: Megram[] = [];
    for (const id of spaces.get(tag.space) ?? []) {
      const megram = megrams.get(id)!;
      if (tag.entity === undefined || megram.entity === tag.entity) found.push(megram);
    }
    return found;
  };
  return {
    append(megram) {
      if (megrams.has(megram.id)) return;
      megrams.set(megram.id, megram);
      const ids = spaces.get(megram.space) ?? new Set<string>();
      spaces.set(megram.space, ids.add(megram.id));
      if (ids.size > MOST_OF_A_SPACE) drop(ids.values().next().value!);
      else if (megrams.size > MOST_MEGRAMS) drop(megrams.keys().next().value!);
    },
    flush: async () => undefined,
    async potentials(tag, at = now()) {
      return potentials(matching(tag).filter(({ level }) => level === 'M' || level === 'K'), at);
    },
    sops: async (tag) => matching(tag).filter(({ level }) => level === 'C'),
    list: async (filter = {}) => matching(filter.tag).filter(({ level }) => !filter.level || level === filter.level).slice(0, filter.limit ?? Infinity),
    get: async (id) => megrams.get(id),
    async remove(ids) {
      ids.forEach(drop);
    },
    async demote(id, change) {
      const megram = megrams.get(id);
      if (megram) megrams.set(id, { ...megram, ...change });
    },
    due: async (at) => [...megrams.values()].filter((megram) => megram.k > 0 && attentionOf(megram, at) < FORGET_BELOW).map(({ id }) => id),
    dirtyTags: async () => [],
    check: async () => ({ ok: true, megrams: megrams.size, problems: [] }),
    rebuild: async () => undefined,
    async *export() {
      for (const megram of megrams.values()) yield JSON.stringify(megram);
    },
    async import() {
      throw new ArtooError('ARTOO_MEMORY_INVALID', 'The brief memory takes no imports.', { hint: 'Use createMemory() or openMemory({ path }) of artoo/memory.' });
    },
    close: async () => undefined,
  };
}
