import { describe, expect, test } from 'vitest';
import { findNumbers } from '../../src/text/numbers.js';
import { findQuote } from '../../src/text/quote.js';
import { ungrounded } from '../../src/text/ungrounded.js';

describe('findQuote', () => {
  const output = 'Found 1,234 files in “/tmp/my_dir”.\nStatus:   OK — all **12 tests** passed\n{"count":3,"name":"a_b"}\nTypeError: x is not a function';
  const found = (quote: string, corpus: readonly string[] = [output]): boolean => findQuote(quote, corpus) !== undefined;

  test.each([
    'Found 1,234 files', 'found 1,234 FILES', "in '/tmp/my_dir'", 'in "/tmp/my_dir"', 'status: ok - all 12 tests passed', '`12 tests`', '**all 12 tests** passed',
    'Found … my_dir', 'Status ... passed', '…all 12 tests…', '[...] TypeError', '"count": 3', '{ "count": 3, "name": "a_b" }', '“TypeError: x is not a function”',
    'my_dir', '3', 'x', 'ＴｙｐｅＥｒｒｏｒ', '- Status: OK', '> Found 1,234 files', 'all 12\n tests', '\\"count\\":3',
  ])('finds %j', (quote) => expect(found(quote)).toBe(true));

  test.each(['', '   ', '…', '...', '"', '**', 'fo', '4', 'Found 99 files', 'passed … Found', '234', '1,23', 'a ... z', '--', 'tests failed'])('does not find %j', (quote) => expect(found(quote)).toBe(false));

  test('a short value counts only where it stands alone', () => {
    expect(found('ok', ['token'])).toBe(false);
    expect(found('5', ['0.5'])).toBe(false);
    expect(found('5', ['-5'])).toBe(false);
    expect(found('5', ['exit code 5.'])).toBe(true);
    expect(found('ok', ['ok'])).toBe(true);
    expect(found('[]', ['[]'])).toBe(true);
    expect(found('[]', ['a[] = 1'])).toBe(false);
  });

  test('a number is not found inside of a longer one', () => {
    expect(found('100', ['1000 failed'])).toBe(false);
    expect(found('100', ['100 failed'])).toBe(true);
  });

  test('a quotation must come from one text, and the text is named', () => {
    expect(found('first … second', ['the first', 'the second'])).toBe(false);
    expect(findQuote('second', ['the first', 'the second'])).toEqual({ index: 1 });
  });
});

describe('ungrounded', () => {
  const sources = ['total 1,234 files in /tmp/a/report.txt, see https://example.org/a?b=1', 'ratio 3.14159, share 0.5, rate 42 %, started 2025-03-01 at fooBar() of release 1.2.3', '{"items":[{"id":"AB-77","price":19.90}]}'];

  test.each<[unknown]>([
    ['There are 1234 files in /tmp/a/report.txt.'], ['1 234 files, or 1234.0'], ['See https://example.org/a?b=1.'], ['(https://example.org/a?b=1)'],
    ['1. First\n2. Second\n  3) Third\n- 4. fourth'], ['Step 2 was the 1st thing to do, item 7 the last'], ['π is about 3.14, the share is 50%'], ['rate: 0.42'],
    ['It calls `fooBar()` in v1.2.3 since 2025-03-01'], ['Item "AB-77" costs 19.9'], ["it's what they've said; and/or so, e.g. now"], [{ total: 1234, files: ['/tmp/a/report.txt'] }],
    ['{"total": 1234}'], ['The file report.txt'], ['Node.js and TypeScript are fine'], [null], [undefined], [''],
  ])('%j is grounded', (output) => expect(ungrounded(output, sources)).toEqual([]));

  test.each<[unknown, string[]]>([
    ['There are 99 files', ['99']], ['See https://evil.example/x.', ['https://evil.example/x']], ['Wrote /tmp/b/other.txt', ['/tmp/b/other.txt']], ['and src/other.ts too', ['src/other.ts']],
    ['It says "all is lost"', ['all is lost']], ['calls bazQux and my_func', ['bazQux', 'my_func']], ['ticket ZZ-9', ['ZZ-9']], ['3.15', ['3.15']], ['at 60%', ['60%']],
    [{ total: 7, name: 'other_name' }, ['7', 'other_name']], ['{"total": 7}', ['7']], ['99 and 99', ['99']], ['on 2024-12-31', ['2024-12-31']], ['version 2.0.0', ['2.0.0']],
  ])('%j is flagged: %j', (output, flags) => expect(ungrounded(output, sources)).toEqual(flags));

  test('flags come in the order of the text, and not without end', () => {
    expect(ungrounded('zed_a then 55 then "nowhere" then /x/y', sources)).toEqual(['zed_a', '55', 'nowhere', '/x/y']);
    expect(ungrounded(Array.from({ length: 500 }, (_, index) => `${index + 10_000}`).join(' and '), [])).toHaveLength(50);
  });

  test('a million characters are no obstacle', () => {
    expect(ungrounded('a/'.repeat(500_000), ['x'])).toEqual([]);
    expect(ungrounded('1,'.repeat(500_000), ['1']).length).toBeLessThanOrEqual(50);
  });
});

describe('findNumbers', () => {
  test.each([['1,234', ['1.234', '1234']], ['1.234,5', ['1234.5']], ['12 000', ['12000']], ["1'000", ['1000']], ['007', ['7']], ['1.50', ['1.5']], ['1,23,456', ['123456']]])('%s reads as %j', (text, forms) => expect(findNumbers(text).flatMap((number) => number.forms)).toEqual(forms));
  test('two numbers with a space are two', () => expect(findNumbers('10 20').map((number) => number.text)).toEqual(['10', '20']));
});
