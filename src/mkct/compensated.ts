/** A running sum that carries what rounding took away, so that millions of small terms lose nothing that shows. */
export interface Compensated { readonly sum: number; readonly lost: number }

/** Nothing summed yet. */
export const ZERO: Compensated = Object.freeze({ sum: 0, lost: 0 });

/** Adds a term (negative to take one away). */
export function plus({ sum, lost }: Compensated, term: number): Compensated {
  const next = sum + term;
  const rest = Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
  return { sum: next, lost: lost + rest };
}

/** Multiplies the sum. */
export function times({ sum, lost }: Compensated, factor: number): Compensated {
  return { sum: sum * factor, lost: lost * factor };
}

/** The value. */
export function total({ sum, lost }: Compensated): number {
  return sum + lost;
}
