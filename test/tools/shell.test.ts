import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutputCapture } from '../../src/adapters/node-captured-output.js';
import { runCommand } from '../../src/adapters/node-process.js';
import { openWorkspace, shell } from '../../src/entries/tools.js';
import { call, judgeAndCall, rejection, useFolders } from './support.js';

const folder = useFolders();
const make = (options: { readonly timeoutMs?: number; readonly environment?: Record<string, string> } = {}) => shell({ workspace: openWorkspace(folder()), ...options });

/** Processes whose command line holds the mark; zombies have none. */
function alive(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !holds(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
}
/** A number of seconds that no other process sleeps. */
const unique = (seed: number): string => `98${process.pid}${seed}`;

describe('what comes back', () => {
  it('is the output, then standard error apart, then the exit code', async () => {
    expect(await call(make(), { command: 'echo out; echo err >&2' })).toMatchObject({ ok: true, text: 'out\n[standard error]\nerr\n[exit code 0]' });
  });
  it('is a failure with its whole output when the exit code is not 0', async () => {
    expect(await call(make(), { command: 'echo three failed; exit 3' })).toMatchObject({ ok: false, failureClass: 'logical', text: 'three failed\n[exit code 3]', message: 'The command ended with exit code 3.' });
  });
  it('blames the surroundings when a program is missing or a signal ended it', async () => {
    expect(await call(make(), { command: 'no-such-program-here' })).toMatchObject({ ok: false, failureClass: 'environmental', text: expect.stringMatching(/\[exit code 127\]$/) as string });
    expect(await call(make(), { command: 'kill -9 $$' })).toMatchObject({ ok: false, failureClass: 'environmental', text: '[ended by SIGKILL]' });
  });
  it('does not judge by words of the output', async () => {
    expect(await call(make(), { command: 'echo "permission denied, ENOENT, not found"' })).toMatchObject({ ok: true });
  });
  it('replaces wrong bytes, and keeps characters that were printed in parts', async () => {
    expect((await call(make(), { command: "printf '\\xc3'; sleep 0.05; printf '\\xa4 \\xff\\n'" })).text).toBe('ä \ufffd\n[exit code 0]');
  });
  it('keeps head and tail of endless output in bounded memory', async () => {
    const before = process.memoryUsage.rss();
    const { text, ok } = await call(make(), { command: 'echo BEGIN; head -c 300000000 /dev/zero | tr "\\0" x; echo; echo END' });
    expect(ok).toBe(true);
    expect([text.startsWith('BEGIN\nxxx'), text.endsWith('END\n[exit code 0]'), /\[… 299279115 of 300000011 bytes left out …\]/.test(text), text.length < 800_000]).toEqual([true, true, true, true]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });
});

describe('where it runs', () => {
  it('is the workspace', async () => {
    const workspace = openWorkspace(folder());
    expect((await call(shell({ workspace }), { command: 'pwd' })).text).toBe(`${workspace.root}\n[exit code 0]`);
  });
  it('has few variables of ours and those of the host', async () => {
    process.env['ARTOO_TEST_SECRET_KEY'] = 'hunter2';
    try {
      const { text } = await call(make({ environment: { GIVEN: 'yes' } }), { command: 'env' });
      expect([text.includes('hunter2'), text.includes('GIVEN=yes'), text.includes('TERM=dumb'), text.includes('PATH=')]).toEqual([false, true, true, true]);
      const names = text.split('\n').map((line) => line.split('=')[0]).filter((name) => name !== '[exit code 0]');
      const known = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TERM', 'PAGER', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'GIVEN', 'PWD', 'OLDPWD', 'SHLVL', '_'];
      expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([]);
    } finally {
      delete process.env['ARTOO_TEST_SECRET_KEY'];
    }
  });
  it('reads nobody\'s profile', async () => {
    const home = folder();
    for (const file of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(home, file), 'echo PROFILE');
    expect((await call(make({ environment: { HOME: home } }), { command: 'echo done' })).text).toBe('done\n[exit code 0]');
  });
  it('F18 has no keyboard: a command that asks fails at once', async () => {
    expect((await call(make(), { command: 'read -r answer && echo "got $answer"' })).text).toBe('[exit code 1]');
    expect((await call(make(), { command: 'exec 3</dev/tty' })).ok).toBe(false);
  });
  it('cannot be started in a folder that is gone', async () => {
    const error = await rejection(runCommand({ command: 'true', directory: join(folder(), 'gone'), signal: new AbortController().signal, timeoutMs: 1_000 }));
    expect(error).toMatchObject({ code: 'ARTOO_TOOL_FAILED', details: { errno: 'ENOENT' } });
  });
});

describe('how it ends', () => {
  it('a timeout ends the whole group with grandchildren and keeps what was printed', async () => {
    const mark = unique(1);
    const result = await call(make({ timeoutMs: 300 }), { command: `echo started; (sleep ${mark} & sleep ${mark} | sleep ${mark}) & bash -c 'sleep ${mark} & wait'; wait` });
    expect(result).toMatchObject({ ok: false, code: 'ARTOO_TOOL_TIMEOUT', failureClass: 'environmental', text: 'started\n[killed after 300 ms]' });
    await until(() => alive(mark).length === 0);
  });

  it('a group that ignores SIGTERM is killed after the grace', async () => {
    const mark = unique(2);
    const outcome = await runCommand({ command: `trap '' TERM; echo on; while :; do sleep 0.05; done; : ${mark}`, directory: folder(), signal: new AbortController().signal, timeoutMs: 200, graceMs: 100 });
    expect(outcome).toMatchObject({ timedOut: true, killedBy: 'SIGKILL', stdout: { text: 'on\n' } });
    await until(() => alive(mark).length === 0);
  });

  it('a group may tidy up when it is asked to end', async () => {
    const directory = folder();
    await runCommand({ command: "trap 'echo tidy > tidy.txt; exit 0' TERM; while :; do sleep 0.02; done", directory, signal: new AbortController().signal, timeoutMs: 200 });
    expect(readFileSync(join(directory, 'tidy.txt'), 'utf8')).toBe('tidy\n');
  });

  it('an abort ends the group; a second abort changes nothing', async () => {
    const mark = unique(3);
    const controller = new AbortController();
    const running = call(make(), { command: `sleep ${mark} & sleep ${mark}` }, { signal: controller.signal });
    await until(() => alive(mark).length >= 2);
    controller.abort();
    controller.abort();
    expect(await running).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
    await until(() => alive(mark).length === 0);
  });

  it('an abort before the start starts nothing', async () => {
    const directory = folder();
    const reason = new Error('stopped');
    expect(await rejection(runCommand({ command: 'echo x > made', directory, signal: AbortSignal.abort(reason), timeoutMs: 1_000 }))).toBe(reason);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('a background process that holds the output neither delays the result nor stays', async () => {
    const mark = unique(4);
    expect((await call(make(), { command: `sleep ${mark} & echo done` })).text).toBe('done\n[exit code 0]');
    await until(() => alive(mark).length === 0);
  });

  it('a background process without output does not stay either', async () => {
    const mark = unique(5);
    expect((await call(make(), { command: `sleep ${mark} >/dev/null 2>&1 & echo done` })).text).toBe('done\n[exit code 0]');
    await until(() => alive(mark).length === 0);
  });

  it('output of a process that left the group is not awaited without limit', async () => {
    const mark = unique(6);
    const { text } = await call(make(), { command: `setsid sleep ${mark} & echo done` });
    try {
      expect(text).toBe('done\n[exit code 0]');
    } finally {
      for (const pid of alive(mark)) process.kill(Number(pid), 'SIGKILL');
    }
  });

  it('leaves no listener on the signal and no descriptor open', async () => {
    const { signal } = new AbortController();
    const directory = folder();
    const open = (): number => readdirSync('/proc/self/fd').length;
    await runCommand({ command: 'true', directory, signal, timeoutMs: 1_000 });
    const before = open();
    for (let round = 0; round < 10; round += 1) await runCommand({ command: 'echo x', directory, signal, timeoutMs: 1_000 });
    expect(open()).toBeLessThanOrEqual(before);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('floods', () => {
  it('without end cost bounded memory until the time is up, and are counted', async () => {
    const before = process.memoryUsage.rss();
    const outcome = await runCommand({ command: 'yes', directory: folder(), signal: new AbortController().signal, timeoutMs: 1_500 });
    expect([outcome.timedOut, outcome.stdout.totalBytes > 10_000_000, outcome.stdout.text.length < 800_000, outcome.stdout.text.includes(`of ${outcome.stdout.totalBytes} bytes left out`)]).toEqual([true, true, true, true]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });
  it('on both streams at once don\'t block the command', async () => {
    const outcome = await runCommand({ command: 'head -c 100000000 /dev/zero >&2 & head -c 100000000 /dev/zero; wait', directory: folder(), signal: new AbortController().signal, timeoutMs: 60_000 });
    expect([outcome.exitCode, outcome.stdout.totalBytes, outcome.stderr.totalBytes]).toEqual([0, 100_000_000, 100_000_000]);
  });
  it('of bytes that are no text come as text without an exception', async () => {
    const { ok, text } = await call(make(), { command: 'head -c 2000000 /dev/urandom' });
    expect([ok, text.includes('bytes left out'), !/\p{Surrogate}/u.test(text)]).toEqual([true, true, true]);
  });
  it('a line without end is no special case', async () => {
    expect((await call(make(), { command: 'head -c 5000000 /dev/zero | tr "\\0" "ä"' })).text.length).toBeLessThan(1_600_000);
  });
});

describe('limits and endings', () => {
  it.each(['cat', 'read -r x', 'sort', 'python3 -c "input()" 2>/dev/null', 'bash'])('%s, which waits for input, ends at once', async (command) => {
    const outcome = await runCommand({ command, directory: folder(), signal: new AbortController().signal, timeoutMs: 20_000 });
    expect(outcome.timedOut).toBe(false);
  });
  it('an abort after the end changes nothing', async () => {
    const controller = new AbortController();
    const result = await call(make(), { command: 'echo x' }, { signal: controller.signal });
    controller.abort();
    expect(result).toMatchObject({ ok: true, text: 'x\n[exit code 0]' });
  });
  it('an abort while the start is under way ends it', async () => {
    const mark = unique(7);
    for (let turns = 0; turns < 20; turns += 1) {
      const controller = new AbortController();
      const running = call(make(), { command: `sleep ${mark} & sleep ${mark}` }, { signal: controller.signal });
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect(await running).toMatchObject({ code: 'ARTOO_ABORTED' });
    }
    await until(() => alive(mark).length === 0);
  });
  it('maxProcesses is in force, and the command is run as it stands', async () => {
    const tool = shell({ workspace: openWorkspace(folder()), maxProcesses: 60 });
    expect((await call(tool, { command: `ulimit -u; echo "$0 $#" 'a  b' "it's"` })).text).toBe("60\nbash 0 a  b it's\n[exit code 0]");
    const asNobody = process.getuid?.() === 0 ? 'setpriv --reuid 65534 --clear-groups' : '';
    const few = shell({ workspace: openWorkspace(folder()), maxProcesses: 3 });
    const { text } = await call(few, { command: `cd /; ${asNobody} bash -c 'for n in 1 2 3 4 5 6 7 8; do sleep 0.2 & done; wait' 2>&1` });
    expect(text).toMatch(/Resource temporarily unavailable/);
  });
  it.each([0, -1, 1.5, NaN, '5'])('maxProcesses %j is refused', (maxProcesses) => expect(() => shell({ workspace: openWorkspace(folder()), maxProcesses: maxProcesses as number })).toThrow(/whole number above 0/));
});

describe('rewriting', () => {
  const index = (command: string): string => command.replace(/^find ~ -name (\S+)$/, 'echo from the index: $1');
  it('comes first: what it returns is judged, shown, named and run', async () => {
    const tool = shell({ workspace: openWorkspace(folder()), rewrite: index });
    const result = await judgeAndCall(tool, { command: 'find ~ -name a.txt' });
    expect([result.effect, result.text]).toEqual(['read', '[ran instead: echo from the index: a.txt]\nfrom the index: a.txt\n[exit code 0]']);
    expect(result.preview).toContain('$ echo from the index: a.txt\ninstead of\n$ find ~ -name a.txt');
    expect(tool.target?.({ command: 'find ~ -name a.txt' } as never)).toBe('echo from the index: a.txt');
  });
  it('can\'t smuggle: what is dangerous after it asks', async () => {
    const tool = shell({ workspace: openWorkspace(folder()), rewrite: () => 'rm -rf x' });
    expect((await judgeAndCall(tool, { command: 'ls' })).effect).toBe('irreversible');
    expect((await judgeAndCall(shell({ workspace: openWorkspace(folder()), rewrite: () => 'echo safe' }), { command: 'rm -rf x' })).effect).toBe('read');
  });
  it('that answers differently each time runs what was judged', async () => {
    let times = 0;
    const tool = shell({ workspace: openWorkspace(folder()), rewrite: () => (times++ === 0 ? 'echo judged' : 'echo other') });
    expect((await judgeAndCall(tool, { command: 'x' })).text).toContain('\njudged\n');
  });
  it.each([() => { throw new Error('no index'); }, () => undefined, () => '', () => 3])('that fails refuses the call', async (rewrite) => {
    const tool = shell({ workspace: openWorkspace(folder()), rewrite: rewrite as never });
    expect(await rejection((async () => (tool.effect as (input: unknown, context: unknown) => unknown)({ command: 'ls' }, {}))())).toBeInstanceOf(Error);
    expect((await call(tool, { command: 'ls' })).ok).toBe(false);
  });
  it('leaves other commands as they are', async () => expect((await call(shell({ workspace: openWorkspace(folder()), rewrite: index }), { command: 'echo plain' })).text).toBe('plain\n[exit code 0]'));
});

describe('the capture of output', () => {
  it.each([0, 1, 5, 9, 10, 11, 19, 20, 21, 29, 30, 31, 95])('keeps the right bytes of %i, in chunks of any size', (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => 65 + (index % 26));
    const whole = new TextDecoder().decode(bytes);
    for (const size of [1, 3, 7, 10, 20, 21, 100]) {
      const capture = createOutputCapture({ headBytes: 10, tailBytes: 20 });
      for (let at = 0; at < length; at += size) capture.add(bytes.slice(at, at + size));
      const expected = length <= 30 ? whole : `${whole.slice(0, 10)}\n[… ${length - 30} of ${length} bytes left out …]\n${whole.slice(-20)}`;
      expect(capture.finish()).toEqual({ text: expected, totalBytes: length });
    }
  });
  it('drops halves of characters at the cuts', () => {
    const capture = createOutputCapture({ headBytes: 5, tailBytes: 5 });
    capture.add(new TextEncoder().encode('ä'.repeat(20)));
    expect(capture.finish().text).toBe('ää\n[… 30 of 40 bytes left out …]\nää');
  });
});
