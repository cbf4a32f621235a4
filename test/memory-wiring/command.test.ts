import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory, type MemoryReply, type Megram } from 'artoo/memory';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryCommand } from '../../src/cli/memory-command.js';
import { artooWith, lookIn, megram, modelThat, payloadsOf, planOf, plannersPrompts, runTask } from './support.js';

let workspace = '';
beforeEach(async () => { workspace = await mkdtemp(join(tmpdir(), 'artoo-command-')); });
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await memoryCommand(args, { workspace, stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) } });
  return { code, out, err };
}
const folder = (): string => join(workspace, '.artoo', 'memory');
async function fill(...entries: Megram[]): Promise<void> {
  const memory = await openMemory({ path: folder() });
  for (const entry of entries) memory.append(entry);
  await memory.close();
}
const now = (change: Partial<Megram>): Megram => megram(String(change.id), { createdAt: Date.now(), ...change });

describe('artoo memory', () => {
  test.each(['stats', 'list', 'dream', 'export', 'check'])('%s makes no memory where there is none', async (name) => {
    expect(await command(name)).toMatchObject({ code: 0, out: '', err: expect.stringContaining('There is no memory') as string });
    await expect(stat(folder())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('list and stats show what there is, with its content and nothing that a terminal acts upon', async () => {
    await fill(now({ id: 'a', content: 'first\n\u001b[31msecond' }), now({ id: 'b', space: 'intent:count', entity: 'env:local', level: 'C', k: 0, origin: { taskId: 't', integrity: 'untrusted', source: 'web' } }));
    const { out, code } = await command('list', '--level', 'M');
    expect(code).toBe(0);
    expect(out).toMatch(/^M tool:read path:a\.txt {2}accept σ 1 attention 0\.90, 0\.0 days old, trusted, from R7\n {4}id a\n {4}first\n {4}<U\+001B>\[31msecond\n$/);
    expect((await command('stats')).out).toContain('2 entries: 1 experiences, 0 facts about the surroundings, 1 rules\n1 kinds of tasks, 1 tools; 1 entries come from text that nobody vouched for');
    expect(JSON.parse((await command('stats', '--json')).out)).toMatchObject({ megrams: 2, levels: { M: 1, C: 1 }, untrusted: 1 });
    expect((await command('list', '--limit', '1')).err).toContain('1 older entries are not shown');
  });

  test('query tells what a plan would be told, and by which memory', async () => {
    await fill(now({ id: 'bad', state: 'change_approach', f: 0.85, sigma: -1 }), now({ id: 'past', space: 'intent:count_lines', entity: 'env:local', content: 'Asked: count the lines\nWorked: wc' }));
    const { out } = await command('query', 'count the lines of the report');
    expect(out).toContain('MUST NOT use tool "read" on "a.txt"');
    expect(out).toContain('    by memory of tool "read" (bad)');
    expect(out).toContain('Worked: wc (past)');
    expect((JSON.parse((await command('query', 'count the lines', '--json')).out) as MemoryReply).potentials.length).toBeGreaterThan(0);
    expect((await command('query', 'weather', '--environment', 'mars', '--tool', 'telescope')).out).toBe('Memory has nothing to say about this.\n');
  });

  test('remember declares a rule that every later plan of this environment is shown, once', async () => {
    const first = await command('remember', 'Numbers are written with a comma.');
    expect(first).toMatchObject({ code: 0, err: 'Remembered under env:local.\n' });
    expect((await command('remember', 'Numbers are written with  a comma.')).err).toBe('This was remembered already.\n');
    await command('remember', '--not', '--tool', 'read', 'It shows stale files.');
    const memory = await openMemory({ path: folder() });
    expect(await memory.get(first.out.trim())).toMatchObject({ level: 'C', k: 0, sigma: 1, origin: { integrity: 'trusted', source: 'host' } });
    const llm = modelThat(() => planOf('search', 'z.txt'));
    const artoo = artooWith(llm, { memory, tools: [lookIn('read', {}), lookIn('search', { 'z.txt': 'total 42' })] });
    const { events } = await runTask(artoo);
    await artoo.close();
    await memory.close();
    expect(plannersPrompts(llm)[0]).toContain('SHOULD PREFER, by a rule of experience about "env:local", "rules": "Numbers are written with a comma."');
    expect(payloadsOf(events, 'SubTask')[0]?.blockedTools).toEqual(['read']);
  });

  test('remember --for goes to the closest kind of task there is', async () => {
    await fill(now({ id: 'past', space: 'intent:count_lines', entity: 'env:local', content: 'Asked: count the lines' }));
    expect((await command('remember', 'Skip blank lines.', '--for', 'count the lines')).err).toBe('Remembered under intent:count_lines.\n');
    expect((await command('remember', 'Use metric units.', '--for', 'weather report')).err).toBe('Remembered under intent:weather_report.\n');
  });

  test('forget takes one entry, or all of a source with the rules made of them', async () => {
    await fill(now({ id: 'a' }), now({ id: 'b', origin: { taskId: 't', integrity: 'trusted', source: 'web' } }), now({ id: 'r', level: 'C', k: 0, origin: { taskId: 'dreamer', integrity: 'trusted', source: 'dreamer' } }));
    expect(await command('forget', 'nothing')).toMatchObject({ code: 2, err: expect.stringContaining('There is no entry "nothing"') as string });
    expect(await command('forget', 'a')).toMatchObject({ code: 0, err: '1 entry is gone.\n' });
    expect((await command('forget', '--source', 'web')).out.split('\n').sort()).toEqual(['', 'b', 'r']);
    expect((await command('export')).out).toBe('');
  });

  test('dream makes the rule that six successes are worth', async () => {
    await fill(...Array.from({ length: 6 }, (_, index) => now({ id: `m${index}`, space: 'intent:count', entity: 'env:local' })));
    expect((await command('dream')).out).toMatch(/^0 forgotten, 0 demoted, 1 made into rules\n\+ rule\//);
    expect((await command('list', '--level', 'C')).out).toContain('This has worked again and again');
  });

  test('export and import carry everything over; check tells that it is in order', async () => {
    await fill(now({ id: 'a' }), now({ id: 'b|\u0000', content: '{"x": "日本"}' }));
    const { out } = await command('export');
    const file = join(workspace, 'memory.jsonl');
    await writeFile(file, out);
    await rm(folder(), { recursive: true });
    expect((await command('import', file)).err).toBe('2 entries were added.\n');
    expect((await command('import', file)).err).toBe('0 entries were added.\n');
    expect((await command('export')).out.split('\n').sort()).toEqual(out.split('\n').sort());
    expect(await command('check', '--rebuild')).toEqual({ code: 0, out: '2 entries, all in order\n', err: '' });
    expect(await readFile(file, 'utf8')).toBe(out);
  });

  test('a memory that is in use is said to be, with what to do', async () => {
    const memory = await openMemory({ path: folder() });
    const { code, err } = await command('stats');
    await memory.close();
    expect(code).toBe(3);
    expect(err).toMatch(/^ARTOO_MEMORY_LOCKED: .*\n.+/);
  });

  test.each([
    [[], 2], [['--help'], 0], [['sing'], 2], [['query'], 2], [['query', ' '], 2], [['forget'], 2], [['list', '--level', 'MK'], 2], [['list', '--limit', '0'], 2],
    [['stats', '--limit', '3'], 2], [['list', '--wat'], 2], [['import', '/nowhere.jsonl'], 2], [['remember', 'x'.repeat(401)], 2], [['remember', 'x', '--tool', 'a', '--for', 'b'], 2],
  ])('%j ends with code %i and says why', async (args, code) => {
    if (args[0] === 'list') await fill(now({ id: 'a' }));
    const answer = await command(...args);
    expect(answer.code).toBe(code);
    expect((answer.err + answer.out).length).toBeGreaterThan(10);
    expect(answer.err).not.toContain('    at ');
  });
});
