import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTo, answersAt, consolidate, countOf, EMPTY_AGGREGATE, removeFrom, sumOf, sumsAt, type Aggregate, type Contribution } from '../../src/mkct/aggregate.js';
import { packAggregate, unpackAggregate } from '../../src/mkct/aggregate-codec.js';
import { DAY, START } from '../memory/builders.js';

const SEED = 20_240_602;

const entry = (sequence: number, change: Partial<Contribution> = {}): Contribution => ({ sequence, time: START, f: 0.9, sigma: 1, k: 0.05, untrusted: false, consolidated: false, ...change });

const anyEntry = fc.record({
  time: fc.oneof(fc.integer({ min: START, max: START + 400 * DAY }), fc.integer({ min: START - 20_000 * DAY, max: START + 20_000 * DAY })),
  f: fc.double({ min: 0, max: 1, noNaN: true }),
  sigma: fc.constantFrom(-1, -0.5, 0, 0.5, 1),
  k: fc.oneof(fc.constantFrom(0, 0.05, 0.2, 0.5, 1), fc.double({ min: 0, max: 10, noNaN: true })),
  untrusted: fc.boolean(),
  consolidated: fc.constant(false),
});

/** 1e-9 relative to the attention, or both decayed to nothing. */
function expectSame(aggregate: Aggregate, entries: readonly Contribution[], at: number): void {
  for (const selection of ['all', 'trusted', 'fresh'] as const) {
    const [kept, summed] = [sumsAt(aggregate, at, selection), sumOf(entries, at, selection)];
    const scale = 1e-9 * Math.max(summed.attention, 1e-12);
    expect(Math.abs(kept.attention - summed.attention)).toBeLessThanOrEqual(scale);
    expect(Math.abs(kept.decision - summed.decision)).toBeLessThanOrEqual(scale);
    expect(Math.abs(kept.valenced - summed.valenced)).toBeLessThanOrEqual(scale);
  }
}

describe('running sums', () => {
  test('equal the full sum to 1e-9 over random histories, or say that they need a recount', () => {
    fc.assert(fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: anyEntry.map((value) => ({ add: value })) }, { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) }, fc.constant({ distil: true as const })), { maxLength: 120 }), fc.integer({ min: 0, max: 30_000 }), (steps, days) => {
      let aggregate = EMPTY_AGGREGATE;
      let live: Contribution[] = [];
      for (const [sequence, step] of steps.entries()) {
        if ('add' in step) {
          const added = { ...step.add, sequence };
          live.push(added);
          aggregate = addTo(aggregate, added, START + 200 * DAY);
        } else if ('distil' in step) {
          live = live.map((one) => ({ ...one, consolidated: true }));
          aggregate = consolidate(aggregate);
        } else if (live.length > 0) {
          const [gone] = live.splice(step.remove % live.length, 1);
          if (gone) aggregate = removeFrom(aggregate, gone);
        }
        if (aggregate.stale) aggregate = live.reduce((sums, one) => addTo(sums, one, START + 200 * DAY), EMPTY_AGGREGATE);
        expect(countOf(aggregate)).toBe(live.length);
      }
      const at = Math.max(aggregate.latest, START) + days * DAY;
      expect(answersAt(aggregate, at)).toBe(true);
      expectSame(aggregate, live, at);
    }), { seed: SEED, numRuns: 300 });
  });
  test('a hundred thousand entries over ten years drift by less than 1e-9', () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => entry(index, { time: START + index * 3_155_000, sigma: index % 3 ? 1 : -1, k: [0.05, 0.2, 0.5][index % 3] ?? 0 }));
    const aggregate = entries.reduce((sums, one) => addTo(sums, one, one.time), EMPTY_AGGREGATE);
    const at = START + 100_000 * 3_155_000;
    expectSame(aggregate, entries, at);
    const left = entries.filter((_, index) => index % 1_000 !== 0);
    expectSame(entries.reduce((sums, one, index) => (index % 1_000 === 0 ? removeFrom(sums, one) : sums), aggregate), left, at);
  });
  test('a leap of a century overflows nothing', () => {
    const far = entry(2, { time: START + 36_500 * DAY, k: 10 });
    const aggregate = [entry(1, { k: 10 }), far, entry(3, { k: 10 })].reduce((sums, one) => addTo(sums, one, far.time + DAY), EMPTY_AGGREGATE);
    expectSame(aggregate, [far], far.time);
    expect(Number.isFinite(sumsAt(aggregate, far.time).attention)).toBe(true);
  });
  test('what is left when the weightiest goes is recounted, not guessed from rounding', () => {
    const old = entry(1, { time: START, f: 1e-3 });
    const both = [old, entry(2, { time: START + 500 * DAY })].reduce((sums, one) => addTo(sums, one, START + 900 * DAY), EMPTY_AGGREGATE);
    expect(removeFrom(both, entry(2, { time: START + 500 * DAY })).stale).toBe(true);
  });
  test('taking away what isn’t there is noticed', () => expect(removeFrom(EMPTY_AGGREGATE, entry(1)).stale).toBe(true));
  test('entries a little ahead of the clock, or stepping back behind it, are still answered exactly', () => {
    const entries = Array.from({ length: 8 }, (_, index) => entry(index, { time: START + index * 1_000 }));
    const aggregate = entries.reduce((sums, one) => addTo(sums, one, START), EMPTY_AGGREGATE);
    expect(answersAt(aggregate, START - DAY)).toBe(true);
    expectSame(aggregate, entries, START - DAY);
    expectSame(aggregate, entries, START + 3_500);
  });
  test('before the newest summed entry the rows say that they can’t answer', () => {
    const aggregate = addTo(EMPTY_AGGREGATE, entry(1), START + DAY);
    expect(answersAt(aggregate, START)).toBe(true);
    expect(answersAt(aggregate, START - 1)).toBe(false);
  });
  test('rows stay few: one for each decay, label and state, however many entries', () => {
    const aggregate = Array.from({ length: 5_000 }, (_, index) => entry(index, { k: index % 2 ? 0.05 : 0.2 })).reduce((sums, one) => addTo(sums, one, START + DAY), EMPTY_AGGREGATE);
    expect(aggregate.rows).toHaveLength(2);
    expect(aggregate.tail).toHaveLength(0);
  });
  test('are the same after being written and read', () => {
    const aggregate = [entry(1), entry(2, { untrusted: true, time: START + 5 * DAY }), entry(3, { consolidated: true })].reduce((sums, one) => addTo(sums, one, START + 3 * DAY), EMPTY_AGGREGATE);
    expect(unpackAggregate(JSON.parse(JSON.stringify(packAggregate(aggregate))))).toEqual(aggregate);
    expect(unpackAggregate(JSON.parse(JSON.stringify(packAggregate(EMPTY_AGGREGATE))))).toEqual(EMPTY_AGGREGATE);
  });
  test.each([null, 1, [], [1, 2, [], [], 0, 0], ['x', null, [], [], 0], [0, null, [[1, 2]], [], 0], [0, null, [], [['a']], 0]].map((value) => [value]))('%j is no aggregate', (value) => expect(unpackAggregate(value)).toBeUndefined());
});
