import type { GradedVerdict } from '../contracts/criterion.js';
import { resolveHyperparameters, type HyperparameterOverrides, type Hyperparameters } from './hyperparameters.js';
import { finite, nonNegative, unit } from './numbers.js';

/** What the run has spent: failed rounds with the one at hand, and running time in ms. */
export interface ResourceUsage {
  readonly replans: number;
  readonly elapsedMs: number;
}

/** The three parts of the loss, each in [0, 1]. */
export interface LossParts {
  readonly D: number;
  readonly P: number;
  readonly Omega: number;
}

/**
 * D, the distance between intent and result, in [0, 1]: the weighted share of failed criteria. A failed verifiable
 * criterion counts in full, a failed plausible one by the share of attempts it failed on (in full where that is
 * unknown). 1 when there is nothing to measure: no verdicts, or none with a weight above 0.
 *
 * Throws ARTOO_GGS_INVALID_NUMBER for a weight or an attempt count that is negative or not finite. Paper §5.1.
 *
 * @example
 * import { distance } from 'artoo/ggs';
 * distance([
 *   { criterion: 'the file exists', mode: 'verifiable', verdict: 'pass' },
 *   { criterion: 'the tone is kind', mode: 'plausible', verdict: 'fail', failedAttempts: 1, attempts: 2 },
 * ]); // 0.25
 */
export function distance(verdicts: readonly GradedVerdict[]): number {
  let total = 0;
  let failed = 0;
  let heaviest = 0;
  for (const verdict of verdicts) {
    const weight = weightOf(verdict);
    total += weight;
    failed += weight * failureShare(verdict);
    heaviest = Math.max(heaviest, weight);
  }
  if (total === 0) return 1;
  if (Number.isFinite(total)) return failed / total;
  // The sum of such weights is beyond a double; their ratio isn't.
  return distance(verdicts.map((verdict) => ({ ...verdict, weight: weightOf(verdict) / heaviest })));
}

/** A verdict's importance; 1 where none is given. */
export function weightOf(verdict: GradedVerdict): number {
  return verdict.weight === undefined ? 1 : nonNegative('weight', verdict.weight);
}

// φ of the paper.
function failureShare(verdict: GradedVerdict): number {
  const { failedAttempts, attempts } = verdict;
  const failed = failedAttempts === undefined ? undefined : nonNegative('failedAttempts', failedAttempts);
  const all = attempts === undefined ? undefined : nonNegative('attempts', attempts);
  if (verdict.verdict === 'pass') return 0;
  if (verdict.mode !== 'plausible' || failed === undefined || all === undefined || all === 0) return 1;
  return Math.min(1, failed / all);
}

/**
 * P, the implausibility of the process, in [0, 1]: the share of logical failures among the failures that have a
 * class; 0 when none has one. Paper §5.1.
 *
 * @example
 * import { implausibility } from 'artoo/ggs';
 * implausibility([{ criterion: 'a', mode: 'verifiable', verdict: 'fail', failureClass: 'logical' }]); // 1
 */
export function implausibility(verdicts: readonly GradedVerdict[]): number {
  let logical = 0;
  let environmental = 0;
  for (const { verdict, failureClass } of verdicts) {
    if (verdict === 'pass') continue;
    if (failureClass === 'logical') logical += 1;
    else if (failureClass === 'environmental') environmental += 1;
  }
  return logical === 0 ? 0 : logical / (logical + environmental);
}

/**
 * Ω, the resource cost, in [0, 1]: w₁ times the share of replans used plus w₂ times the share of time used. `replans`
 * counts the failing round at hand. Throws ARTOO_GGS_INVALID_NUMBER for a negative or infinite count or time.
 *
 * @example
 * import { resourceCost } from 'artoo/ggs';
 * resourceCost({ replans: 1, elapsedMs: 75_000 }); // 0.3
 */
export function resourceCost(usage: ResourceUsage, h?: HyperparameterOverrides): number {
  return costOf(usage, resolveHyperparameters(h));
}

/** {@link resourceCost} under parameters that are checked already. */
export function costOf(usage: ResourceUsage, { w1, w2, maxReplans, timeBudgetMs }: Hyperparameters): number {
  const replans = nonNegative('replans', usage.replans);
  const elapsedMs = nonNegative('elapsedMs', usage.elapsedMs);
  // Multiplied first: a weight of 0 must give 0 even where the quotient would be infinite.
  return Math.min(1, (w1 * replans) / maxReplans + (w2 * elapsedMs) / timeBudgetMs);
}

/**
 * L = α·D + β·(1 − Ω)·P + λ·Ω, in [0, α + β + λ]. Throws ARTOO_GGS_INVALID_NUMBER for a part outside [0, 1].
 *
 * @example
 * import { loss } from 'artoo/ggs';
 * loss({ D: 1, P: 0, Omega: 0.2 }); // 0.68
 */
export function loss(parts: LossParts, h?: HyperparameterOverrides): number {
  return lossOf(parts, resolveHyperparameters(h));
}

/** {@link loss} under parameters that are checked already. */
export function lossOf(parts: LossParts, { alpha, beta, lambda }: Hyperparameters): number {
  const Omega = unit('Omega', parts.Omega);
  return alpha * unit('D', parts.D) + beta * (1 - Omega) * unit('P', parts.P) + lambda * Omega;
}

/**
 * ∇L, the difference to the loss of the round before; 0 when there was none. Throws ARTOO_GGS_INVALID_NUMBER.
 *
 * @example
 * import { gradient } from 'artoo/ggs';
 * gradient(0.5, 0.75); // -0.25: improving
 */
export function gradient(L: number, previousL?: number): number {
  const current = finite('L', L);
  return previousL === undefined ? 0 : finite('gradient', current - finite('previousL', previousL));
}

/**
 * The gradient of the goal alone: the movement of D and P, weighed at the present cost. The clock is not in it, so
 * that spending is never mistaken for direction.
 */
export function goalGradient(now: LossParts, before: { readonly D: number; readonly P: number }, h: Hyperparameters): number {
  return finite('gradGoal', h.alpha * (now.D - before.D) + h.beta * (1 - now.Omega) * (now.P - before.P));
}
