import assert from 'node:assert/strict';
import type { MemoryStore, Megram } from '../contracts/memory.js';
import { potentials } from '../mkct/potentials.js';
import { DAY_MS } from '../mkct/decay.js';
import { entry, rule, START, TAG, testCase, type MemoryCase } from './conformance-parts.js';
import { serviceCases } from './services/conformance.js';

export type { MemoryCase, MemoryFactory, MemoryFixture } from './conformance-parts.js';

function close(actual: number, expected: number, what: string): void {
  const scale = Math.max(Math.abs(actual), Math.abs(expected), 1e-12);
  assert.ok(Math.abs(actual - expected) <= 1e-9 * scale, `${what}: ${actual} is not ${expected}`);
}

async function assertSums(store: MemoryStore, megrams: readonly Megram[], at: number): Promise<void> {
  const [kept, summed] = [await store.potentials(TAG, at), potentials(megrams, at)];
  close(kept.attention, summed.attention, `attention at ${at}`);
  close(kept.decision, summed.decision, `decision at ${at}`);
  assert.equal(kept.action, summed.action);
}

async function idsOf(entries: Promise<readonly Megram[]>): Promise<readonly string[]> {
  return (await entries).map(({ id }) => id).sort();
}

async function linesOf(store: MemoryStore): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of store.export()) lines.push(line);
  return lines;
}

async function assertClean(store: MemoryStore, megrams: number): Promise<void> {
  const check = await store.check();
  assert.deepEqual(check.problems, []);
  assert.equal(check.ok, true);
  assert.equal(check.megrams, megrams);
}

/** Names that try to reach beyond their segment of a key. */
const HOSTILE = ['|', 'a|b', '/a', '/a|b', 'a\u0000b', '..', '../../etc', '__proto__', 'constructor', '%7C', '🙂', '\uD83D', '中文', ' ', 'x'.repeat(10_240)];

/**
 * What a MemoryStore must do, as cases for any runner.
 *
 * @example
 * import { test } from 'vitest';
 * import { memoryStoreConformance } from 'artoo/testing';
 * for (const { name, run } of memoryStoreConformance) test(name, () => run(async () => ({ store: new MyStore() })));
 */
export const memoryStoreConformance: readonly MemoryCase[] = [
  testCase('an empty store says nothing', async ({ store }) => {
    assert.deepEqual(await store.potentials(TAG, START), { attention: 0, decision: 0, action: 'ignore' });
    assert.deepEqual(await store.sops(TAG, START), []);
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.get('nobody'), undefined);
    assert.deepEqual(await store.due(START), []);
    assert.deepEqual(await store.dirtyTags(), []);
    await store.remove(['nobody']);
    await assertClean(store, 0);
  }),
  testCase('an entry is seen by every question asked after it, flushed or not', async ({ store }) => {
    const megram = entry('a');
    store.append(megram);
    assert.deepEqual(await store.get('a'), megram);
    assert.deepEqual(await store.list({ tag: TAG }), [megram]);
    await assertSums(store, [megram], START);
  }),
  testCase('the same id twice counts once', async ({ store }) => {
    store.append(entry('a'));
    store.append(entry('a', { f: 0.1, content: 'another' }));
    await store.flush();
    store.append(entry('a'));
    assert.equal((await store.list()).length, 1);
    assert.equal((await store.get('a'))?.content, 'entry a');
    await assertSums(store, [entry('a')], START);
  }),
  testCase('an entry keeps no tie to the object that was handed in', async ({ store }) => {
    const megram = { ...entry('a') };
    store.append(megram);
    megram.content = 'changed afterwards';
    assert.equal((await store.get('a'))?.content, 'entry a');
  }),
  testCase('potentials are the decayed sums of M and K entries, at any moment', async ({ store }) => {
    const megrams = [0, 1, 2, 5, 9, 30].map((days, index) =>
      entry(`m${index}`, { createdAt: START + days * DAY_MS, level: index % 2 ? 'K' : 'M', sigma: index % 3 ? 1 : -1, k: [0.05, 0.2, 0.5][index % 3] ?? 0 }),
    );
    for (const megram of [...megrams].reverse()) store.append(megram);
    store.append(rule('c'));
    for (const days of [-10, 0, 0.5, 4, 9, 29.999, 30, 31, 400, 40_000]) await assertSums(store, megrams, START + days * DAY_MS);
  }),
  testCase('a tag without entity is the whole space, and nothing beyond it', async ({ store }) => {
    store.append(entry('a'));
    store.append(entry('b', { entity: 'path:/tmp/b' }));
    store.append(entry('c', { space: 'tool:grep2' }));
    close((await store.potentials({ space: 'tool:grep' }, START)).attention, 1.8, 'attention of the space');
    assert.deepEqual(await idsOf(store.list({ tag: { space: 'tool:grep' } })), ['a', 'b']);
  }),
  testCase('opposite experiences don’t cancel: they give caution', async ({ store }) => {
    store.append(entry('good'));
    store.append(entry('bad', { f: 0.95, sigma: -1 }));
    assert.equal((await store.potentials(TAG, START)).action, 'caution');
  }),
  testCase('names of any kind are kept apart and found again exactly', async ({ store }) => {
    for (const [index, name] of HOSTILE.entries()) store.append(entry(`id|${name}`, { space: name, entity: HOSTILE[(index + 1) % HOSTILE.length] ?? '', content: name }));
    await store.flush();
    for (const [index, name] of HOSTILE.entries()) {
      const entity = HOSTILE[(index + 1) % HOSTILE.length] ?? '';
      const found = await store.list({ tag: { space: name, entity } });
      assert.deepEqual(found.map(({ id, space, content }) => [id, space, content]), [[`id|${name}`, name, name]]);
      assert.equal((await store.get(`id|${name}`))?.entity, entity);
      close((await store.potentials({ space: name }, START)).attention, 0.9, `attention of ${JSON.stringify(name.slice(0, 20))}`);
    }
    assert.equal((await store.dirtyTags()).length, HOSTILE.length);
    await assertClean(store, HOSTILE.length);
  }),
  testCase('an invalid entry is refused and leaves no trace', async ({ store }) => {
    for (const change of [{ f: 2 }, { f: Number.NaN }, { sigma: -1.5 }, { k: -1 }, { level: 'X' }, { createdAt: 'now' }] as unknown as Partial<Megram>[]) {
      assert.throws(() => store.append(entry('bad', change)), JSON.stringify(change));
    }
    assert.deepEqual(await store.list(), []);
  }),
  testCase('rules come with their tag, and a hit is remembered', async ({ store }) => {
    store.append(rule('r1', { content: 'Use grep.' }));
    store.append(rule('r2', { entity: 'path:/tmp/b' }));
    store.append(entry('m1'));
    assert.deepEqual(await idsOf(store.sops(TAG, START + 5)), ['r1']);
    assert.deepEqual(await idsOf(store.sops({ space: TAG.space }, START + 7)), ['r1', 'r2']);
    assert.equal((await store.get('r1'))?.lastRecalledAt, START + 7);
    assert.equal((await store.get('m1'))?.lastRecalledAt, null);
  }),
  testCase('a rule of untrusted origin is never given as a rule', async ({ store }) => {
    store.append(rule('evil', { origin: { taskId: 't', integrity: 'untrusted', source: 'web' } }));
    assert.deepEqual(await store.sops(TAG, START), []);
  }),
  testCase('list filters by level and tag and keeps to its limit', async ({ store }) => {
    for (let index = 0; index < 5; index += 1) store.append(entry(`m${index}`));
    store.append(entry('k', { level: 'K', entity: 'path:/tmp/b' }));
    store.append(rule('c'));
    assert.equal((await store.list()).length, 7);
    assert.deepEqual(await idsOf(store.list({ level: 'K' })), ['k']);
    assert.deepEqual(await idsOf(store.list({ level: 'C', tag: TAG })), ['c']);
    assert.equal((await store.list({ level: 'M', tag: TAG })).length, 5);
    assert.equal((await store.list({ limit: 3 })).length, 3);
    assert.deepEqual(await store.list({ level: 'T' }), []);
  }),
  testCase('what is removed is gone from everything', async ({ store }) => {
    const megrams = [entry('a'), entry('b', { sigma: -1 }), entry('c', { k: 0.5 })];
    for (const megram of megrams) store.append(megram);
    store.append(rule('r'));
    await store.remove(['b', 'r', 'b', 'nobody']);
    await assertSums(store, megrams.filter(({ id }) => id !== 'b'), START + DAY_MS);
    assert.equal(await store.get('b'), undefined);
    assert.deepEqual(await store.sops(TAG, START), []);
    await store.remove(['a', 'c']);
    assert.deepEqual(await store.potentials(TAG, START), { attention: 0, decision: 0, action: 'ignore' });
    assert.deepEqual(await store.due(START + 10_000 * DAY_MS), []);
    await assertClean(store, 0);
  }),
  testCase('due names M and K entries from the day their attention is under 0.1', async ({ store }) => {
    store.append(entry('accept'));
    store.append(entry('refine', { f: 0.1, sigma: 0.5, k: 0.5 }));
    store.append(entry('timeless', { k: 0 }));
    store.append(rule('rule'));
    assert.deepEqual(await store.due(START - 1), []);
    assert.deepEqual(await store.due(START), ['refine']);
    assert.deepEqual(await store.due(START + 43.94 * DAY_MS), ['refine']);
    assert.deepEqual([...(await store.due(START + 43.95 * DAY_MS))].sort(), ['accept', 'refine']);
  }),
  testCase('the last recall restarts the clock of decay', async ({ store }) => {
    const megram = entry('a', { lastRecalledAt: START + 10 * DAY_MS });
    store.append(megram);
    await assertSums(store, [megram], START + 20 * DAY_MS);
    assert.deepEqual(await store.due(START + 44 * DAY_MS), []);
    assert.deepEqual(await store.due(START + 54 * DAY_MS), ['a']);
  }),
  testCase('a demoted rule counts and decays from then on', async ({ store }) => {
    store.append(rule('r'));
    await store.demote('r', { level: 'K', k: 0.05 });
    const demoted = await store.get('r');
    assert.deepEqual([demoted?.level, demoted?.k, demoted?.content], ['K', 0.05, 'entry r']);
    assert.deepEqual(await store.sops(TAG, START), []);
    await assertSums(store, [rule('r', { level: 'K', k: 0.05 })], START + 3 * DAY_MS);
    assert.deepEqual(await store.due(START + 44 * DAY_MS), ['r']);
    await assertClean(store, 1);
  }),
  testCase('demoting what isn’t there is refused', async ({ store }) => {
    await assert.rejects(store.demote('nobody', { level: 'K', k: 0.05 }));
  }),
  testCase('dirty tags are those with new evidence', async ({ store }) => {
    store.append(entry('a'));
    store.append(entry('b'));
    store.append(entry('c', { space: 'tool:ls' }));
    const tags = await store.dirtyTags();
    assert.deepEqual(tags.map(({ space, entity }) => [space, entity]).sort(), [['tool:grep', 'path:/tmp/a'], ['tool:ls', 'path:/tmp/a']]);
  }),
  testCase('export and import carry everything over, once', async ({ store }) => {
    const megrams = [entry('a'), entry('b', { createdAt: START + DAY_MS, content: 'line\nbreak "quoted"' }), rule('r', { lastRecalledAt: START + 1 })];
    for (const megram of megrams) store.append(megram);
    const lines = await linesOf(store);
    assert.deepEqual(lines.map((line) => (JSON.parse(line) as Megram).id), ['a', 'b', 'r']);
    await store.remove(['a', 'b', 'r']);
    assert.equal(await store.import(lines), 3);
    assert.equal(await store.import([...lines, '', '  ']), 0);
    for (const megram of megrams) assert.deepEqual(await store.get(megram.id), megram);
    await assertSums(store, megrams.slice(0, 2), START + 2 * DAY_MS);
    await assertClean(store, 3);
  }),
  testCase('a line that is no megram is refused by its number; what stands before it is kept', async ({ store }) => {
    await assert.rejects(store.import([JSON.stringify(entry('a')), '{"id": "b"}', JSON.stringify(entry('c'))]), /2/);
    assert.deepEqual(await idsOf(store.list()), ['a']);
  }),
  testCase('rebuild changes nothing that can be asked for', async ({ store }) => {
    const megrams = Array.from({ length: 40 }, (_, index) => entry(`m${index}`, { createdAt: START + index * DAY_MS, k: index % 2 ? 0.05 : 0.2, sigma: index % 5 ? 1 : -1 }));
    for (const megram of megrams) store.append(megram);
    store.append(rule('r'));
    await store.remove(['m3', 'm7']);
    await store.rebuild();
    await assertSums(store, megrams.filter(({ id }) => id !== 'm3' && id !== 'm7'), START + 50 * DAY_MS);
    assert.deepEqual(await idsOf(store.sops(TAG, START)), ['r']);
    await assertClean(store, 39);
  }),
  testCase('closing writes what is queued, is idempotent, and ends everything', async ({ store }) => {
    store.append(entry('a'));
    await Promise.all([store.close(), store.close()]);
    assert.throws(() => store.append(entry('b')));
    await assert.rejects(store.get('a'));
    await store.close();
  }),
  testCase('an orderly close loses nothing that was queued', async ({ store, reopen }) => {
    const megrams = Array.from({ length: 600 }, (_, index) => entry(`m${index}`));
    for (const megram of megrams) store.append(megram);
    assert.ok(reopen);
    await store.close();
    const again = await reopen();
    try {
      await assertSums(again, megrams, START + DAY_MS);
      await assertClean(again, 600);
      again.append(entry('later'));
      assert.equal((await again.list({ tag: TAG })).length, 601);
    } finally {
      await again.close();
    }
  }, 'reopen'),
  testCase('a damaged entry is skipped, never a failed question', async ({ store, damage }) => {
    store.append(entry('a'));
    store.append(entry('b'));
    await store.flush();
    assert.ok(damage);
    await damage('a');
    assert.deepEqual(await idsOf(store.list({ tag: TAG })), ['b']);
    assert.equal(await store.get('a'), undefined);
    assert.equal((await store.potentials(TAG, START)).action, 'exploit');
    assert.equal((await store.check()).ok, false);
  }, 'damage'),
  ...serviceCases,
];
