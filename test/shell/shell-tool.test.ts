import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, shell } from '../../src/entries/tools.js';
import type { Tool } from '../../src/entries/tools.js';
import { effectOf } from '../../src/tools/tool-call.js';
import { call } from '../tools/support.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'artoo-shell-'));
  writeFileSync(join(root, 'a.txt'), 'kept');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'index.ts'), 'x');
  symlinkSync('/etc', join(root, 'out'));
  symlinkSync('nowhere', join(root, 'dangling'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const context = { signal: new AbortController().signal, workspace: undefined };
const tool = (options: Partial<Parameters<typeof shell>[0]> = {}): Tool => shell({ workspace: openWorkspace(root), ...options });
const judge = (command: string, options?: Partial<Parameters<typeof shell>[0]>) => effectOf(tool(options), { command }, context);
const preview = async (command: string): Promise<string> => String(await tool().preview?.({ command } as never, context));

describe('the tool\'s effect', () => {
  it.each([
    ['ls', 'read'], ['cat a.txt | wc -l', 'read'], ['echo "rm -rf /"', 'read'], ['ls > new.txt', 'write'], ['mkdir -p deep/er', 'write'], ['cp a.txt src', 'write'], ['cp a.txt src/b.txt', 'write'], ['cd src && echo x > new.ts', 'write'],
    ['rm a.txt', 'irreversible'], ['ls > a.txt', 'irreversible'], ['cp x/index.ts src', 'irreversible'], ['cd src && echo x > index.ts', 'irreversible'], ['ls > out/x', 'irreversible'], ['ls > dangling', 'irreversible'], ['ls > ../x', 'irreversible'], ['ls > /tmp/x', 'irreversible'], ['ls > ~/x', 'irreversible'], ['ls > .env', 'irreversible'], ['npm test', 'irreversible'],
  ])('%s: %s', async (command, effect) => expect(await judge(command)).toBe(effect));
  it('asks for paths no matter how many there are', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `new${index}`);
    expect(await judge(names.map((name) => `mkdir ${name}; cp a.txt ${name}/; cp -n src/index.ts ${name}/`).join('; '))).toBe('write');
    expect(await judge(`touch ${names.join(' ')}; cp a.txt src; cp x/index.ts src`)).toBe('irreversible');
  });
  it('changes with what is there', async () => {
    expect(await judge('echo x > made.txt')).toBe('write');
    writeFileSync(join(root, 'made.txt'), 'x');
    expect(await judge('echo x > made.txt')).toBe('irreversible');
  });
  it('knows the programs of the host', async () => expect(await judge('make test', { programs: { make: () => 'write' } })).toBe('write'));
});

describe('the question', () => {
  it('names the node that is to blame, and why', async () => expect(await preview('ls && rm -r src; echo x > a.txt')).toBe(`in ${openWorkspace(root).root}\n$ ls && rm -r src; echo x > a.txt\nasks because of\n- rm -r src: rm: rm destroys what it is given\n- a.txt: echo: "a.txt" exists and would be changed`));
  it('stays in bounds', async () => {
    const text = await preview(Array.from({ length: 40 }, (_, index) => `rm ${index}`).join(';'));
    expect(text.split('\n- ').length).toBe(7);
    expect(text).toContain('and 35 more');
  });
  it('shows no control and no direction characters of the node raw', async () => expect((await preview("rm 'a\u202eb\u0007'")).split('asks because of')[1]).not.toMatch(/[\u202e\u0007]/));
});

it('what was judged is what runs, byte by byte', async () => {
  const command = "printf '%s' 'a\\\\b\té \"x\"' > new.txt";
  expect(await judge(command)).toBe('write');
  const result = await call(tool(), { command });
  expect([result.ok, readFileSync(join(root, 'new.txt'), 'utf8')]).toEqual([true, 'a\\\\b\té "x"']);
});
