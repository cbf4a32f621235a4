import * as z from 'zod/mini';
import { megramSchema, type Megram } from '../../contracts/messages.js';
import { EMPTY_AGGREGATE, type Aggregate, type Contribution } from '../../mkct/aggregate.js';
import { packAggregate, packContribution, unpackAggregate, unpackContribution } from '../../mkct/aggregate-codec.js';
import { decayStart } from '../../mkct/decay.js';

/** A megram with its place in the log: numbers from 1 in the order of writing. */
export interface Stored { readonly megram: Megram; readonly sequence: number }

/** A strong entry of a tag. */
export interface TopEntry { readonly id: string; readonly sequence: number; readonly time: number; readonly f: number; readonly sigma: number; readonly k: number }
/** A strong entity of a space: its attention when it was last written to. */
export interface TopEntity { readonly entity: string; readonly attention: number; readonly at: number }

/** What is kept of one tag beside its entries: derived data, one record. */
export interface TagRecord {
  readonly aggregate: Aggregate;
  /** Entries up to this place in the log were distilled into a rule. */
  readonly watermark: number;
  /** Newest place in the log. */
  readonly newest: number;
  /** Rules under the tag. */
  readonly rules: number;
  readonly top: readonly TopEntry[];
  readonly entities: readonly TopEntity[];
}

/** A tag that nothing was written to. */
export const EMPTY_TAG: TagRecord = Object.freeze({ aggregate: EMPTY_AGGREGATE, watermark: 0, newest: 0, rules: 0, top: Object.freeze([]), entities: Object.freeze([]) });

/** True for the levels that decay and count in the potentials. */
export function isEvidence(megram: Pick<Megram, 'level'>): boolean {
  return megram.level === 'M' || megram.level === 'K';
}

/** The numbers of an entry that aggregates are made of. */
export function contributionOf({ megram, sequence }: Stored, watermark: number): Contribution {
  const { f, sigma, k, origin } = megram;
  return { sequence, time: decayStart(megram), f, sigma, k, untrusted: origin.integrity === 'untrusted', consolidated: sequence <= watermark };
}

/** A megram as it stands on disk. */
export function encodeStored({ megram, sequence }: Stored): string {
  return JSON.stringify({ ...megram, sequence });
}

/** Reads a megram from disk; a text says what is wrong with it. `sequence` is 0 for a record that has none. */
export function decodeStored(raw: string): Stored | string {
  const value = parse(raw);
  const parsed = z.safeParse(megramSchema, value);
  if (!parsed.success) return value === undefined ? 'not JSON' : `not a megram: ${z.prettifyError(parsed.error)}`;
  const { sequence } = value as { sequence?: unknown };
  return { megram: parsed.data, sequence: typeof sequence === 'number' && sequence > 0 ? sequence : 0 };
}

/** The value of an index key of a tag: the entry's numbers, so that a recount reads no megram; empty for rules. */
export function encodeIndex(stored: Stored): string {
  return isEvidence(stored.megram) ? JSON.stringify(packContribution(contributionOf(stored, 0))) : '';
}

/** Reads {@link encodeIndex}'s form: undefined for a rule, `damaged` for what is neither. */
export function decodeIndex(raw: string, watermark: number): Contribution | undefined | 'damaged' {
  if (raw === '') return undefined;
  const contribution = unpackContribution(parse(raw));
  return contribution ? { ...contribution, consolidated: contribution.sequence <= watermark } : 'damaged';
}

/** A tag's record as it stands on disk: JSON, put together by hand, since it is rewritten with every entry. */
export function encodeTag({ aggregate, watermark, newest, rules, top, entities }: TagRecord): string {
  const entries = top.map(({ id, sequence, time, f, sigma, k }) => `[${JSON.stringify(id)},${sequence},${time},${f},${sigma},${k}]`).join();
  const places = entities.map(({ entity, attention, at }) => `[${JSON.stringify(entity)},${attention},${at}]`).join();
  return `[${JSON.stringify(packAggregate(aggregate))},${watermark},${newest},${rules},[${entries}],[${places}]]`;
}

/** Reads {@link encodeTag}'s form; undefined when it is damaged. */
export function decodeTag(raw: string): TagRecord | undefined {
  const value = parse(raw);
  if (!Array.isArray(value) || value.length !== 6) return undefined;
  const [packed, watermark, newest, rules, top, entities] = value as [unknown, unknown, unknown, unknown, unknown, unknown];
  const aggregate = unpackAggregate(packed);
  if (!aggregate || typeof watermark !== 'number' || typeof newest !== 'number' || typeof rules !== 'number' || !Array.isArray(top) || !Array.isArray(entities)) return undefined;
  return {
    aggregate,
    watermark,
    newest,
    rules,
    top: (top as [string, number, number, number, number, number][]).map(([id, sequence, time, f, sigma, k]) => ({ id, sequence, time, f, sigma, k })),
    entities: (entities as [string, number, number][]).map(([entity, attention, at]) => ({ entity, attention, at })),
  };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
