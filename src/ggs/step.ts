import type { GradedVerdict } from '../contracts/criterion.js';
import type { StopReason } from '../contracts/names.js';
import { accumulate, blockedBy, traceFailures } from './blocked.js';
import { conclude } from './conclude.js';
import { actionOf, endOf } from './decide.js';
import { gradeOutcomes } from './grade.js';
import { hintsFrom } from './hints.js';
import { resolveHyperparameters, type HyperparameterOverrides, type Hyperparameters } from './hyperparameters.js';
import { distance, implausibility, weightOf } from './loss.js';
import { lastOf, measure } from './measure.js';
import { exceeds } from './numbers.js';
import { frozenState, type Decision, type GgsState, type Round } from './state.js';

/** A decision and the state to hand to the next round. Both frozen. */
export interface Step {
  readonly state: GgsState;
  readonly decision: Decision;
}

/**
 * Decides what follows a failed round, a rejected plan or a stop. A function of its arguments alone: the same input
 * gives the same output, and nothing of the input is changed.
 *
 * Stops come first, then the replan budget, Law 2 and a rejected plan, then the decision table. Every sequence of
 * rounds ends after at most `maxReplans` + 1 of them. Throws ARTOO_GGS_INVALID_NUMBER for a number that is none,
 * ARTOO_GGS_INVALID_HYPERPARAMETER for a bad `h`.
 *
 * @example
 * import { initialState, step } from 'artoo/ggs';
 * const { decision } = step(initialState(), { stage: 'gate', outcomes: [], elapsedMs: 1_000 });
 * decision.directive; // 'change_path'
 */
export function step(state: GgsState, round: Round, h?: HyperparameterOverrides): Step {
  const parameters = resolveHyperparameters(h);
  if (round.stop !== undefined) return closed(state, round, round.stop, parameters);
  const verdicts = round.stage === 'merge' ? (round.taskVerdicts ?? []) : gradeOutcomes(round.outcomes);
  // A plan that was rejected before any work leaves nothing to measure.
  if (round.planRejected === true && verdicts.length === 0) return closed(state, round, 'no_admissible_plan', parameters);
  return measured(state, round, verdicts, parameters);
}

/**
 * The path where every subtask matched and the merged result was accepted: directive `accept`, D = 0, whatever Ω is,
 * because finished work is delivered. Errors as `step`.
 *
 * @example
 * import { accept, initialState } from 'artoo/ggs';
 * accept(initialState(), { elapsedMs: 2_000 }).decision.directive; // 'accept'
 */
export function accept(state: GgsState, done: { readonly elapsedMs: number }, h?: HyperparameterOverrides): Step {
  const parameters = resolveHyperparameters(h);
  const { replans } = state;
  const measurement = measure({ D: 0, P: 0 }, { replans, elapsedMs: done.elapsedMs }, state.last, parameters);
  const decision = conclude({ state, measurement, directive: 'accept', replans, worseningRounds: 0 }, parameters);
  return { state: frozenState({ ...state, last: lastOf(measurement), worseningRounds: 0 }), decision };
}

// A failing round: it is counted, measured and decided upon.
function measured(state: GgsState, round: Round, verdicts: readonly GradedVerdict[], h: Hyperparameters): Step {
  const { elapsedMs, recommendation } = round;
  const replans = state.replans + 1;
  const failed = verdicts.filter(({ verdict }) => verdict !== 'pass');
  const gap = { D: distance(verdicts), P: implausibility(verdicts) };
  const measurement = measure(gap, { replans, elapsedMs }, state.last, h);
  const worseningRounds = measurement.trend === 'worsening' ? state.worseningRounds + 1 : 0;

  const end = endOf(measurement, h);
  const ruledOut = exceeds(gap.D, h.delta) ? undefined : successRuledOut(round, failed);
  const succeeds = end === 'success' && ruledOut === undefined;
  const reason = abandonReason({
    overBudget: replans > h.maxReplans && !succeeds,
    diverging: worseningRounds >= h.law2Rounds && !succeeds,
    planRejected: round.planRejected === true,
    costly: end === 'abandon',
  });
  const ended = succeeds || reason !== undefined;
  const action = ended ? undefined : actionOf({ P: gap.P, gradL: measurement.decisive }, h);

  const trace = traceFailures(round.outcomes);
  const soFar = accumulate(state, trace);
  const decision = conclude({
    state,
    measurement,
    directive: action ?? (reason === undefined ? 'success' : 'abandon'),
    reason,
    failedCriterion: heaviest(failed)?.criterion,
    recommendation,
    blocked: action && blockedBy(action, { trend: measurement.trend, round: trace, soFar, runTools: round.tools }),
    hints: action === 'change_path' || action === 'refine' ? hintsFrom(round.outcomes) : undefined,
    replans,
    worseningRounds,
    successRuledOut: ruledOut,
  }, h);
  const next = frozenState({
    failedTools: soFar.failedTools,
    failedPairs: soFar.failedPairs,
    replans,
    directives: state.directives + (action === undefined ? 0 : 1),
    last: lastOf(measurement),
    worseningRounds,
    prevDirective: action ?? state.prevDirective,
  });
  return { state: next, decision };
}

// An end that nothing was measured for: the last D and P stand, no round is counted.
function closed(state: GgsState, round: Round, reason: StopReason, h: Hyperparameters): Step {
  const { elapsedMs, recommendation } = round;
  const { replans, worseningRounds } = state;
  const measurement = measure(state.last ?? { D: 1, P: 0 }, { replans, elapsedMs }, state.last, h);
  const decision = conclude({ state, measurement, directive: 'abandon', reason, recommendation, replans, worseningRounds }, h);
  return { state: frozenState(state), decision };
}

function abandonReason(rules: {
  readonly overBudget: boolean; readonly diverging: boolean; readonly planRejected: boolean; readonly costly: boolean;
}): StopReason | undefined {
  if (rules.overBudget) return 'replan_budget';
  if (rules.diverging) return 'law2_divergence';
  if (rules.planRejected) return 'no_admissible_plan';
  return rules.costly ? 'omega' : undefined;
}

// Why a small gap is no success all the same.
function successRuledOut(round: Round, failed: readonly GradedVerdict[]): string | undefined {
  if (failed.some(({ required }) => required === true)) return 'A required criterion failed, so this is no success.';
  if (round.stage === 'merge' && failed.length === 0) {
    return 'The merged result was rejected without naming a failed criterion, so this is no success.';
  }
  const hasOutput = round.outcomes.some(({ status, output }) => status === 'matched' && output !== null && output !== undefined);
  return hasOutput ? undefined : 'No subtask has a result to deliver, so this is no success.';
}

function heaviest(failed: readonly GradedVerdict[]): GradedVerdict | undefined {
  return failed.reduce<GradedVerdict | undefined>(
    (best, verdict) => (best === undefined || weightOf(verdict) > weightOf(best) ? verdict : best), undefined,
  );
}
