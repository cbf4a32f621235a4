import { trendOf, type Trend } from './decide.js';
import type { Hyperparameters } from './hyperparameters.js';
import { costOf, goalGradient, gradient, lossOf, type LossParts, type ResourceUsage } from './loss.js';
import type { GgsState } from './state.js';

/** All numbers of one round. */
export interface Measurement extends LossParts {
  readonly L: number;
  readonly gradL: number;
  readonly gradGoal: number;
  /** The one of the two gradients that decides. */
  readonly decisive: number;
  readonly trend: Trend;
}

/** Derives a round's numbers from D, P and what was spent, against the round before. */
export function measure(
  gap: { readonly D: number; readonly P: number }, usage: ResourceUsage, last: GgsState['last'], h: Hyperparameters,
): Measurement {
  const parts = { D: gap.D, P: gap.P, Omega: costOf(usage, h) };
  const L = lossOf(parts, h);
  const gradL = gradient(L, last?.L);
  const gradGoal = last === null ? 0 : goalGradient(parts, last, h);
  const decisive = h.gradient === 'goal' ? gradGoal : gradL;
  return { D: parts.D, P: parts.P, Omega: parts.Omega, L, gradL, gradGoal, decisive, trend: trendOf(decisive, h) };
}

/** What the next round is compared with. */
export function lastOf({ D, P, L }: Measurement): NonNullable<GgsState['last']> {
  return { D, P, L };
}
