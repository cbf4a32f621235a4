/** What one state of the controller leaves behind: salience f in [0, 1], valence sigma in [-1, 1], decay k per day. */
export interface Quantum { readonly f: number; readonly sigma: number; readonly k: number }

/** The states of the controller that leave a memory (paper §6.3). */
export type MemoryState = 'abandon' | 'accept' | 'change_approach' | 'success' | 'break_symmetry' | 'change_path' | 'refine';

/**
 * Paper §6.3, row by row: what each state leaves behind. `change_path` has no valence: the path was blocked, the tool
 * is not at fault.
 *
 * @example
 * import { QUANTIZATION } from 'artoo/memory';
 * QUANTIZATION.accept; // { f: 0.9, sigma: 1, k: 0.05 }
 */
export const QUANTIZATION: Readonly<Record<MemoryState, Quantum>> = Object.freeze({
  abandon: Object.freeze({ f: 0.95, sigma: -1, k: 0.05 }),
  accept: Object.freeze({ f: 0.9, sigma: 1, k: 0.05 }),
  change_approach: Object.freeze({ f: 0.85, sigma: -1, k: 0.05 }),
  success: Object.freeze({ f: 0.8, sigma: 1, k: 0.05 }),
  break_symmetry: Object.freeze({ f: 0.75, sigma: 1, k: 0.05 }),
  change_path: Object.freeze({ f: 0.3, sigma: 0, k: 0.2 }),
  refine: Object.freeze({ f: 0.1, sigma: 0.5, k: 0.5 }),
});

/** True for a state that {@link QUANTIZATION} has a row for. */
export function isMemoryState(state: string): state is MemoryState {
  return Object.hasOwn(QUANTIZATION, state);
}

/**
 * The row of {@link QUANTIZATION} for a state.
 *
 * @throws RangeError for a state that has none: a caller that reads states from outside asks {@link isMemoryState} first.
 * @example
 * import { quantize } from 'artoo/memory';
 * quantize('abandon'); // { f: 0.95, sigma: -1, k: 0.05 }
 */
export function quantize(state: MemoryState): Quantum {
  if (!isMemoryState(state)) throw new RangeError(`No memory is written for the state ${JSON.stringify(state)}.`);
  return QUANTIZATION[state];
}
