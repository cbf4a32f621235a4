import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { afterEach, describe, expect, test } from 'vitest';
import { createLevelMemory, createMemory, openMemory, potentials, type ArtooMemory, type Megram, type MemoryReport } from '../../src/entries/memory.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { breakableLevel, collect, DAY, many, megramOf, START } from './builders.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'artoo-faults-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'memory');
}

const noSpace = (): Error => Object.assign(new Error('write failed'), { code: 'ENOSPC' });

describe('a memory that is in use (F31)', () => {
  test('is refused at once, with the lock as cause and what to do', async () => {
    const path = await newPath();
    const first = await openMemory({ path });
    await expect(openMemory({ path })).rejects.toMatchObject({ code: 'ARTOO_MEMORY_LOCKED', hint: expect.stringContaining('Close'), cause: { cause: { code: 'LEVEL_LOCKED' } } });
    await first.close();
    await (await openMemory({ path })).close();
  });
  test('is refused the same through a database handed in', async () => {
    const path = await newPath();
    const first = await openMemory({ path });
    const second = createLevelMemory({ db: new ClassicLevel<string, string>(path) });
    second.append(megramOf('a'));
    await expect(second.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_LOCKED' });
    await expect(second.get('a')).rejects.toMatchObject({ code: 'ARTOO_MEMORY_LOCKED' });
    await first.close();
  });
});

describe('a path that can’t be a memory', () => {
  test('a file in its place is a typed error', async () => {
    const path = await newPath();
    await writeFile(path, 'a file');
    await expect(openMemory({ path })).rejects.toMatchObject({ code: 'ARTOO_MEMORY_INVALID', cause: expect.anything() });
  });
  test('an empty path is refused', async () => expect(openMemory({ path: '' })).rejects.toMatchObject({ code: 'ARTOO_INVALID_ARGUMENT' }));
});

describe('a disk that fails', () => {
  test('is reported; nothing is lost, and all is written when it works again', async () => {
    const disk = breakableLevel();
    const reports: MemoryReport[] = [];
    const memory = createLevelMemory({ db: disk.db, onReport: (report) => reports.push(report) });
    await memory.flush();
    disk.error = noSpace();
    for (const megram of many(300, (index) => megramOf(`m${index}`))) memory.append(megram);
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_STORE_FULL', hint: expect.any(String) });
    expect(reports).toContainEqual(expect.objectContaining({ kind: 'write_failed', waiting: 300 }));
    disk.error = undefined;
    await memory.flush();
    expect((await memory.list()).length).toBe(300);
    expect((await memory.check()).problems).toEqual([]);
    expect(memory.dropped).toBe(0);
  });
  test('gives up the oldest entries only when the queue is full, and counts them', async () => {
    const disk = breakableLevel();
    const reports: MemoryReport[] = [];
    const memory = createLevelMemory({ db: disk.db, queueLimit: 10, onReport: (report) => reports.push(report) });
    await memory.flush();
    for (const megram of many(50, (index) => megramOf(`early${index}`))) memory.append(megram);
    await memory.flush();
    expect(memory.dropped).toBe(0);
    disk.error = new Error('EIO');
    memory.append(megramOf('m0'));
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', cause: { message: 'EIO' } });
    for (const megram of many(12, (index) => megramOf(`m${index + 1}`))) memory.append(megram);
    expect(memory.dropped).toBe(3);
    expect(reports.filter(({ kind }) => kind === 'dropped').at(-1)).toEqual({ kind: 'dropped', count: 3 });
    disk.error = undefined;
    // All that is left is written, and what was lost is said: once.
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', message: expect.stringContaining('3 entries'), details: { dropped: 3, waiting: 0 } });
    await memory.flush();
    expect((await memory.list({ limit: 100 })).map(({ id }) => id).filter((id) => id.startsWith('m')).sort()).toEqual(many(13, (index) => megramOf(`m${index}`)).map(({ id }) => id).slice(3).sort());
  });
  test('a close that can’t write says so instead of losing the queue silently', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db });
    await memory.flush();
    disk.error = noSpace();
    memory.append(megramOf('a'));
    await expect(memory.close()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', message: expect.stringContaining('lost 1 entry'), details: { dropped: 1 }, cause: { code: 'ARTOO_STORE_FULL' } });
  });
  test('entries given up before and entries that wait are counted together when a close can’t write', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db, queueLimit: 5 });
    await memory.flush();
    disk.error = new Error('EIO');
    memory.append(megramOf('first'));
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', hint: expect.any(String) });
    for (const megram of many(9, (index) => megramOf(`m${index}`))) memory.append(megram);
    await expect(memory.close()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', message: expect.stringContaining('EIO'), details: { dropped: 10, waiting: 0 } });
  });
  test('a close that can write, after entries were given up, says what was lost', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db, queueLimit: 2 });
    await memory.flush();
    disk.error = new Error('EIO');
    memory.append(megramOf('first'));
    await memory.flush().catch(() => undefined);
    for (const megram of many(4, (index) => megramOf(`m${index}`))) memory.append(megram);
    disk.error = undefined;
    await expect(memory.close()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE', details: { dropped: 3 } });
    const again = createLevelMemory({ db: disk.db });
    expect((await again.list()).length).toBe(2);
  });
  test('an import that lost lines rejects', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db });
    await memory.flush();
    disk.error = new Error('EIO');
    await expect(memory.import([JSON.stringify(megramOf('a'))])).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE' });
  });
  test('removing on a disk that fails rejects with the same code', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db });
    memory.append(megramOf('a'));
    await memory.flush();
    disk.error = new Error('EIO');
    await expect(memory.remove(['a'])).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE' });
    disk.error = undefined;
    expect(await memory.get('a')).toBeDefined();
  });
  test('a report handler that throws harms nothing', async () => {
    const disk = breakableLevel();
    const memory = createLevelMemory({ db: disk.db, onReport: () => { throw new Error('handler'); } });
    await memory.flush();
    disk.error = noSpace();
    memory.append(megramOf('a'));
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_STORE_FULL' });
    disk.error = undefined;
    expect(await memory.get('a')).toMatchObject({ id: 'a' });
  });
});

describe('derived data', () => {
  async function prepared(): Promise<{ readonly db: MemoryLevel<string, string>; readonly expected: number }> {
    const db = new MemoryLevel<string, string>();
    const memory = createLevelMemory({ db });
    for (const megram of many(20, (index) => megramOf(`m${index}`))) memory.append(megram);
    await memory.close();
    return { db, expected: 18 };
  }
  async function reopened(db: MemoryLevel<string, string>): Promise<{ readonly memory: ArtooMemory; readonly reports: readonly MemoryReport[] }> {
    const reports: MemoryReport[] = [];
    const memory = createLevelMemory({ db, onReport: (report) => reports.push(report) });
    await memory.flush();
    return { memory, reports };
  }
  const attention = async (memory: ArtooMemory): Promise<number> => (await memory.potentials({ space: 'tool:grep', entity: 'path:/tmp/a' }, START)).attention;

  test('is made anew on opening when the layout mark is missing', async () => {
    const { db, expected } = await prepared();
    await db.del('v|layout');
    await db.put('e|tool%3Agrep|path%3A%2Ftmp%2Fa', '[]');
    const { memory, reports } = await reopened(db);
    expect(reports).toContainEqual({ kind: 'rebuilt', reason: 'the store has no layout mark' });
    expect(await attention(memory)).toBeCloseTo(expected, 9);
    expect((await memory.check()).problems).toEqual([]);
  });
  test('is made anew on opening when it is of an older layout, or the sums are gone', async () => {
    for (const spoil of [(db: MemoryLevel<string, string>) => db.put('v|layout', '0'), (db: MemoryLevel<string, string>) => Promise.all([db.clear({ gte: 'e|', lt: 'e}' }), db.clear({ gte: 's|', lt: 's}' })])]) {
      const { db, expected } = await prepared();
      await spoil(db);
      const { memory, reports } = await reopened(db);
      expect(reports.map(({ kind }) => kind)).toContain('rebuilt');
      expect(await attention(memory)).toBeCloseTo(expected, 9);
    }
  });
  test('of a newer layout is refused, not guessed at', async () => {
    const { db } = await prepared();
    await db.put('v|layout', '2');
    const memory = createLevelMemory({ db });
    await expect(memory.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_INVALID', hint: expect.stringContaining('newer') });
  });
  test('that is damaged is reported, answered exactly all the same, and recounted', async () => {
    const { db, expected } = await prepared();
    const key = 'e|tool%3Agrep|path%3A%2Ftmp%2Fa';
    await db.put(key, 'garbage');
    const { memory, reports } = await reopened(db);
    expect(await attention(memory)).toBeCloseTo(expected, 9);
    expect(reports).toContainEqual({ kind: 'damaged', key, reason: 'not the sums of a tag' });
    await memory.flush();
    expect((await memory.check()).problems).toEqual([]);
  });
  test('that is wrong is found by check and mended by rebuild', async () => {
    const { db } = await prepared();
    await db.del('x|tool%3Agrep|path%3A%2Ftmp%2Fa|m3');
    await db.put('l|M|ghost', '99');
    const { memory } = await reopened(db);
    const { ok, problems } = await memory.check();
    expect(ok).toBe(false);
    expect(problems.join('\n')).toMatch(/m3: missing[\s\S]*ghost: belongs to no entry/);
    await memory.rebuild();
    expect((await memory.check()).problems).toEqual([]);
  });
  test('half made by an interrupted rebuild is made anew on the next opening, wherever it stopped', async () => {
    for (let stop = 0; stop < 14; stop += 1) {
      const disk = breakableLevel();
      const memory = createLevelMemory({ db: disk.db });
      for (const megram of many(1_200, (index) => megramOf(`m${index}`))) memory.append(megram);
      await memory.flush();
      disk.left = stop;
      disk.error = new Error('killed');
      const whole = await memory.rebuild().then(() => true, () => false);
      disk.error = undefined;
      const again = createLevelMemory({ db: disk.db });
      expect((await again.check()).problems, `stopped after ${stop} batches`).toEqual([]);
      expect((await again.potentials({ space: 'tool:grep' }, START)).attention).toBeCloseTo(1_080, 6);
      if (stop < 8) expect(whole).toBe(false);
    }
  });
  test('is made for a store that holds nothing but the paper’s own keys', async () => {
    const db = new MemoryLevel<string, string>();
    await db.open();
    for (const megram of [megramOf('b', 'accept', { createdAt: START + 1 }), megramOf('a')]) await db.put(`m|${megram.id}`, JSON.stringify(megram));
    await db.put('r|a', String(START + 5));
    const { memory } = await reopened(db);
    expect((await memory.list()).map(({ id, lastRecalledAt }) => [id, lastRecalledAt])).toEqual([['a', START + 5], ['b', null]]);
    expect((await memory.check()).problems).toEqual([]);
  });
});

/** Six ways to hurt a LevelDB folder. */
const corruptions: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'the log is cut': async (path) => truncate(join(path, await fileOf(path, '.log')), 1_000),
  'a byte of the log is flipped': async (path) => flip(join(path, await fileOf(path, '.log')), 2_000),
  'the MANIFEST is emptied': async (path) => truncate(join(path, await fileOf(path, 'MANIFEST')), 0),
  'CURRENT is garbage': (path) => writeFile(join(path, 'CURRENT'), 'garbage'),
  'the log is deleted': async (path) => rm(join(path, await fileOf(path, '.log'))),
  'a table is removed': async (path) => rm(join(path, await fileOf(path, '.ldb'))),
};

async function fileOf(path: string, part: string): Promise<string> {
  const name = (await readdir(path)).find((file) => file.includes(part));
  if (name === undefined) throw new Error(`There is no ${part} in ${path}`);
  return name;
}

async function flip(file: string, offset: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  await writeFile(file, bytes);
}

describe('a damaged LevelDB folder (F30)', () => {
  async function written(): Promise<string> {
    const path = await newPath();
    const db = new ClassicLevel<string, string>(path);
    const memory = createLevelMemory({ db });
    for (const megram of many(200, (index) => megramOf(`old${index}`))) memory.append(megram);
    await memory.flush();
    await db.compactRange('', '~');
    for (const megram of many(200, (index) => megramOf(`new${index}`))) memory.append(megram);
    await memory.close();
    await db.close();
    return path;
  }
  test.each(Object.entries(corruptions))('%s: a typed error with a way out, or a clean memory with less in it; repaired on request', async (_, corrupt) => {
    const path = await written();
    await corrupt(path);
    const outcome = await openMemory({ path }).then(async (memory) => {
      try {
        const { ok } = await memory.check();
        return ok ? 'clean' : 'found';
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await memory.close().catch(() => undefined);
      }
    }, (error: { code: string; hint: string }) => (error.hint.includes('repair') ? error.code : 'no way out'));
    expect(['clean', 'found', 'ARTOO_MEMORY_INVALID']).toContain(outcome);
    const repaired = await openMemory({ path, repair: true });
    expect((await repaired.check()).problems).toEqual([]);
    repaired.append(megramOf('after'));
    expect(await repaired.get('after')).toBeDefined();
    await repaired.close();
  });
});

test('a hundred thousand rules under a tag come capped', async () => {
  const memory = createMemory();
  for (const megram of many(2_000, (index) => megramOf(`r${index}`, 'accept', { level: 'C', k: 0 }))) memory.append(megram);
  expect((await memory.sops({ space: 'tool:grep' }, START)).length).toBe(100);
  await memory.close();
});
test('a flood from one untrusted source is stopped at its quota, and said', async () => {
  const reports: MemoryReport[] = [];
  const memory = createMemory({ untrustedQuota: 5, onReport: (report) => reports.push(report) });
  const origin = { taskId: 't', integrity: 'untrusted' as const, source: 'web' };
  for (const megram of many(8, (index) => megramOf(`m${index}`, 'accept', { origin }))) memory.append(megram);
  memory.append(megramOf('other', 'accept', { origin: { ...origin, source: 'mail' } }));
  expect((await memory.list()).length).toBe(6);
  expect(reports.filter(({ kind }) => kind === 'quota')).toHaveLength(3);
  await memory.remove(['m0']);
  memory.append(megramOf('again', 'accept', { origin }));
  expect(await memory.get('again')).toBeDefined();
  await memory.close();
});

describe('a clock that jumps (F33)', () => {
  const TAG = { space: 'tool:grep', entity: 'path:/tmp/a' };
  const steps: readonly (readonly [string, number])[] = [['a day ahead', DAY], ['a day back', -DAY], ['an hour ahead, as at the beginning of summer time', DAY / 24], ['an hour back, as at its end', -DAY / 24], ['two seconds back, by NTP', -2_000], ['ten years back', -3_650 * DAY], ['ten years ahead', 3_650 * DAY]];
  test.each(steps)('%s: no entry weighs more than when it was written, and the sums stay exact', async (_, step) => {
    const clock = new ManualClock(START);
    const memory = createMemory({ clock });
    const written = [megramOf('before')];
    memory.append(written[0]!);
    clock.jump(step);
    written.push(megramOf('after', 'abandon', { createdAt: clock.now() }));
    memory.append(written[1]!);
    for (const at of [clock.now(), START, clock.now() - DAY, clock.now() + DAY]) {
      const kept = await memory.potentials(TAG, at);
      expect(kept.attention).toBeLessThanOrEqual(0.9 + 0.95);
      expect(kept.attention).toBeCloseTo(potentials(written, at).attention, 9);
      expect(kept.decision).toBeCloseTo(potentials(written, at).decision, 9);
    }
    expect((await memory.check()).problems).toEqual([]);
    await memory.close();
  });
  test('a day back: the Dreamer forgets nothing early, and its timer goes by monotonic time', async () => {
    const clock = new ManualClock(START);
    const memory = createMemory({ clock });
    memory.append(megramOf('a'));
    const dreamer = memory.createDreamer({ clock, intervalMs: 1_000, onAction: () => undefined });
    dreamer.start();
    clock.jump(-DAY);
    expect((await dreamer.dream()).forgotten).toEqual([]);
    clock.jump(46 * DAY);
    expect(await memory.get('a')).toBeDefined();
    await clock.advance(1_000);
    await expect.poll(() => memory.get('a')).toBeUndefined();
    await dreamer.close();
    await memory.close();
  });
});

test('no two entries take the same place in the log, however often the process is lost between two writes', async () => {
  const db = new MemoryLevel<string, string>();
  for (let life = 0; life < 5; life += 1) {
    // Never closed: what it took in advance is simply gone.
    const memory = createLevelMemory({ db });
    for (let index = 0; index < 3; index += 1) {
      memory.append(megramOf(`${life}/${index}`));
      await memory.flush();
    }
  }
  const places: number[] = [];
  for await (const value of db.values({ gte: 'm|', lt: 'm}' })) places.push((JSON.parse(value) as { sequence: number }).sequence);
  expect(new Set(places).size).toBe(15);
  const last = createLevelMemory({ db });
  const order = (await collect(last.export())).map((line) => (JSON.parse(line) as Megram).id);
  expect(order).toEqual([0, 1, 2, 3, 4].flatMap((life) => [0, 1, 2].map((index) => `${life}/${index}`)));
  expect((await last.check()).problems).toEqual([]);
});
