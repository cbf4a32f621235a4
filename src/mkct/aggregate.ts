import { plus, times, total, ZERO, type Compensated } from './compensated.js';
import { DAY_MS } from './decay.js';

/** What an aggregate needs to know of one entry. `time` is when its decay clock started, epoch ms. */
export interface Contribution {
  /** Number of the entry in the order of writing; what tells entries apart. */
  readonly sequence: number;
  readonly time: number;
  readonly f: number;
  readonly sigma: number;
  readonly k: number;
  readonly untrusted: boolean;
  /** Already distilled into a rule: counts in the potentials, not towards the next rule. */
  readonly consolidated: boolean;
}

/**
 * The sums over all entries that decay at the same rate and are alike in label and state of consolidation. The sums
 * are in units of the landmark: an entry counts f·e^(k·(time − landmark)), so that adding one moves nothing else.
 */
export interface Row {
  readonly k: number;
  readonly untrusted: boolean;
  readonly consolidated: boolean;
  readonly count: number;
  readonly attention: Compensated;
  readonly decision: Compensated;
  /** Σ|σ|·f: the part of attention that takes sides. */
  readonly valenced: Compensated;
  /** The largest attention since the row was last exact: bounds what taking entries away can have cost in precision. */
  readonly peak: number;
}

/**
 * The sums of one tag. Derived data: the entries are the truth. The newest few entries, and those whose time is ahead
 * of the clock, are kept one by one in `tail`, so that a small step back of the clock is still answered from here.
 */
export interface Aggregate {
  readonly landmark: number;
  /** Newest time among the entries summed up in rows: before it the rows can't answer. */
  readonly latest: number;
  readonly rows: readonly Row[];
  readonly tail: readonly Contribution[];
  /** The sums lost too much precision and wait for a recount. */
  readonly stale: boolean;
}

/** A tag without entries. */
export const EMPTY_AGGREGATE: Aggregate = Object.freeze({ landmark: 0, latest: -Infinity, rows: Object.freeze([]), tail: Object.freeze([]), stale: false });

/** Entries kept one by one. */
const TAIL_LIMIT = 8;
/** How long an entry is kept in the tail while there is room: the step back of a clock that costs nothing. */
const TAIL_MS = 60_000;
/** Exponents beyond this move the landmark, long before anything can overflow. */
const LARGEST_EXPONENT = 30;
/** Below this share of its peak a row is recounted: what is left must not be the rounding of what is gone. */
const STALE_SHARE = 1e-4;

/** Adds one entry. `now` (epoch ms) only decides how long it stays in the tail. */
export function addTo(aggregate: Aggregate, entry: Contribution, now: number): Aggregate {
  if (aggregate.tail.length === 0 && entry.time <= now - TAIL_MS) return addToRows(aggregate, entry);
  const tail = [...aggregate.tail, entry].sort((a, b) => a.time - b.time || a.sequence - b.sequence);
  let next: Aggregate = { ...aggregate, tail: [] };
  while (tail.length > 0) {
    const [oldest] = tail;
    if (!oldest || (tail.length <= TAIL_LIMIT && oldest.time > now - TAIL_MS)) break;
    next = addToRows(next, oldest);
    tail.shift();
  }
  return { ...next, tail };
}

/** Takes one entry away. It must be the entry as it was added. */
export function removeFrom(aggregate: Aggregate, entry: Contribution): Aggregate {
  if (aggregate.tail.some(({ sequence }) => sequence === entry.sequence)) {
    return { ...aggregate, tail: aggregate.tail.filter(({ sequence }) => sequence !== entry.sequence) };
  }
  const weight = weightOf(entry, aggregate.landmark);
  let stale = aggregate.stale;
  const rows: Row[] = [];
  let found = false;
  for (const row of aggregate.rows) {
    if (!sameRow(row, entry)) {
      rows.push(row);
      continue;
    }
    found = true;
    if (row.count <= 1) continue;
    const left: Row = {
      ...row,
      count: row.count - 1,
      attention: plus(row.attention, -entry.f * weight),
      decision: plus(row.decision, -entry.sigma * entry.f * weight),
      valenced: plus(row.valenced, -Math.abs(entry.sigma) * entry.f * weight),
    };
    if (total(left.attention) < STALE_SHARE * row.peak) stale = true;
    rows.push(left);
  }
  return { ...aggregate, rows, stale: stale || !found };
}

/** Marks every entry as distilled: from here on only newer ones count towards a rule. */
export function consolidate(aggregate: Aggregate): Aggregate {
  const rows: Row[] = [];
  for (const row of aggregate.rows) {
    const target = { ...row, consolidated: true };
    const index = rows.findIndex((other) => sameRow(other, target));
    const other = rows[index];
    if (other) rows[index] = merge(other, target);
    else rows.push(target);
  }
  return { ...aggregate, rows, tail: aggregate.tail.map((entry) => ({ ...entry, consolidated: true })) };
}

/** Sums at a moment. `valenced` is the part of attention with a valence. */
export interface Sums { readonly attention: number; readonly decision: number; readonly valenced: number }

/** Which entries to sum: all, those of trusted origin, or trusted ones that no rule was made of yet. */
export type Selection = 'all' | 'trusted' | 'fresh';

/** True when the aggregate answers exactly for that moment; otherwise the entries have to be summed one by one. */
export function answersAt(aggregate: Aggregate, at: number): boolean {
  return !aggregate.stale && at >= aggregate.latest;
}

/** The sums at a moment for which {@link answersAt} holds. Costs the same whatever the number of entries. */
export function sumsAt(aggregate: Aggregate, at: number, selection: Selection = 'all'): Sums {
  const sums = { attention: 0, decision: 0, valenced: 0 };
  const days = (at - aggregate.landmark) / DAY_MS;
  for (const row of aggregate.rows) {
    if (!selects(selection, row)) continue;
    const factor = Math.exp(-row.k * days);
    sums.attention += total(row.attention) * factor;
    sums.decision += total(row.decision) * factor;
    sums.valenced += total(row.valenced) * factor;
  }
  addEach(sums, aggregate.tail, at, selection);
  return sums;
}

/** The same sums, entry by entry: exact for any moment, at the cost of reading them all. */
export function sumOf(entries: Iterable<Contribution>, at: number, selection: Selection = 'all'): Sums {
  const sums = { attention: 0, decision: 0, valenced: 0 };
  addEach(sums, entries, at, selection);
  return sums;
}

/** Entries in the aggregate. */
export function countOf(aggregate: Aggregate): number {
  return aggregate.rows.reduce((count, row) => count + row.count, aggregate.tail.length);
}

function addEach(sums: { attention: number; decision: number; valenced: number }, entries: Iterable<Contribution>, at: number, selection: Selection): void {
  for (const entry of entries) {
    if (!selects(selection, entry)) continue;
    const live = entry.f * Math.exp(-entry.k * (Math.max(0, at - entry.time) / DAY_MS));
    sums.attention += live;
    sums.decision += entry.sigma * live;
    sums.valenced += Math.abs(entry.sigma) * live;
  }
}

function selects(selection: Selection, { untrusted, consolidated }: { readonly untrusted: boolean; readonly consolidated: boolean }): boolean {
  return selection === 'all' || (!untrusted && (selection === 'trusted' || !consolidated));
}

function sameRow(row: Row, { k, untrusted, consolidated }: Pick<Row, 'k' | 'untrusted' | 'consolidated'>): boolean {
  return row.k === k && row.untrusted === untrusted && row.consolidated === consolidated;
}

function weightOf(entry: Contribution, landmark: number): number {
  return Math.exp((entry.k * (entry.time - landmark)) / DAY_MS);
}

function addToRows(aggregate: Aggregate, entry: Contribution): Aggregate {
  const moved = aggregate.rows.length === 0 ? { ...aggregate, landmark: entry.time } : rebase(aggregate, entry);
  const weight = weightOf(entry, moved.landmark);
  const latest = Math.max(moved.latest, entry.time);
  const index = moved.rows.findIndex((row) => sameRow(row, entry));
  const row = moved.rows[index] ?? { k: entry.k, untrusted: entry.untrusted, consolidated: entry.consolidated, count: 0, attention: ZERO, decision: ZERO, valenced: ZERO, peak: 0 };
  const attention = plus(row.attention, entry.f * weight);
  const added: Row = {
    ...row,
    count: row.count + 1,
    attention,
    decision: plus(row.decision, entry.sigma * entry.f * weight),
    valenced: plus(row.valenced, Math.abs(entry.sigma) * entry.f * weight),
    peak: Math.max(row.peak, total(attention)),
  };
  const rows = index < 0 ? [...moved.rows, added] : moved.rows.with(index, added);
  return { ...moved, latest, rows };
}

/** Moves the landmark forward to the entry when some weight would grow too large. Never backwards. */
function rebase(aggregate: Aggregate, entry: Contribution): Aggregate {
  const days = (entry.time - aggregate.landmark) / DAY_MS;
  const steepest = aggregate.rows.reduce((most, row) => Math.max(most, row.k), entry.k);
  if (steepest * days <= LARGEST_EXPONENT) return aggregate;
  const rows = aggregate.rows.map((row) => {
    const factor = Math.exp(-row.k * days);
    return { ...row, attention: times(row.attention, factor), decision: times(row.decision, factor), valenced: times(row.valenced, factor), peak: row.peak * factor };
  });
  return { ...aggregate, landmark: entry.time, rows };
}

function merge(a: Row, b: Row): Row {
  const add = (one: Compensated, other: Compensated): Compensated => plus(plus(one, other.sum), other.lost);
  const attention = add(a.attention, b.attention);
  return {
    ...a,
    count: a.count + b.count,
    attention,
    decision: add(a.decision, b.decision),
    valenced: add(a.valenced, b.valenced),
    peak: Math.max(a.peak, b.peak, total(attention)),
  };
}
