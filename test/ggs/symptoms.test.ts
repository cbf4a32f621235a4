import { describe, expect, it } from 'vitest';
import { decide, decideV07, initialState, step, type Decision, type HyperparameterOverrides, type Round, type SubTaskOutcome } from 'artoo/ggs';
import { call, failed, failedOutcome, gapRound, gate, logical, matchedOutcome, passed } from './builders.js';

/** Plays rounds until the run ends. */
function run(rounds: readonly Round[], h?: HyperparameterOverrides): Decision[] {
  const decisions: Decision[] = [];
  let state = initialState();
  for (const round of rounds) {
    const next = step(state, round, h);
    decisions.push(next.decision);
    if (next.decision.directive === 'success' || next.decision.directive === 'abandon') break;
    state = next.state;
  }
  return decisions;
}
const course = (decisions: readonly Decision[]) => decisions.map(({ directive, reason }) => (reason === undefined ? directive : `${directive}: ${reason}`));

describe('a slow task that is stuck for good', () => {
  const rounds = [1, 2, 3, 4].map((round) => gapRound({ bad: 3, count: 3 }, { elapsedMs: round * 37_500 }));
  it("is seen as a plateau under gradient 'goal'", () => {
    const decisions = run(rounds);
    expect(course(decisions)).toEqual(['change_path', 'change_path', 'change_path', 'abandon: replan_budget']);
    expect(decisions.map(({ trend }) => trend)).toEqual(['plateau', 'plateau', 'plateau', 'plateau']);
  });
  it("is refined, then killed as diverging, under the paper's letter: gradient 'total'", () => {
    const decisions = run(rounds, { gradient: 'total' });
    expect(course(decisions)).toEqual(['change_path', 'refine', 'abandon: law2_divergence']);
    expect(decisions.map(({ trend }) => trend)).toEqual(['plateau', 'worsening', 'worsening']);
  });
  it('reports the same ∇L under both: the clock alone moves it by ε', () => {
    const [goal, total] = [run(rounds), run(rounds, { gradient: 'total' })];
    expect(goal[1]?.gradL).toBeCloseTo(0.1, 12);
    expect(total[1]?.gradL).toBe(goal[1]?.gradL);
    expect([goal[1]?.gradGoal, total[1]?.gradGoal]).toEqual([0, 0]);
  });
  it("a little faster, both see the plateau", () => {
    const faster = rounds.map((round, index) => ({ ...round, elapsedMs: (index + 1) * 37_000 }));
    expect(run(faster, { gradient: 'total' })[1]?.directive).toBe('change_path');
  });
  it('real movement is still seen, however slow the rounds are', () => {
    const better = [gapRound({ bad: 10, count: 10 }, { elapsedMs: 60_000 }), gapRound({ bad: 6, count: 10 }, { elapsedMs: 120_000 })];
    expect(run(better)[1]).toMatchObject({ trend: 'improving', directive: 'refine', urgency: 'low' });
  });
});

describe('symptoms of the first implementation that must not come back', () => {
  it('a rejected merge had D = 0 and was delivered as a success', () => {
    const matched = [matchedOutcome(), matchedOutcome()];
    const rejected: Round = { stage: 'merge', outcomes: matched, taskVerdicts: [logical()], elapsedMs: 0 };
    expect(step(initialState(), rejected).decision).toMatchObject({ directive: 'break_symmetry', D: 1, P: 1 });
    expect(step(initialState(), { ...rejected, recommendation: 'abandon' }).decision.directive).toBe('break_symmetry');
  });
  it('a merge rejected because its verdicts could not be read was delivered as a success', () => {
    const round: Round = { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts: [], elapsedMs: 0 };
    expect(step(initialState(), round).decision).toMatchObject({ directive: 'change_path', D: 1 });
  });
  it('a merge rejected while all its verdicts pass is no success either', () => {
    const round: Round = { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts: [passed()], elapsedMs: 0 };
    const { decision } = step(initialState(), round);
    expect([decision.directive, decision.D]).toEqual(['change_path', 0]);
    expect(decision.rationale).toContain('rejected without naming a failed criterion');
  });
  it('a failed subtask whose verdicts all pass gave D = 0 and a success with output null', () => {
    const { decision } = step(initialState(), gate([failedOutcome({ output: null, criteriaVerdicts: [passed(), passed(), passed(), passed()] })]));
    expect([decision.directive, decision.D]).toEqual(['change_path', 0.2]);
  });
  it('a timed-out subtask without verdicts vanished from D', () => {
    const round = gate([matchedOutcome(), failedOutcome({ criteriaVerdicts: [], failureReason: 'timeout' })]);
    expect(step(initialState(), round).decision).toMatchObject({ D: 0.5, P: 0, failureClass: 'environmental', directive: 'change_path' });
  });
  it('an improving run with a wrong approach was refined', () => {
    const signal = { D: 0.6, P: 1, Omega: 0.3, gradL: -0.2 };
    expect([decideV07(signal), decide(signal)]).toEqual(['refine', 'change_approach']);
  });
  it('a tiny gap was replanned until the budget was gone', () => {
    const signal = { D: 0.2, P: 0, Omega: 0.3, gradL: 0 };
    expect([decideV07(signal), decide(signal)]).toEqual(['refine', 'success']);
  });
  it('a diverging run went on', () => {
    expect(course(run([4, 7, 10].map((bad) => gapRound({ bad, count: 10 }))))).toEqual(['change_path', 'refine', 'abandon: law2_divergence']);
  });
  it('blocked targets were never found, or forgotten after a round', () => {
    const visit = (target: string) => gate([failedOutcome({ toolCalls: [call('fetch', target)] })]);
    expect(run([visit('https://a'), visit('https://b'), visit('https://c')]).map(({ blockedTargets }) => blockedTargets)).toEqual([
      ['https://a'], ['https://a', 'https://b'], ['https://a', 'https://b', 'https://c'],
    ]);
  });
  it('a run with the same name began at round 2 with an old loss', () => {
    const rounds = [gapRound({ bad: 3, count: 4 }), gapRound({ bad: 4, count: 4 })];
    run(rounds);
    expect(run(rounds)[0]).toMatchObject({ gradL: 0, prevDirective: 'init' });
  });
  it('good work was thrown away at 211 s', () => {
    expect(step(initialState(), gapRound({ bad: 1, count: 4 }, { elapsedMs: 211_000 })).decision.directive).toBe('success');
  });
  it('kept work counts in every round, so that D falls as work gets done', () => {
    const part = (subtaskId: string, done: boolean): SubTaskOutcome => (done
      ? matchedOutcome({ subtaskId, criteriaVerdicts: [passed({ criterion: subtaskId })] })
      : failedOutcome({ subtaskId, criteriaVerdicts: [failed({ criterion: subtaskId })] }));
    const rounds = [[false, false, false, false], [true, false, false, false], [true, true, false, false], [true, true, true, false]]
      .map((done) => gate(done.map((isDone, index) => part(`part ${index}`, isDone))));
    const decisions = run(rounds, { w1: 0.1 });
    expect(decisions.map(({ D }) => D)).toEqual([1, 0.75, 0.5, 0.25]);
    expect(course(decisions)).toEqual(['change_path', 'refine', 'refine', 'success']);
  });
});
