import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undoCommand } from '../../src/cli/undo-command.js';
import { openWorkspace } from '../../src/entries/tools.js';
import { artoo } from './support.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'artoo-undo-'));
  writeFileSync(join(root, 'a.txt'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function undo(...words: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const code = await undoCommand([...words, '--workspace', root], { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) } });
  return { code, out, err };
}
const write = (path: string, text: string, task = 'task-1') => openWorkspace(root).write(path, text, { backup: true, task });

describe('artoo undo', () => {
  it('lists what can be undone', async () => {
    expect(await undo()).toEqual({ code: 0, out: '', err: 'There is nothing to undo here.\n' });
    await write('a.txt', 'two');
    await write('b.txt', 'two');
    expect((await undo()).out).toMatch(/^task-1 {2}2 of 2 files to undo, backups of \d+ bytes\n$/);
    expect(JSON.parse((await undo('--json')).out)).toMatchObject([{ taskId: 'task-1', files: 2, open: 2 }]);
  });
  it('puts a task\'s files back and says what it did, and what it can\'t', async () => {
    await write('a.txt', 'two');
    await write('new/b.txt', 'two');
    expect(await undo('task-1')).toEqual({ code: 0, out: 'restored   a.txt\nremoved    new/b.txt\nremoved    new/\n', err: 'What shell commands and other tools changed is not recorded and was not undone.\n' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
    expect(await undo('task-1')).toMatchObject({ code: 0, out: 'Everything was undone before.\n' });
  });
  it('ends with 1 when something was left, and takes it with --force', async () => {
    await write('a.txt', 'two');
    writeFileSync(join(root, 'a.txt'), 'mine');
    expect(await undo('task-1')).toMatchObject({ code: 1, out: 'left       a.txt: it was changed since by other hands\n' });
    const { code, out } = await undo('task-1', '--force');
    expect([code, /^restored {3}a\.txt\nkept {7}a\.txt as it was, in \.artoo\/backups\/\S+\n$/.test(out), readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([0, true, 'one']);
  });
  it('--json prints the report and nothing else', async () => {
    await write('a.txt', 'two');
    const { out, err } = await undo('task-1', '--json');
    expect([JSON.parse(out), err]).toEqual([{ taskId: 'task-1', restored: ['a.txt'], removed: [], unchanged: [], left: [], kept: [], note: expect.any(String) as string }, '']);
  });
  it('--forget removes the backups for good', async () => {
    await write('a.txt', 'two');
    expect([(await undo('task-1', '--forget')).err, (await undo('task-1', '--forget')).err]).toEqual(['The backups of task-1 are gone.\n', 'There are no backups of task-1.\n']);
    expect((await undo('task-1')).code).toBe(3);
  });
  it('a task that nothing is known of ends with 3 and says where to look', async () => {
    const { code, err } = await undo('task-9');
    expect([code, err.includes('Nothing is recorded to undo for the task "task-9"'), err.includes('`artoo undo`, lists')]).toEqual([3, true, true]);
  });
  it.each([[['a', 'b']], [['--force']], [['--forget']], [['x', '--force', '--forget']], [['--what']]])('%j is wrong usage', async (words) => expect((await undo(...words)).code).toBe(2));
  it('shows names with control and direction characters written out', async () => {
    await write('a.txt', 'two', 'task\u202e\u001b[31m');
    const { out } = await undo();
    expect([out.includes('\u202e'), out.includes('\u001b'), out.includes('<U+202E>')]).toEqual([false, false, true]);
    expect((await undo('--json')).out).not.toMatch(/[\u202e\u001b]/);
  });
  it('--help says what it does', async () => expect((await undo('--help')).out).toContain('artoo undo TASK --force'));
});

describe('the command', () => {
  it('is known to the command line', async () => {
    await write('a.txt', 'two');
    const { code, out } = await artoo(['undo', 'task-1'], { cwd: root });
    expect([code, out]).toEqual([0, 'restored   a.txt\n']);
  });
});
