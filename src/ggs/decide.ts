import type { DirectiveName } from '../contracts/messages.js';
import type { MacroState } from '../contracts/names.js';
import { resolveHyperparameters, type HyperparameterOverrides, type Hyperparameters } from './hyperparameters.js';
import { exceeds, finite, reaches, unit } from './numbers.js';

/** Where the gap is going. */
export type Trend = 'improving' | 'plateau' | 'worsening';

/** What the table looks at. D, P and Ω in [0, 1]; `gradL` is any finite difference. */
export interface Signal {
  readonly D: number;
  readonly P: number;
  readonly Omega: number;
  readonly gradL: number;
}

/**
 * Reads a gradient: a plateau below ε, otherwise its sign. A gradient of exactly ε has signal; one of 0 never has,
 * not even with ε = 0. Throws ARTOO_GGS_INVALID_NUMBER.
 *
 * @example
 * import { trend } from 'artoo/ggs';
 * trend(-0.2); // 'improving'
 */
export function trend(gradL: number, h?: HyperparameterOverrides): Trend {
  return trendOf(finite('gradL', gradL), resolveHyperparameters(h));
}

/** {@link trend} on checked input. */
export function trendOf(gradL: number, { epsilon }: Hyperparameters): Trend {
  const size = Math.abs(gradL);
  if (!reaches(size, epsilon) || !exceeds(size, 0)) return 'plateau';
  return gradL < 0 ? 'improving' : 'worsening';
}

/**
 * The decision table as a cascade: can we go on (Ω), are we close enough (D), what kind of change is needed (|∇L|, P).
 * Complete and without overlap; thresholds hold with a tolerance of 1e-9. Throws ARTOO_GGS_INVALID_NUMBER for NaN,
 * infinite and out-of-range input, ARTOO_GGS_INVALID_HYPERPARAMETER for a bad `h`. Paper §5.3.
 *
 * @example
 * import { decide } from 'artoo/ggs';
 * decide({ D: 1, P: 0.8, Omega: 0.2, gradL: 0 }); // 'break_symmetry'
 */
export function decide(signal: Signal, h?: HyperparameterOverrides): MacroState {
  const parameters = resolveHyperparameters(h);
  return endOf(checkedSignal(signal), parameters) ?? actionOf(signal, parameters);
}

/** Throws ARTOO_GGS_INVALID_NUMBER unless every number of the signal is in range. */
export function checkedSignal(signal: Signal): Signal {
  return {
    D: unit('D', signal.D),
    P: unit('P', signal.P),
    Omega: unit('Omega', signal.Omega),
    gradL: finite('gradL', signal.gradL),
  };
}

/** The first two steps of the cascade; undefined when the run goes on. */
export function endOf({ D, Omega }: { readonly D: number; readonly Omega: number }, h: Hyperparameters): 'abandon' | 'success' | undefined {
  if (reaches(Omega, h.theta)) return 'abandon';
  return exceeds(D, h.delta) ? undefined : 'success';
}

/** The grid: what kind of change a run needs that goes on. */
export function actionOf({ P, gradL }: { readonly P: number; readonly gradL: number }, h: Hyperparameters): DirectiveName {
  const stuck = trendOf(gradL, h) === 'plateau';
  if (exceeds(P, h.rho)) return stuck ? 'break_symmetry' : 'change_approach';
  return stuck ? 'change_path' : 'refine';
}
