import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createFileLedger, nodeFileSystem, verifyLedger } from 'artoo/ledger';
import { bundleChild, Child } from './child.js';
import { end, law, onlyFile, reply, temporaryFolder } from './support.js';

let script = '';
beforeAll(async () => {
  script = await bundleChild('owner-child.ts', await temporaryFolder());
});

async function tryToOwn(dir: string): Promise<Child> {
  const child = new Child(script, [dir, 'task-1']);
  await child.next();
  child.send('acquire');
  return child;
}

test('a task that another process owns is refused at once, with who and what to do; other tasks are not', async () => {
  const dir = await temporaryFolder();
  const child = await tryToOwn(dir);
  expect(await child.next()).toBe('owner');
  const ledger = createFileLedger({ dir });
  const refused = { code: 'ARTOO_LEDGER_LOCKED', details: expect.objectContaining({ pid: child.pid }), hint: expect.any(String) };
  await expect(ledger.acquire('task-1')).rejects.toMatchObject(refused);
  expect(() => ledger.append(law('task-1', 1))).toThrowError(expect.objectContaining({ code: 'ARTOO_LEDGER_LOCKED' }));
  ledger.append(law('task-2', 1));
  child.send('leave');
  await child.end();
  await ledger.acquire('task-1');
  ledger.append(law('task-1', 1));
  await ledger.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, tasks: 2, lines: 2 });
});

test('the lock of a process that was killed is taken over, and leaves nothing behind', async () => {
  const dir = await temporaryFolder();
  const child = await tryToOwn(dir);
  expect(await child.next()).toBe('owner');
  await child.kill();
  const ledger = createFileLedger({ dir });
  await ledger.acquire('task-1');
  ledger.append(end('task-1', 1));
  await ledger.close();
  expect((await readdir(dir)).filter((name) => !/\.(jsonl|head)$/.test(name))).toEqual([]);
});

test('of many processes that find a dead owner\'s lock, one takes it over', async () => {
  const dir = await temporaryFolder();
  const dead = await tryToOwn(dir);
  expect(await dead.next()).toBe('owner');
  const rivals = await Promise.all(Array.from({ length: 6 }, async () => {
    const child = new Child(script, [dir, 'task-1']);
    await child.next();
    return child;
  }));
  await dead.kill();
  for (const child of rivals) child.send('acquire');
  const answers = await Promise.all(rivals.map((child) => child.next()));
  expect(answers.sort()).toEqual([...Array.from({ length: 5 }, () => 'ARTOO_LEDGER_LOCKED'), 'owner']);
  await Promise.all(rivals.map((child) => child.kill()));
});

test('a lock whose process has ended and whose number another process has now is taken over', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  await ledger.acquire('task-1');
  const lock = await onlyFile(dir, '.lock');
  const owner = JSON.parse(await readFile(lock, 'utf8')) as Record<string, unknown>;
  // The number of this test's parent, with a start that is not its own.
  await ledger.close();
  await writeFile(lock, JSON.stringify({ ...owner, pid: process.ppid, start: '1', id: 'gone' }));
  const next = createFileLedger({ dir });
  await next.acquire('task-1');
  await next.close();
});

test('a lock from another machine and one that can\'t be read count as held', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  await ledger.acquire('task-1');
  const lock = await onlyFile(dir, '.lock');
  const owner = JSON.parse(await readFile(lock, 'utf8')) as Record<string, unknown>;
  await ledger.close();
  for (const content of [JSON.stringify({ ...owner, host: 'elsewhere', pid: 999_999_999, id: 'other' }), '', '{"pid":']) {
    await writeFile(lock, content);
    const next = createFileLedger({ dir });
    await expect(next.acquire('task-1')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_LOCKED', hint: expect.stringContaining('remove the lock file') });
    await next.close();
  }
});

test('a second ledger of the same process may take a task over; the first then writes nothing more to it', async () => {
  const dir = await temporaryFolder();
  const [first, second] = [createFileLedger({ dir }), createFileLedger({ dir })];
  first.append(reply('task-1', 1));
  await second.acquire('task-1');
  second.append(reply('task-1', 2));
  expect(() => first.append(reply('task-1', 2))).toThrowError(expect.objectContaining({ code: 'ARTOO_LEDGER_LOCKED' }));
  await first.close();
  second.append(end('task-1', 3));
  await second.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, lines: 3 });
});

test('where there are no hard links, locks are files of their own', async () => {
  const dir = await temporaryFolder();
  const fs = { ...nodeFileSystem, linkSync: () => { throw Object.assign(new Error('no links'), { code: 'ENOTSUP' }); } };
  const ledger = createFileLedger({ dir, fs });
  ledger.append(law('task-1', 1));
  const child = await tryToOwn(dir);
  expect(await child.next()).toBe('ARTOO_LEDGER_LOCKED');
  ledger.append(end('task-1', 2));
  await Promise.resolve();
  child.send('acquire');
  expect(await child.next()).toBe('owner');
  await child.kill();
  await ledger.close();
});

test('a task that has ended is given up, and its descriptor with it', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  const openBefore = (await readdir('/proc/self/fd')).length;
  for (let task = 0; task < 20; task += 1) {
    ledger.append(law(`task-${task}`, 1));
    await ledger.append(end(`task-${task}`, 2), { sync: task % 2 === 0 });
  }
  expect((await readdir(dir)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  expect((await readdir('/proc/self/fd')).length).toBeLessThan(openBefore + 10);
  ledger.append(law('task-3', 3, 'late'));
  await Promise.resolve();
  expect(await ledger.read('task-3')).toHaveLength(3);
  expect((await readdir(dir)).filter((name) => name.endsWith('.lock')), 'a late line keeps no lock').toEqual([]);
  await ledger.close();
});

test('file names lead nowhere, hold no more than 100 characters, and are made for each id', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir: join(dir, 'inner') });
  const ids = ['../x', '/x', 'X', 'x', '😀', '__proto__', 'x'.repeat(10_000), '\ud800', '\udfff', '', '.', 'con'];
  for (const taskId of ids) ledger.append(end(taskId, 1));
  await ledger.close();
  expect(await readdir(dir)).toEqual(['inner']);
  const names = await readdir(join(dir, 'inner'));
  expect(names).toHaveLength(2 * ids.length);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9.-]{1,100}$/);
});
