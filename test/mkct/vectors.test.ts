import { describe, expect, test } from 'vitest';
import { DAY_MS, QUANTIZATION, attentionOf, classify, collectAfterDays, potentials, quantize, type MemoryState } from '../../src/entries/memory.js';
import { megramOf, DAY, START } from '../memory/builders.js';

describe('paper §6.3: state to (f, sigma, k)', () => {
  const rows: readonly (readonly [MemoryState, number, number, number])[] = [
    ['abandon', 0.95, -1, 0.05],
    ['accept', 0.9, 1, 0.05],
    ['change_approach', 0.85, -1, 0.05],
    ['success', 0.8, 1, 0.05],
    ['break_symmetry', 0.75, 1, 0.05],
    ['change_path', 0.3, 0, 0.2],
    ['refine', 0.1, 0.5, 0.5],
  ];
  test.each(rows)('%s is (%d, %d, %d)', (state, f, sigma, k) => expect(quantize(state)).toEqual({ f, sigma, k }));
  test('the table has these rows and no other', () => expect(Object.keys(QUANTIZATION).sort()).toEqual(rows.map(([state]) => state).sort()));
  test('a state without a row is refused, whatever Object has inherited', () => {
    expect(() => quantize('constructor' as MemoryState)).toThrow(RangeError);
    expect(() => quantize('replan' as MemoryState)).toThrow(RangeError);
  });
  test('the table can’t be changed', () => expect(Object.isFrozen(QUANTIZATION) && Object.isFrozen(QUANTIZATION.accept)).toBe(true));
  test.each([[0.05, 13.863], [0.2, 3.466], [0.5, 1.386]])('k = %d halves after %d days', (k, days) => {
    const entry = { createdAt: START, lastRecalledAt: null, f: 1, k };
    expect(attentionOf(entry, START + days * DAY)).toBeCloseTo(0.5, 3);
  });
});

describe('horizons', () => {
  test('a lone accept falls under attention .5 after 11.76 days', () => {
    const accept = [megramOf('a')];
    expect(potentials(accept, START + 11.75 * DAY).action).toBe('exploit');
    expect(potentials(accept, START + 11.76 * DAY).action).toBe('ignore');
  });
  test.each([['accept', 43.94], ['abandon', 45.03], ['change_approach', 42.8], ['success', 41.59], ['break_symmetry', 40.3], ['change_path', 5.49], ['refine', 0]] as const)(
    '%s is collected after %d days', (state, days) => expect(collectAfterDays(quantize(state))).toBeCloseTo(days, 2));
  test('what never decays is never collected', () => expect(collectAfterDays({ f: 0.9, k: 0 })).toBe(Infinity));
  test('a day is a day', () => expect(DAY_MS).toBe(86_400_000));
});

describe('paper §6.4: two channels', () => {
  test('attention is Σ f·e^(−kΔt), decision Σ σ·f·e^(−kΔt), Δt in days', () => {
    const list = [megramOf('a', 'accept'), megramOf('b', 'abandon', { createdAt: START + 2 * DAY }), megramOf('c', 'refine', { createdAt: START + 4 * DAY })];
    const { attention, decision } = potentials(list, START + 5 * DAY);
    const [a, b, c] = [0.9 * Math.exp(-0.25), 0.95 * Math.exp(-0.15), 0.1 * Math.exp(-0.5)];
    expect(attention).toBeCloseTo(a + b + c, 12);
    expect(decision).toBeCloseTo(a - b + 0.5 * c, 12);
  });
  test('a clock before the entry does not amplify', () => expect(potentials([megramOf('a')], START - 1_000 * DAY).attention).toBe(0.9));
  test('a recall restarts the decay', () => {
    const recalled = megramOf('a', 'accept', { lastRecalledAt: START + 100 * DAY });
    expect(potentials([recalled], START + 100 * DAY).attention).toBe(0.9);
  });
  test('a recall before the creation changes nothing', () => {
    const odd = megramOf('a', 'accept', { lastRecalledAt: START - DAY });
    expect(potentials([odd], START).attention).toBe(0.9);
  });
  test('no entries: ignore', () => expect(potentials([], START)).toEqual({ attention: 0, decision: 0, action: 'ignore' }));
  test('a success and a failure together are caution, not silence', () => {
    expect(potentials([megramOf('a', 'accept'), megramOf('b', 'abandon')], START).action).toBe('caution');
  });
  test.each([
    [0.499, 1, 'ignore'], [0.5, 0.201, 'exploit'], [0.5, 0.2, 'caution'], [0.5, 0, 'caution'], [0.5, -0.2, 'caution'], [0.5, -0.201, 'avoid'], [0.499, -1, 'ignore'], [100, 0.2, 'caution'],
  ] as const)('attention %d, decision %d: %s', (attention, decision, action) => expect(classify({ attention, decision })).toBe(action));
});
