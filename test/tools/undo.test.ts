import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordWrite } from '../../src/adapters/node-task-record.js';
import { ArtooError } from '../../src/contracts/errors.js';
import { editFile, forgetBackups, openWorkspace, undoableTasks, undoTask, writeFile, type FileWorkspace } from '../../src/entries/tools.js';
import { call, judgeAndCall, rejection, useFolders } from './support.js';

const folder = useFolders();
const TASK = 'task-1';

/** All files outside of `.artoo` with their content, and all folders. */
function tree(root: string): Record<string, string> {
  return Object.fromEntries((readdirSync(root, { recursive: true }) as string[]).filter((path) => !path.startsWith('.artoo')).sort().map((path) => {
    const status = lstatSync(join(root, path));
    return [path, status.isDirectory() ? '/' : status.isSymbolicLink() ? '@' : readFileSync(join(root, path), 'utf8')];
  }));
}
function make(files: Record<string, string>): { readonly root: string; readonly workspace: FileWorkspace } {
  const root = folder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, workspace: openWorkspace(root) };
}
const write = (workspace: FileWorkspace, path: string, content: string, taskId = TASK) => call(writeFile({ workspace, overwrite: 'allow-with-backup' }), { path, content }, { taskId });
const backups = (root: string): string[] => (readdirSync(join(root, '.artoo', 'backups'), { recursive: true }) as string[]).filter((path) => statSync(join(root, '.artoo', 'backups', path)).isFile());
const manifestOf = (root: string): string => join(root, '.artoo', 'backups', backups(root).find((path) => path.endsWith('manifest.jsonl')) ?? '');

describe('what a task did with backups on', () => {
  it('is put back: replaced, edited, made anew, in folders it made', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'sub/b.txt': 'b', 'untouched': 'u' });
    const before = tree(root);
    await write(workspace, 'a.txt', 'two');
    await write(workspace, 'new/deep/c.txt', 'c');
    await judgeAndCall(editFile({ workspace, overwrite: 'allow-with-backup' }), { path: 'a.txt', edits: [{ find: 'two', replace: 'three' }] }, { taskId: TASK });
    await write(workspace, 'sub/b.txt', 'bb');
    await write(workspace, 'new/deep/c.txt', 'cc');
    expect(await undoTask({ root, taskId: TASK })).toEqual({
      taskId: TASK, restored: ['sub/b.txt', 'a.txt'], removed: ['new/deep/c.txt', 'new/deep/', 'new/'], unchanged: [], left: [], kept: [], note: expect.stringContaining('shell commands') as string,
    });
    expect(tree(root)).toEqual(before);
  });
  it('is put back once: a second undo changes nothing, also when the task went on in between', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    await write(workspace, 'a.txt', 'one');
    await write(workspace, 'a.txt', 'two');
    await undoTask({ root, taskId: TASK });
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: [], removed: [], unchanged: [], left: [] });
    expect(tree(root)).toEqual({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'again');
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'] });
    expect(tree(root)).toEqual({ 'a.txt': 'one' });
  });
  it('two undos at once end as one', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'b.txt': 'two' });
    const before = tree(root);
    for (const path of ['a.txt', 'b.txt', 'c.txt']) await write(workspace, path, 'new');
    await Promise.all([undoTask({ root, taskId: TASK }), undoTask({ root, taskId: TASK })]);
    await undoTask({ root, taskId: TASK });
    expect(tree(root)).toEqual(before);
  });
  it('brings rights back with the content', async () => {
    const { root, workspace } = make({ 'run.sh': 'old' });
    chmodSync(join(root, 'run.sh'), 0o710);
    await write(workspace, 'run.sh', 'new');
    unlinkSync(join(root, 'run.sh'));
    await undoTask({ root, taskId: TASK, force: true });
    expect([readFileSync(join(root, 'run.sh'), 'utf8'), statSync(join(root, 'run.sh')).mode & 0o777]).toEqual(['old', 0o710]);
  });
  it.each(['n'.repeat(255), '😀'.repeat(63), 'ä'.repeat(127), ' ', '-rf', '*', 'a\u00a0b', 'manifest.jsonl', 'files'])('holds for a file named %j', async (name) => {
    const { root, workspace } = make({ [name]: 'one' });
    await write(workspace, name, 'two');
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: [name], left: [] });
    expect(tree(root)).toEqual({ [name]: 'one' });
  });
  it('holds for many writes to one file', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    const line = (n: number): string => JSON.stringify({ id: `x${n}`, path: 'a.txt', before: `sha256:${String(n).padStart(64, '0')}`, after: `sha256:${String(n + 1).padStart(64, '0')}` });
    appendFileSync(manifestOf(root), `${Array.from({ length: 50_000 }, (_, n) => line(n)).join('\n')}\n`);
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], left: [] });
  });
  it('leaves other tasks\' work where it is', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'by 1', 'one');
    await write(workspace, 'b.txt', 'by 2', 'two');
    await undoTask({ root, taskId: 'one' });
    expect(tree(root)).toEqual({ 'a.txt': 'one', 'b.txt': 'by 2' });
  });
  it.each(['', '..', '../../../etc', 'a/b\\c', '\0', 'CON', 'x'.repeat(5_000), '__proto__', 'ü😀\ud800', '.git', 'A', 'a'])('is found by any id: %j', async (taskId) => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two', `${taskId}!`);
    await write(workspace, 'b.txt', 'two', `${taskId}?`);
    expect(readdirSync(root).sort()).toEqual(['.artoo', 'a.txt', 'b.txt']);
    expect(await undoTask({ root, taskId: `${taskId}!` })).toMatchObject({ restored: ['a.txt'], left: [] });
    expect(tree(root)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
  });
  it('is told in the result: where the old content is, once per replaced file, and nothing for a new one', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    const told: string[] = [];
    const tool = writeFile({ workspace, overwrite: 'allow-with-backup' });
    await call(tool, { path: 'a.txt', content: 'two' }, { taskId: TASK, disclose: (line) => told.push(line) });
    await call(tool, { path: 'b.txt', content: 'new' }, { taskId: TASK, disclose: (line) => told.push(line) });
    const path = /kept in (\S+)\.$/.exec(told[0] ?? '')?.[1] ?? '';
    expect([told.length, readFileSync(join(root, path), 'utf8')]).toEqual([1, 'one']);
  });
  it('with backups: true it can be put back although a person allowed it; without, nothing is kept', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await judgeAndCall(writeFile({ workspace, backups: true }), { path: 'a.txt', content: 'two' }, { taskId: TASK });
    await undoTask({ root, taskId: TASK });
    expect(tree(root)).toEqual({ 'a.txt': 'one' });
    const plain = make({ 'a.txt': 'one' });
    await judgeAndCall(writeFile({ workspace: plain.workspace }), { path: 'a.txt', content: 'two' }, { taskId: TASK });
    expect(existsSync(join(plain.root, '.artoo'))).toBe(false);
  });
  it('a refused write is no part of it', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    const fingerprint = await workspace.fingerprint('a.txt');
    const both = await Promise.allSettled(['x', 'y'].map((text) => workspace.write('a.txt', text, { expected: fingerprint, backup: true, task: TASK })));
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], left: [] });
    expect(tree(root)).toEqual({ 'a.txt': 'one' });
  });
});

describe('what other hands changed since', () => {
  it('is left alone and listed; the rest is put back', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'b.txt': 'two' });
    for (const path of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await write(workspace, path, 'new');
    writeFileSync(join(root, 'b.txt'), 'a person');
    writeFileSync(join(root, 'c.txt'), 'a person');
    const report = await undoTask({ root, taskId: TASK });
    expect([report.restored, report.removed, report.left.map(({ path }) => path)]).toEqual([['a.txt'], ['d.txt'], ['c.txt', 'b.txt']]);
    expect(tree(root)).toEqual({ 'a.txt': 'one', 'b.txt': 'a person', 'c.txt': 'a person' });
    expect((await undoTask({ root, taskId: TASK })).left).toHaveLength(2);
  });
  it('is replaced with force, and kept', async () => {
    const { root, workspace } = make({ 'b.txt': 'two' });
    await write(workspace, 'b.txt', 'new');
    await write(workspace, 'c.txt', 'new');
    writeFileSync(join(root, 'b.txt'), 'a person, b');
    writeFileSync(join(root, 'c.txt'), 'a person, c');
    const { kept, left } = await undoTask({ root, taskId: TASK, force: true });
    expect([tree(root), left]).toEqual([{ 'b.txt': 'two' }, []]);
    expect(kept.map(({ path, backup }) => [path, readFileSync(join(root, backup), 'utf8')])).toEqual([['c.txt', 'a person, c'], ['b.txt', 'a person, b']]);
  });
  it('comes back where the task changed it again', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    writeFileSync(join(root, 'a.txt'), 'a person');
    await write(workspace, 'a.txt', 'three');
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], left: [{ path: 'a.txt' }] });
    expect(tree(root)).toEqual({ 'a.txt': 'a person' });
    await undoTask({ root, taskId: TASK, force: true });
    expect(tree(root)).toEqual({ 'a.txt': 'one' });
  });
  it('a deleted file stays deleted, and comes back with force', async () => {
    const { root, workspace } = make({ 'sub/a.txt': 'one' });
    await write(workspace, 'sub/a.txt', 'two');
    rmSync(join(root, 'sub'), { recursive: true });
    expect((await undoTask({ root, taskId: TASK })).left).toMatchObject([{ path: 'sub/a.txt' }]);
    await undoTask({ root, taskId: TASK, force: true });
    expect(tree(root)).toEqual({ 'sub': '/', 'sub/a.txt': 'one' });
  });
  it('a person who put it back by hand is no conflict', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    await write(workspace, 'b.txt', 'two');
    writeFileSync(join(root, 'a.txt'), 'one');
    unlinkSync(join(root, 'b.txt'));
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ unchanged: ['b.txt', 'a.txt'], left: [] });
  });
  it('a folder with something of somebody in it stays', async () => {
    const { root, workspace } = make({});
    await write(workspace, 'new/a.txt', 'x');
    writeFileSync(join(root, 'new', 'mine.txt'), 'mine');
    await undoTask({ root, taskId: TASK });
    expect(tree(root)).toEqual({ 'new': '/', 'new/mine.txt': 'mine' });
  });
  it('a file that became a folder or a link is left, others go on', async () => {
    const { root, workspace } = make({ 'a': '1', 'b': '2', 'c': '3' });
    for (const path of ['a', 'b', 'c']) await write(workspace, path, 'new');
    unlinkSync(join(root, 'a'));
    mkdirSync(join(root, 'a'));
    unlinkSync(join(root, 'b'));
    symlinkSync('c', join(root, 'b'));
    const { left, restored } = await undoTask({ root, taskId: TASK, force: true });
    expect([left.map(({ path }) => path), restored]).toEqual([['b', 'a'], ['c']]);
    expect(tree(root)).toEqual({ a: '/', b: '@', c: '3' });
  });
});

describe('a crash', () => {
  it('between the note and the write leaves nothing to undo for it', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    const absent = { before: 'absent', after: `sha256:${'0'.repeat(64)}` };
    await recordWrite({ root, proc: true }, TASK, { path: 'never.txt', ...absent });
    await recordWrite({ root, proc: true }, TASK, { path: 'a.txt', before: `sha256:${'1'.repeat(64)}`, after: `sha256:${'2'.repeat(64)}` });
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], unchanged: ['never.txt'], left: [] });
  });
  it('that tore the last note costs that note alone, and the next one is read', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    appendFileSync(manifestOf(root), '{"id":"x","path":"a.txt","bef');
    await write(workspace, 'b.txt', 'new');
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], removed: ['b.txt'] });
  });
  it('between the steps of an undo is finished by the next one', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'b.txt': 'two' });
    const before = tree(root);
    for (const path of ['a.txt', 'b.txt', 'c.txt']) await write(workspace, path, 'new');
    const noted = readFileSync(manifestOf(root));
    await undoTask({ root, taskId: TASK });
    // As if every step had been done and none noted; then as if the first had not been done either.
    writeFileSync(manifestOf(root), noted);
    writeFileSync(join(root, 'c.txt'), 'new');
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ removed: ['c.txt'], unchanged: ['b.txt', 'a.txt'], left: [] });
    expect(tree(root)).toEqual(before);
  });

  let child = '';
  const scratch = fileURLToPath(new URL('../../.artoo/', import.meta.url));
  beforeAll(async () => {
    mkdirSync(scratch, { recursive: true });
    child = join(scratch, `undo-child-${process.pid}.mjs`);
    const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
    await build({ entryPoints: [fileURLToPath(new URL('undo-child.ts', import.meta.url))], outfile: child, bundle: true, platform: 'node', format: 'esm', packages: 'external', alias: { 'artoo/tools': source('entries/tools.ts') }, logLevel: 'error' });
    return () => rmSync(child, { force: true });
  });
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('kill -9 while it writes, seed %i: undo brings everything back', async (seed) => {
    const { root } = make({ 'a.txt': 'mark one', 'sub/b.txt': 'mark b' });
    const before = tree(root);
    const running = spawn(process.execPath, [child, root, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let lines = 0;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.stdout.on('data', (chunk: Buffer) => {
      lines += chunk.toString().split('\n').length - 1;
      if (lines > seed) running.kill('SIGKILL');
    });
    await ended;
    const { left } = await undoTask({ root, taskId: 'killed' });
    // A temporary file of the write that was cut off is nobody's.
    const after = Object.fromEntries(Object.entries(tree(root)).filter(([path]) => !path.endsWith('.tmp')));
    expect(left).toEqual([]);
    expect(Object.fromEntries(Object.entries(after).filter(([, content]) => content !== '/'))).toEqual(Object.fromEntries(Object.entries(before).filter(([, content]) => content !== '/')));
  });
});

describe('room', () => {
  it('is limited: a write whose backup has none is refused, and nothing changes', async () => {
    const { root } = make({ 'a.txt': 'x'.repeat(600), 'b.txt': 'y'.repeat(600) });
    const workspace = openWorkspace(root, { backupBytes: 1_000 });
    expect((await write(workspace, 'a.txt', 'new')).ok).toBe(true);
    const refused = await write(workspace, 'b.txt', 'new');
    expect([refused.ok, refused.failureClass, refused.message?.includes('Backups take')]).toEqual([false, 'environmental', true]);
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('y'.repeat(600));
    await forgetBackups({ root, taskId: TASK });
    expect((await write(workspace, 'b.txt', 'new')).ok).toBe(true);
  });
  it('no room on the disk for a backup: nothing is replaced', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    // A file where the folder should be stands for any refusal of the system.
    mkdirSync(join(root, '.artoo'));
    writeFileSync(join(root, '.artoo', 'backups'), '');
    const refused = await write(workspace, 'a.txt', 'two');
    expect([refused.ok, refused.failureClass, readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([false, 'environmental', 'one']);
  });
  it('is never made by removing a backup: only forgetBackups does', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    await undoTask({ root, taskId: TASK });
    expect(backups(root).some((path) => path.includes('a.txt.'))).toBe(true);
    expect([await forgetBackups({ root, taskId: TASK }), await forgetBackups({ root, taskId: TASK })]).toEqual([true, false]);
    expect(ArtooError.is(await rejection(undoTask({ root, taskId: TASK })), 'ARTOO_INVALID_ARGUMENT')).toBe(true);
  });
  it('backups are readable for nobody who can\'t read the original', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    chmodSync(join(root, 'a.txt'), 0o600);
    await write(workspace, 'a.txt', 'two');
    expect(backups(root).map((path) => statSync(join(root, '.artoo', 'backups', path)).mode & 0o077)).toEqual([0, 0]);
  });
});

describe('the record is not believed', () => {
  const note = async (root: string, entry: Record<string, unknown>): Promise<void> => {
    await recordWrite({ root, proc: true }, TASK, { path: 'x', before: 'absent', after: `sha256:${'0'.repeat(64)}` });
    appendFileSync(manifestOf(root), `${JSON.stringify({ id: 'forged', before: `sha256:${'1'.repeat(64)}`, after: 'absent', ...entry })}\n`);
  };
  it.each(['../outside.txt', '/etc/hostname', '~/x', '.git/config', '.env', '.artoo/ledger', 'a\0b', 'link/secret'])('for a path that leads out: %j', async (path) => {
    const base = folder();
    const root = join(base, 'ws');
    mkdirSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(base, 'outside.txt'), 'outside');
    symlinkSync(base, join(root, 'link'));
    writeFileSync(join(root, '.git', 'config'), 'outside');
    const { createHash } = await import('node:crypto');
    await note(root, { path, before: 'absent', after: `sha256:${createHash('sha256').update('outside').digest('hex')}` });
    const { left, removed } = await undoTask({ root, taskId: TASK, force: true });
    expect([left.map((entry) => entry.path), removed]).toEqual([[path], []]);
    expect([readFileSync(join(base, 'outside.txt'), 'utf8'), readFileSync(join(root, '.git', 'config'), 'utf8')]).toEqual(['outside', 'outside']);
  });
  it('for a kept content that was changed or removed', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'b.txt': 'two' });
    await write(workspace, 'a.txt', 'new');
    await write(workspace, 'b.txt', 'new');
    const [a = '', b = ''] = ['a.txt.', 'b.txt.'].map((name) => join(root, '.artoo', 'backups', backups(root).find((path) => path.includes(name)) ?? ''));
    writeFileSync(a, 'forged');
    unlinkSync(b);
    const { left, restored } = await undoTask({ root, taskId: TASK });
    expect([left.map(({ reason }) => reason), restored]).toEqual([['its kept content is missing or was changed', 'its kept content is missing or was changed'], []]);
    expect(tree(root)).toEqual({ 'a.txt': 'new', 'b.txt': 'new' });
  });
  it('for garbage', async () => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    await write(workspace, 'a.txt', 'two');
    appendFileSync(manifestOf(root), ['null', '[]', '1', '"x"', '{"__proto__":{"path":1}}', '{"undone":1}', '{"undone":[1,null]}', '{"id":1,"path":"a.txt"}', '\0\0', '{'.repeat(10_000), ''].join('\n'));
    expect(await undoTask({ root, taskId: TASK })).toMatchObject({ restored: ['a.txt'], left: [] });
  });
  it.each(['.artoo', '.artoo/backups'])('when %s is a link to somewhere else: no backup, no write, no undo', async (name) => {
    const { root, workspace } = make({ 'a.txt': 'one' });
    const elsewhere = folder();
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(elsewhere, join(root, name));
    const refused = await write(workspace, 'a.txt', 'two');
    expect([refused.code, readFileSync(join(root, 'a.txt'), 'utf8'), readdirSync(elsewhere)]).toEqual(['ARTOO_WORKSPACE_ESCAPE', 'one', []]);
    for (const act of [undoTask, forgetBackups, undoableTasks]) expect(ArtooError.is(await rejection(act({ root, taskId: TASK })), 'ARTOO_WORKSPACE_ESCAPE')).toBe(true);
  });
  it('when the manifest is a link: no write', async () => {
    const { root, workspace } = make({ 'a.txt': 'one', 'b.txt': 'two' });
    const outside = join(folder(), 'target');
    writeFileSync(outside, '');
    await write(workspace, 'a.txt', 'two');
    const path = manifestOf(root);
    unlinkSync(path);
    symlinkSync(outside, path);
    const refused = await write(workspace, 'b.txt', 'new');
    expect([refused.code, readFileSync(outside, 'utf8'), readFileSync(join(root, 'b.txt'), 'utf8')]).toEqual(['ARTOO_WORKSPACE_ESCAPE', '', 'two']);
  });
});

it('lists what can be undone, the newest first', async () => {
  const { root, workspace } = make({ 'a.txt': 'one' });
  expect(await undoableTasks({ root })).toEqual([]);
  await write(workspace, 'a.txt', 'two', 'first');
  await write(workspace, 'b.txt', 'two', 'second');
  await undoTask({ root, taskId: 'first' });
  const tasks = await undoableTasks({ root });
  expect(tasks.map(({ taskId, files, open }) => [taskId, files, open]).sort()).toEqual([['first', 1, 0], ['second', 1, 1]]);
  expect(tasks.every(({ bytes }) => bytes > 0)).toBe(true);
});
it.each([undefined, null, 1, {}, 'none'])('undoing %j says that nothing is recorded', async (taskId) => {
  const error = await rejection(undoTask({ root: folder(), taskId: taskId as string }));
  expect(ArtooError.is(error, 'ARTOO_INVALID_ARGUMENT') && error.hint).toContain('artoo undo');
});

const bwrap = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;
it.runIf(bwrap)('on a disk that is full nothing is replaced, nothing is lost, and no part is left behind', async () => {
  const child = fileURLToPath(new URL(`../../.artoo/full-child-${process.pid}.mjs`, import.meta.url));
  const code = `import { openWorkspace } from 'artoo/tools'; import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
    const root = '/mnt/ws'; mkdirSync(root); const old = 'x'.repeat(300_000); writeFileSync(root + '/a.txt', old);
    const error = await openWorkspace(root).write('a.txt', 'small', { backup: true, task: 't' }).catch((caught) => caught);
    const files = readdirSync(root, { recursive: true }).filter((path) => /tmp|a\\.txt\\./.test(path));
    console.log(JSON.stringify([error.code, error.details?.errno, readFileSync(root + '/a.txt', 'utf8') === old, files]));`;
  await build({ stdin: { contents: code, resolveDir: fileURLToPath(new URL('.', import.meta.url)) }, outfile: child, bundle: true, platform: 'node', format: 'esm', packages: 'external', alias: { 'artoo/tools': fileURLToPath(new URL('../../src/entries/tools.ts', import.meta.url)) }, logLevel: 'error' });
  try {
    const { stdout, stderr } = spawnSync('bwrap', ['--dev-bind', '/', '/', '--size', '500000', '--tmpfs', '/mnt', process.execPath, child], { encoding: 'utf8' });
    expect([stderr, JSON.parse(stdout)]).toEqual(['', ['ARTOO_TOOL_FAILED', 'ENOSPC', true, []]]);
  } finally {
    rmSync(child, { force: true });
  }
});
