import type { MemoryTag, Megram } from '../../contracts/messages.js';
import { answersAt, sumOf, sumsAt } from '../../mkct/aggregate.js';
import { attentionOf } from '../../mkct/decay.js';
import type { Consolidation, RuleEvidence } from '../../memory/store-types.js';
import type { Reader } from './reader.js';
import type { Place } from '../../mkct/tags.js';
import { isEvidence, type Stored, type TagRecord } from './records.js';

/** What the Dreamer needs to know of a tag. One record, whatever the tag holds, for rules that the Dreamer made. */
export async function consolidationOf(reader: Reader, { tag, at, asOf }: { readonly tag: Place; readonly at: number; readonly asOf: number }): Promise<Consolidation> {
  const record = await reader.tag(tag);
  const fresh = await reader.sums(tag, record, at, 'fresh');
  const stored = record.rules === 0 ? [] : await reader.rules(tag);
  const trusted = stored.filter(({ megram }) => megram.origin.integrity === 'trusted');
  return { asOf, fresh, rules: await evidenceOf(reader, { tag, at, record, rules: trusted }) };
}

/** The decision of what came after each rule. The newest distilled rule shares its place with the watermark. */
async function evidenceOf(
  reader: Reader,
  { tag, at, record, rules }: { readonly tag: MemoryTag; readonly at: number; readonly record: TagRecord; readonly rules: readonly Stored[] },
): Promise<readonly RuleEvidence[]> {
  const decisions = new Map<number, number>();
  const older = rules.filter(({ sequence }) => sequence !== record.watermark || !answersAt(record.aggregate, at));
  for (const { sequence } of rules) decisions.set(sequence, older.some((rule) => rule.sequence === sequence) ? 0 : sumsAt(record.aggregate, at, 'fresh').decision);
  if (older.length > 0) {
    for await (const page of reader.contributions(tag, record.watermark)) {
      for (const { sequence } of older) {
        const since = page.filter((entry) => entry.sequence > sequence);
        decisions.set(sequence, (decisions.get(sequence) ?? 0) + sumOf(since, at, 'trusted').decision);
      }
    }
  }
  return rules.map(({ megram, sequence }) => ({ rule: megram, decision: decisions.get(sequence) ?? 0 }));
}

/** Entries scanned for the strongest: a tag that holds more is known well enough by its first. */
const SCANNED = 10_000;

/** Trusted entries of a tag that no rule was made of, strongest first. */
export async function freshEntries(reader: Reader, tag: Place, { at, limit, asOf }: { readonly at: number; readonly limit: number; readonly asOf: number }): Promise<readonly Megram[]> {
  const watermark = await reader.watermark(tag);
  const found: Megram[] = [];
  let scanned = 0;
  for await (const page of reader.matching({ tag })) {
    for (const { megram, sequence } of page) {
      if (isEvidence(megram) && megram.origin.integrity === 'trusted' && sequence > watermark && sequence < asOf) found.push(megram);
    }
    scanned += page.length;
    if (scanned >= SCANNED) break;
  }
  return found.sort((a, b) => attentionOf(b, at) - attentionOf(a, at) || b.createdAt - a.createdAt).slice(0, limit);
}
