import type { MacroState } from '../contracts/names.js';
import type { Trend } from './decide.js';

/** One cell of the decision table: three conditions, a trend, and the macro-state they lead to. */
export interface DecisionCell {
  /** 1 to 24, as numbered in appendix A of the paper. */
  readonly cell: number;
  readonly trend: Trend;
  readonly D: '≤ δ' | '> δ';
  readonly P: '≤ ρ' | '> ρ';
  readonly Omega: '< θ' | '≥ θ';
  readonly macroState: MacroState;
}

/**
 * The 24 cells of appendix A in its order: the table that `decide` must agree with. Written out rather than derived,
 * so that it can be read beside the paper and tested against the code. Frozen.
 *
 * @example
 * import { DECISION_TABLE } from 'artoo/ggs';
 * DECISION_TABLE[13]; // { cell: 14, trend: 'plateau', D: '> δ', P: '> ρ', Omega: '< θ', macroState: 'break_symmetry' }
 */
export const DECISION_TABLE: readonly DecisionCell[] = Object.freeze([
  cell(1, 'improving', '≤ δ', '≤ ρ', '< θ', 'success'),
  cell(2, 'improving', '≤ δ', '> ρ', '< θ', 'success'),
  cell(3, 'improving', '≤ δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(4, 'improving', '≤ δ', '> ρ', '≥ θ', 'abandon'),
  cell(5, 'improving', '> δ', '≤ ρ', '< θ', 'refine'),
  cell(6, 'improving', '> δ', '> ρ', '< θ', 'change_approach'),
  cell(7, 'improving', '> δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(8, 'improving', '> δ', '> ρ', '≥ θ', 'abandon'),
  cell(9, 'plateau', '≤ δ', '≤ ρ', '< θ', 'success'),
  cell(10, 'plateau', '≤ δ', '> ρ', '< θ', 'success'),
  cell(11, 'plateau', '≤ δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(12, 'plateau', '≤ δ', '> ρ', '≥ θ', 'abandon'),
  cell(13, 'plateau', '> δ', '≤ ρ', '< θ', 'change_path'),
  cell(14, 'plateau', '> δ', '> ρ', '< θ', 'break_symmetry'),
  cell(15, 'plateau', '> δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(16, 'plateau', '> δ', '> ρ', '≥ θ', 'abandon'),
  cell(17, 'worsening', '≤ δ', '≤ ρ', '< θ', 'success'),
  cell(18, 'worsening', '≤ δ', '> ρ', '< θ', 'success'),
  cell(19, 'worsening', '≤ δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(20, 'worsening', '≤ δ', '> ρ', '≥ θ', 'abandon'),
  cell(21, 'worsening', '> δ', '≤ ρ', '< θ', 'refine'),
  cell(22, 'worsening', '> δ', '> ρ', '< θ', 'change_approach'),
  cell(23, 'worsening', '> δ', '≤ ρ', '≥ θ', 'abandon'),
  cell(24, 'worsening', '> δ', '> ρ', '≥ θ', 'abandon'),
]);

// Positional, so that a row reads like a row of the paper's table.
function cell(
  number: number, trend: Trend, D: DecisionCell['D'], P: DecisionCell['P'], Omega: DecisionCell['Omega'], macroState: MacroState,
): DecisionCell {
  return Object.freeze({ cell: number, trend, D, P, Omega, macroState });
}
