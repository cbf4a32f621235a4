import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import type { Tool } from '../../src/contracts/tool.js';
import { glob, grep, listFiles, openWorkspace, readFile, workspaceTools, writeFile } from '../../src/entries/tools.js';
import { effectOf } from '../../src/tools/tool-call.js';
import type { FileWorkspace } from '../../src/tools/portable/file-workspace.js';
import { call, rejection, useFolders } from './support.js';

const folder = useFolders();

function tree(files: Readonly<Record<string, string>>): string {
  const root = folder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const workspaceOf = (files: Readonly<Record<string, string>>): FileWorkspace => openWorkspace(tree(files));
const text = async (tool: Tool, input: unknown): Promise<string> => {
  const result = await call(tool, input);
  if (!result.ok) throw new Error(result.message);
  return result.text;
};
/** A workspace whose time is over after so many looks at the clock. */
const hurried = (workspace: FileWorkspace, looks: number): FileWorkspace => {
  let looked = 0;
  return { ...workspace, monotonic: () => (looked++ < looks ? 0 : 1_000_000) };
};
const SAMPLE = { 'b.md': '# b', 'a.ts': 'let a', 'src/x.ts': 'let x = 1', 'src/deep/er/y.ts': 'let y', '.hidden': 'h', 'node_modules/m/index.ts': 'let m', '.git/config': 'c', '.artoo/l': 'l' };

describe('workspaceTools', () => {
  it('gives the set bound to one folder', () => {
    const root = folder();
    expect(workspaceTools({ root }).map(({ name, workspace }) => [name, workspace?.root])).toEqual(['listFiles', 'glob', 'grep', 'readFile', 'writeFile', 'editFile', 'shell'].map((name) => [name, root]));
    expect(workspaceTools({ root, shell: false }).map(({ name }) => name)).not.toContain('shell');
  });
  it('says so when the folder does not exist', () => {
    expect(() => workspaceTools({ root: join(folder(), 'none') })).toThrow(/is no folder \(ENOENT\)/);
  });
  it('refuses paths that lead outside as a failure of the surroundings', async () => {
    for (const tool of workspaceTools({ root: folder(), shell: false })) {
      const result = await call(tool, { path: '../x', pattern: 'x', content: 'x', edits: [{ find: 'x', replace: 'y' }] });
      // An edit that nobody judged gets no further than that.
      const code = tool.name === 'editFile' ? 'ARTOO_WORKSPACE_CHANGED' : 'ARTOO_WORKSPACE_ESCAPE';
      expect([tool.name, result.ok, result.code, result.failureClass]).toEqual([tool.name, false, code, 'environmental']);
    }
  });
});

describe('listFiles', () => {
  it('lists sorted, with marks, without what is left out by default', async () => {
    const root = tree(SAMPLE);
    symlinkSync('a.ts', join(root, 'link'));
    expect(await text(listFiles({ workspace: openWorkspace(root) }), {})).toBe('.hidden\na.ts\nb.md\nlink@\nsrc/');
    expect(await text(listFiles({ workspace: openWorkspace(root) }), { depth: 2, path: 'src' })).toBe('src/deep/\nsrc/deep/er/\nsrc/x.ts');
  });
  it('shows node_modules when asked, and protected names never', async () => {
    expect(await text(listFiles({ workspace: workspaceOf(SAMPLE) }), { all: true })).toBe('.hidden\na.ts\nb.md\nnode_modules/\nsrc/');
  });
  it('finds nothing in an empty folder', async () => {
    expect(await call(listFiles({ workspace: openWorkspace(folder()) }), {})).toMatchObject({ ok: true, text: '', empty: true });
  });
  it('caps and counts what it leaves out', async () => {
    const root = folder();
    for (let n = 0; n < 1_005; n += 1) writeFileSync(join(root, `f${String(n).padStart(4, '0')}`), '');
    const lines = (await text(listFiles({ workspace: openWorkspace(root) }), {})).split('\n');
    expect([lines.length, lines[0], lines[999], lines[1_000]]).toEqual([1_001, 'f0000', 'f0999', '[5 more left out; narrow the search to see them.]']);
  });
  it('says that a folder does not exist, what is there, and which was meant', async () => {
    const result = await call(listFiles({ workspace: workspaceOf(SAMPLE) }), { path: 'scr/deep' });
    expect(result).toMatchObject({ ok: false, failureClass: 'environmental' });
    expect(result.message).toBe('The folder "scr/deep" does not exist in the workspace. The workspace holds: .hidden, a.ts, b.md, node_modules/, src/. Did you mean "src/deep"?');
  });
});

describe('glob', () => {
  it.each([
    ['**/*.ts', ['a.ts', 'src/deep/er/y.ts', 'src/x.ts']], ['*.ts', ['a.ts', 'src/deep/er/y.ts', 'src/x.ts']], ['./*.ts', ['a.ts', 'src/deep/er/y.ts', 'src/x.ts']],
    ['src/*.ts', ['src/x.ts']], ['src/**/*.ts', ['src/deep/er/y.ts', 'src/x.ts']], ['{a,b}.*', ['a.ts', 'b.md']], ['[ab].md', ['b.md']], ['?.ts', ['a.ts', 'src/deep/er/y.ts', 'src/x.ts']],
    ['**/er/**', ['src/deep/er/y.ts']], ['*.none', []], ['.*', ['.hidden']],
  ])('%s', async (pattern, expected) => {
    const result = await call(glob({ workspace: workspaceOf(SAMPLE) }), { pattern });
    expect([result.text, result.empty]).toEqual([expected.join('\n'), expected.length === 0]);
  });
  it('matches below a folder, and folders when asked', async () => {
    const tool = glob({ workspace: workspaceOf(SAMPLE) });
    expect(await text(tool, { pattern: 'deep/**/*.ts', path: 'src/' })).toBe('src/deep/er/y.ts');
    expect(await text(tool, { pattern: '**', type: 'directory' })).toBe('src/\nsrc/deep/\nsrc/deep/er/');
    expect(await text(tool, { pattern: '**/index.ts', all: true })).toBe('node_modules/m/index.ts');
  });
  it.each(['../*', '/etc/*', '~/*', 'a/../../b'])('refuses %s', async (pattern) => {
    expect(await call(glob({ workspace: workspaceOf(SAMPLE) }), { pattern })).toMatchObject({ ok: false, failureClass: 'logical' });
  });
  it('never takes forever, whatever the pattern', async () => {
    const workspace = workspaceOf({ [`${'a'.repeat(60)}b`]: '' });
    const tool = glob({ workspace, timeBoxMs: 300 });
    for (const pattern of ['+(+(a))', '*(a|a)*(a|a)*(a|a)x', '!(!(!(a)))', '{a,b}'.repeat(100)]) expect(await text(tool, { pattern })).toBe('');
    expect(await call(tool, { pattern: '*a*a*a*a*a*a*a*a*a*a*c' })).toMatchObject({ ok: false, message: expect.stringMatching(/took too long/) as string });
  });
  it('matches patterns with many stars as well as those with few', async () => {
    expect(await text(glob({ workspace: workspaceOf(SAMPLE) }), { pattern: '**/d*e*p/*/*.t*' })).toBe('src/deep/er/y.ts');
  });
  it('stops when its time is over and says so', async () => {
    const result = await call(glob({ workspace: hurried(workspaceOf(SAMPLE), 2) }), { pattern: '**/*.ts' });
    expect(result).toMatchObject({ ok: true, empty: false });
    expect(result.text).toMatch(/^a\.ts\n\[The time for this search was over: 1 folders were not looked into/);
  });
  it('goes on when a folder below vanishes or is closed to it', async () => {
    const workspace = workspaceOf(SAMPLE);
    const broken: FileWorkspace = { ...workspace, list: (path) => path === 'src/deep' ? Promise.reject(new Error('gone')) : workspace.list(path) };
    expect(await text(glob({ workspace: broken }), { pattern: '*.ts' })).toBe('a.ts\nsrc/x.ts\n[1 folders could not be read.]');
  });
});

describe('grep', () => {
  const lines = { 'a.txt': 'one\ntwo (x)\nThree\r\n', 'b/c.txt': 'two\nTWO', 'bin': 'two\0two', '.git/x': 'two' };
  it.each<[string, object, string]>([
    ['an expression', { pattern: '^t.o' }, 'a.txt:2: two (x)\nb/c.txt:1: two'],
    ['plain text without being told', { pattern: 'two' }, 'a.txt:2: two (x)\nb/c.txt:1: two'],
    ['plain text that looks like an expression', { pattern: '(x)', literal: true }, 'a.txt:2: two (x)'],
    ['either case', { pattern: 'TWO', ignoreCase: true }, 'a.txt:2: two (x)\nb/c.txt:1: two\nb/c.txt:2: TWO'],
    ['either case in an expression', { pattern: '^TW.$', ignoreCase: true }, 'b/c.txt:1: two\nb/c.txt:2: TWO'],
    ['a line ended by CR LF', { pattern: 'e$' }, 'a.txt:1: one\na.txt:3: Three'],
    ['one folder', { pattern: 'two', path: 'b' }, 'b/c.txt:1: two'], ['one file', { pattern: 'o', path: 'a.txt' }, 'a.txt:1: one\na.txt:2: two (x)'],
    ['files of a kind', { pattern: 'two', glob: 'c.*' }, 'b/c.txt:1: two'], ['files of a kind below a folder', { pattern: 'two', path: 'b', glob: './c.txt' }, 'b/c.txt:1: two'],
  ])('finds %s', async (_, input, expected) => expect(await text(grep({ workspace: workspaceOf(lines) }), input)).toBe(expected));

  it('finds nothing as an empty result', async () => {
    expect(await call(grep({ workspace: workspaceOf(lines) }), { pattern: 'needle' })).toMatchObject({ ok: true, text: '', empty: true });
  });
  it('says that a folder does not exist', async () => {
    expect((await call(grep({ workspace: workspaceOf(lines) }), { pattern: 'x', path: 'none' })).message).toMatch(/"none" does not exist/);
  });
  it('says why an expression is none', async () => {
    expect(await call(grep({ workspace: workspaceOf(lines) }), { pattern: '(' })).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringMatching(/no regular expression.*literal/) as string });
  });
  it('stops an expression that would take forever, and the caller was free meanwhile', async () => {
    const tool = grep({ workspace: workspaceOf({ 'evil.txt': `${'a'.repeat(60)}!` }), timeBoxMs: 300 });
    let turns = 0;
    const timer = setInterval(() => { turns += 1; }, 10);
    const result = await call(tool, { pattern: '^(a+)+$' });
    clearInterval(timer);
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/took too long/) as string });
    expect(turns).toBeGreaterThan(5);
  });
  it('ends when the task stops during an expression without end', async () => {
    const controller = new AbortController();
    const running = call(grep({ workspace: workspaceOf({ 'evil.txt': `${'a'.repeat(60)}!` }) }), { pattern: '^(a+)+$' }, { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
  });
  it('says which part it did not search: long lines, big files, files after its time', async () => {
    const workspace = workspaceOf({ 'a.txt': `${'x'.repeat(3_000)}end\nend`, 'big.txt': `start\n${'y'.repeat(6_000_000)}\nend` });
    expect(await text(grep({ workspace }), { pattern: 'end$' })).toBe('a.txt:2: end\n[1 files are larger than 5 MB and were searched only in their beginning.]\n[2 long lines were searched only in their first 2000 characters.]');
    expect(await text(grep({ workspace: hurried(workspace, 2) }), { pattern: 'end' })).toMatch(/^\[The time for this search was over: 2 of 2 files were not searched/);
  });
  it('caps hits, counts the rest, and shortens and cleans lines', async () => {
    const workspace = workspaceOf({ 'a.txt': 'hit\n'.repeat(700), 'b.txt': `hit \u001b[31m${'z'.repeat(1_000)}` });
    const shown = (await text(grep({ workspace }), { pattern: 'hit' })).split('\n');
    expect([shown.length, shown.at(-1)]).toEqual([501, '[201 more left out; narrow the search to see them.]']);
    const long = await text(grep({ workspace }), { pattern: 'hit', path: 'b.txt' });
    expect(long).toBe(`b.txt:1: hit ${'z'.repeat(296)} …`);
  });
});

describe('readFile', () => {
  it('gives a text as it is', async () => expect(await text(readFile({ workspace: workspaceOf({ f: 'ä\n\nb' }) }), { path: 'f' })).toBe('ä\n\nb'));
  it('gives an empty file as an empty result', async () => expect(await call(readFile({ workspace: workspaceOf({ f: '' }) }), { path: 'f' })).toMatchObject({ ok: true, text: '', empty: true }));
  it('gives head and tail of a big one, without cutting characters', async () => {
    const workspace = workspaceOf({ f: `BEGIN${'ä'.repeat(200_000)}END` });
    const shown = await text(readFile({ workspace }), { path: 'f' });
    expect(shown).toMatch(/^BEGINä+\n\[… 137864 of 400008 bytes left out; .*…\]\nä+END$/);
  });
  it.each([[{ offset: 2, limit: 2 }, '2\n3\n[up to line 3; read on with offset 4]'], [{ offset: 4 }, '4\n5'], [{ limit: 5 }, '1\n2\n3\n4\n5'], [{ offset: 5, limit: 9 }, '5']])('gives lines %j', async (range, expected) => {
    for (const end of ['', '\n']) expect(await text(readFile({ workspace: workspaceOf({ f: `1\n2\n3\n4\n5${end}` }) }), { path: 'f', ...range })).toBe(expected);
  });
  it('says how many lines there are when the range begins after them', async () => {
    expect(await call(readFile({ workspace: workspaceOf({ f: '1\n2' }) }), { path: 'f', offset: 3 })).toMatchObject({ ok: false, message: '"f" has only 2 lines.' });
  });
  it('finds a line far down a file of 1 GB without holding it', async () => {
    const root = tree({ f: `text first\n${'line\n'.repeat(200_000)}` });
    truncateSync(join(root, 'f'), 1024 ** 3);
    expect(await text(readFile({ workspace: openWorkspace(root) }), { path: 'f', offset: 150_001, limit: 1 })).toBe('line\n[up to line 150001; read on with offset 150002]');
  });
  it.each<[string, number[], RegExp]>([['a picture', [0x89, 0x50, 0x4e, 0x47, 0, 0], /^\[PNG image, 6 bytes, begins with 89 50 4e 47/], ['a PDF', [0x25, 0x50, 0x44, 0x46], /PDF document/], ['anything with NUL', [65, 0, 66], /binary file, 3 bytes/]])('describes %s', async (_, bytes, expected) => {
    const root = folder();
    writeFileSync(join(root, 'f'), Uint8Array.from(bytes));
    expect(await text(readFile({ workspace: openWorkspace(root) }), { path: 'f' })).toMatch(expected);
  });
  it('replaces bytes that are no UTF-8', async () => {
    const root = folder();
    writeFileSync(join(root, 'f'), Uint8Array.from([65, 0xff, 66]));
    expect(await text(readFile({ workspace: openWorkspace(root) }), { path: 'f' })).toBe('A\ufffdB');
  });
  it('says which file was meant, at the end', async () => {
    expect((await call(readFile({ workspace: workspaceOf(SAMPLE) }), { path: 'src/z.ts' })).message).toMatch(/The folder "src" holds: deep\/, x\.ts\. Did you mean "src\/x\.ts"\?$/);
  });
  it('says that a folder is none', async () => {
    expect(await call(readFile({ workspace: workspaceOf(SAMPLE) }), { path: 'src' })).toMatchObject({ ok: false, message: expect.stringMatching(/is a folder.*listFiles/) as string });
  });
});

describe('writeFile', () => {
  const context = { signal: new AbortController().signal, workspace: undefined };
  const judged = async (tool: Tool, input: { path: string; content: string }): Promise<string> => effectOf(tool, input, context);

  it('is a write for a new file and irreversible for an existing one', async () => {
    const tool = writeFile({ workspace: workspaceOf({ old: 'x' }) });
    expect([await judged(tool, { path: 'new', content: '' }), await judged(tool, { path: 'a/b/new', content: '' }), await judged(tool, { path: 'old', content: '' })]).toEqual(['write', 'write', 'irreversible']);
  });
  it('creates, and says what it wrote', async () => {
    const workspace = workspaceOf({});
    expect(await text(writeFile({ workspace }), { path: 'a/b.txt', content: 'ä' })).toBe('Created a/b.txt (2 bytes).');
    expect(readFileSync(join(workspace.root, 'a/b.txt'), 'utf8')).toBe('ä');
  });
  it('keeps the previous content where overwriting was allowed beforehand, and says where', async () => {
    const workspace = workspaceOf({ old: 'before' });
    const tool = writeFile({ workspace, overwrite: 'allow-with-backup' });
    expect(await judged(tool, { path: 'old', content: 'after' })).toBe('write');
    const said = await text(tool, { path: 'old', content: 'after' });
    const kept = /^Replaced old \(5 bytes\)\. The previous content is kept in (\.artoo\/backups\/old\.[0-9a-f]{16})\.$/.exec(said)?.[1];
    expect([readFileSync(join(workspace.root, kept ?? ''), 'utf8'), readFileSync(join(workspace.root, 'old'), 'utf8')]).toEqual(['before', 'after']);
  });
  it.each([['the same input', (input: object) => input], ['a copy of it', (input: object) => ({ ...input })]])('refuses when the file changed after it was judged, given %s', async (_, hand) => {
    for (const [before, between] of [['one', 'two'], [undefined, 'appeared']] as const) {
      const workspace = workspaceOf(before === undefined ? {} : { f: before });
      const tool = writeFile({ workspace });
      const input = { path: 'f', content: 'mine' };
      await judged(tool, input);
      writeFileSync(join(workspace.root, 'f'), between);
      expect(ArtooError.is(await rejection(Promise.resolve(tool.execute(hand(input) as never, { signal: context.signal, workspace: undefined, log: () => undefined, intentId: '1', taskId: 't', disclose: () => undefined }))), 'ARTOO_WORKSPACE_CHANGED')).toBe(true);
      expect(readFileSync(join(workspace.root, 'f'), 'utf8')).toBe(between);
    }
  });
  it('replaces nothing when the call was not judged at all', async () => {
    const workspace = workspaceOf({ f: 'one' });
    expect(await call(writeFile({ workspace }), { path: 'f', content: 'mine' })).toMatchObject({ ok: false, code: 'ARTOO_WORKSPACE_CHANGED' });
    expect(await workspace.readText('f')).toBe('one');
  });
  it('writes once the change was judged anew', async () => {
    const workspace = workspaceOf({ f: 'one' });
    const tool = writeFile({ workspace });
    await judged(tool, { path: 'f', content: 'mine' });
    writeFileSync(join(workspace.root, 'f'), 'two');
    await judged(tool, { path: 'f', content: 'mine' });
    expect(await text(tool, { path: 'f', content: 'mine' })).toBe('Replaced f (4 bytes).');
  });
  it('does not mix two equal calls up', async () => {
    const workspace = workspaceOf({ f: 'one' });
    const tool = writeFile({ workspace });
    const [first, second] = [{ path: 'f', content: 'mine' }, { path: 'f', content: 'mine' }];
    await judged(tool, first);
    writeFileSync(join(workspace.root, 'f'), 'two');
    await judged(tool, second);
    const execute = (input: object): Promise<unknown> => Promise.resolve(tool.execute(input as never, { signal: context.signal, workspace: undefined, log: () => undefined, intentId: '1', taskId: 't', disclose: () => undefined }));
    expect(ArtooError.is(await rejection(execute(first)), 'ARTOO_WORKSPACE_CHANGED')).toBe(true);
  });
  it('previews a small diff without control characters', async () => {
    const tool = writeFile({ workspace: workspaceOf({ f: 'a\nb\nc\nd\n' }) });
    const preview = await tool.preview?.({ path: 'f', content: 'a\nb\nX\u202e\nd\n' } as never, context);
    expect(preview).toMatch(/^f: replaces 8 bytes \(now sha256:[0-9a-f]{12}\) by 9 characters\n@@ line 3: 1 removed, 1 added @@\n {2}a\n {2}b\n- c\n\+ X\n {2}d$/);
    expect(await tool.preview?.({ path: 'new', content: 'one\n' } as never, context)).toBe('new: new file, 4 characters\n@@ line 1: 0 removed, 1 added @@\n+ one');
  });
  it('cuts a long preview in its middle', async () => {
    const preview = await writeFile({ workspace: workspaceOf({}) }).preview?.({ path: 'new', content: Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n') } as never, context);
    expect(preview?.split('\n')).toHaveLength(63);
    expect(preview).toContain('[… 140 lines …]');
  });
  it('does not write once the task has stopped', async () => {
    const workspace = workspaceOf({});
    const controller = new AbortController();
    controller.abort();
    await call(writeFile({ workspace }), { path: 'f', content: 'x' }, { signal: controller.signal });
    expect(await workspace.exists('f')).toBe(false);
  });
});
