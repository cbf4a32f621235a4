import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDirectory } from '../../src/adapters/node-directory.js';
import { openPlainFile } from '../../src/adapters/node-plain-file.js';
import { recordWrite } from '../../src/adapters/node-task-record.js';
import { openWorkspace } from '../../src/adapters/node-workspace.js';
import { ArtooError } from '../../src/contracts/errors.js';
import { editFile, undoTask } from '../../src/entries/tools.js';
import type { FileWorkspace } from '../../src/tools/portable/file-workspace.js';
import { rejection, useFolders } from './support.js';

const SECRET = 'the secret outside';
const folder = useFolders();
let base = '';
let root = '';
let secret = '';

beforeEach(() => {
  base = folder();
  root = join(base, 'ws');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(base, 'ws2'));
  mkdirSync(join(base, 'outside'));
  secret = join(base, 'outside', 'secret.txt');
  writeFileSync(secret, SECRET);
  writeFileSync(join(base, 'ws2', 'twin.txt'), SECRET);
  writeFileSync(join(root, 'a.txt'), 'inside');
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'config'), SECRET);
  writeFileSync(join(root, '.env'), SECRET);
  mkdirSync(join(root, '.artoo'));
  writeFileSync(join(root, '.artoo', 'ledger'), SECRET);
});

/** Every way to touch a path; each must be refused, and nothing outside may change. */
async function attempts(workspace: FileWorkspace, path: string): Promise<unknown[]> {
  return [
    await rejection(workspace.readText(path)),
    await rejection(workspace.withFile(path, async (file) => file.read(0, 100))),
    await rejection(workspace.fingerprint(path)),
    await rejection(workspace.write(path, 'overwritten')),
    await rejection(workspace.write(path, 'overwritten', { backup: true })),
    await rejection(workspace.write(path, 'overwritten', { backup: true, task: 'task' })),
    await edited(workspace, path),
    await undone(path),
  ];
}

/** What judging and running an edit rejects with. */
async function edited(workspace: FileWorkspace, path: string): Promise<unknown> {
  const tool = editFile({ workspace, overwrite: 'allow-with-backup' });
  const input = { path, edits: [{ find: 'secret', replace: 'overwritten' }] } as never;
  const context = { signal: new AbortController().signal, workspace, taskId: 'task', intentId: '1', log: () => undefined, disclose: () => undefined };
  const judged = await rejection(Promise.resolve((tool.effect as (input: never, context: object) => unknown)(input, context)));
  const ran = await rejection(Promise.resolve(tool.execute(input, context)));
  return isRefusal(judged) ? ran : judged;
}

/** What an undo gives as its reason to leave a path alone that a forged record names; as if it had been thrown. */
async function undone(path: string): Promise<unknown> {
  const forged = [{ path, before: 'absent', after: `sha256:${createHash('sha256').update(SECRET).digest('hex')}` }, { path, before: `sha256:${'0'.repeat(64)}`, after: 'sha256:1' }];
  rmSync(join(root, '.artoo', 'backups'), { recursive: true, force: true });
  for (const write of forged) await recordWrite({ root, proc: true }, 'task', write);
  const { left, removed, restored } = await undoTask({ root, taskId: 'task', force: true });
  rmSync(join(root, '.artoo', 'backups'), { recursive: true, force: true });
  const [only] = left;
  return left.length === 1 && only?.path === path && removed.length + restored.length === 0
    ? new ArtooError('ARTOO_WORKSPACE_ESCAPE', only.reason) : new Error(`an undo of ${path} did something: ${JSON.stringify({ left, removed, restored })}`);
}

function isRefusal(error: unknown): boolean {
  return ArtooError.is(error, 'ARTOO_WORKSPACE_ESCAPE');
}

const nasty: readonly (readonly [string, string | (() => string)])[] = [
  ['..', '../outside/secret.txt'], ['.. in the middle', 'sub/../../outside/secret.txt'], ['.. that would stay inside', 'sub/../a.txt'], ['.. at the end', 'sub/..'],
  ['.. after dots', './../ws2/twin.txt'], ['prefix twin', '../ws2/twin.txt'], ['absolute', () => secret], ['absolute inside', () => join(root, 'a.txt')],
  ['double slash', () => `/${secret}`], ['~', '~/.bashrc'], ['~user', '~root/.bashrc'], ['~ alone', '~'], ['NUL', 'a.txt\0.png'], ['NUL first', '\0/etc/passwd'],
  ['line feed', 'a\n.txt'], ['backslashes', '..\\outside\\secret.txt'], ['drive letter', 'C:/Windows/win.ini'], ['drive relative', 'C:secret.txt'],
  ['/proc/self/environ', '/proc/self/environ'], ['/proc/self/root', () => `/proc/self/root${secret}`], ['/proc/self/cwd', '/proc/self/cwd/package.json'], ['/dev/fd', '/dev/fd/0'],
  ['a path without end', 'a/'.repeat(3_000)], ['.. behind a file', 'a.txt/../../outside/secret.txt'], ['.. between doubled slashes', 'sub//..//../outside/secret.txt'], ['a share', '\\\\server\\share'], ['~ with a sign', '~+/secret.txt'],
  ['/dev/stdin', '/dev/stdin'], ['carriage return', 'a\r.txt'], ['delete', 'a\u007f.txt'],
  ['.git', '.git/config'], ['.GIT', '.GIT/config'], ['.Git', '.Git/config'], ['.git with a trailing dot', '.git./config'], ['.git with a trailing blank', '.git /config'],
  ['.git with a zero-width joiner', '.g\u200dit/config'], ['.git in full width', '．ｇｉｔ/config'], ['.git with a stream', '.git::$INDEX_ALLOCATION/config'], ['git~1', 'GIT~1/config'],
  ['.git with a Kelvin-like fold', '.gıt/config'], ['.git below', 'sub/.git/hooks/pre-commit'],
  ['.env', '.env'], ['.ENV', '.ENV'], ['.env.production', '.env.production'], ['.env with a soft hyphen', '.e\u00adnv'], ['.env in another width', '.ｅnv'], ['.env.', '.env.'],
  ['.env below', 'sub/.env'], ['.env.local with a trailing dot', '.env.local.'], ['the backups', '.artoo/backups/a.txt'], ['a backup of a task', '.artoo/backups/task/manifest.jsonl'],
  ['the ledger', '.artoo/ledger'], ['.ARTOO', '.ARTOO/ledger'],
];

describe.each([['with /proc', undefined], ['without /proc', false]] as const)('a path %s is refused', (_, useProc) => {
  const open = (): FileWorkspace => openWorkspace(root, useProc === undefined ? {} : { useProc });

  it.each(nasty)('%s', async (_name, given) => {
    const path = typeof given === 'function' ? given() : given;
    const workspace = open();
    const errors = [...await attempts(workspace, path), await rejection(workspace.exists(path)), await rejection(workspace.list(path)), await rejection(workspace.status(path))];
    expect(errors.map(isRefusal)).toEqual(errors.map(() => true));
    expect([readFileSync(secret, 'utf8'), readFileSync(join(root, '.git', 'config'), 'utf8'), readFileSync(join(root, '.env'), 'utf8')]).toEqual([SECRET, SECRET, SECRET]);
  });

  it.each<[string, () => string]>([
    ['a link to a file outside', () => { symlinkSync(secret, join(root, 'l')); return 'l'; }],
    ['a relative link outside', () => { symlinkSync('../outside/secret.txt', join(root, 'l')); return 'l'; }],
    ['a link to a folder outside', () => { symlinkSync(join(base, 'outside'), join(root, 'l')); return 'l/secret.txt'; }],
    ['a chain of links', () => { symlinkSync('m', join(root, 'l')); symlinkSync('n', join(root, 'm')); symlinkSync(secret, join(root, 'n')); return 'l'; }],
    ['a link in a subfolder', () => { symlinkSync('../../outside', join(root, 'sub', 'l')); return 'sub/l/secret.txt'; }],
    ['a link to the root of the system', () => { symlinkSync('/', join(root, 'l')); return `l${secret}`; }],
    ['a link to itself', () => { symlinkSync('l', join(root, 'l')); return 'l'; }],
    ['a link to a missing file outside', () => { symlinkSync(join(base, 'outside', 'new.txt'), join(root, 'l')); return 'l'; }],
    ['a link to .git', () => { symlinkSync('.git', join(root, 'l')); return 'l/config'; }],
    ['a link to .env', () => { symlinkSync('.env', join(root, 'l')); return 'l'; }],
    ['a link through /proc/self/cwd', () => { symlinkSync('/proc/self/cwd', join(root, 'l')); return 'l/package.json'; }],
    ['a link to /proc/self/fd', () => { symlinkSync('/proc/self/fd', join(root, 'l')); return 'l/0'; }],
    ['a link to a device', () => { symlinkSync('/dev/zero', join(root, 'l')); return 'l'; }],
    ['a hard link to a file outside', () => { linkSync(secret, join(root, 'l')); return 'l'; }],
    ['a hard link to .env', () => { linkSync(join(root, '.env'), join(root, 'l')); return 'l'; }],
    ['a pipe', () => { execFileSync('mkfifo', [join(root, 'l')]); return 'l'; }],
  ])('%s', async (_name, make) => {
    const path = make();
    const errors = await attempts(open(), path);
    expect(errors.map(isRefusal)).toEqual(errors.map(() => true));
    expect([readFileSync(secret, 'utf8'), readFileSync(join(root, '.git', 'config'), 'utf8'), readFileSync(join(root, '.env'), 'utf8')]).toEqual([SECRET, SECRET, SECRET]);
    expect(existsSync(join(base, 'outside', 'new.txt'))).toBe(false);
  });

  it('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 's'), resolve));
    try {
      expect((await attempts(open(), 's')).filter((error) => !isRefusal(error))).toEqual([]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('a device', async () => {
    try {
      execFileSync('mknod', [join(root, 'd'), 'c', '1', '5'], { stdio: 'ignore' });
    } catch {
      // Not every account may make one; the link to /dev/zero above stands for it then.
      symlinkSync('/dev/zero', join(root, 'd'));
    }
    expect((await attempts(open(), 'd')).filter((error) => !isRefusal(error))).toEqual([]);
  });

  it.each([['.gitignore'], ['.github/workflows/ci.yml'], ['.env.example'], ['.environment'], ['git'], ['env'], ['digit~1'], ['a..b'], ['...'], ['a~'], ['sub/é.txt']])('but %s is not', async (path) => {
    const workspace = open();
    await workspace.write(path, 'mine');
    expect([await workspace.readText(path), await workspace.exists(path)]).toEqual(['mine', true]);
  });

  it('and folders that lead outside are neither listed nor entered', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'l'));
    const workspace = open();
    expect(isRefusal(await rejection(workspace.list('l')))).toBe(true);
    expect(await workspace.list('')).toEqual([{ name: 'a.txt', kind: 'file' }, { name: 'l', kind: 'link' }, { name: 'sub', kind: 'directory' }]);
  });
});

describe('exists', () => {
  it('follows a link that stays inside and refuses one that leads outside or nowhere', async () => {
    symlinkSync('a.txt', join(root, 'good'));
    symlinkSync(secret, join(root, 'bad'));
    symlinkSync('nothing', join(root, 'dangling'));
    symlinkSync('.env', join(root, 'guarded'));
    const workspace = openWorkspace(root);
    expect(await workspace.exists('good')).toBe(true);
    for (const name of ['bad', 'dangling', 'guarded']) expect(isRefusal(await rejection(workspace.exists(name)))).toBe(true);
  });
  it('answers for files, folders, the root and what is not there', async () => {
    const workspace = openWorkspace(root);
    expect(await Promise.all(['a.txt', 'sub', '.', '', 'sub/', 'none', 'none/deeper', 'a.txt/deeper'].map((path) => workspace.exists(path)))).toEqual([true, true, true, true, true, false, false, false]);
  });
});

describe('races', () => {
  /** A write that finds no folder makes one: that gives way. */
  function putLink(name: string): void {
    for (;;) {
      try {
        symlinkSync(join(base, 'outside'), join(root, name));
        return;
      } catch {
        rmSync(join(root, name), { recursive: true, force: true });
      }
    }
  }

  /**
   * Swaps a folder for a link to a twin outside and back, between the steps of the calls under test. How many turns each
   * state holds follows from a seed. Each tenth round is left in peace, so that some calls get through on any machine.
   */
  async function race(act: (workspace: FileWorkspace, round: number) => Promise<unknown>, rounds: number, seed = 1): Promise<unknown[]> {
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd', 'secret.txt'), 'inside');
    let state = seed;
    const hold = async (most: number): Promise<void> => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      for (let turn = 1 + Math.floor((state / 2_147_483_648) ** 3 * most); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const workspace = openWorkspace(root);
    let swaps = 0;
    let [done, peace, resting] = [false, false, false];
    const swapper = (async () => {
      while (!done) {
        renameSync(join(root, 'd'), join(root, 'kept'));
        putLink('d');
        await hold(6);
        rmSync(join(root, 'd'));
        renameSync(join(root, 'kept'), join(root, 'd'));
        swaps += 1;
        await hold(200);
        while (peace && !done) {
          resting = true;
          await new Promise((resolve) => setImmediate(resolve));
        }
        resting = false;
      }
    })();
    const results: unknown[] = [];
    for (let round = 0; round < rounds; round += 1) {
      peace = round % 10 === 9;
      while (peace && !resting) await new Promise((resolve) => setImmediate(resolve));
      results.push(await act(workspace, round).catch((error: unknown) => error));
    }
    done = true;
    await swapper;
    expect(swaps).toBeGreaterThan(rounds / 50);
    return results;
  }

  it.each([['with /proc', true], ['without /proc', false]])('a folder moved outside while it is open gives nothing any more, %s', async (_, proc) => {
    writeFileSync(join(root, 'sub', 'f'), 'inside');
    const ground = { root, proc };
    const directory = await openDirectory(ground, ['sub']);
    renameSync(join(root, 'sub'), join(base, 'moved'));
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'f'), 'another');
    try {
      if (proc) expect(isRefusal(await rejection(openPlainFile(ground, directory, 'f', 'sub/f')))).toBe(true);
      expect(isRefusal(await rejection(directory.check()))).toBe(true);
    } finally {
      await directory.close();
    }
  });

  it('a file that becomes a link between the look and the opening is refused', async () => {
    const ground = { root, proc: true };
    const directory = await openDirectory(ground, []);
    const swapping = { ...directory, child: (name: string) => (swapped ? directory.child(name) : (swapped = true, directory.child('a.txt'))) };
    let swapped = false;
    symlinkSync(secret, join(root, 'late'));
    try {
      expect(isRefusal(await rejection(openPlainFile(ground, swapping, 'late', 'late')))).toBe(true);
    } finally {
      await directory.close();
    }
  });

  it('a folder swapped for a link never lets a read outside', async () => {
    const results = await race((workspace) => workspace.readText('d/secret.txt'), 600);
    expect(results.filter((result) => result === SECRET)).toEqual([]);
    expect(results.some((result) => result === 'inside')).toBe(true);
    expect(results.some((result) => result !== 'inside')).toBe(true);
  });

  it('a folder swapped for a link never lets a write outside', async () => {
    const results = await race((workspace) => workspace.write('d/secret.txt', 'inside'), 300);
    expect(readFileSync(secret, 'utf8')).toBe(SECRET);
    expect(results.some((result) => !(result instanceof Error))).toBe(true);
    expect(execFileSync('ls', ['-A', join(base, 'outside')], { encoding: 'utf8' }).trim()).toBe('secret.txt');
  });

  it.each([1, 2, 3])('a folder swapped for a link never lets an edit with a backup outside, seed %i', async (seed) => {
    const results = await race(async (workspace, round) => {
      const tool = editFile({ workspace, overwrite: 'allow-with-backup' });
      const context = { signal: new AbortController().signal, workspace, taskId: 'task', intentId: '1', log: () => undefined, disclose: () => undefined };
      const path = 'd/secret.txt';
      return tool.execute({ path, edits: [{ find: (await workspace.readText(path)), replace: `inside ${round}` }] } as never, context);
    }, 150, seed);
    expect([readFileSync(secret, 'utf8'), readdirSync(join(base, 'outside'))]).toEqual([SECRET, ['secret.txt']]);
    expect(results.some((result) => typeof result === 'string')).toBe(true);
    // No copy of what lies outside either.
    expect(execFileSync('bash', ['-c', `grep -rl "${SECRET}" ${join(root, '.artoo', 'backups')} || true`], { encoding: 'utf8' })).toBe('');
  });

  it.each([1, 2, 3])('a folder swapped for a link never lets an undo outside, seed %i', async (seed) => {
    const results = await race(async (workspace, round) => {
      await workspace.write('d/secret.txt', `inside ${round}`, { backup: true, task: `task ${round}` });
      await workspace.write('d/made.txt', SECRET, { backup: true, task: `task ${round}` });
      return undoTask({ root, taskId: `task ${round}`, force: true });
    }, 60, seed);
    // What the task made has the content of the file outside: only where it lies tells them apart.
    expect([readFileSync(secret, 'utf8'), readdirSync(join(base, 'outside'))]).toEqual([SECRET, ['secret.txt']]);
    expect(results.some((result) => !(result instanceof Error))).toBe(true);
  });

  it.each([1, 2])('the folder of backups swapped for a link gets nothing outside, seed %i', async (seed) => {
    const workspace = openWorkspace(root);
    await workspace.write('a.txt', 'first', { backup: true, task: 'task' });
    let done = false;
    let state = seed;
    const swapper = (async () => {
      while (!done) {
        renameSync(join(root, '.artoo'), join(root, 'kept'));
        putLink('.artoo');
        await new Promise((resolve) => setImmediate(resolve));
        rmSync(join(root, '.artoo'), { recursive: true, force: true });
        renameSync(join(root, 'kept'), join(root, '.artoo'));
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        for (let turn = state % 40; turn >= 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    let refused = 0;
    for (let round = 0; round < 120; round += 1) await workspace.write('a.txt', `round ${round}`, { backup: true, task: 'task' }).catch(() => { refused += 1; });
    done = true;
    await swapper;
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret.txt']);
    expect(refused).toBeGreaterThan(0);
  });

  it('a folder swapped for a link never lets a list outside', async () => {
    writeFileSync(join(base, 'outside', 'only-outside'), '');
    const results = await race((workspace) => workspace.list('d'), 300);
    expect(JSON.stringify(results)).not.toContain('only-outside');
  });
});

describe('the root', () => {
  it.each(['/', '/proc', '/proc/self', '/sys', '/dev', '', 'a\0b'])('refuses %j as a workspace', (path) => {
    expect(() => openWorkspace(path)).toThrow(ArtooError);
  });
  it('says so when it does not exist or is a file', () => {
    expect(() => openWorkspace(join(base, 'none'))).toThrow(/none" is no folder \(ENOENT\)/);
    expect(() => openWorkspace(join(root, 'a.txt'))).toThrow(/ENOTDIR/);
  });
  it('is the real path of a link to a folder', () => {
    symlinkSync(root, join(base, 'alias'));
    expect(openWorkspace(join(base, 'alias')).root).toBe(root);
  });
  it('swapped for a link later is refused', async () => {
    const workspace = openWorkspace(root);
    renameSync(root, join(base, 'moved'));
    symlinkSync(join(base, 'outside'), root);
    expect(await rejection(workspace.readText('secret.txt'))).toBeInstanceOf(ArtooError);
  });
});
