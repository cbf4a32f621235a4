import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArtoo } from 'artoo';
import { createMemory, slugFor, wordsOf } from 'artoo/memory';
import { ScriptedLLM } from 'artoo/testing';
import { decodeSegment, encodeSegment, keyOf, rangeOf, segmentsOf, timeSegment } from '../../src/mkct/keys.js';
import { plainLine } from '../../src/mkct/plain.js';

const SEED = 20_240_601;
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)));

describe('keys', () => {
  test('any text survives a segment, half surrogate pairs included', () => {
    fc.assert(fc.property(anyText, (text) => void expect(decodeSegment(encodeSegment(text))).toBe(text)), { seed: SEED, numRuns: 500 });
  });
  test('a segment never holds a separator, and different texts never meet', () => {
    fc.assert(fc.property(anyText, anyText, (a, b) => {
      expect(encodeSegment(a)).not.toContain('|');
      if (a !== b) expect(encodeSegment(a)).not.toBe(encodeSegment(b));
    }), { seed: SEED, numRuns: 500 });
  });
  test('a range holds the keys below its segments and no other', () => {
    fc.assert(fc.property(anyText, anyText, anyText, (space, other, id) => {
      const { gte, lt } = rangeOf('x', space);
      const within = (key: string): boolean => key >= gte && key < lt;
      expect(within(keyOf('x', space, 'e', id))).toBe(true);
      if (other !== space) expect(within(keyOf('x', other, 'e', id))).toBe(false);
      expect(segmentsOf(keyOf('x', space, other, id))).toEqual([space, other, id]);
    }), { seed: SEED, numRuns: 500 });
  });
  test('an ordinary segment is what encodeURIComponent makes of it', () => expect(keyOf('x', '/a|b', '..')).toBe('x|%2Fa%7Cb|..'));
  test('times sort like numbers and stay within their width', () => {
    const times = [-5, 0, 1, 999, 1_700_000_000_000, 8.64e15, 1e300];
    expect([...times.map(timeSegment)].sort()).toEqual(times.map(timeSegment));
    expect(new Set(times.map((time) => timeSegment(time).length)).size).toBe(1);
  });
});

describe('words', () => {
  test('endings, case, filler words and widths don’t matter', () => {
    expect(wordsOf('Counting THE Lines')).toEqual(wordsOf('count line'));
    expect(wordsOf('stopped filing')).toEqual(wordsOf('stop file'));
    expect(wordsOf('ＡＢＣ')).toEqual(wordsOf('abc'));
  });
  test('Chinese, Japanese and Korean give pairs of characters', () => {
    expect(wordsOf('统计行数')).toEqual(['统计', '计行', '行数']);
    expect(wordsOf('行')).toEqual(['行']);
    expect(wordsOf('统计 a.txt 行数')).toEqual(['统计', 'txt', '行数']);
  });
  test('a megabyte of text gives no more words than asked for', () => expect(wordsOf('word1 word2 '.repeat(100_000), 5).length).toBeLessThanOrEqual(5));
  test('text without words gives none', () => expect(wordsOf('!!! … ---')).toEqual([]));
});

describe('slugs', () => {
  test('a given name is normalised', () => {
    expect(slugFor('Count Lines!', 'x')).toBe('count_lines');
    expect(slugFor('résumé', 'x')).toBe('resume');
  });
  test('without one the intent names it', () => expect(slugFor('', 'Count the lines of a.txt')).toBe('count_the_lines_of_a_txt'));
  test('Chinese intents get names, and different ones', () => {
    expect(slugFor('', '统计行数')).toMatch(/^task_[0-9a-f]{12}$/);
    expect(slugFor('统计', '统计行数')).toBe(slugFor('', '统计行数'));
    expect(slugFor('', '统计行数')).not.toBe(slugFor('', '删除文件'));
    expect(slugFor('', '统计 a.txt')).not.toBe(slugFor('', '删除 a.txt'));
    const intents = ['统计行数', '统计字数', '删除文件', '清理日志', '行数统计', 'ファイルを数える', 'ファイルを消す', '파일 세기', '파일 삭제', 'สรุปไฟล์', 'посчитать строки', '🧮', '🗑️', '!!!', '???'];
    expect(new Set(intents.map((intent) => slugFor('', intent))).size).toBe(intents.length);
  });
  test('there is one function for it: what R1 stores a task under is what the command line asks for', async () => {
    for (const intent of ['Count the lines of a.txt', '统计行数', '统计 a.txt 的行数', 'résumé für alle']) {
      const memory = createMemory();
      const llm = new ScriptedLLM([{ role: 'R1', reply: { slug: '', intent } }, { role: 'R2', times: Infinity, reply: { taskCriteria: [], subtasks: [], infeasible: 'nothing to do' } }]);
      const artoo = createArtoo({ models: { brain: llm, tool: llm }, memory });
      await artoo.run(intent).result;
      await artoo.close();
      expect((await memory.list({ level: 'M' })).map(({ space }) => space), intent).toEqual([`intent:${slugFor('', intent)}`]);
    }
  });
  test('no name at all is as good as an empty one', () => expect([slugFor(null, 'list it'), slugFor(undefined, 'list it'), slugFor(' _ ', 'list it'), slugFor('', '')]).toEqual(['list_it', 'list_it', 'list_it', 'task']));
  test('is never empty and never long', () => {
    fc.assert(fc.property(anyText, anyText, (name, intent) => void expect(slugFor(name, intent)).toMatch(/^[a-z0-9][a-z0-9_]{0,60}$/)), { seed: SEED });
  });
});

describe('one line of plain text', () => {
  test('has no control, bidirectional or zero-width characters', () => expect(plainLine('a\u0000b\u202Ec\u200Bd\ne\u001B[31m', 100)).toBe('abcd e[31m'));
  test('is cut to its limit without halving a character', () => expect(plainLine('🙂🙂🙂', 2)).toBe('🙂…'));
});
