import { readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileLedger, verifyLedger } from 'artoo/ledger';
import { ArtooError } from '../../src/contracts/errors.js';
import { end, law, onlyFile, outcome, temporaryFolder } from './support.js';

/** A closed ledger with one task of ten lines. */
async function closedLedger(finish = true): Promise<{ dir: string; log: string; head: string; raw: Buffer }> {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir, fsync: 'never' });
  for (let number = 1; number < 10; number += 1) ledger.append(law('task-1', number));
  ledger.append(finish ? end('task-1', 10) : law('task-1', 10));
  await ledger.close();
  const log = await onlyFile(dir, '.jsonl');
  return { dir, log, head: await onlyFile(dir, '.head'), raw: await readFile(log) };
}

async function expectDamaged(dir: string, line?: number): Promise<void> {
  const ledger = createFileLedger({ dir });
  const error: unknown = await ledger.read('task-1').then(() => undefined, (thrown: unknown) => thrown);
  expect(ArtooError.is(error, 'ARTOO_LEDGER_DAMAGED'), String(error)).toBe(true);
  const { message, details } = error as ArtooError;
  expect(message).toContain(dir);
  if (line !== undefined) expect(details).toMatchObject({ line });
  await ledger.append(law('other', 1));
  const list = await ledger.list();
  expect(list.map(({ status }) => status).sort()).toEqual(['damaged', 'running']);
  expect(list.find(({ status }) => status === 'damaged')?.reason).toContain('ARTOO_LEDGER_DAMAGED');
  await expect(ledger.acquire('task-1')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_DAMAGED' });
  expect(() => ledger.append(law('task-1', 11))).toThrowError(expect.objectContaining({ code: 'ARTOO_LEDGER_DAMAGED' }));
  await ledger.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: false, problems: [expect.objectContaining(line === undefined ? {} : { line })] });
}

const lines = (raw: Buffer): string[] => raw.toString().split('\n').slice(0, -1);

test('each line carries the SHA-256 of the raw line before it', async () => {
  const { raw } = await closedLedger();
  const all = lines(raw);
  expect(all).toHaveLength(10);
  for (const [index, line] of all.entries()) {
    const { line: number, prev } = JSON.parse(line) as { line: number; prev: string };
    expect(number).toBe(index + 1);
    if (index > 0) expect(prev).toBe(createHash('sha256').update(all[index - 1] as string).digest('hex'));
  }
});

test('a flipped bit is found wherever it is (every seventh byte; all in a sweep)', async () => {
  const { dir, log, raw } = await closedLedger();
  const missed: number[] = [];
  for (let index = 0; index < raw.length; index += process.env.ARTOO_SWEEP ? 1 : 7) {
    const changed = Buffer.from(raw);
    changed[index] = (changed[index] as number) ^ (1 << (index % 8));
    await writeFile(log, changed);
    if ((await verifyLedger(dir)).ok) missed.push(index);
  }
  expect(missed).toEqual([]);
});

test('a flipped bit in the last line is found also when the process died before it wrote its head record', async () => {
  const { dir, log, head, raw } = await closedLedger(false);
  await writeFile(head, '');
  const start = raw.lastIndexOf('\n', raw.length - 2) + 1;
  const missed: number[] = [];
  // Without the newline itself, whose loss can't be told from a torn write.
  for (let index = start; index < raw.length - 1; index += 1) {
    const changed = Buffer.from(raw);
    changed[index] = (changed[index] as number) ^ 1;
    await writeFile(log, changed);
    if ((await verifyLedger(dir)).ok) missed.push(index - start);
  }
  expect(missed).toEqual([]);
});

test('a flipped byte makes the task damaged at its line, and others go on', async () => {
  const { dir, log, raw } = await closedLedger();
  const at = raw.indexOf('event 4');
  raw[at] = 'E'.charCodeAt(0);
  await writeFile(log, raw);
  await expectDamaged(dir, 4);
});

test('a hole is found', async () => {
  const { dir, log, raw } = await closedLedger();
  await writeFile(log, lines(raw).filter((_, index) => index !== 4).map((line) => `${line}\n`).join(''));
  await expectDamaged(dir, 5);
});

test('swapped lines are found', async () => {
  const { dir, log, raw } = await closedLedger();
  const all = lines(raw);
  [all[2], all[3]] = [all[3] as string, all[2] as string];
  await writeFile(log, all.map((line) => `${line}\n`).join(''));
  await expectDamaged(dir, 3);
});

test('a line that was added is found', async () => {
  const { dir, log, raw } = await closedLedger();
  const all = lines(raw);
  await writeFile(log, [...all, all[9] as string].map((line) => `${line}\n`).join(''));
  await expectDamaged(dir, 11);
});

test('a tail of whole lines that was cut is found', async () => {
  const { dir, log, raw } = await closedLedger();
  await writeFile(log, lines(raw).slice(0, 7).map((line) => `${line}\n`).join(''));
  await expectDamaged(dir, 8);
});

test('a file cut to nothing, and one that is gone, are found', async () => {
  const first = await closedLedger();
  await truncate(first.log, 0);
  await expectDamaged(first.dir, 1);
  const second = await closedLedger();
  await rm(second.log);
  await expectDamaged(second.dir, 1);
});

test('a head record that was changed or is gone is found', async () => {
  const first = await closedLedger();
  await writeFile(first.head, (await readFile(first.head, 'utf8')).replace('{', '['));
  await expectDamaged(first.dir, 0);
  const second = await closedLedger();
  await rm(second.head);
  await expectDamaged(second.dir, 0);
});

test('the record of another task in its place is found', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  for (const taskId of ['task-1', 'task-2']) for (const number of [1, 2]) ledger.append(law(taskId, number));
  await ledger.close();
  for (const ending of ['.jsonl', '.head']) {
    const [one, two] = (await readdir(dir)).filter((name) => name.endsWith(ending)).sort().map((name) => join(dir, name)) as [string, string];
    await rename(one, `${one}.moved`);
    await rename(two, one);
    await rename(`${one}.moved`, two);
  }
  const again = createFileLedger({ dir });
  await expect(again.read('task-1')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_DAMAGED' });
  await expect(again.acquire('task-2')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_DAMAGED' });
  await again.close();
});

test('a torn last line is left out when read and cut when the task goes on', async () => {
  const { dir, log, head, raw } = await closedLedger(false);
  const all = lines(raw);
  const whole = all.slice(0, 9).map((line) => `${line}\n`).join('');
  for (const length of [1, 40, (all[9] as string).length]) {
    // As after a death in the middle of a write: the head record is behind.
    await writeFile(head, '');
    await writeFile(log, whole + (all[9] as string).slice(0, length));
    const ledger = createFileLedger({ dir });
    expect((await ledger.read('task-1')).length).toBe(9);
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, torn: 1, lines: 9 });
    ledger.append(law('task-1', 10, 'anew'));
    expect((await ledger.read('task-1')).at(-1)).toMatchObject({ line: 10, what: 'anew' });
    await ledger.close();
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, torn: 0, lines: 10 });
  }
});

test('a torn line that the head record vouched for is damage', async () => {
  const { dir, log, raw } = await closedLedger();
  await writeFile(log, raw.subarray(0, raw.length - 5));
  await expectDamaged(dir, 10);
});

test('lines that a power cut took are damage only where they had been synced', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  await ledger.append(law('task-1', 1), { sync: true });
  ledger.append(law('task-1', 2));
  await ledger.close();
  const [log, headPath] = [await onlyFile(dir, '.jsonl'), await onlyFile(dir, '.head')];
  const [first] = lines(await readFile(log)) as [string];
  const head = await readFile(headPath, 'utf8');
  await writeFile(log, `${first}\n`);
  expect((await verifyLedger(dir)).ok, 'same boot: nothing but a hand can have taken it').toBe(false);
  await writeFile(headPath, head.replace(/"boot":"[^"]*"/, (found) => `"boot":"${'another'.padEnd(found.length - 9, '-')}"`));
  expect((await verifyLedger(dir)).ok, 'another boot').toBe(true);
  await writeFile(log, '');
  expect((await verifyLedger(dir)).ok, 'a synced line').toBe(false);
});

test('a newer version is refused with its own code and listed as parked', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  ledger.append(law('task-1', 1));
  ledger.append({ ...law('task-1', 2), v: 2 });
  await ledger.close();
  const again = createFileLedger({ dir });
  await expect(again.read('task-1')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_VERSION', details: { line: 2, version: 2 } });
  await expect(again.acquire('task-1')).rejects.toMatchObject({ code: 'ARTOO_LEDGER_VERSION' });
  expect(await again.list()).toMatchObject([{ taskId: 'task-1', status: 'parked', reason: expect.stringContaining('ARTOO_LEDGER_VERSION') }]);
  await again.close();
});

test('verifyLedger takes a folder, one file, raw lines and read lines alike', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  const values = [12n, { $artoo: 'date', value: 3 }, [undefined, -0, new Map([[1, new Date(5)]])], 'x'.repeat(1_500_000), { deep: new Set([new Error('e')]) }];
  for (const [index, value] of values.entries()) ledger.append(outcome('task-1', index + 1, value));
  const read = await ledger.read('task-1');
  const log = await onlyFile(dir, '.jsonl');
  const raw = lines(await readFile(log));
  const good = { ok: true, tasks: 1, lines: values.length, problems: [] };
  for (const source of [dir, log, raw, read]) expect(await verifyLedger(source)).toMatchObject(good);
  expect(await verifyLedger([raw[0] as string, raw[2] as string])).toMatchObject({ ok: false, lines: 1, problems: [{ line: 2 }] });
  expect(await verifyLedger(read.map((line, index) => (index === 1 ? { ...line, elapsedMs: 9 } : line)))).toMatchObject({ ok: false, problems: [{ line: 2 }] });
  await expect(verifyLedger(join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'ARTOO_LEDGER_NOT_FOUND' });
  await ledger.close();
});
