import { ArtooError } from '../contracts/errors.js';
import type { Dreamer, DreamerServices, MemoryCheck, MemoryFilter, MemoryReply, MemoryStore, MemoryTag, Megram, Potentials, RecallQuery } from '../contracts/memory.js';
import { createDreamer } from './dreamer.js';
import { recall } from './recall.js';
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
  const whenOpen: ((ready: MemoryStore) => void)[] = [];

  const opened = (): Promise<MemoryStore> => {
    if (closed) return Promise.reject(new ArtooError('ARTOO_CLOSED', 'The memory is closed.', { hint: 'Open it again, or close it after everything that uses it.' }));
    return load();
  };
  const load = (): Promise<MemoryStore> => {
    opening ??= open().then((ready) => {
      for (const megram of early) ready.append(megram);
      early = [];
      store = ready;
      for (const tell of whenOpen.splice(0)) tell(ready);
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
    recall: async (query: RecallQuery): Promise<MemoryReply> => {
      const ready = await opened();
      return ready.recall ? ready.recall(query) : recall(ready, query);
    },
    createDreamer: (services) => deferDreamer(services, { opened, now: () => store, later: (tell) => void whenOpen.push(tell) }),
    async close(): Promise<void> {
      if (closed && !opening) return;
      closed = true;
      if (opening || early.length > 0) await (await load()).close();
    },
  };
}

interface Opening {
  readonly opened: () => Promise<MemoryStore>;
  readonly now: () => MemoryStore | undefined;
  readonly later: (tell: (ready: MemoryStore) => void) => void;
}

/** A Dreamer whose timer does not begin before there is something to order. */
function deferDreamer(services: DreamerServices, { opened, now, later }: Opening): Dreamer {
  let inner: Dreamer | undefined;
  let ended = false;
  const over = (ready: MemoryStore): Dreamer => (inner ??= ready.createDreamer?.(services) ?? createDreamer({ ...services, store: ready }));
  const begin = (ready: MemoryStore): void => {
    if (!ended) over(ready).start();
  };
  return {
    start(): void {
      const ready = now();
      if (ready) begin(ready);
      else later(begin);
    },
    dream: async () => over(await opened()).dream(),
    async close(): Promise<void> {
      ended = true;
      await inner?.close();
    },
  };
}
