import type { Megram } from '../../contracts/messages.js';
import { addTo, answersAt, consolidate, removeFrom, sumsAt } from '../../mkct/aggregate.js';
import type { Draft } from './draft.js';
import { keys, keysOf, wordsOfIntent, type EntryKeys } from './layout.js';
import { contributionOf, encodeIndex, encodeStored, isEvidence, type Stored, type TagRecord } from './records.js';
import type { Place } from '../../mkct/tags.js';
import { untrustedSources } from '../../memory/sources.js';
import { withEntity, withEntry, withoutEntry } from './top.js';

/** An entry with its keys and what is counted of it, made once for reading ahead and for writing. */
export interface Addition { readonly megram: Megram; readonly keys: EntryKeys; readonly counted: readonly string[] }

/** Prepares an entry for writing. */
export function additionOf(megram: Megram): Addition {
  const counted = wordsOfIntent(megram).map((word) => keys.word(word, megram.space));
  counted.push(...untrustedSources(megram).map(keys.quota));
  return { megram, keys: keysOf(megram), counted };
}

/** The keys that adding an entry will read. */
export function keysToAdd({ keys: own, counted }: Addition): readonly string[] {
  return [own.megram, own.tag, own.space, ...counted];
}

/** Writes an entry with all of its index keys and its share in the sums. `now` in epoch ms. */
export async function addEntry(draft: Draft, addition: Addition, { sequence, now }: { readonly sequence: number; readonly now: number }): Promise<void> {
  const { megram, keys: own } = addition;
  const stored = { megram, sequence };
  draft.put(own.megram, encodeStored(stored));
  draft.put(own.index, encodeIndex(stored));
  draft.put(own.level, String(sequence));
  if (megram.lastRecalledAt !== null) draft.put(own.recalled, String(megram.lastRecalledAt));
  if (own.rule !== undefined) draft.put(own.rule, String(sequence));
  if (own.due !== undefined) draft.put(own.due, '');
  await changeTags(draft, addition, (record, isOwn) => added(record, stored, { now, isOwn }));
  if (isEvidence(megram)) draft.put(own.dirty, String(draft.position));
  await count(draft, addition.counted, 1);
}

/** Takes an entry away with all of its keys and its share in the sums. */
export async function removeEntry(draft: Draft, stored: Stored): Promise<void> {
  const addition = additionOf(stored.megram);
  const { keys: own } = addition;
  for (const key of [own.megram, own.index, own.level, own.recalled, own.rule, own.due]) if (key !== undefined) draft.remove(key);
  await changeTags(draft, addition, (record, isOwn) => removed(record, stored, isOwn));
  await count(draft, addition.counted, -1);
}

/** From here on everything under the tag up to `sequence` counts as distilled. */
export async function raiseWatermark(draft: Draft, tag: Place, sequence: number): Promise<void> {
  const key = keys.tag(tag);
  const record = await draft.tag(key, keys.watermark(tag));
  if (record.watermark >= sequence) return;
  draft.put(keys.watermark(tag), String(sequence));
  // What was written while the rule was being made stays fresh; then the two kinds have to be told apart by a recount.
  const overtaken = record.newest > sequence;
  const aggregate = overtaken ? { ...record.aggregate, stale: true } : consolidate(record.aggregate);
  draft.setTag(key, { ...record, watermark: sequence, aggregate });
}

function added(record: TagRecord, stored: Stored, { now, isOwn }: { readonly now: number; readonly isOwn: boolean }): TagRecord {
  const { megram, sequence } = stored;
  const newest = Math.max(record.newest, sequence);
  if (megram.level === 'C') return { ...record, newest, rules: record.rules + 1 };
  if (!isEvidence(megram)) return { ...record, newest };
  const entry = contributionOf(stored, isOwn ? record.watermark : 0);
  const aggregate = addTo(record.aggregate, entry, now);
  // A space knows its strong entities, and each of these its strong entries.
  return isOwn ? { ...record, newest, aggregate, top: withEntry(record.top, { ...entry, id: megram.id }) } : { ...record, newest, aggregate };
}

function removed(record: TagRecord, stored: Stored, isOwn: boolean): TagRecord {
  const { megram } = stored;
  if (megram.level === 'C') return { ...record, rules: Math.max(0, record.rules - 1) };
  if (!isEvidence(megram)) return record;
  return { ...record, aggregate: removeFrom(record.aggregate, contributionOf(stored, isOwn ? record.watermark : 0)), top: withoutEntry(record.top, megram.id) };
}

/** Changes the record of the entry's own tag and the one of its space. Only the own tag knows what was distilled. */
async function changeTags(draft: Draft, { megram, keys: own }: Addition, change: (record: TagRecord, isOwn: boolean) => TagRecord): Promise<void> {
  const changed = change(await draft.tag(own.tag, own.watermark), true);
  draft.setTag(own.tag, changed);
  const whole = change(await draft.tag(own.space), false);
  draft.setTag(own.space, { ...whole, entities: withEntity(whole.entities, { entity: megram.entity, ...strengthOf(changed) }) });
}

/** How strong an entity is, as of its newest entry; nothing for one without entries. */
function strengthOf({ aggregate }: TagRecord): { readonly attention: number; readonly at: number } {
  const at = aggregate.tail.reduce((newest, { time }) => Math.max(newest, time), aggregate.latest);
  const known = Number.isFinite(at) && answersAt(aggregate, at);
  return known ? { attention: sumsAt(aggregate, at).attention, at } : { attention: 0, at: 0 };
}

/** Keeps the counts of words and of untrusted sources. */
async function count(draft: Draft, counted: readonly string[], by: 1 | -1): Promise<void> {
  for (const key of counted) {
    const left = Number((await draft.read(key)) ?? 0) + by;
    if (left > 0) draft.put(key, String(left));
    else draft.remove(key);
  }
}
