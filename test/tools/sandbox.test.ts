import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBwrap } from '../../src/adapters/bwrap/find-bwrap.js';
import { openWorkspace, shell, workspaceTools, type FileWorkspace, type SandboxPort, type SandboxSetting } from '../../src/entries/tools.js';
import type { SandboxPolicy } from '../../src/contracts/tool.js';
import { ArtooError } from '../../src/contracts/errors.js';
import { call, judgeAndCall, useFolders } from './support.js';

const folder = useFolders();
const problem = await openWorkspace(process.cwd()).sandbox!().check();
const usable = problem === undefined;
// Said once, so that nobody takes a skipped test for a passed one.
if (problem) console.warn(`bubblewrap can't be used here (${problem.why}): its tests are skipped, the refusals are tested.`);

let root = '';
beforeEach(() => {
  root = folder();
});
const inside = (command: string, setting: SandboxSetting = 'required', options: Partial<Parameters<typeof shell>[0]> = {}) => call(shell({ workspace: openWorkspace(root), sandbox: setting, ...options }), { command });
const outputOf = async (command: string, setting?: SandboxSetting): Promise<string> => (await inside(command, setting)).text;
function put(files: Record<string, string>, base = root): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
}
/** Processes outside whose command line holds the mark. */
function alive(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !holds(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
}
const unique = (seed: number): string => `97${process.pid}${seed}`;

describe.runIf(usable)('bubblewrap', () => {
  describe('runs a command as it would run without', () => {
    it.each(['echo out; echo err >&2', 'exit 3', 'pwd; cd /; pwd', 'no-such-program', 'read -r x; echo "got $x"', "printf '%s|' a 'b c' \"d\"", 'cat nothing', 'echo $0 $# $-', "printf '\\xc3'; printf '\\xa4 \\xff'"])('%s', async (command) => {
      const [without, within] = [await inside(command, 'none'), await inside(command)];
      expect([within.ok, within.text, within.code, within.failureClass]).toEqual([without.ok, without.text, without.code, without.failureClass]);
    });
    it('makes, changes and removes files of the workspace', async () => {
      put({ 'old.txt': 'old', 'gone.txt': '' });
      expect((await inside('echo new > new.txt; echo more >> old.txt; rm gone.txt; mkdir -p a/b; mv new.txt a/b/')).ok).toBe(true);
      expect([readFileSync(join(root, 'a/b/new.txt'), 'utf8'), readFileSync(join(root, 'old.txt'), 'utf8'), existsSync(join(root, 'gone.txt'))]).toEqual(['new\n', 'oldmore\n', false]);
    });
    it('with the few variables of ours, those of the host, and none of their values in the list of processes', async () => {
      process.env['ARTOO_TEST_SECRET_KEY'] = 'hunter2';
      try {
        const { text } = await inside('env; cat /proc/1/cmdline | tr "\\0" " "', 'required', { environment: { GIVEN: 'value-of-the-host' } });
        expect([text.includes('hunter2'), text.includes('GIVEN=value-of-the-host'), text.split('value-of-the-host').length, /^TMPDIR=\/tmp$/m.test(text)]).toEqual([false, true, 2, true]);
      } finally {
        delete process.env['ARTOO_TEST_SECRET_KEY'];
      }
    });
    it('a command that a signal ended has 128 and its number as exit code', async () => expect((await inside('kill -9 $$')).text).toBe('[exit code 137]'));
  });

  describe('keeps the rest of the machine as it is', () => {
    it.each(['/etc/artoo-test', '/usr/bin/artoo-test', '/var/lib/artoo-test', '/artoo-test', '~/artoo-test', '/dev/artoo/test', '/sys/kernel/artoo-test'])('no write to %s', async (path) => {
      const result = await inside(`echo x > ${path}`);
      expect([result.ok, result.text]).toEqual([false, expect.stringMatching(/Read-only file system|Permission denied|No such file|cannot create/)]);
      expect(existsSync(path)).toBe(false);
    });
    it('no write to folders beside the workspace, and none through a link out of it', async () => {
      const other = folder();
      put({ 'a.txt': 'kept' }, other);
      symlinkSync(other, join(root, 'link'));
      await inside(`echo x > ${other}/a.txt; echo x > link/a.txt; rm -rf ${other} link/; echo y > ${other}/new`);
      expect([readFileSync(join(other, 'a.txt'), 'utf8'), readdirSync(other)]).toEqual(['kept', ['a.txt']]);
    });
    it('/tmp is its own and empty', async () => {
      const outside = join(folder(), 'seen');
      writeFileSync(outside, 'x');
      expect(await outputOf(`echo scratch > /tmp/f && cat /tmp/f; cat ${outside}`)).toContain('scratch\n[standard error]');
      expect(existsSync('/tmp/f')).toBe(false);
    });
    it('no kernel settings', async () => {
      expect(await outputOf('echo changed > /proc/sys/kernel/hostname')).toContain('Read-only file system');
      expect(await outputOf('[ -w /proc/sys/kernel/hostname ] || [ -w /proc/sysrq-trigger ] || echo safe')).toBe('safe\n[exit code 0]');
      expect(hostname()).not.toBe('changed');
    });
    it('no privileges: no mounts, no devices, no capabilities', async () => {
      expect(await outputOf("grep -h '^Cap\\(Eff\\|Prm\\|Bnd\\)' /proc/self/status | sort -u | awk '{print $2}' | sort -u")).toBe('0000000000000000\n[exit code 0]');
      expect((await inside(`mount -t tmpfs none /mnt || mount -o remount,rw / || mknod d b 8 0 || umount ${root}`)).ok).toBe(false);
      expect(await outputOf('ls /dev | tr "\\n" " "')).not.toMatch(/\b(?:sd[a-z]|vd[a-z]|nvme|mem|kmsg|loop)/);
    });
    it('`.git` is read-only, wherever it is, and writable when asked', async () => {
      put({ '.git/config': 'mine', 'lib/.git/hooks/pre-commit': 'mine' });
      const command = 'echo evil > .git/config; echo evil > .git/hook; echo evil > lib/.git/hooks/pre-commit; rm -rf .git; mv .git other; mv lib/.git lib/other; ls lib/.git/hooks';
      expect((await inside(command)).text).toContain('pre-commit');
      expect([readFileSync(join(root, '.git/config'), 'utf8'), readFileSync(join(root, 'lib/.git/hooks/pre-commit'), 'utf8'), existsSync(join(root, '.git/hook'))]).toEqual(['mine', 'mine', false]);
      expect((await inside('echo asked > .git/config', { writableGit: true })).ok).toBe(true);
      expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('asked\n');
    });
    it('`.git` that is a file is read-only too', async () => {
      put({ '.git': 'gitdir: ../x' });
      await inside('echo evil > .git');
      expect(readFileSync(join(root, '.git'), 'utf8')).toBe('gitdir: ../x');
    });
  });

  describe('hides secrets', () => {
    it('of the home folder', async () => {
      const home = folder();
      const names = ['.ssh/id_ed25519', '.aws/credentials', '.config/gh/hosts.yml', '.gnupg/key', '.npmrc', '.netrc', '.docker/config.json', '.kube/config', '.git-credentials', '.bash_history', '.cargo/credentials.toml'];
      put(Object.fromEntries(names.map((name) => [name, 'canary'])), home);
      put({ 'plain.txt': 'readable' }, home);
      // The home lies below /tmp, which is hidden anyway: it is made the workspace, which is not.
      root = home;
      const { text } = await inside(`grep -rs canary ~ . ; cat ${names.map((name) => `~/${name}`).join(' ')}; cat plain.txt`, 'required', { environment: { HOME: home } });
      expect([text.includes('canary'), text.includes('readable')]).toEqual([false, true]);
      await inside(`for f in ${names.join(' ')}; do echo evil > $f; rm -f $f; done`, 'required', { environment: { HOME: home } });
      expect(names.map((name) => readFileSync(join(home, name), 'utf8'))).toEqual(names.map(() => 'canary'));
    });
    it('also where lists overlap: a workspace that is a home, or lies in a hidden folder; a home below /tmp', async () => {
      put({ '.env': 'canary', '.config/app/.env': 'canary', '.config/app/.git/config': 'canary', '.artoo/x': 'canary', 'plain.txt': 'readable' });
      const home = { environment: { HOME: root } };
      const show = 'cat .env .config/app/.env .config/app/.git/config .artoo/x; cat plain.txt';
      expect((await inside(show, 'required', home)).text).toMatch(/^readable\n\[standard error\]|^readable\n\[exit code 0\]/);
      put({ '.npmrc': 'canary', '.ssh/key': 'canary', '.config/mine/own.txt': 'readable', '.config/other': 'canary' });
      const elsewhere = { workspace: openWorkspace(folder()), environment: { HOME: root } };
      expect((await inside('cat ~/.npmrc ~/.ssh/key; echo done', 'required', elsewhere)).text).toMatch(/^done\n/);
      const within = { workspace: openWorkspace(join(root, '.config', 'mine')), environment: { HOME: root } };
      expect((await inside('cat own.txt ../other; echo new > new.txt', 'required', within)).text).toMatch(/^readable\n\[standard error\]|^readable\n\[exit code 0\]/);
      expect(readFileSync(join(root, '.config', 'mine', 'new.txt'), 'utf8')).toBe('new\n');
    });
    it('of a home beside the workspace, around it, and of one that is reached through a link', async () => {
      // Below the project: where that lies below /tmp, which is hidden as a whole, only a workspace around it is seen.
      const home = fileURLToPath(new URL(`../../.artoo/home-${process.pid}/`, import.meta.url));
      const emptied = /^\/(?:tmp|var\/tmp)\//.test(realpathSync(fileURLToPath(new URL('../../', import.meta.url))));
      try {
        put({ '.ssh/key': 'canary', '.npmrc': 'canary', 'keys/aws/credentials': 'canary', '.config/mine/own.txt': 'readable', '.config/other': 'canary', '.cargo/credentials': 'canary', 'plain.txt': 'readable' }, home);
        symlinkSync('keys/aws', join(home, '.aws'));
        const show = 'cat ~/.ssh/key ~/.npmrc ~/.aws/credentials ~/keys/aws/credentials ~/.config/other ~/.cargo/credentials; cat ~/plain.txt';
        for (const place of [root, join(home, '.config', 'mine'), join(home, '.config'), home]) {
          const { text } = await inside(show, 'required', { workspace: openWorkspace(place), environment: { HOME: home } });
          // A workspace that lies in a hidden folder is shown, and with it what it holds.
          expect([place, text.replace(/^canary/, place.endsWith('.config') ? '' : '$&').includes('canary'), text.includes('readable')]).toEqual([place, false, place === home || !emptied]);
        }
        const own = { workspace: openWorkspace(join(home, '.config', 'mine')), environment: { HOME: home } };
        expect((await inside('echo new > new.txt; cat own.txt; ls ..; echo x > ../other', 'required', own)).text).toMatch(/^readablemine\n/);
        expect([readFileSync(join(home, '.config/mine/new.txt'), 'utf8'), readFileSync(join(home, '.config/other'), 'utf8')]).toEqual(['new\n', 'canary']);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
    it('that the host names', async () => {
      put({ 'private/a': 'canary', 'token': 'canary' });
      const setting = { hide: [join(root, 'private'), join(root, 'token'), '~/nothing-here'] };
      expect(await outputOf('cat private/* token; ls private', setting)).not.toContain('canary');
    });
    it('of the workspace: protected names, also in folders and behind links', async () => {
      put({ '.env': 'canary', '.env.local': 'canary', 'packages/a/.env': 'canary', '.artoo/ledger/x': 'canary', 'real/secret': 'canary', '.env.example': 'harmless' });
      symlinkSync('real/secret', join(root, '.env.production'));
      const { text } = await inside('cat .env .env.local packages/a/.env .artoo/ledger/x real/secret; grep -rs canary .; cat .env.example');
      expect([text.includes('canary'), text.includes('harmless')]).toEqual([false, true]);
      await inside('echo x > .env; rm -rf .artoo packages/a/.env; echo x > .artoo/ledger/x');
      expect([readFileSync(join(root, '.env'), 'utf8'), readFileSync(join(root, '.artoo/ledger/x'), 'utf8'), readFileSync(join(root, 'packages/a/.env'), 'utf8')]).toEqual(['canary', 'canary', 'canary']);
    });
    it('more of them than there are descriptors for', async () => {
      put(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}/.env`, 'canary'])));
      expect(await outputOf('cat */.env 2>/dev/null; echo done')).toBe('done\n[exit code 0]');
    });
    it('of the system, sockets and other processes', async () => {
      const other = spawn('sleep', [unique(1)], { env: { CANARY: 'canary' } });
      try {
        expect(await outputOf('cat /etc/shadow 2>/dev/null | wc -c; ls /run | wc -l; cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c CANARY')).toMatch(/^0\n0\n0\n/);
        expect((await inside(`kill -9 ${other.pid ?? 0}; ps ax -o args | grep -v grep | grep ${unique(1)}`)).ok).toBe(false);
        expect(other.exitCode).toBe(null);
      } finally {
        other.kill('SIGKILL');
      }
    });
  });

  it('has no network, not even this machine\'s, unless asked', async () => {
    const server = createServer((socket) => socket.end('hello\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
      expect(await outputOf(command, 'none')).toContain('hello');
      expect((await inside(command)).ok).toBe(false);
      expect(await outputOf(command, { network: true })).toContain('hello');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  describe('F19: ends with everything in it', () => {
    it.each([
      ['a daemon in a session of its own', (mark: string) => `setsid -f sleep ${mark}; setsid sleep ${mark} & disown; echo started`],
      ['a double fork that ignores signals', (mark: string) => `(trap '' TERM HUP INT; (setsid bash -c "trap '' TERM; sleep ${mark}; sleep ${mark}" >/dev/null 2>&1 &) ); echo started`],
    ])('%s, when the command has ended', async (_, command) => {
      const mark = unique(2);
      expect(await outputOf(command(mark))).toBe('started\n[exit code 0]');
      await until(() => alive(mark).length === 0);
    });
    it('on timeout, with what was printed', async () => {
      const mark = unique(3);
      const result = await inside(`echo on; setsid sleep ${mark} & trap '' TERM; sleep ${mark}; wait`, 'required', { timeoutMs: 700 });
      expect(result).toMatchObject({ ok: false, code: 'ARTOO_TOOL_TIMEOUT', text: 'on\n[killed after 700 ms]' });
      await until(() => alive(mark).length === 0);
    });
    it('on abort, before, during and twice', async () => {
      const mark = unique(4);
      const controller = new AbortController();
      const tool = shell({ workspace: openWorkspace(root), sandbox: 'required' });
      const running = call(tool, { command: `setsid sleep ${mark} & sleep ${mark}` }, { signal: controller.signal });
      await until(() => alive(mark).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n').length === 2);
      controller.abort();
      controller.abort();
      expect(await running).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
      await until(() => alive(mark).length === 0);
      expect(await call(tool, { command: 'echo x > made' }, { signal: controller.signal })).toMatchObject({ code: 'ARTOO_ABORTED' });
      expect(existsSync(join(root, 'made'))).toBe(false);
    });
    it('on abort at any moment of its start', async () => {
      const mark = unique(6);
      const tool = shell({ workspace: openWorkspace(root), sandbox: 'required' });
      await call(tool, { command: 'true' });
      for (let turns = 0; turns < 60; turns += 1) {
        const controller = new AbortController();
        const running = call(tool, { command: `setsid sleep ${mark} & sleep ${mark}` }, { signal: controller.signal });
        for (let turn = 0; turn < turns * 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        controller.abort();
        expect(await running).toMatchObject({ code: 'ARTOO_ABORTED' });
      }
      await until(() => alive(mark).length === 0);
    });
    it('when the process that started it is killed', async () => {
      const mark = unique(5);
      const file = fileURLToPath(new URL(`../../.artoo/sandbox-child-${process.pid}.mjs`, import.meta.url));
      const code = `import { openWorkspace } from 'artoo/tools'; await openWorkspace(process.argv[2]).sandbox().run('setsid sleep ${mark} & sleep ${mark}', { signal: new AbortController().signal, timeoutMs: 60_000 });`;
      await build({ stdin: { contents: code, resolveDir: root }, outfile: file, bundle: true, platform: 'node', format: 'esm', packages: 'external', alias: { 'artoo/tools': fileURLToPath(new URL('../../src/entries/tools.ts', import.meta.url)) }, logLevel: 'error' });
      try {
        const parent = spawn(process.execPath, [file, root]);
        await until(() => alive(mark).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n').length === 2);
        parent.kill('SIGKILL');
        await until(() => alive(mark).length === 0);
      } finally {
        rmSync(file, { force: true });
      }
    });
  });

  it.each(['with blanks  and "quotes"', "it's $HOME `x`", 'line\nfeed', 'ünï 😀', '--bind', '*?[a]'])('works in a folder of any name: %j', async (name) => {
    root = join(root, name);
    put({ '.env': 'canary', '.git/config': 'mine', 'a.txt': 'a' });
    expect((await inside('cat a.txt .env; echo new > new.txt; echo x > .git/config')).text).toMatch(/^a\n\[standard error\]/);
    expect([readFileSync(join(root, 'new.txt'), 'utf8'), readFileSync(join(root, '.git/config'), 'utf8')]).toEqual(['new\n', 'mine']);
  });
  it('takes no arguments of its own from a variable', async () => {
    const environment = { X: 'a\0--bind\0/\0/' };
    expect(await inside('echo x > /etc/artoo-test', 'required', { environment })).toMatchObject({ ok: false, code: 'ARTOO_SANDBOX', failureClass: 'environmental' });
    expect((await inside('echo "$X"', 'required', { environment: { X: '--bind / / \n $(id)' } })).text).toBe('--bind / / \n $(id)\n[exit code 0]');
  });
  it('can\'t be left from inside by another one', async () => {
    put({ '.env': 'canary' });
    const other = folder();
    const { text } = await inside(`unshare -Urm bash -c 'umount .env .artoo /tmp; mount -o remount,rw /; cat .env; touch ${other}/x /etc/artoo-test'; bwrap --bind / / --dev /dev touch ${other}/x /etc/artoo-test; nsenter -t 1 -m cat .env; cat /proc/1/root${root}/.env`);
    expect([text.includes('canary'), existsSync(join(other, 'x')), existsSync('/etc/artoo-test')]).toEqual([false, false, false]);
  });
  it('leaves no descriptor open', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    await inside('true');
    const before = open();
    for (let round = 0; round < 8; round += 1) await inside('echo x; exit 1');
    expect(open()).toBeLessThanOrEqual(before);
  });
  it('many at once keep apart', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, (_, n) => outputOf(`echo ${n} > /tmp/mine; cat /tmp/mine; ls /tmp | grep -v artoo-tools`)));
    expect(results).toEqual(Array.from({ length: 12 }, (_, n) => `${n}\nmine\n[exit code 0]`));
  });
});

/** A workspace whose sandbox can't be had, and one whose sandbox answers in its own way. */
const without = (): FileWorkspace => ({ ...openWorkspace(root), sandbox: () => ({ name: 'broken', check: async () => ({ why: 'it is not installed', hint: 'Install it.' }), run: () => { throw new Error('never'); } }) });
function recording(): SandboxPort & { readonly seen: string[]; checks: number } {
  const port = {
    name: 'mine', seen: [] as string[], checks: 0,
    check: async () => { port.checks += 1; return undefined; },
    run: async (command: string) => { port.seen.push(command); return { exitCode: 0, killedBy: null, timedOut: false, stdout: { text: 'in mine\n', totalBytes: 8 }, stderr: { text: '', totalBytes: 0 } }; },
  };
  return port;
}
async function told(workspace: FileWorkspace, own: SandboxSetting | undefined, context?: SandboxPolicy): Promise<{ readonly lines: string[]; readonly code: string | undefined; readonly text: string; readonly message: string | undefined }> {
  const lines: string[] = [];
  const tool = shell({ workspace, ...(own === undefined ? {} : { sandbox: own }) });
  const options = { taskId: 't', disclose: (line: string) => lines.push(line), ...(context === undefined ? {} : { sandbox: context }) };
  await call(tool, { command: 'echo ran > ran' }, options);
  const { code, text, message } = await call(tool, { command: 'cat ran' }, options);
  return { lines, code, text, message };
}

describe('the policy', () => {
  it.each<[string, SandboxSetting | undefined, SandboxPolicy | undefined, 'refused' | 'ran', number]>([
    ['none, and the host says nothing', undefined, undefined, 'ran', 0], ['the host\'s none', undefined, 'none', 'ran', 0], ['the host\'s auto', undefined, 'auto', 'ran', 1], ['the host\'s required', undefined, 'required', 'refused', 0],
    ['its own none over the host\'s required', 'none', 'required', 'ran', 0], ['its own auto', 'auto', 'none', 'ran', 1], ['its own required', 'required', 'none', 'refused', 0], ['bwrap', 'bwrap', undefined, 'refused', 0],
    ['options alone', { network: true }, undefined, 'refused', 0], ['options under auto', { policy: 'auto', network: true }, undefined, 'ran', 1],
  ])('%s, where there is no sandbox', async (_, own, context, end, lines) => {
    const result = await told(without(), own, context);
    expect([result.code === 'ARTOO_SANDBOX' ? 'refused' : 'ran', result.lines]).toEqual([end, lines === 0 ? [] : ['Shell commands ran without a sandbox: it is not installed.']]);
    expect(existsSync(join(root, 'ran'))).toBe(end === 'ran');
    if (end === 'refused') expect(result.message).toBe('The command was not run, as a sandbox is required: it is not installed. Install it.');
  });
  it('a workspace that can have none says so', async () => {
    const { sandbox: _, ...bare } = openWorkspace(root);
    expect((await told(bare, 'required')).message).toContain('This workspace has no sandbox');
    expect((await told(bare, 'auto')).lines).toEqual(['Shell commands ran without a sandbox: This workspace has no sandbox.']);
  });
  it('a sandbox of the host\'s own is used, and required', async () => {
    const port = recording();
    expect(await told(openWorkspace(root), port)).toMatchObject({ lines: [], text: 'in mine\n[exit code 0]' });
    expect(port.seen).toEqual(['echo ran > ran', 'cat ran']);
  });
  it('auto says which one was in force, once per task', async () => {
    const workspace = { ...openWorkspace(root), sandbox: () => recording() };
    expect((await told(workspace, 'auto')).lines).toEqual(['Shell commands ran in the sandbox mine.']);
  });
  it.each<[unknown]>([['always'], [1], [null], [[1]], [{ polcy: 'auto' }], [{ policy: 'sometimes' }], [{ run: () => undefined }], [{ name: 'x', run: 1, check: 2 }]])('%j is no setting', (setting) => {
    expect(() => shell({ workspace: openWorkspace(root), sandbox: setting as SandboxSetting })).toThrow(/none of what it may be/);
  });
  it('changes nothing about what needs permission', async () => {
    put({ 'a.txt': 'x' });
    expect((await judgeAndCall(shell({ workspace: openWorkspace(root), sandbox: usable ? 'required' : 'auto' }), { command: 'rm a.txt' })).effect).toBe('irreversible');
  });
  it('reaches the shell through workspaceTools', async () => {
    const tool = workspaceTools({ root, sandbox: 'required' }).find(({ name }) => name === 'shell')!;
    const result = await call(tool, { command: 'cat /proc/1/comm' });
    expect(usable ? result.text : result.code).toBe(usable ? 'bwrap\n[exit code 0]' : 'ARTOO_SANDBOX');
  });
});

describe('where bubblewrap is missing or broken', () => {
  const path = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = path;
  });
  /** A program of that name that comes first on the PATH. */
  function fake(script: string): void {
    const bin = folder();
    writeFileSync(join(bin, 'bwrap'), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    process.env['PATH'] = `${bin}:${path ?? ''}`;
  }
  it.each([
    ['that can\'t make a sandbox', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1', 'No permissions to create new namespace'],
    ['that says nothing', 'exit 0', 'it ended without a word'],
    ['that runs the command unconfined', 'while [ "$1" != -- ]; do shift; done; shift; echo "{ \\"exit-code\\": 0 }" >&4; exec "$@"', 'read-only'],
  ])('one %s is found out by the probe, and nothing runs', async (_, script, why) => {
    fake(script);
    const result = await inside('echo x > made');
    expect([result.code, result.message?.includes(why)]).toEqual(['ARTOO_SANDBOX', true]);
    expect(existsSync(join(root, 'made'))).toBe(false);
  });
  it('one that fails later refuses that command', async () => {
    const marker = join(folder(), 'used');
    const real = usable ? execFileSync('bash', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim() : '/bin/false';
    fake(`case "$1" in --help) exec ${real} "$@";; esac; [ -e ${marker} ] && { echo "bwrap: gone" >&2; exit 1; }; touch ${marker}; exec ${real} "$@"`);
    const workspace = openWorkspace(root);
    const port = workspace.sandbox!();
    const first = await port.check();
    expect(first === undefined).toBe(usable);
    const error = await port.run('echo x > made', { signal: new AbortController().signal, timeoutMs: 5_000 }).catch((caught: unknown) => caught);
    expect([ArtooError.is(error, 'ARTOO_SANDBOX'), existsSync(join(root, 'made'))]).toEqual([true, false]);
  });
  it('one that is not installed is named, with how to get it', async () => {
    process.env['PATH'] = folder();
    expect(await findBwrap([])).toEqual({ why: expect.stringContaining(process.platform === 'linux' ? 'bubblewrap (bwrap) is not installed' : 'Linux only'), hint: expect.stringContaining("sandbox: 'auto' or 'none'") });
  });
  it('a bwrap in the workspace is not taken for it', async () => {
    put({ 'bwrap': '#!/bin/bash\ntouch /tmp/artoo-taken\n' });
    process.env['PATH'] = `.:${path ?? ''}`;
    await inside('true');
    expect(existsSync('/tmp/artoo-taken')).toBe(false);
  });
});
