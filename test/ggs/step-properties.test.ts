import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accept, initialState, step, type GgsState, type HyperparameterOverrides, type Round, type SubTaskOutcome } from 'artoo/ggs';
import { call, deepFreeze, failed, failedOutcome, FIXED_SEED, gapRound, gate, logical, matchedOutcome, objectsIn, passed } from './builders.js';

const TERMINAL = new Set(['success', 'abandon']);

const someOutcome: fc.Arbitrary<SubTaskOutcome> = fc.record({
  matched: fc.boolean(),
  skipped: fc.boolean(),
  output: fc.constantFrom(null, 'x'),
  verdicts: fc.array(fc.constantFrom(passed(), failed(), logical(), failed({ required: true }), logical({ mode: 'plausible', weight: 3 })), { maxLength: 4 }),
  calls: fc.array(fc.constantFrom(call('a', '/1'), call('b', '/2', { ok: true, output: '' }), call('a', '/2', { ok: true }), call('c', '')), { maxLength: 4 }),
}).map(({ matched, skipped, output, verdicts, calls }) =>
  (matched ? matchedOutcome : failedOutcome)({ output, skipped, criteriaVerdicts: verdicts, toolCalls: calls, gapTrajectory: [{ attempt: 1, failedCriteria: [{ criterion: 'c' }] }, { attempt: 2, failedCriteria: [] }] }));

const someRound: fc.Arbitrary<Round> = fc.record({
  stage: fc.constantFrom('gate' as const, 'merge' as const),
  outcomes: fc.array(someOutcome, { maxLength: 4 }),
  taskVerdicts: fc.array(fc.constantFrom(passed(), failed(), logical()), { maxLength: 4 }),
  elapsedMs: fc.nat(600_000),
  recommendation: fc.constantFrom('replan' as const, 'abandon' as const, undefined),
  planRejected: fc.constantFrom(undefined, undefined, undefined, true),
  stop: fc.constantFrom(undefined, undefined, undefined, 'aborted' as const),
  tools: fc.constantFrom(undefined, ['a'], ['a', 'b', 'c']),
});

const someState: fc.Arbitrary<GgsState> = fc.record({
  replans: fc.nat(4),
  directives: fc.nat(4),
  last: fc.option(fc.record({ D: fc.double({ min: 0, max: 1, noNaN: true }), P: fc.double({ min: 0, max: 1, noNaN: true }), L: fc.double({ min: 0, max: 1.3, noNaN: true }) })),
  worseningRounds: fc.nat(2),
  prevDirective: fc.constantFrom('init' as const, 'refine' as const, 'change_path' as const),
  failedTools: fc.constantFrom([], ['a'], ['z']),
  failedPairs: fc.constantFrom([], [{ tool: 'z', target: '/z' }]),
});

describe('step is a function', () => {
  it('same input, same output; input untouched; output frozen', () => {
    fc.assert(fc.property(someState, someRound, (state, round) => {
      const before = JSON.stringify([state, round]);
      const once = step(deepFreeze(structuredClone(state)), deepFreeze(structuredClone(round)));
      const twice = step(state, round);
      expect(twice).toEqual(once);
      expect(JSON.stringify([state, round])).toBe(before);
      expect(objectsIn([twice.state, twice.decision]).slice(1).every((part) => Object.isFrozen(part))).toBe(true);
    }), FIXED_SEED);
  });
  it('shares nothing with its input that the caller could change later', () => {
    const toolCalls = [call('a', '/1')];
    const state = { ...initialState(), last: { D: 1, P: 0, L: 1 }, failedTools: ['z'], failedPairs: [{ tool: 'z', target: '/z' }] };
    for (const round of [gate([failedOutcome({ toolCalls })]), { stop: 'aborted' as const, outcomes: [], elapsedMs: 0 }]) {
      const input = new Set(objectsIn([state, round]));
      expect(objectsIn(step(state, round)).filter((part) => input.has(part))).toEqual([]);
      expect(Object.isFrozen(state) || Object.isFrozen(state.last) || Object.isFrozen(state.failedPairs[0])).toBe(false);
    }
  });
  it('a state survives JSON: the next decision is the same', () => {
    fc.assert(fc.property(someState, someRound, someRound, (state, first, second) => {
      const next = step(state, first).state;
      expect(step(JSON.parse(JSON.stringify(next)), second)).toEqual(step(next, second));
    }), { ...FIXED_SEED, numRuns: 150 });
  });
  it('accept is one as well', () => {
    fc.assert(fc.property(someState, fc.nat(600_000), (state, elapsedMs) => {
      const before = JSON.stringify(state);
      const done = accept(deepFreeze(structuredClone(state)), Object.freeze({ elapsedMs }));
      expect(accept(state, { elapsedMs })).toEqual(done);
      expect(JSON.stringify(state)).toBe(before);
      expect(objectsIn([done.state, done.decision]).slice(1).every((part) => Object.isFrozen(part))).toBe(true);
    }), { ...FIXED_SEED, numRuns: 100 });
  });
  it('the initial state is frozen and nobody\'s', () => {
    expect(objectsIn(initialState()).every((part) => Object.isFrozen(part))).toBe(true);
    expect(initialState()).toEqual({ replans: 0, directives: 0, last: null, worseningRounds: 0, prevDirective: 'init', failedTools: [], failedPairs: [] });
  });
});

describe('every decision', () => {
  it('has D, P, Ω in [0, 1], L in [0, α + β + λ], and a reason exactly when it abandons', () => {
    fc.assert(fc.property(someState, someRound, (state, round) => {
      const { decision } = step(state, round);
      for (const part of [decision.D, decision.P, decision.Omega]) expect(part >= 0 && part <= 1).toBe(true);
      expect(decision.L >= 0 && decision.L <= 1.3).toBe(true);
      expect(decision.reason !== undefined).toBe(decision.directive === 'abandon');
      expect(decision.rationale.length).toBeGreaterThan(20);
    }), FIXED_SEED);
  });
  it('is never a success with a failed required criterion, with nothing matched, or with a gap above δ', () => {
    fc.assert(fc.property(someState, someRound, (state, round) => {
      const { decision } = step(state, round);
      if (decision.directive !== 'success') return;
      const judged = round.stage === 'merge' ? round.taskVerdicts! : round.outcomes.flatMap((outcome) => outcome.criteriaVerdicts);
      expect(judged.some(({ verdict, required }) => verdict === 'fail' && required === true)).toBe(false);
      expect(round.outcomes.some(({ status, output }) => status === 'matched' && output !== null)).toBe(true);
      expect(decision.D).toBeLessThanOrEqual(0.3 + 1e-9);
    }), { ...FIXED_SEED, numRuns: 2_000 });
  });
});

/** Every round of the grid: how much fails, of what class, at which stage. */
const GRID: readonly Round[] = [
  ...[2, 4, 7, 10].flatMap((bad) => [0, bad].map((wrong) => gapRound({ bad, count: 10, wrong }, { elapsedMs: 1_000 }))),
  gate([matchedOutcome(), failedOutcome({ criteriaVerdicts: [failed({ required: true, weight: 0.1 })], toolCalls: [call('a', '/1')] })]),
  { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts: [passed(), passed()], elapsedMs: 0 },
];

/** Walks every sequence; returns how many, the longest, and the directives and reasons met. */
function enumerate(state: GgsState, h: HyperparameterOverrides, limit: number): { sequences: number; longest: number; met: Set<string> } {
  const met = new Set<string>();
  let sequences = 0;
  let longest = 0;
  const walk = (from: GgsState, depth: number): void => {
    if (depth > limit) throw new Error(`A run goes on after ${limit} rounds.`);
    for (const round of GRID) {
      const next = step(from, round, h);
      met.add(next.decision.reason ?? next.decision.directive);
      if (TERMINAL.has(next.decision.directive)) {
        sequences += 1;
        longest = Math.max(longest, depth);
      } else walk(next.state, depth + 1);
    }
  };
  walk(state, 1);
  return { sequences, longest, met };
}

describe('termination, by enumerating every sequence of a coarse grid of rounds', () => {
  // Time and replans weigh next to nothing, so that no run ends by Ω before its replans are spent.
  const patient = { w1: 0.01, w2: 0.01 };
  it.each([1, 2, 3])('with maxReplans %d a run ends after at most one round more', (maxReplans) => {
    const { sequences, longest } = enumerate(initialState(), { ...patient, maxReplans }, maxReplans + 1);
    expect(longest).toBe(maxReplans + 1);
    expect(sequences).toBeGreaterThan(GRID.length);
  });
  it('with the defaults, meeting every directive and every end on the way', () => {
    const { longest, met } = enumerate(initialState(), {}, 4);
    expect(longest).toBe(4);
    expect([...met].sort()).toEqual(['break_symmetry', 'change_approach', 'change_path', 'law2_divergence', 'refine', 'replan_budget', 'success']);
  });
  it('under the total gradient as well', () => {
    expect(enumerate(initialState(), { ...patient, gradient: 'total' }, 4).longest).toBe(4);
  });
  it('from any state', () => {
    const states = [0, 1, 2, 3, 4, 9].flatMap((replans) => [0, 1, 2].flatMap((worseningRounds) =>
      [null, { D: 0, P: 0, L: 0 }, { D: 1, P: 1, L: 0.9 }].map((last): GgsState => ({ ...initialState(), replans, worseningRounds, last }))));
    for (const state of states) {
      const left = Math.max(1, 3 - state.replans + 1);
      if (left <= 3) expect(enumerate(state, patient, left).longest).toBeLessThanOrEqual(left);
    }
  });
  it('a stop ends a run in any state, at once', () => {
    for (const round of GRID) expect(step(initialState(), { ...round, stop: 'deadline' }).decision.directive).toBe('abandon');
  });
});
