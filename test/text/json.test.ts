import { describe, expect, test } from 'vitest';
import { extractJson } from '../../src/text/extract-json.js';
import { parseJson } from '../../src/text/parse-json.js';
import { stripThink } from '../../src/text/strip-think.js';
import { unfence } from '../../src/text/unfence.js';

describe('stripThink', () => {
  test.each([
    ['<think>plan</think>answer', 'answer'],
    ['<think>a<think>b</think>c</think>answer', 'answer'],
    ['intro <think>a<think>b</think>c</think>answer', 'intro answer'],
    ['<think>never closed', ''],
    ['answer <think>never closed', 'answer'],
    ['orphaned thought</think>answer', 'answer'],
    ['<THINKING mode="x">a</THINKING> answer', 'answer'],
    ['<think>I should avoid <think> tags</think>{"a":1}', '{"a":1}'],
    ['<think>run `ls`</think>answer', 'answer'],
    ['a <think>b</think> c <think>d</think> e', 'a  c  e'],
  ])('%j → %j', (given, expected) => expect(stripThink(given)).toBe(expected));

  test.each(['use the `<think>` tag', 'if (a < b) thinking', '<thinker>x</thinker>'])('%j stays', (given) => expect(stripThink(given)).toBe(given));
});

describe('unfence', () => {
  test.each([
    ['```json\n{"a":1}\n```', '{"a":1}'],
    ['~~~\nx\n~~~', 'x'],
    ['```json\n{"a":1}', '{"a":1}'],
    ['  ````md\n```\nx\n```\n````  ', '```\nx\n```'],
    ['see:\n```js\nx\n```', 'see:\n```js\nx\n```'],
    ['```a\n1\n```\ntext', '```a\n1\n```\ntext'],
    ['plain', 'plain'],
  ])('%j → %j', (given, expected) => expect(unfence(given)).toBe(expected));
});

describe('extractJson', () => {
  const values = (text: string, options?: Parameters<typeof extractJson>[1]): readonly unknown[] => extractJson(text, options).values;

  test.each([
    ['{"a":1}', [{ a: 1 }]],
    ['Sure! Here it is:\n```json\n{"a":1}\n```\nAnything else?', [{ a: 1 }]],
    ['[see note] the {name} is {"a":"} \\" {"} and more', [{ a: '} " {' }]],
    ['{"a":1} {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['[{"a":1}]', [{ a: 1 }]],
    ['no json', []],
    ['', []],
  ])('objects of %j', (given, expected) => expect(values(given, { want: 'object' })).toEqual(expected));

  test('any value: arrays, and a text that is a plain value', () => {
    expect(values('list: [1,2]')).toEqual([[1, 2]]);
    expect(values('true')).toEqual([true]);
    expect(values('```\n"x"\n```')).toEqual(['x']);
  });

  test.each([
    ["{a: 1, 'b': 'x',}", { a: 1, b: 'x' }],
    ['{"a": "he said "hi" ok"}', { a: 'he said "hi" ok' }],
    ['{"a": 1 /* note */}', { a: 1 }],
    ['{"a": [1, 2', { a: [1, 2] }],
    ['{"a": {"b": 1}, "c": "cut', { a: { b: 1 }, c: 'cut' }],
    ['{“a”: “b”}', { a: 'b' }],
  ])('%j is repaired and marked', (given, expected) => expect(extractJson(given, { want: 'object' })).toEqual({ values: [expected], repaired: true }));

  test('valid JSON is not marked as repaired', () => expect(extractJson('x {"a":1}').repaired).toBe(false));

  test('without repair a broken value is left out whole: no piece of it is taken for the answer', () => {
    expect(values('{"tool":"rm","input":{"path":"/"}, "note":"cut', { want: 'object', repair: false })).toEqual([]);
    expect(values('{"verdicts":[{"a":1},{"b"', { want: 'object', repair: false })).toEqual([]);
  });

  test('prototype keys vanish however they are spelled', () => {
    for (const text of ['{"__proto__":{"x":1},"a":1}', '{"\\u005f_proto__":{"x":1},"a":1}', '{"constructor":{"prototype":{"x":1}},"a":1}', 'say {"a":1, "__proto__":{"x":1},}']) {
      const [value] = values(text);
      expect(Object.keys(value as object)).toEqual(['a']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.assign({}, value as object)).not.toHaveProperty('x');
    }
    expect(parseJson('{"constructor":"Bob"}')).toEqual({ ok: true, value: { constructor: 'Bob' } });
  });

  test('brackets without end cost no more than a look, and depth is refused', () => {
    expect(values('{'.repeat(200_000))).toEqual([]);
    expect(values('{"a":'.repeat(50_000))).toEqual([]);
    expect(values(`${'['.repeat(1_000)}${']'.repeat(1_000)}`, { repair: false })).toEqual([]);
    expect(parseJson(`${'['.repeat(200)}${']'.repeat(200)}`).ok).toBe(true);
  });
});
