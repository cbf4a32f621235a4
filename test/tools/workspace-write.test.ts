import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/adapters/node-workspace.js';
import { ArtooError } from '../../src/contracts/errors.js';
import { ABSENT } from '../../src/tools/portable/file-workspace.js';
import { rejection, useFolders } from './support.js';

const folder = useFolders();
const filesBelow = (root: string): string[] => (readdirSync(root, { recursive: true }) as string[]).filter((path) => statSync(join(root, path)).isFile()).sort();

describe.each([['with /proc', {}], ['without /proc', { useProc: false }]])('writing %s', (_, options) => {
  it('creates folders and the file, and leaves nothing else', async () => {
    const root = folder();
    expect(await openWorkspace(root, options).write('a/b/c.txt', 'grüße')).toEqual({ created: true, bytes: 7 });
    expect(filesBelow(root)).toEqual(['a/b/c.txt']);
    expect([readFileSync(join(root, 'a/b/c.txt'), 'utf8'), statSync(join(root, 'a/b/c.txt')).nlink]).toEqual(['grüße', 1]);
  });

  it('replaces as a whole and keeps the mode', async () => {
    const root = folder();
    writeFileSync(join(root, 'run.sh'), 'old', { mode: 0o750 });
    expect(await openWorkspace(root, options).write('run.sh', 'new')).toEqual({ created: false, bytes: 3 });
    expect([readFileSync(join(root, 'run.sh'), 'utf8'), statSync(join(root, 'run.sh')).mode & 0o777]).toEqual(['new', 0o750]);
    expect(filesBelow(root)).toEqual(['run.sh']);
  });

  it('shows a reader the old or the new content, never a part', async () => {
    const root = folder();
    const workspace = openWorkspace(root, options);
    const [long, longer] = ['a'.repeat(300_000), 'b'.repeat(400_000)];
    await workspace.write('f', long);
    let writing = true;
    const writer = (async () => {
      for (let round = 0; round < 20; round += 1) await workspace.write('f', round % 2 === 0 ? longer : long);
      writing = false;
    })();
    const seen = new Set<string>();
    while (writing) {
      seen.add(readFileSync(join(root, 'f'), 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect([...seen].every((text) => text === long || text === longer)).toBe(true);
  });

  it('keeps the previous content once per content', async () => {
    const root = folder();
    const workspace = openWorkspace(root, options);
    await workspace.write('d/f.txt', 'one');
    const { backup } = await workspace.write('d/f.txt', 'two', { backup: true });
    expect(backup).toMatch(/^\.artoo\/backups\/d\/f\.txt\.[0-9a-f]{16}$/);
    expect(readFileSync(join(root, backup ?? ''), 'utf8')).toBe('one');
    await workspace.write('d/f.txt', 'one', { backup: true });
    expect((await workspace.write('d/f.txt', 'three', { backup: true })).backup).toBe(backup);
    expect(filesBelow(root)).toHaveLength(3);
  });

  it('refuses when the file is no longer what was approved', async () => {
    const root = folder();
    const workspace = openWorkspace(root, options);
    writeFileSync(join(root, 'f'), 'one');
    const expected = await workspace.fingerprint('f');
    writeFileSync(join(root, 'f'), 'two');
    expect(ArtooError.is(await rejection(workspace.write('f', 'three', { expected })), 'ARTOO_WORKSPACE_CHANGED')).toBe(true);
    expect(ArtooError.is(await rejection(workspace.write('f', 'three', { expected: ABSENT })), 'ARTOO_WORKSPACE_CHANGED')).toBe(true);
    expect(ArtooError.is(await rejection(workspace.write('none', 'three', { expected })), 'ARTOO_WORKSPACE_CHANGED')).toBe(true);
    expect([filesBelow(root), readFileSync(join(root, 'f'), 'utf8')]).toEqual([['f'], 'two']);
  });

  it('lets only one of many create the same file, and overwrites nobody', async () => {
    const root = folder();
    const workspace = openWorkspace(root, options);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_unused, n) => workspace.write('f', `writer ${n}`, { expected: ABSENT })));
    const winners = outcomes.flatMap((outcome, n) => outcome.status === 'fulfilled' ? [n] : []);
    expect(winners).toHaveLength(1);
    expect([readFileSync(join(root, 'f'), 'utf8'), filesBelow(root)]).toEqual([`writer ${winners[0]}`, ['f']]);
  });

  it('reports what the system refuses, with its code, and leaves no part behind', async () => {
    const root = folder();
    const workspace = openWorkspace(root, options);
    mkdirSync(join(root, 'dir'));
    writeFileSync(join(root, 'file'), 'x');
    writeFileSync(join(root, 'read-only'), 'x');
    chmodSync(join(root, 'read-only'), 0o444);
    const refused: [string, string][] = [['dir', 'EISDIR'], ['file/below', 'ENOTDIR'], ['n'.repeat(300), 'ENAMETOOLONG'], ['read-only', 'EACCES']];
    for (const [path, errno] of refused) {
      const error = await rejection(workspace.write(path, 'new'));
      expect(ArtooError.is(error, 'ARTOO_TOOL_FAILED') && [error.details['errno'], error.details['failureClass'], error.message.includes('/proc/')]).toEqual([errno, 'environmental', false]);
    }
    expect(filesBelow(root)).toEqual(['file', 'read-only']);
    expect(readFileSync(join(root, 'read-only'), 'utf8')).toBe('x');
  });

  it('refuses to write to the folder itself', async () => {
    const workspace = openWorkspace(folder(), options);
    for (const path of ['', '.', './', 'sub/']) expect(ArtooError.is(await rejection(workspace.write(path, 'x')), 'ARTOO_WORKSPACE_ESCAPE')).toBe(true);
    expect(existsSync(join(workspace.root, 'sub'))).toBe(false);
  });
});

describe('reading', () => {
  it('says with its code that a file is missing or a folder', async () => {
    const root = folder();
    mkdirSync(join(root, 'dir'));
    const workspace = openWorkspace(root);
    expect((await rejection(workspace.readText('none')) as ArtooError).details['errno']).toBe('ENOENT');
    expect((await rejection(workspace.readText('dir')) as ArtooError).details['errno']).toBe('EISDIR');
  });
  it('stops at maxBytes without cutting a character', async () => {
    const root = folder();
    writeFileSync(join(root, 'f'), 'ää');
    expect(await openWorkspace(root).readText('f', { maxBytes: 3 })).toBe('ä');
  });
  it('leaves no descriptor open', async () => {
    const root = folder();
    writeFileSync(join(root, 'f'), 'x');
    const workspace = openWorkspace(root);
    const open = (): number => readdirSync('/proc/self/fd').length;
    await workspace.readText('f');
    const before = open();
    for (let round = 0; round < 50; round += 1) {
      await workspace.readText('f');
      await workspace.write('f', String(round));
      await workspace.list('');
      for (const path of ['none', 'f/x', '../x', 'none/x']) await Promise.allSettled([workspace.readText(path), workspace.status(path), workspace.fingerprint(path), workspace.list(path)]);
    }
    expect(open()).toBeLessThanOrEqual(before + 2);
  });
});
