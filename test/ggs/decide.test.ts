import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, DECISION_TABLE, decideNaive, decideV07, trend, type DecisionCell, type MacroState } from 'artoo/ggs';
import { FIXED_SEED } from './builders.js';

const invalidNumber = expect.objectContaining({ code: 'ARTOO_GGS_INVALID_NUMBER' });
const FAR = { improving: -0.5, plateau: 0, worsening: 0.5 } as const;
const NEAR = { improving: -0.1, plateau: 0.1 - 1e-6, worsening: 0.1 } as const;

/** A signal well inside a cell, and one that touches its borders. */
const inside = (cell: DecisionCell) => ({
  D: cell.D === '≤ δ' ? 0.05 : 0.9, P: cell.P === '≤ ρ' ? 0.1 : 0.9, Omega: cell.Omega === '< θ' ? 0.1 : 0.95, gradL: FAR[cell.trend],
});
const atTheBorder = (cell: DecisionCell) => ({
  D: cell.D === '≤ δ' ? 0.3 : 0.3 + 1e-6, P: cell.P === '≤ ρ' ? 0.5 : 0.5 + 1e-6,
  Omega: cell.Omega === '< θ' ? 0.8 - 1e-6 : 0.8, gradL: NEAR[cell.trend],
});

describe('the 24 cells of appendix A', () => {
  it.each(DECISION_TABLE.map((cell) => [`cell ${cell.cell} → ${cell.macroState}`, cell] as const))('%s', (_, cell) => {
    expect(decide(inside(cell))).toBe(cell.macroState);
    expect(decide(atTheBorder(cell))).toBe(cell.macroState);
    expect(trend(inside(cell).gradL)).toBe(cell.trend);
    expect(trend(atTheBorder(cell).gradL)).toBe(cell.trend);
  });
  it('the states stand in the paper\'s order', () => {
    const [s, a] = ['success', 'abandon'];
    expect(DECISION_TABLE.map(({ macroState }) => macroState)).toEqual([
      s, s, a, a, 'refine', 'change_approach', a, a,
      s, s, a, a, 'change_path', 'break_symmetry', a, a,
      s, s, a, a, 'refine', 'change_approach', a, a,
    ]);
  });
  it('the conditions stand in the paper\'s order', () => {
    DECISION_TABLE.forEach((cell, index) => {
      expect(cell.cell).toBe(index + 1);
      expect(cell.trend).toBe(['improving', 'plateau', 'worsening'][Math.floor(index / 8)]);
      expect(cell.D).toBe(Math.floor(index / 4) % 2 === 0 ? '≤ δ' : '> δ');
      expect(cell.Omega).toBe(Math.floor(index / 2) % 2 === 0 ? '< θ' : '≥ θ');
      expect(cell.P).toBe(index % 2 === 0 ? '≤ ρ' : '> ρ');
    });
    expect(DECISION_TABLE).toHaveLength(24);
  });
  it('is frozen, cells included', () => {
    expect(Object.isFrozen(DECISION_TABLE) && DECISION_TABLE.every((cell) => Object.isFrozen(cell))).toBe(true);
  });
});

describe('thresholds, exactly on them and on both sides', () => {
  const base = { D: 1, P: 0, Omega: 0, gradL: 0 };
  it.each<[string, Partial<typeof base>, MacroState]>([
    ['Ω just below θ goes on', { Omega: 0.799999 }, 'change_path'],
    ['Ω = θ abandons', { Omega: 0.8 }, 'abandon'],
    ['Ω just above θ abandons', { Omega: 0.800001 }, 'abandon'],
    ['Ω = 0.6·4/3, a binary 0.7999…, abandons', { Omega: (0.6 * 4) / 3 }, 'abandon'],
    ['D just below δ succeeds', { D: 0.299999 }, 'success'],
    ['D = δ succeeds', { D: 0.3 }, 'success'],
    ['D = 0.1 + 0.2, a binary 0.3000…4, succeeds', { D: 0.1 + 0.2 }, 'success'],
    ['D just above δ goes on', { D: 0.300001 }, 'change_path'],
    ['P just below ρ is environmental', { P: 0.499999 }, 'change_path'],
    ['P = ρ is environmental', { P: 0.5 }, 'change_path'],
    ['P a rounding above ρ is environmental', { P: 0.5 + 1e-12 }, 'change_path'],
    ['P just above ρ is logical', { P: 0.500001 }, 'break_symmetry'],
    ['|∇L| just below ε is a plateau', { gradL: 0.099999 }, 'change_path'],
    ['|∇L| just below ε, improving, is a plateau', { gradL: -0.099999 }, 'change_path'],
    ['|∇L| = ε has signal', { gradL: 0.1 }, 'refine'],
    ['|∇L| = ε, improving, has signal', { gradL: -0.1 }, 'refine'],
    ['|∇L| = 0.7 − 0.6, a binary 0.0999…, has signal', { gradL: 0.7 - 0.6 }, 'refine'],
    ['|∇L| = 0.6 − 0.7 has signal', { gradL: 0.6 - 0.7 }, 'refine'],
  ])('%s', (_, change, expected) => expect(decide({ ...base, ...change })).toBe(expected));

  it('Ω comes before D, D before the grid', () => {
    expect(decide({ D: 0, P: 1, Omega: 0.8, gradL: 1 })).toBe('abandon');
    expect(decide({ D: 0, P: 1, Omega: 0.79, gradL: 1 })).toBe('success');
  });
  it('the traps are traps: plain comparison would miss them', () => {
    expect((0.6 * 4) / 3).toBeLessThan(0.8);
    expect(0.1 + 0.2).toBeGreaterThan(0.3);
    expect(0.7 - 0.6).toBeLessThan(0.1);
  });
  it.each<[string, Parameters<typeof decide>[1], MacroState]>([
    ['theta', { theta: 0.1 }, 'abandon'], ['delta', { delta: 0.9 }, 'success'], ['rho', { rho: 0.1 }, 'break_symmetry'], ['epsilon', { epsilon: 0.01 }, 'refine'],
  ])('%s can be moved', (_, h, expected) => {
    expect(decide({ D: 0.9, P: 0.2, Omega: 0.1, gradL: 0.05 })).toBe('change_path');
    expect(decide({ D: 0.9, P: 0.2, Omega: 0.1, gradL: 0.05 }, h)).toBe(expected);
  });
});

describe('trend', () => {
  it.each([[-0.2, 'improving'], [-0.1, 'improving'], [-0.05, 'plateau'], [0, 'plateau'], [0.05, 'plateau'], [0.1, 'worsening'], [0.2, 'worsening']] as const)(
    '%d is %s', (gradL, expected) => expect(trend(gradL)).toBe(expected),
  );
  it('with ε = 0 any movement has signal, no movement none', () => {
    expect([-1e-6, 0, 1e-6].map((gradL) => trend(gradL, { epsilon: 0 }))).toEqual(['improving', 'plateau', 'worsening']);
  });
  it('refuses what is no number', () => {
    for (const value of [Number.NaN, Infinity, undefined as never]) expect(() => trend(value)).toThrow(invalidNumber);
  });
});

describe('every signal', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const signals = fc.record({ D: share, P: share, Omega: share, gradL: fc.double({ min: -2, max: 2, noNaN: true }) });
  it('has exactly the state of the one cell it lies in', () => {
    fc.assert(fc.property(signals, (signal) => {
      const cells = DECISION_TABLE.filter((cell) =>
        cell.trend === trend(signal.gradL) &&
        (cell.D === '≤ δ') === signal.D <= 0.3 + 1e-9 && (cell.P === '≤ ρ') === signal.P <= 0.5 + 1e-9 &&
        (cell.Omega === '≥ θ') === signal.Omega >= 0.8 - 1e-9);
      expect(cells.map(({ macroState }) => macroState)).toEqual([decide(signal)]);
    }), FIXED_SEED);
  });
  it.each([['decide', decide], ['decideV07', decideV07], ['decideNaive', decideNaive]] as const)('%s refuses NaN, infinite and out-of-range input', (_, policy) => {
    const fine = { D: 0.5, P: 0.5, Omega: 0.5, gradL: 0 };
    for (const key of ['D', 'P', 'Omega', 'gradL'] as const) {
      for (const value of [Number.NaN, Infinity, -Infinity]) expect(() => policy({ ...fine, [key]: value })).toThrow(invalidNumber);
      if (key === 'gradL') continue;
      for (const value of [-0.1, 1.1]) expect(() => policy({ ...fine, [key]: value })).toThrow(invalidNumber);
    }
  });
});

describe('the policies kept for comparison', () => {
  const base = { D: 0.6, P: 0.9, Omega: 0.2, gradL: 0 };
  it.each<[string, Partial<typeof base>, MacroState]>([
    ['improving is refined whatever P is', { gradL: -0.2 }, 'refine'],
    ['plateau and environmental changes the path', { P: 0.5 }, 'change_path'],
    ['plateau and logical breaks symmetry', {}, 'break_symmetry'],
    ['worsening and environmental is refined', { P: 0.5, gradL: 0.2 }, 'refine'],
    ['worsening and logical changes the approach', { gradL: 0.2 }, 'change_approach'],
    ['Ω = θ abandons, even with nothing failed', { Omega: 0.8, D: 0 }, 'abandon'],
    ['D = 0 alone is success', { D: 0 }, 'success'],
    ['a tiny gap on a plateau is replanned', { D: 0.2 }, 'refine'],
    ['a gap of exactly δ is tiny', { D: 0.3 }, 'refine'],
    ['a tiny gap that worsens is replanned', { D: 0.2, gradL: 0.2 }, 'refine'],
  ])('v0.7: %s', (_, change, expected) => expect(decideV07({ ...base, ...change })).toBe(expected));

  it.each<[string, Partial<typeof base>, MacroState]>([
    ['retries whatever the gradient says', { gradL: 1 }, 'refine'],
    ['retries a tiny gap', { D: 0.01 }, 'refine'],
    ['ends in success when nothing fails', { D: 0 }, 'success'],
    ['ends in abandon when the budget is spent', { Omega: 0.8, D: 0 }, 'abandon'],
  ])('naive: %s', (_, change, expected) => expect(decideNaive({ ...base, ...change })).toBe(expected));

  it('follow the thresholds they are given', () => {
    expect(decideV07({ ...base, Omega: 0.3 }, { theta: 0.3 })).toBe('abandon');
    expect(decideV07(base, { rho: 0.95 })).toBe('change_path');
    expect(decideV07({ ...base, gradL: 0.2 }, { rho: 0.95 })).toBe('refine');
    expect(decideV07({ ...base, gradL: 0.05 }, { epsilon: 0.01 })).toBe('change_approach');
    expect(decideNaive({ ...base, Omega: 0.3 }, { theta: 0.3 })).toBe('abandon');
  });
});
