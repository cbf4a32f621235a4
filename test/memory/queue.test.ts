import { expect, test } from 'vitest';
import { createLevelMemory, createMemory, deferMemory } from '../../src/entries/memory.js';
import { breakableLevel, many, megramOf, START } from './builders.js';

/** Lets `turns` promise reactions pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await undefined;
}

test('an entry posted at any moment of the writer’s turn is written', async () => {
  const store = createMemory();
  for (let gap = 0; gap < 120; gap += 1) {
    store.append(megramOf(`a${gap}`));
    await turns(gap);
    store.append(megramOf(`b${gap}`));
    await store.flush();
    await turns(gap % 7);
    expect(await store.get(`b${gap}`)).toBeDefined();
  }
  expect((await store.list()).length).toBe(240);
  await store.close();
});
test('a flush after a failed one, at any moment, is tried and settles', async () => {
  const disk = breakableLevel();
  const store = createLevelMemory({ db: disk.db });
  await store.flush();
  for (let gap = 0; gap < 40; gap += 1) {
    disk.error = new Error('EIO');
    store.append(megramOf(`m${gap}`));
    await expect(store.flush()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_WRITE' });
    await turns(gap);
    disk.error = undefined;
    await store.flush();
  }
  expect((await store.list()).length).toBe(40);
});
test('a burst is written in few batches', async () => {
  const disk = breakableLevel();
  let batches = 0;
  disk.db.on('write', () => (batches += 1));
  const store = createLevelMemory({ db: disk.db });
  await store.flush();
  batches = 0;
  for (const megram of many(1_000, (index) => megramOf(`m${index}`))) store.append(megram);
  await store.flush();
  expect(batches).toBeLessThanOrEqual(5);
});
test('one entry, all of its index keys and its sums are one batch', async () => {
  const disk = breakableLevel();
  const written: string[][] = [];
  disk.db.on('write', (operations: readonly { readonly key: string }[]) => written.push(operations.map(({ key }) => key)));
  const store = createLevelMemory({ db: disk.db });
  await store.flush();
  written.length = 0;
  for (const id of ['a', 'b']) {
    store.append(megramOf(id, 'accept', { space: 'intent:count', entity: 'env:local', content: 'Asked: lines' }));
    await store.flush();
  }
  const kinds = ['d', 'e', 'l', 'm', 'q', 's', 'w', 'w', 'x'];
  expect(written).toHaveLength(2);
  // The first takes places in the log for many: the mark is not written with each.
  expect(written.map((batch) => batch.map((key) => key.split('|')[0]).sort())).toEqual([[...kinds, 'v'].sort(), kinds]);
});
test('questions under one another’s writes all settle', async () => {
  const store = createMemory();
  for (const megram of many(20, (index) => megramOf(`r${index}`, 'accept', { level: 'C', k: 0, space: `tool:${index % 4}` }))) store.append(megram);
  for (let round = 0; round < 30; round += 1) {
    const rules = await Promise.all(many(8, (index) => megramOf(`${index}`)).map((_, index) => store.weigh({ space: `tool:${index % 4}` }, START + round)));
    expect(rules.every((weighed) => weighed.rules.length === 5)).toBe(true);
  }
  await store.close();
});

test('a memory that is opened on first use hands on what came before, in order, and loads nothing unasked', async () => {
  let opened = 0;
  const make = () => deferMemory(() => {
    opened += 1;
    return Promise.resolve(createMemory());
  });
  const idle = make();
  await idle.flush();
  await idle.close();
  expect(opened).toBe(0);
  const store = make();
  store.append(megramOf('a'));
  store.append(megramOf('b'));
  expect((await store.list()).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(opened).toBe(1);
  await store.close();
  expect(() => store.append(megramOf('c'))).toThrow(expect.objectContaining({ code: 'ARTOO_CLOSED' }));
});
test('a memory that can’t be opened says why to every question', async () => {
  const store = deferMemory(() => Promise.reject(new Error('no disk')));
  store.append(megramOf('a'));
  await expect(store.flush()).rejects.toThrow('no disk');
  await expect(store.list()).rejects.toThrow('no disk');
  await expect(store.close()).rejects.toThrow('no disk');
});
