import type { MacroState } from '../contracts/names.js';
import { checkedSignal, trendOf, type Signal } from './decide.js';
import { resolveHyperparameters, type HyperparameterOverrides } from './hyperparameters.js';
import { exceeds, reaches } from './numbers.js';

/**
 * The table of v0.7, kept for comparison: the sign of the gradient leads, an improving run is always refined, and
 * nothing but D = 0 is a success. Where that table is silent (a gap up to δ that doesn't improve) it refines. Errors as
 * `decide`.
 *
 * @example
 * import { decide, decideV07 } from 'artoo/ggs';
 * const improvingButWrong = { D: 0.6, P: 0.9, Omega: 0.2, gradL: -0.2 };
 * decideV07(improvingButWrong); // 'refine': trusts the trend
 * decide(improvingButWrong);    // 'change_approach': doesn't
 */
export function decideV07(signal: Signal, h?: HyperparameterOverrides): MacroState {
  const parameters = resolveHyperparameters(h);
  const { D, P, Omega, gradL } = checkedSignal(signal);
  if (reaches(Omega, parameters.theta)) return 'abandon';
  if (!exceeds(D, 0)) return 'success';
  const direction = trendOf(gradL, parameters);
  if (direction === 'improving' || !exceeds(D, parameters.delta)) return 'refine';
  if (direction === 'plateau') return exceeds(P, parameters.rho) ? 'break_symmetry' : 'change_path';
  return exceeds(P, parameters.rho) ? 'change_approach' : 'refine';
}

/**
 * The plain retry of v0.6, kept for comparison: no gradient and no diagnosis, the same again until nothing fails or
 * the budget is spent. `refine` stands for the retry. Errors as `decide`.
 *
 * @example
 * import { decideNaive } from 'artoo/ggs';
 * decideNaive({ D: 1, P: 1, Omega: 0.2, gradL: 0 }); // 'refine'
 */
export function decideNaive(signal: Signal, h?: HyperparameterOverrides): MacroState {
  const { theta } = resolveHyperparameters(h);
  const { D, Omega } = checkedSignal(signal);
  if (reaches(Omega, theta)) return 'abandon';
  return exceeds(D, 0) ? 'refine' : 'success';
}
