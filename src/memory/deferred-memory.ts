import { ArtooError } from '../contracts/errors.js';
import type { MemoryCheck, MemoryFilter, MemoryStore, MemoryTag, Megram, Potentials } from '../contracts/memory.js';
import { validMegram } from './validated.js';

/**
 * A memory that is opened when it is first used: nothing is loaded for a host that never asks. Entries appended before
 * it is open are handed on in order. When opening fails, every question rejects with the reason.
 *
 * @example
 * import { deferMemory } from 'artoo/memory';
 * const memory = deferMemory(async () => (await import('artoo/memory')).createMemory());
 */
export function deferMemory(open: () => Promise<MemoryStore>): MemoryStore {
  let opening: Promise<MemoryStore> | undefined;
  let store: MemoryStore | undefined;
  let early: Megram[] = [];
  let closed = false;

  const opened = (): Promise<MemoryStore> => {
    if (closed) return Promise.reject(new ArtooError('ARTOO_CLOSED', 'The memory is closed.', { hint: 'Open it again, or close it after everything that uses it.' }));
    return load();
  };
  const load = (): Promise<MemoryStore> => {
    opening ??= open().then((ready) => {
      for (const megram of early) ready.append(megram);
      early = [];
      store = ready;
      return ready;
    });
    return opening;
  };

  return {
    append(megram: Megram): void {
      if (closed) throw new ArtooError('ARTOO_CLOSED', 'The memory is closed.', { hint: 'Open it again, or close it after everything that uses it.' });
      if (store) return store.append(megram);
      early.push(validMegram(megram));
      // Whoever asks or flushes hears of a failure; an entry that nobody waits for is kept for then.
      load().catch(() => undefined);
    },
    flush: async () => (early.length === 0 && !opening ? undefined : (await opened()).flush()),
    potentials: async (tag: MemoryTag, at?: number): Promise<Potentials> => (await opened()).potentials(tag, at),
    sops: async (tag: MemoryTag, at?: number): Promise<readonly Megram[]> => (await opened()).sops(tag, at),
    list: async (filter?: MemoryFilter): Promise<readonly Megram[]> => (await opened()).list(filter),
    get: async (id: string): Promise<Megram | undefined> => (await opened()).get(id),
    remove: async (ids: readonly string[]): Promise<void> => (await opened()).remove(ids),
    demote: async (id: string, change: { readonly level: Megram['level']; readonly k: number }): Promise<void> => (await opened()).demote(id, change),
    due: async (at: number): Promise<readonly string[]> => (await opened()).due(at),
    dirtyTags: async (): Promise<readonly MemoryTag[]> => (await opened()).dirtyTags(),
    check: async (): Promise<MemoryCheck> => (await opened()).check(),
    rebuild: async (): Promise<void> => (await opened()).rebuild(),
    async *export(): AsyncIterable<string> {
      yield* (await opened()).export();
    },
    import: async (lines: AsyncIterable<string> | Iterable<string>): Promise<number> => (await opened()).import(lines),
    async close(): Promise<void> {
      if (closed && !opening) return;
      closed = true;
      if (opening || early.length > 0) await (await load()).close();
    },
  };
}
