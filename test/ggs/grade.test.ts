import { describe, expect, it } from 'vitest';
import { distance, gradeOutcomes, implausibility } from 'artoo/ggs';
import { failed, failedOutcome, logical, matchedOutcome, passed } from './builders.js';

const attempts = (...failures: string[][]) => failures.map((criteria, index) => ({
  attempt: index + 1, failedCriteria: criteria.map((criterion) => ({ criterion, failureClass: 'logical' as const })),
}));

describe('gradeOutcomes', () => {
  it('keeps what a verdict says and drops its evidence', () => {
    const verdict = logical({ criterion: 'a', mode: 'plausible', weight: 2, required: true, evidence: 'quote', by: 'model' });
    expect(gradeOutcomes([failedOutcome({ criteriaVerdicts: [verdict] })])).toEqual([
      { criterion: 'a', mode: 'plausible', verdict: 'fail', failureClass: 'logical', weight: 2, required: true },
    ]);
    const { failureClass: _, ...plain } = failed({ criterion: 'b' });
    expect(Object.keys(gradeOutcomes([failedOutcome({ criteriaVerdicts: [plain] })])[0] ?? {})).toEqual(['criterion', 'mode', 'verdict']);
  });
  it('counts k of N from the attempts, each criterion for itself', () => {
    const graded = gradeOutcomes([failedOutcome({
      criteriaVerdicts: [failed({ criterion: 'a' }), failed({ criterion: 'b' }), passed({ criterion: 'c' })],
      gapTrajectory: attempts(['a', 'c'], ['a'], ['a', 'b']),
    })]);
    expect(graded.map(({ failedAttempts, attempts: all }) => [failedAttempts, all])).toEqual([[3, 3], [1, 3], [1, 3]]);
  });
  it('counts a single attempt, and none where none was recorded', () => {
    const criteriaVerdicts = [failed({ criterion: 'a' }), passed({ criterion: 'b' })];
    expect(gradeOutcomes([failedOutcome({ criteriaVerdicts, gapTrajectory: attempts(['a']) })]).map(({ failedAttempts, attempts: all }) => [failedAttempts, all])).toEqual([[1, 1], [0, 1]]);
    expect(gradeOutcomes([failedOutcome({ criteriaVerdicts })]).some((verdict) => 'attempts' in verdict || 'failedAttempts' in verdict)).toBe(false);
  });
  it('counts an attempt that was recorded twice once', () => {
    const [first] = attempts(['a']);
    const graded = gradeOutcomes([failedOutcome({ criteriaVerdicts: [failed({ criterion: 'a' })], gapTrajectory: [first!, first!, { attempt: 2, failedCriteria: [] }] })]);
    expect(graded[0]).toMatchObject({ failedAttempts: 1, attempts: 2 });
  });
  it.each([['empty', []], ['silent about the failure', attempts(['other'])]])('leaves the attempts unknown when the trajectory is %s', (_, gapTrajectory) => {
    const graded = gradeOutcomes([failedOutcome({ criteriaVerdicts: [failed({ criterion: 'a', mode: 'plausible' })], gapTrajectory })]);
    expect(graded[0]).not.toHaveProperty('attempts');
    expect(distance(graded)).toBe(1);
  });
  it('doesn\'t mix the attempts of two subtasks with the same criterion', () => {
    const criteriaVerdicts = [failed({ criterion: 'same', mode: 'plausible' })];
    const graded = gradeOutcomes([
      failedOutcome({ criteriaVerdicts, gapTrajectory: attempts(['same'], ['same']) }),
      failedOutcome({ criteriaVerdicts, gapTrajectory: attempts([], ['same']) }),
    ]);
    expect(distance(graded)).toBe(0.75);
  });
  it('counts a subtask that died without verdicts as one failed verifiable criterion, environmental', () => {
    const graded = gradeOutcomes([failedOutcome({ criteriaVerdicts: [], failureReason: 'timeout', intent: 'read the log' })]);
    expect(graded).toEqual([{ criterion: 'The subtask completes: read the log', mode: 'verifiable', verdict: 'fail', failureClass: 'environmental' }]);
    expect(implausibility(graded)).toBe(0);
  });
  it('counts a failed subtask whose verdicts all pass as one failed criterion more', () => {
    const graded = gradeOutcomes([failedOutcome({ criteriaVerdicts: [passed()] })]);
    expect(graded.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
    expect(graded[1]?.criterion).toBe('The subtask completes: failed');
    expect(distance(graded)).toBe(0.5);
  });
  it('adds nothing where a failed subtask names its failed criterion', () => {
    expect(gradeOutcomes([failedOutcome({ criteriaVerdicts: [failed(), passed()] })])).toHaveLength(2);
  });
  it('counts skipped work in D and not in P', () => {
    const graded = gradeOutcomes([failedOutcome({ criteriaVerdicts: [], skipped: true }), failedOutcome({ criteriaVerdicts: [logical()] })]);
    expect(graded[0]).not.toHaveProperty('failureClass');
    expect([distance(graded), implausibility(graded)]).toEqual([1, 1]);
  });
  it('invents nothing for a matched subtask', () => {
    expect(gradeOutcomes([matchedOutcome({ criteriaVerdicts: [] })])).toEqual([]);
    expect(gradeOutcomes([matchedOutcome({ criteriaVerdicts: [passed()] })])).toHaveLength(1);
  });
  it('keeps a failed verdict of a matched subtask', () => {
    expect(distance(gradeOutcomes([matchedOutcome({ criteriaVerdicts: [failed()] })]))).toBe(1);
  });
  it('keeps the verdicts of kept outcomes, so that D means the same from round to round', () => {
    const kept = matchedOutcome({ criteriaVerdicts: [passed(), passed(), passed()] });
    const open = failedOutcome({ criteriaVerdicts: [failed()] });
    expect(distance(gradeOutcomes([kept, open]))).toBe(0.25);
  });
  it('reads an outcome of another version that lacks its lists', () => {
    const { criteriaVerdicts: _, gapTrajectory: __, ...bare } = failedOutcome();
    expect(distance(gradeOutcomes([bare as never]))).toBe(1);
    const { gapTrajectory: ___, ...untracked } = failedOutcome({ criteriaVerdicts: [failed({ mode: 'plausible' }), passed()] });
    expect(distance(gradeOutcomes([untracked as never]))).toBe(0.5);
  });
});
