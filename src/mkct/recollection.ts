import type { Megram, MemoryTag } from '../contracts/messages.js';
import type { Channels } from './potentials.js';

/** What a store knows of one tag at a moment. */
export interface TagRecollection {
  readonly tag: MemoryTag;
  /** Over all M and K entries. */
  readonly all: Channels;
  /** Over those of trusted origin alone. */
  readonly trusted: Channels;
  /** The part of attention that has a valence: what is left when blocked paths, which blame no tool, are left out. */
  readonly valenced: number;
  /** C-level rules. */
  readonly rules: readonly Megram[];
  /** The entries that weigh most, strongest first. */
  readonly lessons: readonly Megram[];
}

/** Another kind of task that shares words with the intent. `overlap` in (0, 1]: the share of the intent's words. */
export interface RelatedIntent { readonly space: string; readonly overlap: number; readonly shared: readonly string[] }

/** Everything that calibration looks at. Made by `recollect` of artoo/memory. */
export interface Recollection {
  /** Epoch ms. */
  readonly at: number;
  /** The task's own intent, the tools, and the targets with the strongest history. */
  readonly tags: readonly TagRecollection[];
  readonly related: readonly (RelatedIntent & TagRecollection)[];
  /** What is known of the surroundings. */
  readonly knowledge: readonly Megram[];
}
