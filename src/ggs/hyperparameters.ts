import { ArtooError } from '../contracts/errors.js';

/** What the controller can be tuned with (paper, appendix B). */
export interface Hyperparameters {
  /** Weight of the distance D in the loss. 0 to 1,000,000. */
  readonly alpha: number;
  /** Weight of the implausibility P, fading as the budget is spent. 0 to 1,000,000. */
  readonly beta: number;
  /** Weight of the resource cost Ω. 0 to 1,000,000. */
  readonly lambda: number;
  /** Share of Ω that comes from replans. 0 to 1,000,000. */
  readonly w1: number;
  /** Share of Ω that comes from time. 0 to 1,000,000. */
  readonly w2: number;
  /** A gradient smaller than this is a plateau. 0 to 1. */
  readonly epsilon: number;
  /** A distance up to this is good enough. 0 to 1. */
  readonly delta: number;
  /** An implausibility above this means that the approach is wrong. 0 to 1. */
  readonly rho: number;
  /** A cost from here on ends the run. 0 to 1. */
  readonly theta: number;
  /** The time at which the second part of Ω is full, in ms. Above 0. */
  readonly timeBudgetMs: number;
  /** How many failed rounds may be answered with a new plan. An integer, 1 or more. */
  readonly maxReplans: number;
  /** So many worsening rounds in a row end the run. An integer, 1 or more. */
  readonly law2Rounds: number;
  /** Which difference `step` decides on: that of the goal at the present cost, or that of the whole loss. */
  readonly gradient: 'goal' | 'total';
}

/** Some of the hyperparameters; what is missing or undefined has its default. */
export type HyperparameterOverrides = { readonly [K in keyof Hyperparameters]?: Hyperparameters[K] | undefined };

/**
 * The defaults of appendix B, frozen.
 *
 * @example
 * import { DEFAULT_HYPERPARAMETERS } from 'artoo/ggs';
 * DEFAULT_HYPERPARAMETERS.theta; // 0.8
 */
export const DEFAULT_HYPERPARAMETERS: Hyperparameters = Object.freeze({
  alpha: 0.6,
  beta: 0.3,
  lambda: 0.4,
  w1: 0.6,
  w2: 0.4,
  epsilon: 0.1,
  delta: 0.3,
  rho: 0.5,
  theta: 0.8,
  timeBudgetMs: 300_000,
  maxReplans: 3,
  law2Rounds: 2,
  gradient: 'goal',
});

interface Rule {
  readonly holds: (value: unknown) => boolean;
  readonly expected: string;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

// The upper bound keeps every product and sum finite.
const weight: Rule = { holds: (value) => isNumber(value) && value >= 0 && value <= 1e6, expected: 'between 0 and 1,000,000' };
const threshold: Rule = { holds: (value) => isNumber(value) && value >= 0 && value <= 1, expected: 'between 0 and 1' };
const positive: Rule = { holds: (value) => isNumber(value) && value > 0, expected: 'a finite number above 0' };
const count: Rule = { holds: (value) => Number.isSafeInteger(value) && Number(value) >= 1, expected: 'an integer, 1 or more' };
const kind: Rule = { holds: (value) => value === 'goal' || value === 'total', expected: "'goal' or 'total'" };

const RULES: ReadonlyMap<string, Rule> = new Map<keyof Hyperparameters, Rule>([
  ['alpha', weight], ['beta', weight], ['lambda', weight], ['w1', weight], ['w2', weight],
  ['epsilon', threshold], ['delta', threshold], ['rho', threshold], ['theta', threshold],
  ['timeBudgetMs', positive], ['maxReplans', count], ['law2Rounds', count], ['gradient', kind],
]);

/**
 * Lays overrides over the defaults and checks them. Without overrides it returns the frozen defaults and checks
 * nothing. Throws ARTOO_GGS_INVALID_HYPERPARAMETER for an unknown key and for a value outside its range.
 *
 * @example
 * import { resolveHyperparameters } from 'artoo/ggs';
 * resolveHyperparameters({ delta: 0.2 }).theta; // 0.8
 */
export function resolveHyperparameters(overrides?: HyperparameterOverrides): Hyperparameters {
  if (overrides === undefined || overrides === DEFAULT_HYPERPARAMETERS) return DEFAULT_HYPERPARAMETERS;
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw invalid('Hyperparameters must be an object.', {});
  }
  const resolved: Record<string, unknown> = { ...DEFAULT_HYPERPARAMETERS };
  for (const [key, value] of Object.entries(overrides)) {
    const rule = RULES.get(key);
    if (rule === undefined) throw invalid(`There is no hyperparameter named ${JSON.stringify(key.slice(0, 60))}.`, { key });
    if (value === undefined) continue;
    if (!rule.holds(value)) throw invalid(`Hyperparameter ${key} must be ${rule.expected}.`, { key, value });
    resolved[key] = value;
  }
  // Every key was checked by its rule, and the defaults filled the others.
  return Object.freeze(resolved) as unknown as Hyperparameters;
}

function invalid(message: string, details: Readonly<Record<string, unknown>>): ArtooError {
  return new ArtooError('ARTOO_GGS_INVALID_HYPERPARAMETER', message, {
    hint: `The hyperparameters are: ${[...RULES.keys()].join(', ')}.`,
    details,
  });
}
