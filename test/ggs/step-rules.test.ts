import { describe, expect, it } from 'vitest';
import {
  accept, decide, initialState, loss, resourceCost, step, strongestStop, type Decision, type GgsState, type HyperparameterOverrides, type Round, type StopReason,
} from 'artoo/ggs';
import { failed, failedOutcome, gapRound, gate, logical, matchedOutcome, passed } from './builders.js';

/** Runs the rounds one after the other, past an end too. */
function play(rounds: readonly Round[], h?: HyperparameterOverrides, from: GgsState = initialState()): { state: GgsState; decisions: Decision[] } {
  return rounds.reduce<{ state: GgsState; decisions: Decision[] }>(({ state, decisions }, round) => {
    const next = step(state, round, h);
    return { state: next.state, decisions: [...decisions, next.decision] };
  }, { state: from, decisions: [] });
}
const endOf = ({ directive, reason }: Decision) => [directive, reason];
const stuck = gapRound({ bad: 4, count: 4 });
const small = gapRound({ bad: 1, count: 5 });
/** Ω without the clock, so that only the rule at hand can end a run. */
const PATIENT = { w1: 0.1, w2: 0 } as const;

describe('the cascade inside step', () => {
  it('decides as the table does, on its own numbers', () => {
    for (const round of [gapRound({ bad: 3, count: 4 }), gapRound({ bad: 3, count: 4, wrong: 3 }), small, gapRound({ bad: 3, count: 4 }, { elapsedMs: 500_000 })]) {
      const { decision } = step(initialState(), round);
      expect(decision.directive).toBe(decide({ ...decision, gradL: decision.gradGoal }));
    }
  });
  it('counts the failing round at hand in Ω', () => {
    const { decisions } = play([stuck, stuck]);
    expect(decisions.map(({ Omega }) => Omega)).toEqual([resourceCost({ replans: 1, elapsedMs: 0 }), resourceCost({ replans: 2, elapsedMs: 0 })]);
  });
  it('reports the loss, its gradient and the goal gradient', () => {
    const [first, second] = play([gapRound({ bad: 4, count: 4, wrong: 4 }), gapRound({ bad: 2, count: 4, wrong: 1 }, { elapsedMs: 75_000 })]).decisions as [Decision, Decision];
    expect(first).toMatchObject({ D: 1, P: 1, gradL: 0, gradGoal: 0, trend: 'plateau' });
    expect(first.L).toBe(loss(first));
    expect(second).toMatchObject({ D: 0.5, P: 0.5 });
    expect(second.Omega).toBeCloseTo(0.5, 12);
    expect(second.L).toBeCloseTo(0.3 + 0.075 + 0.2, 12);
    expect(second.gradL).toBeCloseTo(second.L - first.L, 12);
    expect(second.gradGoal).toBeCloseTo(0.6 * -0.5 + 0.3 * 0.5 * -0.5, 12);
    expect(second.trend).toBe('improving');
  });
  it('Ω ≥ θ abandons with reason omega, even where D ≤ δ', () => {
    expect(endOf(step(initialState(), { ...stuck, elapsedMs: 450_000 }).decision)).toEqual(['abandon', 'omega']);
    expect(endOf(step(initialState(), { ...small, elapsedMs: 450_000 }).decision)).toEqual(['abandon', 'omega']);
    expect(step(initialState(), { ...stuck, elapsedMs: 449_000 }).decision.directive).toBe('change_path');
  });
  it('D ≤ δ succeeds, without a reason', () => {
    const { decision } = step(initialState(), small);
    expect([decision.directive, decision.D]).toEqual(['success', 0.2]);
    expect(decision).not.toHaveProperty('reason');
    expect(step(initialState(), gapRound({ bad: 3, count: 10 })).decision.directive).toBe('success');
    expect(step(initialState(), gapRound({ bad: 31, count: 100 })).decision.directive).toBe('change_path');
  });
  it('uses the hyperparameters it is given', () => {
    expect(step(initialState(), small, { delta: 0.1 }).decision.directive).toBe('change_path');
    expect(step(initialState(), stuck, { theta: 0.2 }).decision.reason).toBe('omega');
  });
});

describe('where D is measured', () => {
  it('stage gate: over all subtask verdicts', () => {
    const round = gate([matchedOutcome(), failedOutcome()], { taskVerdicts: [passed(), passed(), passed()] });
    expect(step(initialState(), round).decision.D).toBe(0.5);
  });
  it('stage merge: over the task criteria alone', () => {
    const round: Round = { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts: [logical(), passed(), passed(), passed()], elapsedMs: 0 };
    expect(step(initialState(), round).decision).toMatchObject({ D: 0.25, P: 1, directive: 'success' });
  });
  it('stage merge without verdicts: D = 1', () => {
    expect(step(initialState(), { stage: 'merge', outcomes: [matchedOutcome()], elapsedMs: 0 }).decision.D).toBe(1);
  });
});

describe('success needs something to deliver', () => {
  const tiny = [failed(), passed(), passed(), passed()];
  it.each<[string, Round]>([
    ['no outcome matched', gate([failedOutcome({ criteriaVerdicts: tiny })])],
    ['the matched output is null', gate([failedOutcome(), matchedOutcome({ output: null, criteriaVerdicts: [passed(), passed(), passed()] })])],
    ['the matched output is undefined', gate([failedOutcome(), matchedOutcome({ output: undefined, criteriaVerdicts: [passed(), passed(), passed()] })])],
    ['only a failed outcome has an output', gate([failedOutcome({ output: 'half', criteriaVerdicts: tiny })])],
    ['nothing matched at stage merge', { stage: 'merge', outcomes: [], taskVerdicts: tiny, elapsedMs: 0 }],
  ])('not when %s', (_, round) => {
    const { decision } = step(initialState(), round);
    expect([decision.D, decision.directive]).toEqual([0.25, 'change_path']);
    expect(decision.rationale).toContain('No subtask has a result to deliver');
  });
  it.each([[''], [0], [false], [[]]])('an output of %j is a result', (output) => {
    expect(step(initialState(), gate([failedOutcome(), matchedOutcome({ output, criteriaVerdicts: [passed(), passed(), passed()] })])).decision.directive).toBe('success');
  });
});

describe('a failed required criterion', () => {
  const round = (fields: Parameters<typeof failed>[0]) => gate([matchedOutcome({ criteriaVerdicts: Array(9).fill(passed({ required: true })) }), failedOutcome({ criteriaVerdicts: [failed(fields)] })]);
  it('rules success out: the grid decides as if D > δ', () => {
    const { decision } = step(initialState(), round({ required: true }));
    expect([decision.D, decision.directive]).toEqual([0.1, 'change_path']);
    expect(decision.rationale).toContain('A required criterion failed');
    expect(step(initialState(), round({ required: true, failureClass: 'logical' })).decision.directive).toBe('break_symmetry');
  });
  it('one that isn\'t required, or that passed, rules nothing out', () => {
    expect(step(initialState(), round({ required: false })).decision.directive).toBe('success');
  });
  it('rules success out at stage merge as well', () => {
    const taskVerdicts = [failed({ required: true }), ...Array.from({ length: 9 }, () => passed())];
    expect(step(initialState(), { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts, elapsedMs: 0 }).decision.directive).toBe('change_path');
  });
  it('doesn\'t hold off Ω or the replan budget', () => {
    expect(step(initialState(), { ...round({ required: true }), elapsedMs: 500_000 }).decision.reason).toBe('omega');
    expect(step({ ...initialState(), replans: 3 }, round({ required: true }), PATIENT).decision.reason).toBe('replan_budget');
  });
});

describe('the replan budget', () => {
  it('ends the round after the last allowed replan, whatever Ω says', () => {
    const { decisions } = play([stuck, stuck, stuck, stuck], PATIENT);
    expect(decisions.map(endOf)).toEqual([['change_path', undefined], ['change_path', undefined], ['change_path', undefined], ['abandon', 'replan_budget']]);
    expect(decisions[3]?.Omega).toBeLessThan(0.2);
  });
  it('gives its own reason where Ω ≥ θ as well', () => {
    expect(endOf(play([stuck, stuck, stuck, stuck]).decisions[3]!)).toEqual(['abandon', 'replan_budget']);
  });
  it('never beats success', () => {
    expect(play([stuck, stuck, stuck, small], PATIENT).decisions[3]?.directive).toBe('success');
  });
  it('comes before Law 2', () => {
    const worse = [gapRound({ bad: 6, count: 10 }), gapRound({ bad: 9, count: 10 })];
    expect(play(worse, { ...PATIENT, maxReplans: 1, law2Rounds: 1 }).decisions.map(endOf)[1]).toEqual(['abandon', 'replan_budget']);
  });
  it.each([1, 2, 5])('of %d allows as many directives', (maxReplans) => {
    const { decisions, state } = play(Array<Round>(maxReplans + 1).fill(stuck), { ...PATIENT, maxReplans });
    expect(decisions.filter(({ directive }) => directive === 'change_path')).toHaveLength(maxReplans);
    expect([state.directives, state.replans]).toEqual([maxReplans, maxReplans + 1]);
  });
});

describe('Law 2', () => {
  const at = (bad: number) => gapRound({ bad, count: 10 });
  it('ends after two worsening rounds in a row', () => {
    const { decisions } = play([at(4), at(6), at(8)], PATIENT);
    expect(decisions.map(endOf)).toEqual([['change_path', undefined], ['refine', undefined], ['abandon', 'law2_divergence']]);
    expect(decisions[2]?.rationale).toContain('2 rounds in a row');
  });
  it.each([['improves', at(4)], ['stands still', at(6)]])('starts counting anew when a round %s', (_, between) => {
    const { state, decisions } = play([at(4), at(6), between, at(8)], { ...PATIENT, maxReplans: 9 });
    expect(decisions.map(({ directive }) => directive)).not.toContain('abandon');
    expect(state.worseningRounds).toBe(1);
  });
  it('never beats success', () => {
    const { decisions } = play([at(1), at(3), at(5), at(5)].map((round) => ({ ...round })), { ...PATIENT, delta: 0.5 });
    expect(decisions.map(({ directive }) => directive)).toEqual(['success', 'success', 'success', 'success']);
    expect(decisions[2]?.trend).toBe('worsening');
  });
  it('counts a gradient of exactly ε', () => {
    const { decisions } = play([at(4), at(5), at(6)], { ...PATIENT, alpha: 1 });
    expect(decisions[2]?.reason).toBe('law2_divergence');
  });
  it('waits for as many rounds as it is told', () => {
    const rounds = [at(4), at(6), at(8), at(10)];
    expect(play(rounds, { ...PATIENT, maxReplans: 9, law2Rounds: 1 }).decisions[1]?.reason).toBe('law2_divergence');
    expect(play(rounds, { ...PATIENT, maxReplans: 9, law2Rounds: 3 }).decisions.map(endOf).slice(2)).toEqual([['refine', undefined], ['abandon', 'law2_divergence']]);
  });
  it('gives its own reason where Ω ≥ θ as well, and comes before a rejected plan', () => {
    expect(play([at(4), at(6), { ...at(8), elapsedMs: 900_000, planRejected: true }]).decisions[2]?.reason).toBe('law2_divergence');
  });
});

describe('a rejected plan', () => {
  it('abandons with its own reason', () => {
    expect(endOf(step(initialState(), { ...stuck, planRejected: true }).decision)).toEqual(['abandon', 'no_admissible_plan']);
    expect(step(initialState(), { ...stuck, planRejected: false }).decision.directive).toBe('change_path');
  });
  it('before any work was done takes D = 1, P = 0 and counts no round', () => {
    const { state, decision } = step(initialState(), { stage: 'gate', outcomes: [], elapsedMs: 0, planRejected: true });
    expect(decision).toMatchObject({ directive: 'abandon', reason: 'no_admissible_plan', D: 1, P: 0, Omega: 0 });
    expect(state).toEqual(initialState());
  });
  it('after some rounds takes the last D and P', () => {
    const before = play([gapRound({ bad: 2, count: 4, wrong: 1 })]);
    const { state, decision } = step(before.state, { outcomes: [], elapsedMs: 0, planRejected: true });
    expect(decision).toMatchObject({ reason: 'no_admissible_plan', D: 0.5, P: 0.5, prevDirective: 'change_path' });
    expect(state).toEqual(before.state);
  });
  it('comes after the replan budget and before Ω', () => {
    expect(step({ ...initialState(), replans: 3 }, { ...stuck, planRejected: true }).decision.reason).toBe('replan_budget');
    expect(step(initialState(), { ...stuck, planRejected: true, elapsedMs: 900_000 }).decision.reason).toBe('no_admissible_plan');
  });
});

describe("the validator's recommendation", () => {
  it('is recorded and decides nothing', () => {
    const { rationale: _, ...plain } = step(initialState(), stuck).decision;
    const { recommendation, rationale, ...advised } = step(initialState(), { ...stuck, recommendation: 'abandon' }).decision;
    expect(advised).toEqual(plain);
    expect(plain).not.toHaveProperty('recommendation');
    expect(recommendation).toBe('abandon');
    expect(rationale).toContain('The validator recommended abandon.');
  });
  it('is recorded on a stop as well', () => {
    expect(step(initialState(), { stop: 'deadline', outcomes: [], elapsedMs: 0, recommendation: 'replan' }).decision.recommendation).toBe('replan');
  });
});

describe('stops from outside', () => {
  const STOPS = ['aborted', 'deadline', 'budget_tokens', 'budget_calls', 'budget_money', 'role_failure'] as const;
  it.each(STOPS)('%s abandons, beats success and says its own reason', (stop) => {
    expect(endOf(step(initialState(), { ...small, stop }).decision)).toEqual(['abandon', stop]);
  });
  it.each(STOPS)('%s beats every other reason', (stop) => {
    const state: GgsState = { ...initialState(), replans: 9, worseningRounds: 9 };
    expect(step(state, { ...stuck, stop, planRejected: true, elapsedMs: 900_000 }).decision.reason).toBe(stop);
  });
  it('take D = 1 and P = 0 where no round came before', () => {
    expect(step(initialState(), { stop: 'aborted', outcomes: [], elapsedMs: 75_000 }).decision).toMatchObject({ D: 1, P: 0, Omega: 0.1, gradL: 0, gradGoal: 0 });
  });
  it('take D and P of the last round, count no round and change nothing', () => {
    const before = play([gapRound({ bad: 4, count: 4, wrong: 4 }), gapRound({ bad: 3, count: 4, wrong: 3 })]);
    const { state, decision } = step(before.state, { ...small, stop: 'deadline', elapsedMs: 300_000 });
    expect(decision).toMatchObject({ D: 0.75, P: 1, gradGoal: 0, trend: 'plateau', failureClass: 'logical', prevDirective: before.state.prevDirective });
    expect(decision.Omega).toBeCloseTo(0.8, 12);
    expect(decision.gradL).toBeCloseTo(decision.L - before.decisions[1]!.L, 12);
    expect(state).toEqual(before.state);
  });
  it('name no criterion and block nothing', () => {
    const { decision } = step(initialState(), { ...stuck, stop: 'aborted' });
    expect(decision).not.toHaveProperty('failedCriterion');
    expect([decision.blockedTools, decision.blockedTargets, decision.blockedPairs, decision.hints]).toEqual([[], [], [], []]);
  });
  it('of several, aborted is reported first, then deadline, the budgets, role_failure', () => {
    const shuffled: StopReason[] = ['omega', 'role_failure', 'budget_money', 'budget_calls', 'budget_tokens', 'deadline', 'aborted'];
    const order: (StopReason | undefined)[] = [];
    for (let rest = shuffled; rest.length > 0; rest = rest.filter((reason) => reason !== order.at(-1))) order.push(strongestStop(rest));
    expect(order).toEqual([...STOPS, 'omega']);
    expect(strongestStop([])).toBeUndefined();
  });
});

describe('accept', () => {
  it('has D = 0 and P = 0, counts no round and gives no reason', () => {
    const { state, decision } = accept(initialState(), { elapsedMs: 75_000 });
    expect(decision).toMatchObject({ directive: 'accept', D: 0, P: 0, Omega: 0.1, gradL: 0, gradGoal: 0, prevDirective: 'init', failureClass: 'environmental' });
    expect(decision.L).toBeCloseTo(0.04, 12);
    expect(decision).not.toHaveProperty('reason');
    expect(state).toMatchObject({ replans: 0, directives: 0 });
  });
  it('holds whatever Ω is', () => {
    expect(accept({ ...initialState(), replans: 9 }, { elapsedMs: 1e9 }).decision).toMatchObject({ directive: 'accept', Omega: 1 });
  });
  it('measures how far the last round got', () => {
    const before = play([gapRound({ bad: 4, count: 4, wrong: 4 })]);
    const { decision, state } = accept(before.state, { elapsedMs: 0 });
    expect(decision.gradGoal).toBeCloseTo(-0.6 - 0.3 * 0.8, 12);
    expect(decision).toMatchObject({ trend: 'improving', prevDirective: 'break_symmetry', urgency: 'low' });
    expect(decision.gradL).toBeCloseTo(decision.L - before.decisions[0]!.L, 12);
    expect(state).toMatchObject({ replans: 1, directives: 1, worseningRounds: 0, last: { D: 0, P: 0, L: decision.L }, prevDirective: 'break_symmetry' });
  });
});

describe('numbers that are none', () => {
  const invalidNumber = expect.objectContaining({ code: 'ARTOO_GGS_INVALID_NUMBER' });
  it.each([Number.NaN, Infinity, -1])('elapsedMs %d is refused on every path', (elapsedMs) => {
    expect(() => step(initialState(), { ...stuck, elapsedMs })).toThrow(invalidNumber);
    expect(() => step(initialState(), { ...stuck, elapsedMs, stop: 'aborted' })).toThrow(invalidNumber);
    expect(() => accept(initialState(), { elapsedMs })).toThrow(invalidNumber);
  });
  it('a state with NaN in it is refused', () => {
    expect(() => step({ ...initialState(), replans: Number.NaN }, stuck)).toThrow(invalidNumber);
    expect(() => step({ ...initialState(), last: { D: Number.NaN, P: 0, L: 0 } }, stuck)).toThrow(/^gradGoal must be/);
    expect(() => step({ ...initialState(), last: { D: 0, P: 0, L: Number.NaN } }, stuck)).toThrow(invalidNumber);
  });
});
