import * as z from 'zod/mini';
import { megramSchema, type Megram } from '../contracts/messages.js';
import type { MemoryStore, MemoryTag } from '../contracts/memory.js';
import { attentionOf } from '../mkct/decay.js';
import { potentials } from '../mkct/potentials.js';
import type { RelatedIntent } from '../mkct/recollection.js';
import { slugOfSpace } from '../mkct/tags.js';
import { wordsOf } from '../mkct/words.js';
import type { Weighed } from './store-types.js';

/** Entries read of one tag of a store that offers no more than the port. */
const MOST_ENTRIES = 1_000;
const TARGETS = 8;
const LEAST_OVERLAP = 0.2;

/** What a foreign store gives: only whole megrams, at most `limit`. What is none is left out. */
export function checkedMegrams(values: unknown, limit = MOST_ENTRIES): readonly Megram[] {
  if (!Array.isArray(values)) return [];
  const megrams: Megram[] = [];
  for (const value of values.slice(0, limit) as readonly unknown[]) {
    const parsed = z.safeParse(megramSchema, value);
    if (parsed.success) megrams.push(parsed.data);
  }
  return megrams;
}

/** Weighs a tag with the port's methods alone, entry by entry. */
export async function weighEntries(store: MemoryStore, tag: MemoryTag, { at, lessons }: { readonly at: number; readonly lessons: number }): Promise<Weighed> {
  const entries = checkedMegrams(await store.list({ tag, limit: MOST_ENTRIES })).filter(({ level }) => level === 'M' || level === 'K');
  const trusted = entries.filter(({ origin }) => origin.integrity === 'trusted');
  const rules = checkedMegrams(await store.sops(tag, at), 100).filter(({ level, origin }) => level === 'C' && origin.integrity === 'trusted');
  const strongest = [...entries].sort((a, b) => attentionOf(b, at) - attentionOf(a, at) || b.createdAt - a.createdAt);
  const valenced = entries.reduce((sum, entry) => sum + Math.abs(entry.sigma) * attentionOf(entry, at), 0);
  return { tag, all: potentials(entries, at), trusted: potentials(trusted, at), valenced, rules, lessons: strongest.slice(0, lessons), entities: tag.entity === undefined ? [...new Set(strongest.map(({ entity }) => entity))].slice(0, TARGETS) : [] };
}

/** Finds related kinds of tasks among the entries of a store that has no index of words. */
export async function relatedByScan(store: MemoryStore, intent: string, limit: number): Promise<readonly RelatedIntent[]> {
  const wanted = wordsOf(intent);
  const spaces = new Map<string, Set<string>>();
  for (const { space, content } of checkedMegrams(await store.list({ level: 'M', limit: MOST_ENTRIES }))) {
    const slug = slugOfSpace(space);
    if (slug === undefined) continue;
    const words = spaces.get(space) ?? new Set<string>();
    for (const word of wordsOf(`${slug.replaceAll('_', ' ')} ${content.split('\n', 1)[0] ?? ''}`)) words.add(word);
    spaces.set(space, words);
  }
  return [...spaces]
    .map(([space, words]) => ({ space, shared: wanted.filter((word) => words.has(word)) }))
    .map(({ space, shared }) => ({ space, shared, overlap: wanted.length === 0 ? 0 : shared.length / wanted.length }))
    .filter(({ overlap }) => overlap >= LEAST_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap)
    .slice(0, limit);
}
