import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findQuantities } from '../../src/text/quantities.js';
import { findDates, findTimes } from '../../src/text/moments.js';
import { ungrounded } from '../../src/text/index.js';

interface Case { readonly id: string; readonly half: 'tune' | 'held'; readonly output: unknown; readonly sources: readonly string[]; readonly expected: readonly string[] }

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/grounding.json', import.meta.url), 'utf8')) as { cases: readonly Case[] };
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().trim();
const matches = (one: string, other: string): boolean => fold(one).includes(fold(other)) || fold(other).includes(fold(one));

function measure(half: Case['half']): { precision: number; recall: number; wrong: string[] } {
  const sum = { flags: 0, right: 0, expected: 0, found: 0 };
  const wrong: string[] = [];
  for (const { id, output, sources, expected } of cases.filter((item) => item.half === half)) {
    const flags = ungrounded(output, sources);
    const right = flags.filter((flag) => expected.some((text) => matches(flag, text))).length;
    const found = expected.filter((text) => flags.some((flag) => matches(flag, text))).length;
    sum.flags += flags.length;
    sum.right += right;
    sum.expected += expected.length;
    sum.found += found;
    if (right < flags.length || found < expected.length) wrong.push(`${id}: ${JSON.stringify(flags)} for ${JSON.stringify(expected)}`);
  }
  return { precision: sum.right / sum.flags, recall: sum.found / sum.expected, wrong };
}

describe('the labelled set', () => {
  test('is large, a third of it holds something invented, and the id alone decided the half', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    expect(cases.filter(({ expected }) => expected.length > 0).length / cases.length).toBeGreaterThan(0.33);
    for (const { id, half } of cases) expect([id, half]).toEqual([id, createHash('sha256').update(id).digest().readUInt32BE(0) % 2 === 1 ? 'held' : 'tune']);
  });

  test('held out: of the flags at least 95 % are right, of what was invented at least 90 % is flagged', () => {
    const { precision, recall, wrong } = measure('held');
    expect({ precise: precision >= 0.95, complete: recall >= 0.9 }, wrong.join('\n')).toEqual({ precise: true, complete: true });
  });

  test('tuned on: all of it', () => expect(measure('tune').wrong).toEqual([]));
});

describe('ungrounded over whole texts', () => {
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md')).map((name) => readFileSync(`${docs}/${name}`, 'utf8'));

  test('a page is grounded in itself, paragraph by paragraph', () => {
    const paragraphs = pages.flatMap((page) => page.split(/\n\n+/).map((paragraph) => ({ paragraph, page })));
    expect(paragraphs.filter(({ paragraph, page }) => ungrounded(paragraph, [page]).length > 0)).toEqual([]);
    expect(paragraphs.length).toBeGreaterThan(100);
  });

  test('a changed digit in a long report is found', () => {
    const report = Array.from({ length: 60 }, (_, index) => `The service node_${index} answered ${index * 137 + 1_009} calls in ${index * 3 + 11}.${index % 10}7 ms.`).join('\n');
    expect(ungrounded(report, [report])).toEqual([]);
    expect(ungrounded(report.replace(' 1420 ', ' 9420 ').replace('node_41', 'node_99'), [report])).toEqual(['9420', 'node_99']);
  });

  test('a flag is never as long as the output', () => {
    const flags = ungrounded(`https://x.example/${'a'.repeat(100_000)} and key_${'b1'.repeat(50_000)}`, ['nothing']);
    expect(flags).toHaveLength(2);
    for (const flag of flags) expect(flag.length).toBeLessThanOrEqual(301);
  });

  test('nothing an output holds makes it throw', () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular['self'] = circular;
    for (const output of [circular, { deep: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown }, '\ud800', '%E0%A4%A', 'https://x/%E0%A4%A', '\u0000', Symbol('x'), () => 1, new Map([['a', 5]]), '9'.repeat(400), '1e999', '99年99月99日', '99:99', '"…"']) {
      expect(Array.isArray(ungrounded(output, ['', '%E0%A4%A', 'https://y/%']))).toBe(true);
    }
  });
});

describe('a megabyte of hostile text', () => {
  const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length));

  test.each(['7', '"', "'a", 'a/'])('%j repeated: as output, and as source', (part) => {
    const text = repeated(part, 1_000_000);
    expect(ungrounded(text, ['x y z']).length).toBeLessThanOrEqual(50);
    expect(ungrounded('Total 7 in a_b "q r" /a/b http://c at 1:02', [text]).length).toBeLessThanOrEqual(10);
  }, 60_000);

  // Quadratic work on any of these takes minutes; the limit is far above what linear work needs.
  test.each(['1,', '1.2.', '12 ', '`', '“x', '/', 'a.', '+a', 'a@', '1:', 'a-', 'a_', '1:02 ', '2025-01-02 ', 'march ', 'http://', 'https://a.b/c ', 'a()', '5% ', '1e', '1x', '1h', '1月', '数1', '| 1 ', '[', '{"a":', 'commit ', '*', '\\', '#L1', '"a…b" '])('a quarter of that of %j: as output, and as source', (part) => {
    const text = repeated(part, 250_000);
    expect(ungrounded(text, ['x y z']).length).toBeLessThanOrEqual(50);
    expect(ungrounded('Total 7 in a_b "q r" /a/b http://c at 1:02 on 2025-03-04', [text]).length).toBeLessThanOrEqual(10);
  }, 60_000);

  test('a hundred thousand claims, each looked up in as long a source', () => {
    for (const claim of [(index: number): string => `name_${index} `, (index: number): string => `${index * 7 + 1} `, (index: number): string => `a/b${index}.ts `, (index: number): string => `https://x.example/p${index} `]) {
      const text = Array.from({ length: 10_000 }, (_, index) => claim(index)).join('');
      expect(ungrounded(`“x” ${text}`, [`x ${text}`])).toEqual([]);
    }
  }, 120_000);
});

describe('what is read from a text', () => {
  test.each<[string, readonly string[]]>([
    ['2025-03-01T10:00', ['2025-3-1']], ['1 March 2025', ['2025-3-1']], ['March 1st, 2025', ['2025-3-1']], ['01.03.2025', ['2025-3-1']], ['1. März 2025', ['2025-3-1']], ['1er mars 2025', ['2025-3-1']],
    ['2025年3月1日', ['2025-3-1']], ['3/1/2025', ['2025-1-3', '2025-3-1']], ['Mar 1', ['3-1']], ['March 2025', ['2025-3']], ['you may go', []], ['march on', []], ['32.13.2025', []], ['1.2.3', []],
  ])('dates of %j: %j', (text, keys) => expect(findDates(text).flatMap((date) => date.keys)).toEqual(keys));

  test.each<[string, readonly string[]]>([['14:05', ['14:05']], ['2:05 PM', ['14:05']], ['12:30 am', ['0:30']], ['2:05', ['2:05', '14:05']], ['14.05 Uhr', ['14:05']], ['14h05', ['14:05']], ['1.5', []], ['14:05:33', ['14:05:33']]])('times of %j: %j', (text, keys) => expect(findTimes(text).flatMap((time) => time.keys)).toEqual(keys));

  test('numbers come with their places, however many follow each other', () => {
    expect(findQuantities('1 2 3 1 2 3 and 5%').map(({ text, index, percent }) => [text, index, percent])).toEqual([['1', 0, false], ['2', 2, false], ['3', 4, false], ['1', 6, false], ['2', 8, false], ['3', 10, false], ['5', 16, true]]);
  });
});
