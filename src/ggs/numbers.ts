import { ArtooError } from '../contracts/errors.js';

/**
 * How far a double may miss a threshold and still count as being on it. 0.6·4/3 is 0.8 on paper and
 * 0.7999999999999999 in binary; without this the table would say one thing on paper and another in code.
 */
const TOLERANCE = 1e-9;

/** value ≥ threshold, as on paper. */
export function reaches(value: number, threshold: number): boolean {
  return value >= threshold - TOLERANCE;
}

/** value > threshold, as on paper. */
export function exceeds(value: number, threshold: number): boolean {
  return value > threshold + TOLERANCE;
}

/** Returns the value when it is a finite number; throws ARTOO_GGS_INVALID_NUMBER otherwise. */
export function finite(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(name, value, 'a finite number');
  return value;
}

/** Returns the value when it is finite and not negative; throws ARTOO_GGS_INVALID_NUMBER otherwise. */
export function nonNegative(name: string, value: unknown): number {
  const number = finite(name, value);
  if (number < 0) throw invalid(name, value, 'zero or more');
  return number;
}

/** Returns the value clamped to [0, 1] when it misses that range by rounding at most; throws otherwise. */
export function unit(name: string, value: unknown): number {
  const number = finite(name, value);
  if (!reaches(number, 0) || exceeds(number, 1)) throw invalid(name, value, 'between 0 and 1');
  return Math.min(1, Math.max(0, number));
}

function invalid(name: string, value: unknown, expected: string): ArtooError {
  return new ArtooError('ARTOO_GGS_INVALID_NUMBER', `${name} must be ${expected}, got ${describe(value)}.`, {
    hint: `Check where ${name} comes from: a division by zero or a missing measurement is the usual source.`,
    details: { name, value },
  });
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : `a value of type ${typeof value}`;
}
