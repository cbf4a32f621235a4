import type { Criterion, CriterionInput } from '../contracts/criterion.js';

/** Fills in what a bare string leaves out: verifiable, about the world. */
export function toCriterion(input: CriterionInput): Criterion {
  if (typeof input === 'string') return { criterion: input.trim(), mode: 'verifiable', about: 'world' };
  const { criterion, mode, about, ...rest } = input;
  return { criterion: criterion.trim(), mode: mode ?? 'verifiable', about: about ?? 'world', ...rest };
}
