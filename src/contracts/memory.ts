import type { DreamerAction, MemoryAction, MemoryReply, MemoryTag, Megram } from './messages.js';
import type { Clock } from './runtime.js';

/** Attention: unsigned energy; decision: signed preference (paper §6.4). `action` is what they say together. */
export interface Potentials { readonly attention: number; readonly decision: number; readonly action: MemoryAction }

export interface MemoryFilter { readonly level?: Megram['level']; readonly tag?: MemoryTag; readonly limit?: number }

export interface MemoryCheck { readonly ok: boolean; readonly megrams: number; readonly problems: readonly string[] }

/** The entity, in the space of an environment, of rules that the host declared for every task there. */
export const HOST_RULES = 'rules';

/** Turns a text into numbers whose direction is its meaning. */
export type Embed = (text: string) => Promise<readonly number[]> | readonly number[];

/** A plan's whole question to memory: the payload of a MemoryQuery, at a moment in epoch ms. */
export interface RecallQuery {
  readonly tags: readonly MemoryTag[];
  /** The text whose relatives are looked up as well. */
  readonly intent?: string | undefined;
  /** Tools that the plan may still use; default: those that the tags name. */
  readonly tools?: readonly string[] | undefined;
  readonly at: number;
  /** Finds relatives by meaning instead of shared words. May fail: then words serve. */
  readonly embed?: Embed | undefined;
}

/** Makes one rule of at most two sentences of what a tag holds. `sigma` 1: what to do; −1: what not to do. */
export type Distil = (request: {
  readonly tag: { readonly space: string; readonly entity: string };
  readonly sigma: 1 | -1;
  readonly contents: readonly string[];
  readonly signal: AbortSignal;
}) => Promise<string>;

/** What the Dreamer is given by whoever runs it. */
export interface DreamerServices {
  readonly clock: Clock;
  /** Asks a model. Without it a template writes the rules. A rejection leaves the tag for the next pass. */
  readonly distil?: Distil | undefined;
  /** Between the end of a pass and the next, in ms; default five minutes. */
  readonly intervalMs?: number;
  /** Told of each pass that did something. */
  readonly onAction?: (action: DreamerAction) => void;
  /** Told of a pass on the timer that failed; the timer goes on. */
  readonly onError?: (error: unknown) => void;
}

/** What one pass did. `left`: tags whose rule could not be written; the next pass tries again. */
export interface DreamReport extends DreamerAction {
  readonly left: readonly { readonly tag: { readonly space: string; readonly entity: string }; readonly why: string }[];
}

/** The memory's own order, in the background. */
export interface Dreamer {
  /** Begins to run on the clock. Once is enough. */
  start(): void;
  /** One pass now, or the one that is under way. Rejects with what the store rejects with. */
  dream(): Promise<DreamReport>;
  /** Stops the timer and a call to the model, and waits for the pass to end. */
  close(): Promise<void>;
}

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
  /**
   * Answers a plan's whole question at once; `recall` of artoo/memory does it for any store. Absent: R5 asks tag by tag,
   * and targets, related tasks and lessons stay out. May be slow, may reject: the plan is then made without.
   */
  recall?(query: RecallQuery): Promise<MemoryReply>;
  /** Makes the Dreamer over this store; `createDreamer` of artoo/memory does it for any store. Absent: there is none. */
  createDreamer?(services: DreamerServices): Dreamer;
}

export type { MemoryAction, MemoryReply, MemoryTag, Megram };
