import { expect, test } from 'vitest';
import { createFileLedger, nodeFileSystem, verifyLedger, type LedgerFileSystem } from 'artoo/ledger';
import { ArtooError } from '../../src/contracts/errors.js';
import { end, law, onlyFile, reply, temporaryFolder } from './support.js';
import { readFile } from 'node:fs/promises';

type Call = keyof LedgerFileSystem;
const CALLS = Object.keys(nodeFileSystem) as Call[];
const systemError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });

/** Node's file system whose calls go through `before`, which may throw. */
function tapped(before: (call: Call) => void): LedgerFileSystem {
  const entries = CALLS.map((call) => [call, (...inputs: never[]) => {
    before(call);
    return (nodeFileSystem[call] as (...values: never[]) => unknown)(...inputs);
  }]);
  return Object.fromEntries(entries) as unknown as LedgerFileSystem;
}

/** Fails the call of that name and number, and those after it while `lasting`. */
function failing(name: Call, number: number, code: string, lasting = false): { fs: LedgerFileSystem; hits: () => number } {
  let count = 0;
  let hits = 0;
  const fs = tapped((call) => {
    if (call !== name) return;
    count += 1;
    if (lasting ? count < number : count !== number) return;
    hits += 1;
    throw systemError(code);
  });
  return { fs, hits: () => hits };
}

interface Outcome { readonly acknowledged: number[]; readonly errors: unknown[]; readonly afterFailure: unknown[] }

/** A life of a ledger: synced and other lines, a read, a list, a close. Numbers of lines whose sync was acknowledged. */
async function life(dir: string, fs: LedgerFileSystem, taskId = 'task-1', from = 0): Promise<Outcome> {
  const ledger = createFileLedger({ dir, fs, maxOpenFiles: 1 });
  const outcome: Outcome = { acknowledged: [], errors: [], afterFailure: [] };
  let failed = false;
  for (let number = from + 1; number <= from + 6; number += 1) {
    try {
      if (number % 3 === 0) {
        await ledger.append(reply(taskId, number), { sync: true });
        outcome.acknowledged.push(number);
      } else {
        ledger.append(law(taskId, number));
        await Promise.resolve();
      }
      if (failed) outcome.afterFailure.push(number);
    } catch (error) {
      failed = true;
      outcome.errors.push(error);
    }
    if (number % 3 === 1) {
      // A second task makes the one descriptor change hands.
      await Promise.resolve().then(() => ledger.append(law('other', number))).catch((error: unknown) => outcome.errors.push(error));
    }
  }
  for (const step of [() => ledger.read(taskId), () => ledger.list(), () => ledger.close()]) {
    await step().catch((error: unknown) => outcome.errors.push(error));
  }
  return outcome;
}

const isTyped = (error: unknown): boolean => ArtooError.is(error) && error.hint !== undefined &&
  ['ARTOO_STORE_FULL', 'ARTOO_LEDGER_WRITE', 'ARTOO_LEDGER_LOCKED', 'ARTOO_LEDGER_NOT_FOUND'].includes(error.code);

for (const call of CALLS) {
  test(`${call} failing at any of its calls gives typed errors, and loses no acknowledged line`, async () => {
    for (const lasting of [false, true]) {
      for (let number = 1, hit = true; hit && number <= 12; number += 1) {
        const dir = await temporaryFolder();
        await life(dir, nodeFileSystem, 'earlier');
        const { fs, hits } = failing(call, number, number % 2 === 0 ? 'ENOSPC' : 'EIO', lasting);
        const { acknowledged, errors } = await life(dir, fs);
        hit = hits() > 0;
        const where = `${call} call ${number}${lasting ? ' and later' : ''}`;
        for (const error of errors) expect(isTyped(error), `${where}: ${String(error)}`).toBe(true);
        // With the cause gone, what was acknowledged is there and the chain holds.
        expect(await verifyLedger(dir), where).toMatchObject({ ok: true });
        const healed = createFileLedger({ dir });
        const lines = await healed.read('task-1').catch((error: unknown) => {
          if (ArtooError.is(error, 'ARTOO_LEDGER_NOT_FOUND')) return [];
          throw error;
        });
        const kept = lines.map(({ at }) => at - law('', 0).at);
        for (const line of acknowledged) expect(kept, `${where}: an acknowledged line is gone`).toContain(line);
        expect(kept, `${where}: lines are no prefix`).toEqual(Array.from(kept, (_, index) => index + 1));
        healed.append(law('task-1', kept.length + 1));
        await healed.close();
        expect(await verifyLedger(dir), `${where}, gone on`).toMatchObject({ ok: true });
      }
    }
  });
}

test('after a failed write every append to that task fails until it is acquired again; other tasks go on', async () => {
  const dir = await temporaryFolder();
  let full = false;
  const ledger = createFileLedger({ dir, fs: tapped((call) => {
    if (full && call === 'writeSync') throw systemError('ENOSPC');
  }) });
  ledger.append(reply('task-1', 1));
  ledger.append(reply('other', 1));
  full = true;
  expect(() => ledger.append(reply('task-1', 2))).toThrowError(expect.objectContaining({ code: 'ARTOO_STORE_FULL', hint: expect.stringContaining('Free space') }));
  full = false;
  expect(() => ledger.append(law('task-1', 3))).toThrowError(expect.objectContaining({ code: 'ARTOO_STORE_FULL' }));
  await expect(ledger.append(law('task-1', 3), { sync: true })).rejects.toMatchObject({ code: 'ARTOO_STORE_FULL', cause: { code: 'ENOSPC' } });
  ledger.append(reply('other', 2));
  await ledger.acquire('task-1');
  ledger.append(reply('task-1', 2, 'anew'));
  expect((await ledger.read('task-1')).map(({ line }) => line)).toEqual([1, 2]);
  await ledger.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, lines: 4 });
});

test('a write of which the disk takes only a part is finished, or cut when the rest fails', async () => {
  const dir = await temporaryFolder();
  let room = Number.POSITIVE_INFINITY;
  const fs: LedgerFileSystem = { ...nodeFileSystem, writeSync(descriptor, data, position) {
    if (position !== null) return nodeFileSystem.writeSync(descriptor, data, position);
    const bytes = Buffer.from(data as string);
    const part = Math.min(7, bytes.length, room);
    if (part === 0) throw systemError('ENOSPC');
    room -= part;
    return nodeFileSystem.writeSync(descriptor, bytes.subarray(0, part), null);
  } };
  const ledger = createFileLedger({ dir, fs });
  ledger.append(reply('task-1', 1, 'ä€😀'));
  expect((await ledger.read('task-1'))[0]).toMatchObject({ reply: { text: 'ä€😀' } });
  room = 100;
  expect(() => ledger.append(reply('task-1', 2))).toThrowError(expect.objectContaining({ code: 'ARTOO_STORE_FULL' }));
  expect(await ledger.read('task-1')).toHaveLength(1);
  room = Number.POSITIVE_INFINITY;
  await ledger.acquire('task-1');
  ledger.append(end('task-1', 2));
  await ledger.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, torn: 0, lines: 2 });
});

test.each([
  ['ENOSPC', 'ARTOO_STORE_FULL'], ['EDQUOT', 'ARTOO_STORE_FULL'], ['EROFS', 'ARTOO_LEDGER_WRITE'], ['EACCES', 'ARTOO_LEDGER_WRITE'],
  ['EIO', 'ARTOO_LEDGER_WRITE'], ['ENOTDIR', 'ARTOO_LEDGER_WRITE'],
])('%s becomes %s with its cause and a hint', async (code, expected) => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir, fs: failing('mkdirSync', 1, code, true).fs });
  const error: unknown = await Promise.resolve().then(() => ledger.append(law('task-1', 1))).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: expected, cause: { code }, details: { systemCode: code }, hint: expect.any(String) });
  await ledger.close();
});

test('with too many files open elsewhere, resting descriptors are closed and the line is written', async () => {
  const dir = await temporaryFolder();
  let open = 0;
  const fs: LedgerFileSystem = { ...nodeFileSystem,
    openSync(path, flags) {
      if (flags === 'a' && open >= 3) throw systemError('EMFILE');
      if (flags === 'a') open += 1;
      return nodeFileSystem.openSync(path, flags);
    },
    closeSync(descriptor) {
      open = Math.max(0, open - 1);
      nodeFileSystem.closeSync(descriptor);
    } };
  const ledger = createFileLedger({ dir, fs });
  for (let round = 1; round <= 2; round += 1) for (let task = 1; task <= 10; task += 1) ledger.append(reply(`task-${task}`, round));
  await ledger.close();
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, tasks: 10, lines: 20 });
});

test('never more log files are open than allowed', async () => {
  const dir = await temporaryFolder();
  const open = new Set<number>();
  let most = 0;
  const fs: LedgerFileSystem = { ...nodeFileSystem,
    openSync(path, flags) {
      const descriptor = nodeFileSystem.openSync(path, flags);
      if (flags === 'a') open.add(descriptor);
      most = Math.max(most, open.size);
      return descriptor;
    },
    closeSync(descriptor) {
      open.delete(descriptor);
      nodeFileSystem.closeSync(descriptor);
    } };
  const ledger = createFileLedger({ dir, fs, maxOpenFiles: 8 });
  for (let round = 1; round <= 3; round += 1) for (let task = 1; task <= 50; task += 1) ledger.append(reply(`task-${task}`, round));
  await ledger.close();
  expect([most, open.size]).toEqual([8, 0]);
  expect(await verifyLedger(dir)).toMatchObject({ ok: true, lines: 150 });
});

test('lines of one turn go to the system in one write; a line about the outside takes those before it along at once', async () => {
  const dir = await temporaryFolder();
  let writes = 0;
  const ledger = createFileLedger({ dir, fs: tapped((call) => {
    if (call === 'writeSync') writes += 1;
  }) });
  ledger.append(reply('task-1', 1));
  const log = await onlyFile(dir, '.jsonl');
  writes = 0;
  for (let number = 2; number <= 9; number += 1) ledger.append(law('task-1', number));
  expect(writes).toBe(0);
  await Promise.resolve();
  expect(writes).toBe(1);
  ledger.append(law('task-1', 10));
  ledger.append(reply('task-1', 11));
  expect(writes).toBe(2);
  expect((await readFile(log, 'utf8')).trimEnd().split('\n')).toHaveLength(11);
  await ledger.close();
});

test('syncs asked for while one runs share the next one', async () => {
  const dir = await temporaryFolder();
  let syncs = 0;
  const ledger = createFileLedger({ dir, fs: tapped((call) => {
    if (call === 'fdatasync') syncs += 1;
  }) });
  await Promise.all(Array.from({ length: 50 }, (_, index) => ledger.append(reply('task-1', index + 1), { sync: true })));
  expect(syncs).toBeLessThanOrEqual(2);
  await ledger.close();
});

test.each([['intent', 1], ['always', 2], ['never', 0]] as const)('fsync %s syncs as it says', async (fsync, expected) => {
  const dir = await temporaryFolder();
  let syncs = 0;
  const ledger = createFileLedger({ dir, fsync, fs: tapped((call) => {
    if (call === 'fdatasync') syncs += 1;
  }) });
  const first = ledger.append(reply('task-1', 1));
  await first;
  const second = ledger.append(reply('task-1', 2), { sync: true });
  await second;
  expect([first instanceof Promise, second instanceof Promise]).toEqual([fsync === 'always', fsync !== 'never']);
  expect(syncs).toBe(expected);
  await ledger.close();
});

test('a closed ledger refuses lines and still reads', async () => {
  const dir = await temporaryFolder();
  const ledger = createFileLedger({ dir });
  ledger.append(law('task-1', 1));
  await ledger.close();
  expect(() => ledger.append(law('task-1', 2))).toThrowError(expect.objectContaining({ code: 'ARTOO_CLOSED' }));
  await expect(ledger.acquire('task-1')).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
  expect(await ledger.read('task-1')).toHaveLength(1);
});

test.each([[{ dir: '' }], [{ dir: 'x', fsync: 'sometimes' }], [{ dir: 'x', maxOpenFiles: 0 }], [{}]])('options %j are refused', (options) => {
  expect(() => createFileLedger(options as never)).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT' }));
});
