import type { Megram } from '../../contracts/messages.js';
import { addTo, answersAt, consolidate, removeFrom, sumsAt } from '../../mkct/aggregate.js';
import type { Draft } from './draft.js';
import { dueKeyOf, keys, wordsOfIntent } from './layout.js';
import { contributionOf, encodeIndex, encodeStored, isEvidence, type Stored, type TagRecord } from './records.js';
import type { Place } from '../../mkct/tags.js';
import { withEntity, withEntry, withoutEntry } from './top.js';

/** The keys that adding an entry will read. */
export function keysToAdd(megram: Megram): readonly string[] {
  const { id, space, entity, origin } = megram;
  const wanted = [keys.megram(id), keys.tag({ space, entity }), keys.tag({ space })];
  if (origin.integrity === 'untrusted') wanted.push(keys.quota(origin.source));
  for (const word of wordsOfIntent(megram)) wanted.push(keys.word(word, space));
  return wanted;
}

/** Writes an entry with all of its index keys and its share in the sums. `now` in epoch ms. */
export async function addEntry(draft: Draft, stored: Stored, now: number): Promise<void> {
  const { megram, sequence } = stored;
  draft.put(keys.megram(megram.id), encodeStored(stored));
  draft.put(keys.index(megram), encodeIndex(stored));
  draft.put(keys.level(megram), String(sequence));
  if (megram.lastRecalledAt !== null) draft.put(keys.recalled(megram.id), String(megram.lastRecalledAt));
  if (megram.level === 'C') draft.put(keys.rule(megram), String(sequence));
  const due = dueKeyOf(megram);
  if (due !== undefined) draft.put(due, '');
  await changeTags(draft, stored, (record, own) => added(record, stored, { now, own }));
  if (isEvidence(megram)) draft.put(keys.dirty(megram), String(draft.position));
  await count(draft, megram, 1);
}

/** Takes an entry away with all of its keys and its share in the sums. */
export async function removeEntry(draft: Draft, stored: Stored): Promise<void> {
  const { megram } = stored;
  for (const key of [keys.megram(megram.id), keys.index(megram), keys.level(megram), keys.recalled(megram.id)]) draft.remove(key);
  if (megram.level === 'C') draft.remove(keys.rule(megram));
  const due = dueKeyOf(megram);
  if (due !== undefined) draft.remove(due);
  await changeTags(draft, stored, (record, own) => removed(record, stored, own));
  await count(draft, megram, -1);
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

function added(record: TagRecord, stored: Stored, { now, own }: { readonly now: number; readonly own: boolean }): TagRecord {
  const { megram, sequence } = stored;
  const newest = Math.max(record.newest, sequence);
  if (megram.level === 'C') return { ...record, newest, rules: record.rules + 1 };
  if (!isEvidence(megram)) return { ...record, newest };
  const entry = contributionOf(stored, own ? record.watermark : 0);
  return { ...record, newest, aggregate: addTo(record.aggregate, entry, now), top: withEntry(record.top, { ...entry, id: megram.id }) };
}

function removed(record: TagRecord, stored: Stored, own: boolean): TagRecord {
  const { megram } = stored;
  if (megram.level === 'C') return { ...record, rules: Math.max(0, record.rules - 1) };
  if (!isEvidence(megram)) return record;
  return { ...record, aggregate: removeFrom(record.aggregate, contributionOf(stored, own ? record.watermark : 0)), top: withoutEntry(record.top, megram.id) };
}

/** Changes the record of the entry's own tag and the one of its space. Only the own tag knows what was distilled. */
async function changeTags(draft: Draft, { megram }: Stored, change: (record: TagRecord, own: boolean) => TagRecord): Promise<void> {
  const { space, entity } = megram;
  const entityKey = keys.tag({ space, entity });
  const changed = change(await draft.tag(entityKey, keys.watermark({ space, entity })), true);
  draft.setTag(entityKey, changed);
  const spaceKey = keys.tag({ space });
  const whole = change(await draft.tag(spaceKey), false);
  const at = Math.max(changed.aggregate.latest, ...changed.aggregate.tail.map(({ time }) => time));
  const attention = Number.isFinite(at) && answersAt(changed.aggregate, at) ? sumsAt(changed.aggregate, at).attention : 0;
  draft.setTag(spaceKey, { ...whole, entities: withEntity(whole.entities, { entity, attention, at: Number.isFinite(at) ? at : 0 }) });
}

/** Keeps the counts of words and of untrusted sources. */
async function count(draft: Draft, megram: Megram, by: 1 | -1): Promise<void> {
  const counted = wordsOfIntent(megram).map((word) => keys.word(word, megram.space));
  if (megram.origin.integrity === 'untrusted') counted.push(keys.quota(megram.origin.source));
  for (const key of counted) {
    const left = Number((await draft.read(key)) ?? 0) + by;
    if (left > 0) draft.put(key, String(left));
    else draft.remove(key);
  }
}
