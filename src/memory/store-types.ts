import type { Dreamer, DreamerServices, MemoryReply, MemoryStore, MemoryTag, Megram, RecallQuery } from '../contracts/memory.js';
import type { Channels } from '../mkct/potentials.js';
import type { Place } from '../mkct/tags.js';
import type { RelatedIntent, TagRecollection } from '../mkct/recollection.js';

/** `origin.source` of a rule that the Dreamer distilled: everything written to its tag before it counts as consolidated. */
export const DREAMER_SOURCE = 'dreamer';

/** Something a store noticed that nobody waits for. */
export type MemoryReport =
  /** A record that can't be read. It is skipped; the rest of the store works. */
  | { readonly kind: 'damaged'; readonly key: string; readonly reason: string }
  /** The disk refused a batch. Nothing is lost yet: it is tried again with the next write or flush. */
  | { readonly kind: 'write_failed'; readonly error: unknown; readonly waiting: number }
  /** The disk kept failing and the queue was full: so many of the oldest entries were given up, in total. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** An entry of untrusted origin went beyond its source's quota and was not kept. */
  | { readonly kind: 'quota'; readonly id: string; readonly source: string }
  /** Derived data was missing or of an older layout and has been made anew. */
  | { readonly kind: 'rebuilt'; readonly reason: string };

/** A rule and the decision potential of what happened under its tag since it was made. */
export interface RuleEvidence { readonly rule: Megram; readonly decision: number }

/** What the Dreamer needs to know of a tag. Trusted entries alone. */
export interface Consolidation {
  /** The store's place in its log when this was read: what is written later is not part of it. */
  readonly asOf: number;
  /** Entries that no rule was made of yet. */
  readonly fresh: Channels;
  readonly rules: readonly RuleEvidence[];
}

/** What a tag holds, and where a tool's strongest history lies. */
export interface Weighed extends TagRecollection {
  /** Entities of the space by strength, strongest first; only for a tag without entity. */
  readonly entities: readonly string[];
}

/** The Dreamer's questions and acts. */
export interface Consolidating {
  /** Takes the Dreamer's look at a tag. */
  consolidation(tag: Place, at: number): Promise<Consolidation>;
  /** Up to `limit` trusted entries of a tag that no rule was made of, strongest first. */
  fresh(tag: Place, options: { readonly at: number; readonly limit: number; readonly asOf: number }): Promise<readonly Megram[]>;
  /** Writes a rule that stands for everything written to its tag up to `asOf`, in place of the rules it supersedes. */
  promote(rule: Megram, options: { readonly asOf: number; readonly supersedes: readonly string[] }): Promise<void>;
  /** The tag was looked at: it is not dirty until something newer than `asOf` is written to it. */
  settle(tag: Place, asOf: number): Promise<void>;
}

/**
 * What a store may offer beyond the port, to spare reading many entries. Every method answers what the port's methods
 * could be asked for, too; a store without them works, more slowly.
 */
export interface MemoryExtras extends Consolidating {
  /** Kinds of tasks that share words with a text, closest first. */
  related(intent: string, options?: { readonly limit?: number }): Promise<readonly RelatedIntent[]>;
  /** Kinds of tasks on record, each with what was asked in one of them. */
  intents(options?: { readonly limit?: number }): Promise<readonly { readonly space: string; readonly text: string }[]>;
  /** Potentials, rules (counted as recalled) and up to `lessons` (default 6) strongest entries of a tag in one reading. */
  weigh(tag: MemoryTag, at?: number, options?: { readonly lessons?: number }): Promise<Weighed>;
}

/** A store with everything: what `createMemory`, `createLevelMemory` and `openMemory` give. */
export interface ArtooMemory extends MemoryStore, MemoryExtras {
  recall(query: RecallQuery): Promise<MemoryReply>;
  createDreamer(services: DreamerServices): Dreamer;
  /** Entries given up because the disk failed while the queue was full. */
  readonly dropped: number;
}

/** True when a store offers the extras. */
export function hasExtras(store: MemoryStore): store is MemoryStore & MemoryExtras {
  const extras = store as Partial<MemoryExtras>;
  return [extras.related, extras.intents, extras.weigh, extras.consolidation, extras.fresh, extras.promote, extras.settle].every((method) => typeof method === 'function');
}
