import fc from 'fast-check';
import { describe as group, expect, it } from 'vitest';
import { describe, readCanonical } from '../../src/offline/canonical.js';
import { CANNOT, readRequests } from '../../src/offline/english/read-requests.js';
import { followUp } from '../../src/offline/follow-up.js';
import type { CountRequest, OfflineRequest, Part, Place } from '../../src/offline/requests.js';

const read = (text: string): string[] => readRequests(text).map(({ part, step }) => `${step} ${describe(part)}`);

group('English is read as requests', () => {
  const asked: readonly (readonly [string, ...string[]])[] = [
    ['How many TODOs are in src?', '0 Count occurrences (text: TODO, in: src)'],
    ['please could you tell me how many TODO comments are left in src?', '0 Count occurrences (text: TODO, in: src)'],
    ['how many times does "hello world" appear in docs', '0 Count occurrences (text: hello world, case: ignored, in: docs)'],
    ['How many .ts files are in src?', '0 Count files (matching: *.ts, in: src)'],
    ['count the ts and md files in the src folder', '0 Count files (matching: *.ts, in: src)', '0 Count files (matching: *.md, in: src)'],
    ['How many files are in "my folder"', '0 Count files (matching: *, in: my folder)'],
    ['How many lines does README.md have?', '0 Count lines (in: README.md)'],
    ['count lines in all .ts files in src', '0 Count lines (matching: *.ts, in: src)'],
    ['how long is docs/notes.md', '0 Count lines (in: docs/notes.md)'],
    ['how many words are in notes.md', '0 Count words (in: notes.md)'],
    ['how many files contain TODO', '0 Count files with (text: TODO, in: .)'],
    ['how many lines in src contain "TODO"', '0 Count lines with (text: TODO, in: src)'],
    ['find all markdown files', '0 Find files (matching: *.md, in: .)'],
    ['where is README.md', '0 Find files (matching: README.md, in: .)'],
    ['find the lines containing "error" in logs/app.log', '0 Find lines (text: error, case: ignored, in: logs/app.log)'],
    ['find lines with /TODO|FIXME/ in src', '0 Find lines (pattern: "TODO|FIXME", in: src)'],
    ['search src for TODO', '0 Find lines (text: TODO, in: src)'],
    ['grep TODO in src', '0 Find lines (text: TODO, in: src)'],
    ['which files mention fetch in src', '0 Find files with (text: fetch, case: ignored, in: src)'],
    ['list the files in src', '0 List folder (in: src)'],
    ['what is in docs', '0 List folder (in: docs)'],
    ['Which is longer, a.md or b.md?', '0 Compare files (left: a.md, right: b.md, by: lines)'],
    ['are a.md and b.md identical', '0 Compare files (left: a.md, right: b.md, by: content)'],
    ['are there more .ts files or .js files in src', '0 Compare counts (left: "Count files (matching: *.ts, in: src)", right: "Count files (matching: *.js, in: src)")'],
    ['which has more TODOs, src or test', '0 Compare counts (left: "Count occurrences (text: TODO, in: src)", right: "Count occurrences (text: TODO, in: test)")'],
    ['summarise README.md', '0 Summarise file (in: README.md)'],
    ['give me a summary of docs/guide.md', '0 Summarise file (in: docs/guide.md)'],
    ['show me notes.txt', '0 Show file (in: notes.txt)'],
    ['Count the .ts files in src and write it to report.md', '0 Count files (matching: *.ts, in: src)', '1 Write report (to: report.md)'],
    ['Write a report of the TODOs in src to report.md', '0 Count occurrences (text: TODO, in: src)', '1 Write report (to: report.md)'],
    ['Write a report to r.md with the number of .ts files in src and the number of TODOs in src', '0 Count files (matching: *.ts, in: src)', '0 Count occurrences (text: TODO, in: src)', '1 Write report (to: r.md)'],
    ['List docs; count the .ts files in src and the TODOs in src, then save the results in r.md', '0 List folder (in: docs)', '0 Count files (matching: *.ts, in: src)', '0 Count occurrences (text: TODO, in: src)', '1 Write report (to: r.md)'],
    ['list docs then list docs', '0 List folder (in: docs)', '1 List folder (in: docs)'],
    ['list docs then list src', '0 List folder (in: docs)', '1 List folder (in: src)'],
  ];
  it.each(asked)('%s', (text, ...parts) => expect(read(text)).toEqual(parts));
});

group('what is outside the family is said to be', () => {
  it.each([
    'translate README.md to French', 'what is the capital of Peru', 'how many people live in Berlin', 'delete all files', 'write a poem to poem.md',
    'how many .ts files are in src in German', 'refactor src/main.ts', "what's the weather", '???', 'how many functions are in src',
  ])('%s', (text) => expect(readRequests(text).map(({ part }) => part.kind)).toEqual(['unsupported']));
  it('one part that is understood does not make the rest so', () => {
    expect(readRequests('count the ts files in src and translate README.md to French').map(({ part }) => part.kind)).toEqual(['count files', 'unsupported']);
  });
  it('more than four parts are too many', () => {
    const [only, ...more] = readRequests('list a; list b; list c; list d; list e');
    expect(more).toEqual([]);
    expect(only?.part).toMatchObject({ kind: 'unsupported', why: expect.stringContaining(CANNOT) as string });
  });
  it.each(['how many foos and ', 'list a, ', 'x. Y; '])('%j two hundred times is turned down, not read in all ways', (text) => {
    expect(readRequests(text.repeat(200).slice(0, 1_400)).map(({ part }) => part.kind)).toEqual(['unsupported']);
  });
  it('a request of 100,000 characters is turned down at once', () => {
    expect(readRequests('list '.repeat(20_000)).map(({ part }) => part.kind)).toEqual(['unsupported']);
  });
});

group('the wording of subtasks', () => {
  const text = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a, b', 'x: y', '"q"', 'a)', '(', '\\', 'TODO', 'ä b', 'a "b", c: d)'));
  const place: fc.Arbitrary<Place> = fc.record({ path: fc.constantFrom('src', 'a b', 'x, y: z', '.', 'docs/ü.md', '"'), search: fc.constantFrom('exact', 'by name'), meant: fc.option(fc.constantFrom('old.md', 'a: b'), { nil: undefined }) })
    .map(({ meant, ...rest }) => (meant === undefined ? rest : { ...rest, meant }) as Place);
  const count: fc.Arbitrary<CountRequest> = fc.oneof(
    fc.record({ kind: fc.constant('count files' as const), matching: text, in: place }),
    fc.record({ kind: fc.constantFrom('count lines' as const, 'count words' as const), in: place }),
    fc.record({ kind: fc.constant('count occurrences' as const), needle: fc.record({ text, regex: fc.boolean(), ignoreCase: fc.boolean() }), in: place }),
  );
  const part: fc.Arbitrary<Part> = fc.oneof(
    count, fc.record({ kind: fc.constant('write report' as const), to: text }), fc.record({ kind: fc.constant('compare counts' as const), left: count, right: count }),
    fc.record({ kind: fc.constant('compare files' as const), left: place, right: place, by: fc.constantFrom('lines' as const, 'content' as const) }),
    fc.record({ kind: fc.constant('unsupported' as const), words: text, why: text }),
  );
  it('gives back every request exactly as it was', () => {
    fc.assert(fc.property(part, (one) => { expect(readCanonical(describe(one))).toEqual(one); }), { numRuns: 400 });
  });
  it('no other text is taken for it', () => {
    for (const other of ['Count files', 'Count files ()', 'Count files (in: src)', 'count files (matching: *, in: src)', 'Delete files (in: src)', 'Count files (matching: *, in: src) now']) expect(readCanonical(other)).toBeUndefined();
  });
});

group('follow-ups (#7, #101: "wrong" and "in Chinese please" are no new tasks)', () => {
  const before = 'How many TODOs are in src?';
  it.each(['wrong', "that's wrong", 'No, try again.', 'again', 'once more please', 'not right'])('%s: the same request once more', (words) => expect(followUp(words, [before])).toBe(before));
  it('a modifier is the same request with that change', () => expect(followUp('in Chinese please', [before])).toBe('How many TODOs are in src, in Chinese please'));
  it('a reaction to a modified request keeps the modifier', () => expect(followUp('wrong', [before, 'in German'])).toBe('How many TODOs are in src, in German'));
  it('another place', () => expect(followUp('and in test?', [before])).toBe('Count occurrences (text: TODO, in: test)'));
  it('another kind of file', () => expect(followUp('what about the .js files?', ['how many .ts files are in src'])).toBe('Count files (matching: *.js, in: src)'));
  it('words that stand alone are a new request', () => expect(followUp('list docs', [before])).toBe('list docs'));
  it('without an earlier turn the words are all there is', () => expect(followUp('wrong', [])).toBe('wrong'));
});

it('a request knows its places whatever its kind', () => {
  const request: OfflineRequest = { kind: 'list folder', in: { path: 'src', search: 'exact' } };
  expect(describe(request)).toBe('List folder (in: src)');
});
