import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/entries/tools.js';
import { toolConformance } from '../../src/entries/testing.js';
import { call, judgeAndCall } from '../tools/support.js';

interface Macos {
  macosTools(options: { readonly root: string; readonly home?: string; readonly search?: false; readonly timeoutMs?: number }): Tool[];
  effectOfScript(script: string): { readonly effect: string; readonly applications: readonly string[]; readonly reason?: string };
  rewriteFind(places: { readonly home: string; readonly root: string }): (command: string) => string;
}
const from = new URL('../../examples/macos/', import.meta.url).pathname;
const load = async <Name extends keyof Macos>(file: string, name: Name): Promise<Macos[Name]> => ((await import(/* @vite-ignore */ `${from}${file}`)) as Macos)[name];

/** Stubs: each writes down its arguments, one per line, and answers. */
const STUBS: Readonly<Record<string, string>> = {
  mdfind: 'printf "%s\\n" "$@" > "$HOME/mdfind.args"\ncase "$*" in *nothing*) ;; *many*) seq 1 600 ;; *) printf "/Users/x/a.pdf\\n/Users/x/b.pdf\\n" ;; esac',
  osascript: 'printf "%s\\n" "$@" > "$HOME/osascript.args"\ncase "$*" in *hang*) sleep 60 & echo $! > "$HOME/child.pid"; wait ;; *fail*) echo "execution error (-1728)" >&2; exit 1 ;; *secret*) echo "${MACOS_TEST_SECRET:-none}" ;; *keyboard*) cat ;; *) echo 3 ;; esac',
  shortcuts: 'printf "%s\\n" "$@" > "$HOME/shortcuts.args"\ncase "$1" in list) printf "Tidy up\\nLights off\\n" ;; run) echo "ran $2" ;; esac',
};
const before = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
let base = '';
let home = '';
let root = '';
let tools: ReadonlyMap<string, Tool> = new Map();
const tool = (name: string): Tool => tools.get(name)!;
const argumentsOf = (program: string): string[] => readFileSync(join(home, `${program}.args`), 'utf8').trimEnd().split('\n');

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'artoo-macos-')));
  home = join(base, 'home');
  root = join(base, 'project');
  for (const folder of [home, root, join(base, 'bin')]) mkdirSync(folder);
  for (const [name, body] of Object.entries(STUBS)) {
    writeFileSync(join(base, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(base, 'bin', name), 0o755);
  }
  process.env['PATH'] = `${join(base, 'bin')}:${before.PATH ?? ''}`;
  process.env['HOME'] = home;
  process.env['MACOS_TEST_SECRET'] = 'leaked';
  const macosTools = await load('tools.mjs', 'macosTools');
  tools = new Map(macosTools({ root, home, search: false, timeoutMs: 1_000 }).map((made) => [made.name, made]));
});
afterAll(() => {
  process.env['PATH'] = before.PATH;
  process.env['HOME'] = before.HOME;
  delete process.env['MACOS_TEST_SECRET'];
  rmSync(base, { recursive: true, force: true });
});

/** A process that has ended and that nobody has asked after yet is no longer running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !(existsSync(`/proc/${pid}/stat`) && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  } catch {
    return false;
  }
}

const READING: readonly string[] = [
  'tell application "Mail" to count messages of inbox',
  'tell application "Mail" to get subject of every message of inbox',
  'tell application "Mail" to get unread count of inbox',
  'tell application "Mail"\n  get name of every mailbox of account "Work"\nend tell',
  'tell application "Mail"\n  set theMessages to (every message of inbox whose read status is false)\n  count theMessages\nend tell',
  'tell application "Mail"\n  set msgs to messages 1 thru 5 of inbox\n  set theList to {}\n  repeat with theMessage in msgs\n    set end of theList to subject of theMessage\n  end repeat\n  return theList\nend tell',
  'tell application "Mail" to return content of message 1 of inbox',
  'tell application "Mail" to get sender of first message of inbox whose subject contains "delete everything"',
  'tell application "Mail" to get (date received of message 1 of mailbox "Archive") as string',
  '-- how many?\ntell application "Mail" to count messages of inbox -- done',
  '(* send (* nested *) it *)\ntell application "Mail" to count messages of inbox',
  '# a note\ntell application "Mail"\ncount messages of inbox\nend tell',
  'tell application "Calendar" to get name of every calendar',
  'tell application "Calendar" to get summary of every event of calendar "Home"',
  'tell application "Calendar"\n  set startDay to current date\n  set endDay to startDay + 7 * days\n  get summary of (every event of calendar "Work" whose start date is greater than startDay and start date is less than endDay)\nend tell',
  'tell application "Calendar" to tell calendar "Home" to get {summary, start date, end date} of every event',
  'tell application "Calendar" to count events of calendar 1',
  'tell application "Calendar" to exists calendar "Home"',
  'tell application "Reminders" to get name of every list',
  'tell application "Reminders" to get name of reminders of list "Shopping" whose completed is false',
  'tell application "Reminders" to count (reminders whose due date is not missing value)',
  'tell application "Reminders"\n  if (count reminders of list 1) > 0 then\n    return name of first reminder of list 1\n  else\n    return ""\n  end if\nend tell',
  'tell application "Notes" to get name of every note of folder "Notes"',
  'tell application "Notes" to get body of note "Plan"',
  'tell application "Contacts" to get value of first email of person "Someone"',
  'tell application "Contacts" to get name of every person whose birth date is not missing value',
  'tell application "Finder" to get name of every file of desktop',
  'tell application "Finder" to count files of home',
  'tell application "Safari" to get URL of current tab of front window',
  'tell application "Safari" to get {name, URL} of every tab of window 1',
  'tell application "Music" to get name of current track',
  'tell application "System Events" to get name of every process whose visible is true',
  'set theDate to current date\nreturn theDate as string',
  'return 2 + 3 * 4',
  'set x to 1\nrepeat 3 times\n  set x to x + 1\nend repeat\nreturn x',
  'set AppleScript\'s text item delimiters to ", "\nreturn {"a", "b"} as string',
  'try\n  tell application "Mail" to count messages of inbox\non error errMsg\n  return errMsg\nend try',
  'with timeout of 20 seconds\n  tell application "Mail" to count messages of inbox\nend timeout',
];

const ACTING: readonly string[] = [
  'tell application "Mail" to send theMessage',
  'tell application "Mail"\n  set theMessage to make new outgoing message with properties {subject:"Hi", content:"x"}\n  send theMessage\nend tell',
  'tell application "Mail" to delete message 1 of inbox',
  'tell application "Mail" to delete (every message of inbox whose read status is true)',
  'tell application "Mail" to set read status of message 1 of inbox to true',
  'tell application "Mail"\n  tell message 1 of inbox\n    set subject to "changed"\n  end tell\nend tell',
  'tell application "Mail" to move message 1 of inbox to mailbox "Archive"',
  'tell application "Mail" to reply message 1 of inbox with opening window',
  'tell application "Mail" to forward message 1 of inbox',
  'tell application "Mail" to check for new mail',
  'tell application "Mail" to quit',
  'tell application "Mail" to activate',
  'tell application "Calendar" to make new event at end of events of calendar "Home" with properties {summary:"x"}',
  'tell application "Calendar" to delete event 1 of calendar "Home"',
  'tell application "Calendar" to set summary of event 1 of calendar "Home" to "y"',
  'tell application "Calendar" to delete calendar "Home"',
  'tell application "Reminders" to make new reminder with properties {name:"Milk"}',
  'tell application "Reminders" to set completed of reminder 1 to true',
  'tell application "Reminders"\n  tell list "Shopping"\n    delete reminders\n  end tell\nend tell',
  'tell application "Notes" to make new note with properties {body:"x"}',
  'tell application "Finder" to empty trash',
  'tell application "Finder" to delete file "x" of desktop',
  'tell application "Finder" to move file "a" of desktop to folder "b" of desktop',
  'tell application "Finder" to restart',
  'tell application "Safari" to open location "https://x.example"',
  'tell application "Safari" to do JavaScript "x" in current tab of window 1',
  'tell application "System Events" to keystroke "q" using command down',
  'tell application "System Events" to click button 1 of window 1 of process "Mail"',
  'tell application "System Events" to shut down',
  'tell application "Messages" to send "hi" to buddy 1',
  'tell application "Terminal" to do script "rm -rf ~"',
  'tell application "Unknown App" to get name of window 1',
  'tell application id "com.apple.mail" to count messages of inbox',
  'tell Application id "com.apple.mail" to count messages of inbox',
  'do shell script "rm -rf ~"',
  'do shell script "ls"',
  'run script "do shell script \\"ls\\""',
  'set theScript to load script file "x"',
  'use framework "Foundation"\ncount {}',
  'display dialog "Password?" default answer ""',
  'set volume 0',
  'set the clipboard to "x"',
  'tell application "Mail"\n  if (count messages of inbox) > 0 then delete message 1 of inbox\nend tell',
  'tell application "Mail"\n  repeat with theMessage in messages of inbox\n    delete theMessage\n  end repeat\nend tell',
  'tell application "Mail" to «event emsgsend» message 1 of inbox',
  'tell application "Mail" to get name of inbox\ntell application "Mail" to delete message 1 of inbox',
  '(* harmless *) tell application "Mail" to delete message 1 of inbox',
  '-- harmless\r\ntell application "Mail" to delete message 1 of inbox',
  'tell application "Mail" to de\u00ac\nlete message 1 of inbox',
  'tell application "Mail" to get "an open text',
  '(* an open comment\ntell application "Mail" to count messages of inbox',
  'on run\n  tell application "Mail" to delete message 1 of inbox\nend run',
  'my eraseAll()',
  'set |delete| to 1',
  'copy "x" to subject of message 1 of inbox',
  'tell application "Mail" to get (delete message 1 of inbox)',
  'tell application "Mail" to \u0001',
  'ｄｅｌｅｔｅ message 1',
];

describe('AppleScripts', () => {
  it('there are many of both kinds', () => expect([READING.length + ACTING.length >= 60, READING.length > 30, ACTING.length > 40]).toEqual([true, true, true]));

  it.each(READING)('reads: %j', async (script) => {
    const effectOfScript = await load('classify-script.mjs', 'effectOfScript');
    expect(effectOfScript(script)).toEqual({ effect: 'read', applications: expect.any(Array) as unknown });
  });

  it.each(ACTING)('asks: %j', async (script) => {
    const effectOfScript = await load('classify-script.mjs', 'effectOfScript');
    expect(effectOfScript(script)).toMatchObject({ effect: 'irreversible', reason: expect.any(String) as unknown });
  });

  it('a long or hostile script is answered, and never taken for reading by its length', async () => {
    const effectOfScript = await load('classify-script.mjs', 'effectOfScript');
    for (const part of ['(*', '"', '"a" ', '-', '--\n', 'tell x to ', 'if x then ', 'a ', '(', '\u00ac\n', 'get ', 'set x to ']) expect(effectOfScript(`${part.repeat(Math.ceil(20_000 / part.length))}\ndelete it`).effect, part).toBe('irreversible');
  });
});

describe('a find through personal folders', () => {
  const MDFIND = 'mdfind -onlyin';
  const FILES = 'kMDItemContentTypeTree != "public.directory" && kMDItemContentTypeTree != "public.symlink"';
  const rewrite = async (command: string): Promise<string> => (await load('rewrite-find.mjs', 'rewriteFind'))({ home: '/Users/x', root: '/Users/x/project' })(command);

  it.each([
    ["find ~ -name '*.pdf'", `${MDFIND} '/Users/x' 'kMDItemFSName == "*.pdf"'`],
    ['find ~/Documents -name "report.txt"', `${MDFIND} '/Users/x/Documents' 'kMDItemFSName == "report.txt"'`],
    ['find ~/Documents/ -iname report.txt', `${MDFIND} '/Users/x/Documents' 'kMDItemFSName == "report.txt"c'`],
    ["find /Users/x/Downloads -type f -name '*.zip'", `${MDFIND} '/Users/x/Downloads' '${FILES} && kMDItemFSName == "*.zip"'`],
    ["find ~ -name 'invoices' -type d", `${MDFIND} '/Users/x' 'kMDItemFSName == "invoices" && kMDItemContentTypeTree == "public.directory"'`],
    ["find ~ -name '*.pdf' 2>/dev/null", `${MDFIND} '/Users/x' 'kMDItemFSName == "*.pdf"' 2>/dev/null`],
    ["find ~ -name '*.pdf' | head -20", `${MDFIND} '/Users/x' 'kMDItemFSName == "*.pdf"' | head -20`],
    ["find ~ -name '*.pdf' 2>/dev/null | wc -l", `${MDFIND} '/Users/x' 'kMDItemFSName == "*.pdf"' 2>/dev/null | wc -l`],
    ["find '/Users/x/My Files' -name 'Große Datei.pdf'", `${MDFIND} '/Users/x/My Files' 'kMDItemFSName == "Große Datei.pdf"'`],
  ])('%s → %s', async (command, expected) => expect(await rewrite(command)).toBe(expected));

  it.each([
    "find . -name '*.ts'", "find src -name '*.ts'", "find /etc -name '*.conf'", "find /Users/x/project -name '*.ts'", "find ~/project/src -name '*.ts'", "find /Users/xy -name 'a'", "find '~' -name 'a'",
    "find ~ -maxdepth 2 -name '*.pdf'", "find ~ -path '*/work/*' -name '*.pdf'", "find ~ -name '*.pdf' -mtime -7", "find ~ -name '*.pdf' -size +1M", "find ~ -name '*.pdf' -delete", "find ~ -name '*.pdf' -exec rm {} +", "find ~ -name '*.pdf' -o -name '*.txt'",
    "find ~ ! -name '*.pdf'", "find ~ -not -name '*.pdf'", 'find ~ -type f', 'find ~', "find ~ -name '.env'", "find ~/.ssh -name 'id_rsa'", "find ~/Library -name '*.plist'", "find ~ -name 'a?.pdf'", "find ~ -name '[ab].pdf'", 'find ~ -name *.pdf', "find ~ -name '*.pdf' -print0 | xargs -0 rm",
    "find ~ -name '*.pdf' > list.txt", "find ~ -name '*.pdf' | xargs rm", "find ~ -name '*.pdf'; rm -rf ~", "find ~ -name '*.pdf' && ls", "cd ~ && find . -name '*.pdf'", 'find ~ -name "$(rm -rf ~)"', "find ~ -name 'a\"; rm'", 'find ~ -name "a`b`"', "find ~ -name 'a'b'", "find ~ -name '*.pdf' -name 'x*'", "find ~ ~/b -name 'a'", "sudo find ~ -name 'a'", "'find' ~ -name 'a'",
    "find ~/../other -name 'a'", 'ls -la', '', "find ~ -type l -name 'a'", "find ~ -name", "echo find ~ -name 'a'", "find $HOME -name 'a'",
  ])('stays as it is: %s', async (command) => expect(await rewrite(command)).toBe(command));

  it('the shell runs what it was turned into, unasked, and says so', async () => {
    const { ok, effect, text, preview } = await judgeAndCall(tool('shell'), { command: "find ~ -name '*.pdf' | head -5" });
    expect([ok, effect]).toEqual([true, 'read']);
    expect(text).toContain('/Users/x/a.pdf');
    expect(preview).toContain('instead of');
    expect(argumentsOf('mdfind')).toEqual(['-onlyin', home, 'kMDItemFSName == "*.pdf"']);
  });
});

describe('the set', () => {
  it('comes in the order of priority', () => {
    expect([...tools.keys()]).toEqual(['mdfind', 'glob', 'listFiles', 'grep', 'readFile', 'writeFile', 'editFile', 'applescript', 'shortcuts', 'shell']);
  });

  it('has the web at its end unless it is left out', async () => {
    expect((await load('tools.mjs', 'macosTools'))({ root, home }).at(-1)?.name).toBe('webSearch');
  });

  const inputs = { mdfind: [{ name: 'a' }, { folder: '~' }], applescript: [{ script: 'count {}' }, { script: 5 }], shortcuts: [{ action: 'list' }, { action: 'delete' }] } as const;
  describe.each(Object.keys(inputs) as (keyof typeof inputs)[])('%s', (name) => {
    const create = async (): Promise<Tool> => (await load('tools.mjs', 'macosTools'))({ root, home, search: false }).find((made) => made.name === name)!;
    for (const { name: rule, skip, run } of toolConformance({ create, validInput: inputs[name][0], invalidInput: inputs[name][1] })) it.skipIf(skip !== undefined)(rule, run);
  });
});

describe('run.mjs', () => {
  it('says what it needs when it is started without', () => {
    const { status, stderr } = spawnSync(process.execPath, [`${from}run.mjs`], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect([status, stderr]).toEqual([2, 'Give a question as argument and a key in OPENAI_API_KEY.\n']);
  });
});

describe('mdfind', () => {
  it('asks the index once, below the home folder, and what was asked for is no query language', async () => {
    const { text } = await call(tool('mdfind'), { name: '*.pdf" || kMDItemFSName == "', folder: '~/Documents' });
    expect(text).toBe('/Users/x/a.pdf\n/Users/x/b.pdf');
    expect(argumentsOf('mdfind')).toEqual(['-onlyin', join(home, 'Documents'), '(kMDItemFSName == "*\\*.pdf\\" || kMDItemFSName == \\"*"cd)']);
  });

  it('nothing found is an empty result, many are cut and counted, and a relative folder is refused', async () => {
    expect(await call(tool('mdfind'), { text: 'nothing' })).toMatchObject({ ok: true, empty: true });
    expect((await call(tool('mdfind'), { name: 'many', limit: 2 })).text).toBe('1\n2\n… 598 more');
    expect(await call(tool('mdfind'), { name: 'a', folder: '-live' })).toMatchObject({ ok: false, failureClass: 'logical' });
  });
});

describe('shortcuts', () => {
  it('listing reads, running asks, and a name is one argument', async () => {
    expect(await judgeAndCall(tool('shortcuts'), { action: 'list' })).toMatchObject({ effect: 'read', text: 'Tidy up\nLights off\n' });
    const name = 'Tidy up"; rm -rf ~; $(touch x)';
    expect(await judgeAndCall(tool('shortcuts'), { action: 'run', name })).toMatchObject({ effect: 'irreversible', ok: true });
    expect(argumentsOf('shortcuts')).toEqual(['run', name]);
  });

  it('a run without a name, or with one like an option, is refused', async () => {
    expect(await call(tool('shortcuts'), { action: 'run' })).toMatchObject({ ok: false, failureClass: 'logical' });
    expect(await call(tool('shortcuts'), { action: 'run', name: '--help' })).toMatchObject({ ok: false, failureClass: 'logical' });
  });
});

describe('applescript', () => {
  it('hands the script over as one argument, whatever it holds', async () => {
    const script = 'return "\'; rm -rf ~; `touch x` $(touch y)"';
    expect(await judgeAndCall(tool('applescript'), { script })).toMatchObject({ effect: 'read', ok: true, text: '3\n' });
    expect(argumentsOf('osascript')).toEqual(['-l', 'AppleScript', '-e', script]);
    expect(existsSync(join(root, 'x'))).toBe(false);
  });

  it('a failing script is a failed call that keeps what was printed', async () => {
    expect(await call(tool('applescript'), { script: 'return "fail"' })).toMatchObject({ ok: false, failureClass: 'logical', text: expect.stringContaining('execution error') as unknown });
  });

  it('a script that hangs is ended with all that it started, and that is nobody\'s mistake', async () => {
    expect(await call(tool('applescript'), { script: 'return "hang"' })).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('1000 ms') as unknown });
    const pid = Number(readFileSync(join(home, 'child.pid'), 'utf8'));
    expect(isRunning(pid)).toBe(false);
  });

  it('an abort ends it at once', async () => {
    const controller = new AbortController();
    const running = call(tool('applescript'), { script: 'return "hang"' }, { signal: controller.signal });
    controller.abort();
    expect((await running).ok).toBe(false);
  });

  it('has no keyboard and sees none of the host\'s other variables', async () => {
    expect((await call(tool('applescript'), { script: 'return "keyboard"' })).text).toBe('');
    expect((await call(tool('applescript'), { script: 'return "secret"' })).text).toBe('none\n');
  });

  it('what is sent counts as leaving the machine, what is read does not', () => {
    const outward = (script: string): unknown => tool('applescript').outward?.({ script } as never);
    expect([outward('tell application "Mail" to send it'), outward('tell application "Mail" to count messages of inbox')]).toEqual([['tell application "Mail" to send it'], undefined]);
  });
});
