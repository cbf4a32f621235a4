import type { Aggregate, Contribution, Row } from './aggregate.js';

const UNTRUSTED = 1;
const CONSOLIDATED = 2;

/** The flags of an entry or a row as one number. */
function flagsOf({ untrusted, consolidated }: { readonly untrusted: boolean; readonly consolidated: boolean }): number {
  return (untrusted ? UNTRUSTED : 0) + (consolidated ? CONSOLIDATED : 0);
}

/** An aggregate as plain arrays of numbers: it is rewritten with every entry, so its size is part of the cost of a write. */
export function packAggregate({ landmark, latest, rows, tail, stale }: Aggregate): readonly unknown[] {
  return [landmark, Number.isFinite(latest) ? latest : null, rows.map(packRow), tail.map(packContribution), stale ? 1 : 0];
}

/** Reads {@link packAggregate}'s form; undefined when it is none. */
export function unpackAggregate(packed: unknown): Aggregate | undefined {
  if (!Array.isArray(packed) || packed.length !== 5) return undefined;
  const [landmark, latest, rows, tail, stale] = packed as readonly unknown[];
  if (typeof landmark !== 'number' || !(latest === null || typeof latest === 'number') || !Array.isArray(rows) || !Array.isArray(tail)) return undefined;
  const readRows = rows.map(unpackRow);
  const readTail = tail.map(unpackContribution);
  if (readRows.includes(undefined) || readTail.includes(undefined)) return undefined;
  return { landmark, latest: latest ?? -Infinity, rows: readRows as readonly Row[], tail: readTail as readonly Contribution[], stale: stale === 1 };
}

/** One entry's numbers as an array. */
export function packContribution(entry: Contribution): readonly number[] {
  return [entry.sequence, entry.time, entry.f, entry.sigma, entry.k, flagsOf(entry)];
}

/** Reads {@link packContribution}'s form; undefined when it is none. */
export function unpackContribution(packed: unknown): Contribution | undefined {
  if (!isNumbers(packed, 6)) return undefined;
  const [sequence, time, f, sigma, k, flags] = packed as readonly [number, number, number, number, number, number];
  return { sequence, time, f, sigma, k, untrusted: (flags & UNTRUSTED) !== 0, consolidated: (flags & CONSOLIDATED) !== 0 };
}

function packRow(row: Row): readonly number[] {
  const { k, count, attention, decision, valenced, peak } = row;
  return [k, flagsOf(row), count, attention.sum, attention.lost, decision.sum, decision.lost, valenced.sum, valenced.lost, peak];
}

function unpackRow(packed: unknown): Row | undefined {
  if (!isNumbers(packed, 10)) return undefined;
  const [k, flags, count, attention, attentionLost, decision, decisionLost, valenced, valencedLost, peak] =
    packed as readonly [number, number, number, number, number, number, number, number, number, number];
  return {
    k,
    untrusted: (flags & UNTRUSTED) !== 0,
    consolidated: (flags & CONSOLIDATED) !== 0,
    count,
    attention: { sum: attention, lost: attentionLost },
    decision: { sum: decision, lost: decisionLost },
    valenced: { sum: valenced, lost: valencedLost },
    peak,
  };
}

function isNumbers(packed: unknown, length: number): boolean {
  return Array.isArray(packed) && packed.length === length && packed.every((value) => typeof value === 'number');
}
