import { describe, expect, it } from 'vitest';
import {
  accept, decide, decideNaive, decideV07, DEFAULT_HYPERPARAMETERS, initialState, loss, resolveHyperparameters, resourceCost, step, trend,
} from 'artoo/ggs';

const invalid = expect.objectContaining({ code: 'ARTOO_GGS_INVALID_HYPERPARAMETER' });
const signal = { D: 1, P: 0, Omega: 0, gradL: 0 };

describe('hyperparameters', () => {
  it('default to appendix B, frozen', () => {
    expect(DEFAULT_HYPERPARAMETERS).toEqual({
      alpha: 0.6, beta: 0.3, lambda: 0.4, w1: 0.6, w2: 0.4, epsilon: 0.1, delta: 0.3, rho: 0.5, theta: 0.8,
      timeBudgetMs: 300_000, maxReplans: 3, law2Rounds: 2, gradient: 'goal',
    });
    expect(Object.isFrozen(DEFAULT_HYPERPARAMETERS)).toBe(true);
  });
  it('are the frozen defaults themselves when none are given', () => {
    expect(resolveHyperparameters()).toBe(DEFAULT_HYPERPARAMETERS);
    expect(resolveHyperparameters(DEFAULT_HYPERPARAMETERS)).toBe(DEFAULT_HYPERPARAMETERS);
  });
  it('are laid over the defaults; undefined leaves the default', () => {
    const resolved = resolveHyperparameters({ delta: 0.1, theta: undefined, gradient: 'total' });
    expect(resolved).toEqual({ ...DEFAULT_HYPERPARAMETERS, delta: 0.1, gradient: 'total' });
    expect(Object.isFrozen(resolved)).toBe(true);
  });
  it.each(['alpha', 'beta', 'lambda', 'w1', 'w2'] as const)('weight %s: 0 to 1,000,000', (key) => {
    for (const value of [0, 1, 1e6]) expect(resolveHyperparameters({ [key]: value })[key]).toBe(value);
    for (const value of [-1e-12, 1e6 + 1, Number.NaN, Infinity, '1', null]) expect(() => resolveHyperparameters({ [key]: value })).toThrow(invalid);
  });
  it.each(['epsilon', 'delta', 'rho', 'theta'] as const)('threshold %s: 0 to 1', (key) => {
    for (const value of [0, 0.5, 1]) expect(resolveHyperparameters({ [key]: value })[key]).toBe(value);
    for (const value of [-1e-12, 1.0001, Number.NaN, Infinity, '0.5', null]) expect(() => resolveHyperparameters({ [key]: value })).toThrow(invalid);
  });
  it('timeBudgetMs: above 0 and finite', () => {
    expect(resolveHyperparameters({ timeBudgetMs: 0.5 }).timeBudgetMs).toBe(0.5);
    for (const value of [0, -1, Number.NaN, Infinity, '5']) expect(() => resolveHyperparameters({ timeBudgetMs: value as number })).toThrow(invalid);
  });
  it.each(['maxReplans', 'law2Rounds'] as const)('%s: an integer, 1 or more', (key) => {
    expect(resolveHyperparameters({ [key]: 1 })[key]).toBe(1);
    for (const value of [0, -1, 1.5, Number.NaN, Infinity, '3']) expect(() => resolveHyperparameters({ [key]: value })).toThrow(invalid);
  });
  it("gradient: 'goal' or 'total'", () => {
    expect(resolveHyperparameters({ gradient: 'goal' }).gradient).toBe('goal');
    for (const value of ['both', 1, null]) expect(() => resolveHyperparameters({ gradient: value as 'goal' })).toThrow(invalid);
  });
  it('refuse an unknown key, also an inherited name', () => {
    for (const key of ['Theta', 'abandonOmega', 'constructor', 'toString']) {
      expect(() => resolveHyperparameters({ [key]: 0.5 })).toThrow(invalid);
    }
    expect(() => resolveHyperparameters(JSON.parse('{"__proto__": {"theta": 9}}'))).toThrow(invalid);
    expect(() => resolveHyperparameters({ ['x'.repeat(1e6)]: 1 })).toThrow(/^.{0,200}$/);
  });
  it('refuse what is no object', () => {
    for (const value of [null, 3, 'theta', [], true]) expect(() => resolveHyperparameters(value as never)).toThrow(invalid);
  });
  it('say which key is wrong, what it must be, and which keys there are', () => {
    expect(() => resolveHyperparameters({ theta: 2 })).toThrow(expect.objectContaining({
      message: 'Hyperparameter theta must be between 0 and 1.', details: { key: 'theta', value: 2 }, hint: expect.stringContaining('alpha, beta'),
    }));
    expect(() => resolveHyperparameters({ tetha: 2 } as never)).toThrow(expect.objectContaining({
      message: 'There is no hyperparameter named "tetha".', details: { key: 'tetha' },
    }));
    expect(() => resolveHyperparameters({ alpha: -1 })).toThrow(/between 0 and 1,000,000/);
    expect(() => resolveHyperparameters({ timeBudgetMs: 0 })).toThrow(/a finite number above 0/);
    expect(() => resolveHyperparameters({ maxReplans: 0 })).toThrow(/an integer, 1 or more/);
    expect(() => resolveHyperparameters({ gradient: 'x' as never })).toThrow(/'goal' or 'total'/);
    expect(() => resolveHyperparameters(7 as never)).toThrow(/must be an object/);
  });
  it('are checked by every function that takes them', () => {
    const bad = { theta: Number.NaN };
    const calls = [
      () => resourceCost({ replans: 0, elapsedMs: 0 }, bad), () => loss(signal, bad), () => trend(0, bad), () => decide(signal, bad),
      () => decideV07(signal, bad), () => decideNaive(signal, bad), () => accept(initialState(), { elapsedMs: 0 }, bad),
      () => step(initialState(), { stage: 'gate', outcomes: [], elapsedMs: 0 }, bad),
      () => step(initialState(), { stop: 'aborted', outcomes: [], elapsedMs: 0 }, bad),
    ];
    for (const run of calls) expect(run).toThrow(invalid);
  });
});
