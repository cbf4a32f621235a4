import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, tell, workspace } from './workspace.js';

/** The truth, found without any tool of the library. */
function walk(root: string, from = root): string[] {
  return readdirSync(from).sort().flatMap((name) => {
    const path = join(from, name);
    return statSync(path).isDirectory() ? walk(root, path) : [relative(root, path)];
  });
}
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const lines = (text: string): number => (text.match(/\n/g)?.length ?? 0) + (text === '' || text.endsWith('\n') ? 0 : 1);
const firstNumber = (output: unknown): number => Number(/\d+/.exec(String(output))?.[0]);

describe('each family, end to end on real files', () => {
  const root = workspace.bind(undefined, FILES);

  it('counts files', async () => {
    const folder = root();
    const { result } = await tell(folder, 'How many .ts files are in src?');
    expect([result.directive, firstNumber(result.output)]).toEqual(['accept', walk(folder).filter((path) => /^src\/.*\.ts$/.test(path)).length]);
  });
  it('counts occurrences, not lines', async () => {
    const folder = root();
    const { result } = await tell(folder, 'How many TODOs are in src?');
    const truth = walk(folder).filter((path) => path.startsWith('src/')).reduce((sum, path) => sum + read(folder, path).split('TODO').length - 1, 0);
    expect([result.directive, firstNumber(result.output)]).toEqual(['accept', truth]);
    expect(truth).toBe(3);
  });
  it('counts in any case where the words have no capital letter', async () => {
    const { result } = await tell(root(), 'How many times does todo appear in src?');
    expect(firstNumber(result.output)).toBe(4);
  });
  it('counts nothing as 0 and accepts it: the search really ran', async () => {
    const { result } = await tell(root(), 'how many files contain zebra');
    expect([result.directive, firstNumber(result.output)]).toEqual(['accept', 0]);
  });
  it('counts lines of a file, with and without a line feed at its end', async () => {
    const folder = root();
    writeFileSync(join(folder, 'open.md'), 'one\ntwo');
    for (const path of ['docs/guide.md', 'open.md', 'empty/.keep']) {
      const { result } = await tell(folder, `How many lines does "${path}" have?`);
      expect([path, result.directive, firstNumber(result.output)]).toEqual([path, 'accept', lines(read(folder, path))]);
    }
  });
  it('counts lines over files', async () => {
    const folder = root();
    const { result } = await tell(folder, 'how many lines are in all .md files');
    expect(firstNumber(result.output)).toBe(walk(folder).filter((path) => path.endsWith('.md')).reduce((sum, path) => sum + lines(read(folder, path)), 0));
  });
  it('finds files by name', async () => {
    const { result } = await tell(root(), 'find all markdown files');
    expect(String(result.output).split('\n').slice(1)).toEqual(['README.md', 'docs/guide.md', 'docs/notes.md']);
  });
  it('finds lines', async () => {
    const { result } = await tell(root(), 'find lines containing "FIXME" in src');
    expect(String(result.output).split('\n')).toEqual(['1 line in src holds "FIXME":', 'src/main.ts:2: // FIXME']);
    expect(result.ungrounded).toEqual(['1']);
  });
  it('lists a folder, only that folder', async () => {
    const { result } = await tell(root(), 'list src');
    expect(String(result.output).split('\n').slice(1)).toEqual(['src/lib/', 'src/main.ts']);
  });
  it('compares two files by length', async () => {
    const { result } = await tell(root(), 'Which is longer, README.md or docs/guide.md?');
    expect(result.output).toBe('docs/guide.md is longer than README.md: 12 lines against 7 lines.');
  });
  it('compares two files by content', async () => {
    const folder = root();
    writeFileSync(join(folder, 'copy.md'), read(folder, 'README.md'));
    expect((await tell(folder, 'are README.md and copy.md identical?')).result.output).toBe('README.md and copy.md are identical.');
    expect((await tell(folder, 'are README.md and docs/notes.md identical?')).result.output).toBe('README.md and docs/notes.md differ, first in line 1.');
  });
  it('compares two counts', async () => {
    const { result } = await tell(root(), 'which has more TODOs, src or docs?');
    expect(String(result.output).split('\n')[0]).toBe('The first is more: 3 against 0.');
  });
  it('summarises by structure: headings in code blocks are none', async () => {
    const { result } = await tell(root(), 'summarise docs/guide.md');
    expect(result.output).toBe('docs/guide.md: 12 lines, 16 words, 2 headings.\nHeadings:\n- Guide\n  - Steps\nIt begins: First read this.');
  });
  it('shows a file', async () => {
    const { result } = await tell(root(), 'show docs/notes.md');
    expect(result.output).toBe('Text of docs/notes.md:\nline one\nline two\nline three');
  });
  it('writes a report of what it found, and the file says it', async () => {
    const folder = root();
    const { result } = await tell(folder, 'Count the .ts files in src and the TODOs in src and write it to out/report.md');
    expect(result.directive).toBe('accept');
    expect(read(folder, 'out/report.md')).toBe('# Report\n\n## Count files (matching: *.ts, in: src)\n\n2 files match *.ts in src.\n\n## Count occurrences (text: TODO, in: src)\n\n3 occurrences of "TODO" in src, on 2 lines of 2 files.\n');
    expect(result.output).toContain('The report is in out/report.md.');
  });
});

describe('what does not fit into one look', () => {
  it('is counted folder by folder', async () => {
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, folder) => [`src/part${folder}/long-name-of-a-file.ts`, `// TODO ${'x'.repeat(100)}\n`.repeat(20)]));
    const { result } = await tell(workspace(files), 'How many TODOs are in src?');
    expect([result.directive, firstNumber(result.output)]).toEqual(['accept', 160]);
  });
  it('is counted by its last line where it is one long file', async () => {
    const { result } = await tell(workspace({ 'long.txt': 'a line of some length\n'.repeat(3_000) }), 'How many lines are in long.txt?');
    expect([result.directive, firstNumber(result.output)]).toEqual(['accept', 3_000]);
  });
  it('is not guessed: too many hits in one file end in an honest failure', async () => {
    const { result } = await tell(workspace({ 'src/big.ts': `// TODO ${'x'.repeat(200)}\n`.repeat(300) }), 'How many TODOs are in src?');
    expect([result.directive, result.output]).toEqual(['abandon', null]);
    expect(JSON.stringify(result.unmet)).toContain('too long');
    expect(result.nextMoves.join(' ')).toContain('Narrow the request');
  });
});

describe('parts run as they are joined', () => {
  it('"and": side by side; a report after them', async () => {
    const { events, result } = await tell(workspace(), 'list docs and list src and list empty');
    expect(events.filter((event) => event.type === 'SubTask' && event.from === 'R2').map((event) => (event.payload as { sequence: number }).sequence)).toEqual([0, 0, 0]);
    expect(result.usage.sequentialDepth).toBeLessThan(result.usage.calls);
    expect(result.usage.sequentialDepth).toBe(6);
  });
  it('the answer follows the order of the words', async () => {
    const { result } = await tell(workspace(), 'Summarise notes.md and list src');
    expect(String(result.output)).toMatch(/^docs\/notes\.md: 3 lines[\s\S]*entries in src/);
    expect(result.replans).toBe(1);
  });
});
