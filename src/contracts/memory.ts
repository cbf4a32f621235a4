import type { MemoryAction, MemoryReply, MemoryTag, Megram } from './messages.js';

/** Attention: unsigned energy; decision: signed preference (paper §6.4). `action` is what they say together. */
export interface Potentials { readonly attention: number; readonly decision: number; readonly action: MemoryAction }

export interface MemoryFilter { readonly level?: Megram['level']; readonly tag?: MemoryTag; readonly limit?: number }

export interface MemoryCheck { readonly ok: boolean; readonly megrams: number; readonly problems: readonly string[] }

/**
 * Experience. `append` is fire and forget: it queues, never blocks and never throws for the disk; `flush` resolves when
 * all that was queued is kept. Queries see what was appended before them. Appending an id twice is the same as once.
 * Times are epoch ms; `at` defaults to now.
 */
export interface MemoryStore {
  append(megram: Megram): void;
  flush(): Promise<void>;
  potentials(tag: MemoryTag, at?: number): Promise<Potentials>;
  /** C-level entries of a tag; a hit restarts the decay clock of an entry that decays. */
  sops(tag: MemoryTag, at?: number): Promise<readonly Megram[]>;
  list(filter?: MemoryFilter): Promise<readonly Megram[]>;
  get(id: string): Promise<Megram | undefined>;
  remove(ids: readonly string[]): Promise<void>;
  demote(id: string, change: { readonly level: Megram['level']; readonly k: number }): Promise<void>;
  /** Ids of entries whose attention is under the GC threshold at that time. */
  due(at: number): Promise<readonly string[]>;
  dirtyTags(): Promise<readonly MemoryTag[]>;
  check(): Promise<MemoryCheck>;
  rebuild(): Promise<void>;
  export(): AsyncIterable<string>;
  import(lines: AsyncIterable<string> | Iterable<string>): Promise<number>;
  close(): Promise<void>;
}

export type { MemoryAction, MemoryReply, MemoryTag, Megram };
