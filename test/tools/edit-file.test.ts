import { chmodSync, existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ArtooError } from 'artoo';
import { editFile, openWorkspace, writeFile, type Tool } from '../../src/entries/tools.js';
import { call, judgeAndCall, rejection, useFolders } from './support.js';

const folder = useFolders();
const context = { signal: new AbortController().signal, workspace: undefined };
interface Edit { readonly find: string; readonly replace: string; readonly all?: boolean }

/** A tool over a folder with one file `f`. */
function over(content: string | Uint8Array, options: { readonly overwrite?: 'ask' | 'allow-with-backup' } = {}): { readonly tool: Tool; readonly path: string; readonly root: string; now(): string } {
  const root = folder();
  const path = join(root, 'f');
  writeFileSync(path, content);
  return { tool: editFile({ workspace: openWorkspace(root), ...options }), path, root, now: () => readFileSync(path, 'utf8') };
}
const edit = (tool: Tool, ...edits: Edit[]) => judgeAndCall(tool, { path: 'f', edits });
/** What judging an edit says; no person is ever asked about one that doesn't fit. */
async function refusal(tool: Tool, ...edits: Edit[]): Promise<string> {
  const checked = await tool.validate({ path: 'f', edits });
  if (checked.issues) throw new Error('invalid');
  const error = await rejection(Promise.resolve((tool.effect as (input: unknown, context: unknown) => unknown)(checked.value, context)));
  if (!ArtooError.is(error)) throw error;
  return `${error.message} ${error.hint ?? ''}`;
}

describe('an edit', () => {
  it('replaces the one place and nothing else', async () => {
    const { tool, now } = over('one\ntwo\nthree\n');
    const result = await edit(tool, { find: 'two', replace: 'zwei' });
    expect([result.effect, result.ok, result.text, now()]).toEqual(['irreversible', true, 'Edited 1 place. Replaced f (15 bytes).', 'one\nzwei\nthree\n']);
  });
  it('sees what the edits before it left', async () => {
    const { tool, now } = over('a b c');
    await edit(tool, { find: 'a', replace: 'x' }, { find: 'x b', replace: 'y' }, { find: ' c', replace: '' });
    expect(now()).toBe('y');
  });
  it('replaces every place with `all`, also side by side and by a longer text that holds it', async () => {
    const { tool, now } = over('aaa');
    const { text } = await edit(tool, { find: 'a', replace: 'aa', all: true });
    expect([now(), text]).toEqual(['aaaaaa', 'Edited 3 places. Replaced f (6 bytes).']);
  });
  it.each(['$&', '$1', "$'", '$$', '\\n', '\u2028'])('takes %j as it stands', async (replace) => {
    const { tool, now } = over('x-find-y');
    await edit(tool, { find: 'find', replace });
    expect(now()).toBe(`x-${replace}-y`);
  });
  it.each([
    ['CRLF stays, with LF in the edit', 'a\r\nb\r\nc\r\n', { find: 'a\nb', replace: 'x\ny\nz' }, 'x\r\ny\r\nz\r\nc\r\n'],
    ['CRLF stays, with CRLF in the edit', 'a\r\nb\r\n', { find: 'a\r\n', replace: 'x\r\n' }, 'x\r\nb\r\n'],
    ['LF stays, with CRLF in the edit', 'a\nb\n', { find: 'a\r\nb', replace: 'x\r\ny' }, 'x\ny\n'],
    ['lines that were not meant keep their ends', 'a\nb\r\nc\nd\r\ne\r\n', { find: 'c', replace: 'x\ny' }, 'a\nb\r\nx\r\ny\nd\r\ne\r\n'],
    ['a line end alone', 'a\r\nb\r\n', { find: '\nb', replace: '' }, 'a\r\n'],
    ['no final line end stays none', 'a\nb', { find: 'b', replace: 'c' }, 'a\nc'],
    ['a final line end stays', 'a\nb\n', { find: 'b', replace: 'c' }, 'a\nc\n'],
    ['a byte order mark stays', '\ufeffa\n', { find: 'a', replace: 'b' }, '\ufeffb\n'],
    ['a lone CR is a character', 'a\rb', { find: '\r', replace: '-' }, 'a-b'],
    ['pairs of surrogates', '😀 a 😀', { find: 'a 😀', replace: '😎' }, '😀 😎'],
  ] as const)('%s', async (_, before, change, after) => {
    const { tool, now } = over(before);
    expect([(await edit(tool, change)).ok, now()]).toEqual([true, after]);
  });
  it('keeps the mode', async () => {
    const { tool, path } = over('a');
    chmodSync(path, 0o751);
    await edit(tool, { find: 'a', replace: 'b' });
    expect(statSync(path).mode & 0o777).toBe(0o751);
  });
});

describe('what doesn\'t fit is refused before anybody is asked, and nothing is written', () => {
  it('a text that stands nowhere, with the line that is most like it', async () => {
    const { tool, now } = over('import { a } from "x";\nexport function compute(total: number) {\n  return total;\n}\n');
    expect(await refusal(tool, { find: 'export function compute(sum: number) {', replace: 'y' })).toBe('The edit finds its text nowhere in "f". The most similar text begins on line 2:\nexport function compute(total: number) {\n Quote from the file exactly, with its white space.');
    expect(now()).toContain('total');
  });
  it('a text that stands there with other white space, as it really is', async () => {
    const { tool } = over('if (a) {\n\treturn  1;\n}\n');
    expect(await refusal(tool, { find: 'if (a) {\n  return 1;\n}', replace: 'y' })).toContain('With other white space it stands from line 1 on:\nif (a) {\n\treturn  1;\n}');
  });
  it('a text like nothing in the file', async () => expect(await refusal(over('abc\n').tool, { find: 'zzzzzzzz', replace: 'y' })).toBe('The edit finds its text nowhere in "f". Read the file, then quote from it exactly.'));
  it('a text that stands there several times, with the lines', async () => {
    expect(await refusal(over('a\nb\na\n').tool, { find: 'a', replace: 'y' })).toContain('2 times in "f", on lines 1, 3.');
    expect(await refusal(over('a\n'.repeat(50)).tool, { find: 'a', replace: 'y' })).toContain('50 times in "f", on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …');
  });
  it('one edit of several: none is made', async () => {
    const { tool, now } = over('a b');
    expect(await refusal(tool, { find: 'a', replace: 'x' }, { find: 'nope', replace: 'y' })).toContain('Edit 2 of 2 finds its text nowhere in "f". None of the edits was made.');
    expect(now()).toBe('a b');
  });
  it('an edit that changes nothing', async () => {
    expect(await refusal(over('a').tool, { find: 'a', replace: 'a' })).toContain('replaces a text by itself');
    expect(await refusal(over('a').tool, { find: 'a', replace: 'b' }, { find: 'b', replace: 'a' })).toContain('leave "f" as it is');
  });
  it('a file that is missing, a folder, no text, no UTF-8', async () => {
    const { tool, root } = over('a');
    const judge = tool.effect as (input: unknown, context: unknown) => Promise<unknown>;
    const why = async (path: string): Promise<string> => String(((await rejection(judge({ path, edits: [{ find: 'a', replace: 'b' }] }, context))) as Error).message);
    writeFileSync(join(root, 'binary'), Uint8Array.of(0, 1, 2, 97));
    writeFileSync(join(root, 'latin1'), Uint8Array.of(97, 0xe4, 98));
    expect(await why('g')).toContain('The file "g" does not exist in the workspace.');
    expect(await why('.')).toMatch(/is a folder|names the workspace/);
    expect(await why('binary')).toContain('is no text');
    expect(await why('latin1')).toContain('no UTF-8');
    expect(readFileSync(join(root, 'latin1'))).toEqual(Buffer.of(97, 0xe4, 98));
  });
  it('a result without measure, before it is built', async () => {
    expect(await refusal(over('a'.repeat(90_000)).tool, { find: 'a', replace: 'b'.repeat(10_000), all: true })).toContain('longer than 20000000 characters');
    expect(await refusal(over('a'.repeat(200_000)).tool, { find: 'a', replace: 'b', all: true })).toContain('at most 100000 are replaced at once');
  });
  it('an empty text to find, no edits, too many, other keys\' types: by the schema', async () => {
    const { tool } = over('a');
    for (const edits of [[], [{ find: '', replace: 'x' }], Array.from({ length: 101 }, () => ({ find: 'a', replace: 'b' })), [{ find: 1, replace: 'x' }], 'x', [null]]) expect((await tool.validate({ path: 'f', edits })).issues).toBeDefined();
  });
  it('a huge text that is like nothing costs bounded time', async () => {
    const { tool } = over(`${'x y z '.repeat(3)}\n`.repeat(100_000));
    expect(await refusal(tool, { find: 'x y z '.repeat(20_000), replace: 'q' })).toContain('nowhere');
  });
});

describe('what was judged is what is written', () => {
  it.each(['ask', 'allow-with-backup'] as const)('a file that changed between judgement and run is left alone (%s)', async (overwrite) => {
    const { tool, path, now } = over('a\n', { overwrite });
    const result = await judgeAndCall(tool, { path: 'f', edits: [{ find: 'a', replace: 'b' }] }, { between: () => writeFileSync(path, 'a\nand more\n') });
    expect([result.ok, result.code, now()]).toEqual([false, 'ARTOO_WORKSPACE_CHANGED', 'a\nand more\n']);
  });
  it('the same holds for writeFile, also when it is judged again right before it runs', async () => {
    const root = folder();
    const path = join(root, 'f');
    writeFileSync(path, 'old');
    const result = await judgeAndCall(writeFile({ workspace: openWorkspace(root) }), { path: 'f', content: 'new' }, { between: () => writeFileSync(path, 'changed by a person') });
    expect([result.ok, result.code, readFileSync(path, 'utf8')]).toEqual([false, 'ARTOO_WORKSPACE_CHANGED', 'changed by a person']);
  });
  it('a file that went away is not made anew', async () => {
    const { tool, path } = over('a');
    expect((await judgeAndCall(tool, { path: 'f', edits: [{ find: 'a', replace: 'b' }] }, { between: () => unlinkSync(path) })).code).toBe('ARTOO_WORKSPACE_CHANGED');
    expect(existsSync(path)).toBe(false);
  });
  it('a call that nobody judged changes nothing, unless a copy is kept', async () => {
    const asking = over('a');
    expect([(await call(asking.tool, { path: 'f', edits: [{ find: 'a', replace: 'b' }] })).code, asking.now()]).toEqual(['ARTOO_WORKSPACE_CHANGED', 'a']);
    const keeping = over('a', { overwrite: 'allow-with-backup' });
    expect([(await call(keeping.tool, { path: 'f', edits: [{ find: 'a', replace: 'b' }] })).ok, keeping.now()]).toEqual([true, 'b']);
  });
  it('of many at once on one file, each either took effect or was refused', async () => {
    const { tool, now } = over(Array.from({ length: 8 }, (_, n) => `<${n}>`).join('\n'), { overwrite: 'allow-with-backup' });
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => judgeAndCall(tool, { path: 'f', edits: [{ find: `<${n}>`, replace: `done ${n}` }] })));
    const done = results.flatMap(({ ok }, n) => (ok ? [n] : []));
    expect(results.filter(({ ok, code }) => !ok && code !== 'ARTOO_WORKSPACE_CHANGED')).toEqual([]);
    expect(done.length).toBeGreaterThan(0);
    expect([...now().matchAll(/done (\d)/g)].map((match) => Number(match[1]))).toEqual(done);
  });
  it('an abort before the write writes nothing', async () => {
    const { tool, now } = over('a');
    expect([(await judgeAndCall(tool, { path: 'f', edits: [{ find: 'a', replace: 'b' }] }, { signal: AbortSignal.abort() })).code, now()]).toEqual(['ARTOO_ABORTED', 'a']);
  });
});

describe('the question', () => {
  it('shows each place with whole lines, however far apart they are', async () => {
    const { tool } = over(`let first = 1;\n${'x\n'.repeat(500)}let last = 1;\n`);
    const { preview } = await edit(tool, { find: 'first = 1', replace: 'first = 2' }, { find: 'let last = 1;\n', replace: '' });
    expect(preview?.split('\n').slice(1)).toEqual(['@@ line 1 @@', '- let first = 1;', '+ let first = 2;', '@@ line 502 @@', '- let last = 1;']);
    expect(preview).toMatch(/^f: 2 places change \(now sha256:[0-9a-f]{12}\)\n/);
  });
  it('counts what it doesn\'t show, and shows no control or direction characters', async () => {
    const { tool } = over('a\n'.repeat(100));
    const { preview } = await edit(tool, { find: 'a', replace: 'b\u202e\u0007', all: true });
    expect(preview).toContain('[… and 60 more places …]');
    expect(preview).not.toMatch(/[\u202e\u0007]/);
  });
  it('of a long replacement shows its beginning and its end', async () => {
    const { tool } = over('a');
    const { preview } = await edit(tool, { find: 'a', replace: Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n') });
    expect([preview?.includes('+ line 0'), preview?.includes('+ line 499'), preview?.includes('[… 470 lines …]')]).toEqual([true, true, true]);
  });
});
