import type { CriterionVerdict, GradedVerdict } from '../contracts/criterion.js';
import type { GapAttempt, SubTaskOutcome } from '../contracts/messages.js';

/**
 * The verdicts of a round's subtasks, each with the number of attempts it failed on. A failed subtask that names no
 * failed criterion counts as one failed verifiable criterion: environmental, because nothing shows that the approach
 * was wrong; without a class when it was skipped and so never tried. Nothing is invented for a matched subtask.
 *
 * @example
 * import { distance, gradeOutcomes } from 'artoo/ggs';
 * const timedOut = {
 *   subtaskId: 's1', parentTaskId: 't1', status: 'failed' as const, output: null, failureReason: 'timeout',
 *   criteriaVerdicts: [], gapTrajectory: [], toolCalls: [],
 * };
 * distance(gradeOutcomes([timedOut])); // 1
 */
export function gradeOutcomes(outcomes: readonly SubTaskOutcome[]): GradedVerdict[] {
  return outcomes.flatMap((outcome) => {
    // A recorded run of another version may lack a list.
    const graded = (outcome.criteriaVerdicts ?? []).map((verdict) => grade(verdict, outcome.gapTrajectory ?? []));
    const unexplained = isFailed(outcome) && graded.every(({ verdict }) => verdict === 'pass');
    return unexplained ? [...graded, unexplainedFailure(outcome)] : graded;
  });
}

/** Everything that isn't matched has failed. */
export function isFailed(outcome: SubTaskOutcome): boolean {
  return outcome.status !== 'matched';
}

function grade(judged: CriterionVerdict, trajectory: readonly GapAttempt[]): GradedVerdict {
  const { criterion, mode, verdict, failureClass, weight, required } = judged;
  return {
    criterion,
    mode,
    verdict,
    ...(failureClass === undefined ? {} : { failureClass }),
    ...(weight === undefined ? {} : { weight }),
    ...(required === undefined ? {} : { required }),
    ...attemptsOf(judged, trajectory),
  };
}

// Attempts are told apart by their number, so that one recorded twice isn't counted twice.
function attemptsOf({ criterion, verdict }: CriterionVerdict, trajectory: readonly GapAttempt[]): { failedAttempts?: number; attempts?: number } {
  const all = new Set<number>();
  const failed = new Set<number>();
  for (const { attempt, failedCriteria } of trajectory) {
    all.add(attempt);
    if (failedCriteria.some((entry) => entry.criterion === criterion)) failed.add(attempt);
  }
  // A failure that the trajectory doesn't know of says nothing about its consistency.
  if (all.size === 0 || (verdict === 'fail' && failed.size === 0)) return {};
  return { failedAttempts: failed.size, attempts: all.size };
}

function unexplainedFailure(outcome: SubTaskOutcome): GradedVerdict {
  return {
    criterion: `The subtask completes: ${outcome.intent ?? outcome.subtaskId}`,
    mode: 'verifiable',
    verdict: 'fail',
    ...(outcome.skipped === true ? {} : { failureClass: 'environmental' }),
  };
}
