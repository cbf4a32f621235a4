import { ArtooError } from '../contracts/errors.js';
import type { MemoryStore } from '../contracts/memory.js';
import type { Megram, MemoryTag } from '../contracts/messages.js';
import { attentionOf, FORGET_BELOW } from '../mkct/decay.js';
import { potentials } from '../mkct/potentials.js';

/** Megrams that the brief memory keeps; the oldest go first. */
const MOST_MEGRAMS = 500;

/**
 * The memory of an artoo that was given none: the newest few hundred megrams, in RAM, gone with the process. It scans,
 * which is fine for so few; `artoo/memory` has stores that last and that stay fast at any size.
 */
export function createBriefMemory(now: () => number): MemoryStore {
  const megrams = new Map<string, Megram>();
  const matching = (tag: MemoryTag | undefined): Megram[] =>
    [...megrams.values()].filter(({ space, entity }) => !tag || (space === tag.space && (tag.entity === undefined || entity === tag.entity)));
  return {
    append(megram) {
      if (megrams.has(megram.id)) return;
      megrams.set(megram.id, megram);
      if (megrams.size > MOST_MEGRAMS) megrams.delete(megrams.keys().next().value!);
    },
    flush: async () => undefined,
    async potentials(tag, at = now()) {
      return potentials(matching(tag).filter(({ level }) => level === 'M' || level === 'K'), at);
    },
    sops: async (tag) => matching(tag).filter(({ level }) => level === 'C'),
    list: async (filter = {}) => matching(filter.tag).filter(({ level }) => !filter.level || level === filter.level).slice(0, filter.limit ?? Infinity),
    get: async (id) => megrams.get(id),
    async remove(ids) {
      for (const id of ids) megrams.delete(id);
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
