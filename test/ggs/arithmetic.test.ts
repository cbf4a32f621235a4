import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decide, DEFAULT_HYPERPARAMETERS, distance, gradient, implausibility, loss, resourceCost, trend, type GradedVerdict,
} from 'artoo/ggs';
import { anyVerdict, failed, FIXED_SEED, logical, passed } from './builders.js';

const invalidNumber = expect.objectContaining({ code: 'ARTOO_GGS_INVALID_NUMBER' });
const noNumbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '1' as never, null as never];

describe('D, the distance', () => {
  it('is 1 when there are no verdicts', () => expect(distance([])).toBe(1));
  it('is 0 when every criterion passed', () => expect(distance([passed(), passed({ weight: 7 })])).toBe(0));
  it('counts a failed verifiable criterion in full, whatever its attempts say', () => {
    expect(distance([{ ...failed(), failedAttempts: 1, attempts: 3 }, passed()])).toBe(0.5);
  });
  it('counts a failed plausible criterion as k of N', () => {
    expect(distance([{ ...failed({ mode: 'plausible' }), failedAttempts: 1, attempts: 4 }])).toBe(0.25);
  });
  it.each([
    ['both', {}], ['k', { attempts: 3 }], ['N', { failedAttempts: 1 }], ['any attempt (N = 0)', { failedAttempts: 0, attempts: 0 }],
  ])('counts a failed plausible criterion in full when %s is unknown', (_, known) => {
    expect(distance([{ ...failed({ mode: 'plausible' }), ...known }])).toBe(1);
  });
  it('never counts a criterion more than once over, even when k > N', () => {
    expect(distance([{ ...failed({ mode: 'plausible' }), failedAttempts: 9, attempts: 3 }])).toBe(1);
  });
  it('weighs by importance, default 1', () => {
    expect(distance([failed({ weight: 3 }), passed()])).toBe(0.75);
    expect(distance([failed(), passed({ weight: 3 })])).toBe(0.25);
  });
  it('ignores the attempts of a passed criterion', () => {
    expect(distance([{ ...passed({ mode: 'plausible' }), failedAttempts: 2, attempts: 3 }])).toBe(0);
  });
  it('is 1 when no verdict has weight', () => expect(distance([passed({ weight: 0 })])).toBe(1));
  it('survives weights whose sum is beyond a double', () => {
    const weight = Number.MAX_VALUE;
    expect(distance([failed({ weight }), passed({ weight }), passed({ weight }), passed({ weight })])).toBe(0.25);
  });
  it.each(['weight', 'failedAttempts', 'attempts'] as const)('refuses a %s that is no number or negative', (field) => {
    for (const value of [...noNumbers, -1]) {
      expect(() => distance([{ ...failed({ mode: 'plausible' }), [field]: value }])).toThrow(invalidNumber);
      expect(() => distance([{ ...passed(), [field]: value }])).toThrow(invalidNumber);
    }
  });
  it('lies in [0, 1] for any verdicts', () => {
    fc.assert(fc.property(fc.array(anyVerdict, { maxLength: 8 }), (verdicts) => {
      const D = distance(verdicts);
      expect(D).toBeGreaterThanOrEqual(0);
      expect(D).toBeLessThanOrEqual(1);
    }), FIXED_SEED);
  });
  it('never falls when one more criterion fails', () => {
    fc.assert(fc.property(fc.array(anyVerdict, { minLength: 1, maxLength: 8 }), fc.nat(), (verdicts, pick) => {
      const index = pick % verdicts.length;
      const before = verdicts.map((verdict, i): GradedVerdict => (i === index ? { ...verdict, verdict: 'pass' } : verdict));
      const after = before.map((verdict, i): GradedVerdict => (i === index ? { ...verdict, verdict: 'fail' } : verdict));
      expect(distance(after)).toBeGreaterThanOrEqual(distance(before));
    }), FIXED_SEED);
  });
});

describe('P, the implausibility', () => {
  it('is 0 when nothing failed', () => {
    expect(implausibility([])).toBe(0);
    expect(implausibility([passed({ failureClass: 'logical' })])).toBe(0);
  });
  it('is the share of logical failures', () => {
    expect(implausibility([logical(), failed(), failed(), failed(), passed()])).toBe(0.25);
    expect(implausibility([logical()])).toBe(1);
    expect(implausibility([failed()])).toBe(0);
  });
  it('leaves failures without a class out', () => {
    const { failureClass: _, ...unclassified } = failed();
    expect(implausibility([unclassified, logical(), failed()])).toBe(0.5);
    expect(implausibility([unclassified])).toBe(0);
  });
  it('counts criteria, not weights', () => expect(implausibility([logical({ weight: 9 }), failed()])).toBe(0.5));
  it('lies in [0, 1] for any verdicts', () => {
    fc.assert(fc.property(fc.array(anyVerdict, { maxLength: 8 }), (verdicts) => {
      const P = implausibility(verdicts);
      expect(P >= 0 && P <= 1).toBe(true);
    }), FIXED_SEED);
  });
});

describe('Ω, the resource cost', () => {
  it('is w1 of the replans plus w2 of the time', () => {
    expect(resourceCost({ replans: 1, elapsedMs: 0 })).toBeCloseTo(0.2, 12);
    expect(resourceCost({ replans: 0, elapsedMs: 150_000 })).toBeCloseTo(0.2, 12);
    expect(resourceCost({ replans: 2, elapsedMs: 75_000 })).toBeCloseTo(0.5, 12);
    expect(resourceCost({ replans: 2, elapsedMs: 500 }, { w1: 0.5, w2: 0.25, maxReplans: 4, timeBudgetMs: 1_000 })).toBe(0.375);
  });
  it('is 0 before anything was spent', () => expect(resourceCost({ replans: 0, elapsedMs: 0 })).toBe(0));
  it('is clamped to 1', () => expect(resourceCost({ replans: 99, elapsedMs: 1e308 })).toBe(1));
  it('is no NaN where a weight of 0 meets an endless quotient', () => {
    expect(resourceCost({ replans: 0, elapsedMs: 1e308 }, { w2: 0, timeBudgetMs: 1e-300 })).toBe(0);
  });
  it.each(['replans', 'elapsedMs'] as const)('refuses %s that is no number or negative', (field) => {
    for (const value of [...noNumbers, -1]) {
      expect(() => resourceCost({ replans: 0, elapsedMs: 0, [field]: value })).toThrow(invalidNumber);
    }
  });
  it('lies in [0, 1] for any usage', () => {
    const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(amount, amount, (replans, elapsedMs) => {
      const Omega = resourceCost({ replans, elapsedMs });
      expect(Omega >= 0 && Omega <= 1).toBe(true);
    }), FIXED_SEED);
  });
});

describe('L, the loss', () => {
  it('is α·D + β·(1 − Ω)·P + λ·Ω', () => {
    expect(loss({ D: 1, P: 0, Omega: 0 })).toBe(0.6);
    expect(loss({ D: 0, P: 1, Omega: 0 })).toBe(0.3);
    expect(loss({ D: 0, P: 0, Omega: 1 })).toBe(0.4);
    expect(loss({ D: 0.5, P: 0.5, Omega: 0.5 })).toBeCloseTo(0.3 + 0.075 + 0.2, 12);
    expect(loss({ D: 0.5, P: 1, Omega: 0.25 }, { alpha: 2, beta: 4, lambda: 8 })).toBe(1 + 3 + 2);
  });
  it('weighs the process less as the budget is spent, and not at all at the end', () => {
    expect(loss({ D: 0, P: 1, Omega: 1 })).toBe(loss({ D: 0, P: 0, Omega: 1 }));
  });
  it.each(['D', 'P', 'Omega'] as const)('refuses %s that is no number or outside [0, 1]', (part) => {
    for (const value of [...noNumbers, -0.01, 1.01]) {
      expect(() => loss({ D: 0, P: 0, Omega: 0, [part]: value })).toThrow(invalidNumber);
    }
  });
  it.each(['D', 'P', 'Omega'] as const)('forgives %s a rounding beyond [0, 1] and counts it as the end of the range', (part) => {
    expect(loss({ D: 0, P: 0, Omega: 0, [part]: 1 + 1e-12 })).toBe(loss({ D: 0, P: 0, Omega: 0, [part]: 1 }));
    expect(loss({ D: 0, P: 0, Omega: 0, [part]: -1e-12 })).toBe(0);
  });
  it('lies in [0, α + β + λ] for any parts', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const { alpha, beta, lambda } = DEFAULT_HYPERPARAMETERS;
    fc.assert(fc.property(share, share, share, (D, P, Omega) => {
      const L = loss({ D, P, Omega });
      expect(L >= 0 && L <= alpha + beta + lambda).toBe(true);
    }), FIXED_SEED);
  });
});

describe('∇L, the gradient', () => {
  it('is 0 on the first round', () => {
    expect(gradient(0.7)).toBe(0);
    expect(gradient(0.7, undefined)).toBe(0);
  });
  it('is the difference to the round before', () => {
    expect(gradient(0.5, 0.75)).toBe(-0.25);
    expect(gradient(0.75, 0)).toBe(0.75);
  });
  it('refuses what is no number, on either side and as their difference', () => {
    for (const value of noNumbers) {
      expect(() => gradient(value)).toThrow(invalidNumber);
      expect(() => gradient(0, value)).toThrow(invalidNumber);
    }
    expect(() => gradient(Number.MAX_VALUE, -Number.MAX_VALUE)).toThrow(invalidNumber);
  });
  it('names the number, keeps its value and says what to do', () => {
    expect(() => gradient(Number.NaN)).toThrow(expect.objectContaining({
      message: 'L must be a finite number, got NaN.', details: { name: 'L', value: Number.NaN }, hint: expect.stringContaining('Check where L comes from'),
    }));
    const named: readonly (readonly [string, () => unknown])[] = [
      ['weight', () => distance([failed({ weight: Number.NaN })])],
      ['failedAttempts', () => distance([{ ...failed(), failedAttempts: Number.NaN }])],
      ['attempts', () => distance([{ ...failed(), attempts: Number.NaN }])],
      ['elapsedMs', () => resourceCost({ replans: 0, elapsedMs: Number.NaN })],
      ['P', () => loss({ D: 0, P: Number.NaN, Omega: 0 })],
      ['Omega', () => loss({ D: 0, P: 0, Omega: Number.NaN })],
      ['previousL', () => gradient(0, Number.NaN)],
      ['gradient', () => gradient(Number.MAX_VALUE, -Number.MAX_VALUE)],
      ['gradL', () => trend(Number.NaN)],
      ...(['D', 'P', 'Omega', 'gradL'] as const).map((key) => [key, () => decide({ D: 0, P: 0, Omega: 0, gradL: 0, [key]: Number.NaN })] as const),
    ];
    for (const [name, run] of named) expect(run).toThrow(new RegExp(`^${name} must be a finite number`));
    expect(() => gradient(null as never)).toThrow(/got null/);
    expect(() => gradient('x' as never)).toThrow(/got a value of type string/);
    expect(() => resourceCost({ replans: -1, elapsedMs: 0 })).toThrow(/replans must be zero or more, got -1/);
    expect(() => loss({ D: 2, P: 0, Omega: 0 })).toThrow(/D must be between 0 and 1, got 2/);
  });
});
