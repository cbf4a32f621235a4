import { describe, expect, test } from 'vitest';
import { planBankruptcy, planForget, planPromotion, supportOf } from '../../src/entries/memory.js';
import { templateRule, trimRule } from '../../src/mkct/consolidate.js';
import { DAY, many, megramOf, START } from '../memory/builders.js';

const rule = (sigma: number, f = 0.95) => megramOf('rule', 'accept', { level: 'C', k: 0, sigma, f });

describe('forget', () => {
  test('M and K entries at an attention of 0.1 go; rules and laws stay', () => {
    const old = START - 50 * DAY;
    const list = [megramOf('young'), megramOf('m', 'accept', { createdAt: old }), megramOf('k', 'accept', { createdAt: old, level: 'K' }), megramOf('c', 'accept', { createdAt: old, level: 'C' }), megramOf('t', 'accept', { createdAt: old, level: 'T' })];
    expect(planForget(list, START).map(({ id }) => id)).toEqual(['m', 'k']);
  });
  test('refine is gone at the first pass', () => expect(planForget([megramOf('r', 'refine')], START)).toHaveLength(1));
  test('a recall postpones it', () => expect(planForget([megramOf('m', 'accept', { lastRecalledAt: START + 40 * DAY })], START + 50 * DAY)).toEqual([]));
});

describe('trust bankruptcy', () => {
  test('a fresh negative rule is not lost for being negative', () => expect(planBankruptcy([rule(-1)], START)).toEqual([]));
  test('support is measured along the rule’s own sign', () => {
    expect(supportOf({ f: 0.9, sigma: -1 }, -2)).toBeCloseTo(2.9);
    expect(supportOf({ f: 0.9, sigma: 1 }, -2)).toBeCloseTo(-1.1);
  });
  test('a positive rule falls when failures outweigh it', () => {
    expect(planBankruptcy([rule(1), megramOf('a', 'abandon')], START)).toEqual([]);
    const [verdict] = planBankruptcy([rule(1, 0.9), megramOf('a', 'abandon'), megramOf('b', 'abandon')], START);
    expect(verdict).toMatchObject({ kind: 'demote', id: 'rule', level: 'K', k: 0.05 });
  });
  test('its own sources and what came before it don’t count', () => {
    const evidence = [megramOf('a', 'abandon'), megramOf('b', 'abandon'), megramOf('c', 'abandon', { createdAt: START - 1 })];
    expect(planBankruptcy([rule(1), ...evidence], START, { sources: new Map([['rule', ['a', 'b']]]) })).toEqual([]);
  });
  test('other tags and untrusted entries don’t count', () => {
    const elsewhere = many(5, (index) => megramOf(`e${index}`, 'abandon', { entity: 'path:/tmp/b' }));
    const untrusted = many(5, (index) => megramOf(`u${index}`, 'abandon', { origin: { taskId: 't', integrity: 'untrusted', source: 'web' } }));
    expect(planBankruptcy([rule(1), ...elsewhere, ...untrusted], START)).toEqual([]);
  });
});

describe('promotion', () => {
  test('six accepts promote, five don’t', () => {
    expect(planPromotion(many(5, (index) => megramOf(`m${index}`)), START)).toEqual([]);
    const [operation] = planPromotion(many(6, (index) => megramOf(`m${index}`)), START);
    expect(operation).toMatchObject({ kind: 'promote', space: 'tool:grep', entity: 'path:/tmp/a', sigma: 1, f: 1 });
    expect(operation?.sources).toHaveLength(6);
  });
  test('six abandons make a rule against', () => expect(planPromotion(many(6, (index) => megramOf(`m${index}`, 'abandon')), START)[0]?.sigma).toBe(-1));
  test('attention without direction makes none', () => {
    expect(planPromotion(many(20, (index) => megramOf(`m${index}`, index % 2 ? 'accept' : 'abandon')), START)).toEqual([]);
  });
  test('entries a rule was made of, and untrusted ones, don’t count', () => {
    const list = many(6, (index) => megramOf(`m${index}`));
    expect(planPromotion(list, START, { consolidated: new Set(['m0']) })).toEqual([]);
    expect(planPromotion(many(6, (index) => megramOf(`m${index}`, 'accept', { origin: { taskId: 't', integrity: 'untrusted', source: 'web' } })), START)).toEqual([]);
  });
  test('rules themselves and other tags don’t count', () => {
    expect(planPromotion(many(6, (index) => megramOf(`m${index}`, 'accept', { level: 'C' })), START)).toEqual([]);
    expect(planPromotion(many(6, (index) => megramOf(`m${index}`, 'accept', { entity: `path:/${index}` })), START)).toEqual([]);
  });
});

describe('a rule’s text', () => {
  test('has at most two sentences, on one line', () => {
    expect(trimRule('Use v1.2 of grep.\nNever  use sed. And more!')).toBe('Use v1.2 of grep. Never use sed.');
    expect(trimRule('用 grep。不要用 sed。还有。')).toBe('用 grep。不要用 sed。');
    expect(trimRule('no end')).toBe('no end');
  });
  test('has at most 400 characters', () => expect([...trimRule('🙂'.repeat(1_000))]).toHaveLength(400));
  test('without a model says what was seen, and the strongest lesson', () => {
    const text = templateRule({ space: 'tool:grep', entity: 'path:/tmp/a' }, -1, ['Failed: no such file.\nWith: grep on /tmp/a']);
    expect(text).toBe('This has failed again and again: tool:grep (path:/tmp/a). Example: Failed: no such file; With: grep on /tmp/a');
  });
});
