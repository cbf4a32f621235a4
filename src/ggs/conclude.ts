import type { StopReason } from '../contracts/names.js';
import { NOTHING_BLOCKED, type BlockedSets } from './blocked.js';
import type { Hyperparameters } from './hyperparameters.js';
import type { Measurement } from './measure.js';
import { exceeds, reaches } from './numbers.js';
import { explain } from './rationale.js';
import { frozenPairs, type Decision, type GgsState, type Round } from './state.js';

/** What was decided, before it is put into words. */
export interface Verdict {
  /** The state before the round. */
  readonly state: GgsState;
  readonly measurement: Measurement;
  readonly directive: Decision['directive'];
  readonly reason?: StopReason | undefined;
  readonly failedCriterion?: string | undefined;
  readonly recommendation?: Round['recommendation'];
  readonly blocked?: BlockedSets | undefined;
  readonly hints?: readonly string[] | undefined;
  /** Failing rounds and worsening rounds in a row, the one at hand included. */
  readonly replans: number;
  readonly worseningRounds: number;
  /** Why a gap up to δ was no success, when it wasn't. */
  readonly successRuledOut?: string | undefined;
}

/** Writes the decision out: its numbers, its class and urgency, its words. Frozen. */
export function conclude(verdict: Verdict, h: Hyperparameters): Decision {
  const { measurement, reason, failedCriterion, recommendation, blocked = NOTHING_BLOCKED } = verdict;
  // One literal, filled in place: this is on the path of every run, and copies are what costs there.
  const decision: Writable<Decision> = {
    directive: verdict.directive,
    D: measurement.D,
    P: measurement.P,
    Omega: measurement.Omega,
    L: measurement.L,
    gradL: measurement.gradL,
    gradGoal: measurement.gradGoal,
    trend: measurement.trend,
    prevDirective: verdict.state.prevDirective,
    blockedTools: Object.freeze([...blocked.blockedTools]),
    blockedTargets: Object.freeze([...blocked.blockedTargets]),
    blockedPairs: frozenPairs(blocked.blockedPairs),
    failureClass: classOf(measurement.P, h),
    urgency: urgencyOf(measurement.trend),
    hints: Object.freeze([...(verdict.hints ?? [])]),
    rationale: explain(verdict, h),
  };
  if (reason !== undefined) decision.reason = reason;
  if (failedCriterion !== undefined) decision.failedCriterion = failedCriterion;
  if (recommendation !== undefined) decision.recommendation = recommendation;
  return Object.freeze(decision);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function classOf(P: number, { rho }: Hyperparameters): Decision['failureClass'] {
  if (exceeds(P, rho)) return 'logical';
  return reaches(P, rho) ? 'mixed' : 'environmental';
}

function urgencyOf(trend: Decision['trend']): Decision['urgency'] {
  if (trend === 'plateau') return 'normal';
  return trend === 'improving' ? 'low' : 'high';
}
