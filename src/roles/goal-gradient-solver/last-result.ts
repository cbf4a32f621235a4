import type { FinalResult, SubTaskOutcome } from '../../contracts/messages.js';
import type { StopReason } from '../../contracts/names.js';
import { initialState } from '../../ggs/state.js';
import { step } from '../../ggs/step.js';
import { buildResult } from './build-result.js';

/** The result of a run whose controller has failed: the built-in arithmetic ends it, with what had been achieved. */
export function lastResult(end: { readonly taskId: string; readonly reason: StopReason; readonly because: string; readonly outcomes: readonly SubTaskOutcome[]; readonly elapsedMs: number }): FinalResult {
  const { decision } = step(initialState(), { stop: end.reason, outcomes: [], elapsedMs: end.elapsedMs });
  return buildResult({
    taskId: end.taskId, spec: undefined, decision, replans: 0, round: undefined, because: end.because,
    matched: end.outcomes.filter(({ status }) => status === 'matched'), failed: end.outcomes.filter(({ status }) => status === 'failed'),
    lawEvents: [], nextMoves: ['Look into the controller that was put in place of R7.'],
  });
}
