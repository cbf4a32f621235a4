import { describe, expect, test } from 'vitest';
import { createDreamer, createMemory, DREAMER_SOURCE, forgetSource, type ArtooMemory, type Distil, type MemoryStore } from '../../src/entries/memory.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { DAY, many, megramOf, START } from './builders.js';

const TAG = { space: 'tool:grep', entity: 'path:/tmp/a' };

/** The store behind nothing but the port: what a host's own store offers. */
function portOnly(store: ArtooMemory): MemoryStore {
  return {
    append: (megram) => store.append(megram), flush: () => store.flush(), potentials: (tag, at) => store.potentials(tag, at), sops: (tag, at) => store.sops(tag, at),
    list: (filter) => store.list(filter), get: (id) => store.get(id), remove: (ids) => store.remove(ids), demote: (id, change) => store.demote(id, change),
    due: (at) => store.due(at), dirtyTags: () => store.dirtyTags(), check: () => store.check(), rebuild: () => store.rebuild(), export: () => store.export(),
    import: (lines) => store.import(lines), close: () => store.close(),
  };
}

function fill(store: MemoryStore, count: number, state: 'accept' | 'abandon', name: string): void {
  for (const megram of many(count, (index) => megramOf(`${name}${index}`, state))) store.append(megram);
}

describe.each([['the store’s own index', (store: ArtooMemory): MemoryStore => store], ['the port alone', portOnly]])('dreaming over %s', (_, view) => {
  const setUp = (distil?: Distil) => {
    const clock = new ManualClock(START);
    const store = view(createMemory({ clock }));
    return { clock, store, dreamer: createDreamer({ store, clock, distil }) };
  };

  test('six accepts promote, five don’t', async () => {
    const { store, dreamer } = setUp();
    fill(store, 5, 'accept', 'm');
    expect((await dreamer.dream()).promoted).toEqual([]);
    store.append(megramOf('m5'));
    const { promoted } = await dreamer.dream();
    expect(promoted).toHaveLength(1);
    const [rule] = await store.sops(TAG, START);
    expect(rule).toMatchObject({ id: promoted[0]?.id, level: 'C', k: 0, sigma: 1, f: 1, ...TAG, origin: { source: DREAMER_SOURCE, integrity: 'trusted' } });
  });
  test('a tag is promoted once until new evidence has moved it', async () => {
    const { store, dreamer } = setUp();
    fill(store, 6, 'accept', 'm');
    await dreamer.dream();
    for (let index = 0; index < 5; index += 1) {
      store.append(megramOf(`n${index}`));
      expect((await dreamer.dream()).promoted).toEqual([]);
    }
    store.append(megramOf('n5'));
    const { promoted, forgotten } = await dreamer.dream();
    expect(promoted).toHaveLength(1);
    expect(forgotten[0]?.why).toContain('superseded');
    expect(await store.sops(TAG, START)).toHaveLength(1);
  });
  test('a fresh negative rule survives three passes', async () => {
    const { clock, store, dreamer } = setUp();
    fill(store, 6, 'abandon', 'm');
    const [first] = (await dreamer.dream()).promoted;
    for (let passes = 0; passes < 3; passes += 1) {
      clock.jump(DAY);
      store.append(megramOf(`again${passes}`, 'abandon', { createdAt: clock.now() }));
      expect((await dreamer.dream()).demoted).toEqual([]);
    }
    expect((await store.sops(TAG, clock.now())).map(({ id, sigma }) => [id, sigma])).toEqual([[first?.id, -1]]);
  });
  test('a contradicted rule is demoted, and no longer a rule', async () => {
    const { store, dreamer } = setUp();
    fill(store, 6, 'accept', 'm');
    const [rule] = (await dreamer.dream()).promoted;
    store.append(megramOf('against0', 'abandon'));
    expect((await dreamer.dream()).demoted).toEqual([]);
    store.append(megramOf('against1', 'abandon'));
    const { demoted } = await dreamer.dream();
    expect(demoted.map(({ id }) => id)).toEqual([rule?.id]);
    expect(await store.get(rule?.id ?? '')).toMatchObject({ level: 'K', k: 0.05 });
    expect(await store.sops(TAG, START)).toEqual([]);
    expect((await dreamer.dream()).demoted).toEqual([]);
  });
  test('a negative rule is demoted by successes', async () => {
    const { store, dreamer } = setUp();
    fill(store, 6, 'abandon', 'm');
    const [rule] = (await dreamer.dream()).promoted;
    fill(store, 2, 'accept', 'good');
    expect((await dreamer.dream()).demoted.map(({ id }) => id)).toEqual([rule?.id]);
  });
  test('a failed call to the model leaves the tag for the next pass', async () => {
    let calls = 0;
    const { store, dreamer } = setUp(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('model down')) : Promise.resolve(calls === 2 ? '   ' : 'Use grep. It works! Third sentence.');
    });
    fill(store, 6, 'accept', 'm');
    expect((await dreamer.dream()).left).toEqual([{ tag: TAG, why: 'model down' }]);
    expect((await dreamer.dream()).left).toHaveLength(1);
    expect(await store.sops(TAG, START)).toEqual([]);
    expect((await dreamer.dream()).promoted).toHaveLength(1);
    expect((await store.sops(TAG, START))[0]?.content).toBe('Use grep. It works!');
  });
  test('the model sees the lessons, the direction and the tag', async () => {
    const seen: unknown[] = [];
    const { store, dreamer } = setUp(({ tag, sigma, contents }) => {
      seen.push(tag, sigma, [...contents].sort());
      return Promise.resolve('A rule.');
    });
    fill(store, 6, 'abandon', 'm');
    await dreamer.dream();
    expect(seen).toEqual([TAG, -1, many(6, (index) => megramOf(`m${index}`)).map(({ content }) => content)]);
  });
  test('what has decayed is forgotten, and said', async () => {
    const { clock, store, dreamer } = setUp();
    store.append(megramOf('refine', 'refine'));
    store.append(megramOf('accept', 'accept'));
    expect((await dreamer.dream()).forgotten.map(({ id }) => id)).toEqual(['refine']);
    clock.jump(43 * DAY);
    expect((await dreamer.dream()).forgotten).toEqual([]);
    clock.jump(DAY);
    expect((await dreamer.dream()).forgotten.map(({ id }) => id)).toEqual(['accept']);
    expect((await store.check()).problems).toEqual([]);
  });
  test('six poisoned successes make no rule, and poisoned failures take none down', async () => {
    const { store, dreamer } = setUp();
    const origin = { taskId: 't', integrity: 'untrusted' as const, source: 'web' };
    for (const megram of many(20, (index) => megramOf(`evil${index}`, 'accept', { origin }))) store.append(megram);
    expect((await dreamer.dream()).promoted).toEqual([]);
    fill(store, 6, 'accept', 'm');
    expect((await dreamer.dream()).promoted).toHaveLength(1);
    for (const megram of many(20, (index) => megramOf(`worse${index}`, 'abandon', { origin }))) store.append(megram);
    expect((await dreamer.dream()).demoted).toEqual([]);
  });
});

describe('the Dreamer', () => {
  test('looks only at tags that changed since its last pass', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    const looked: string[] = [];
    const watched = new Proxy(store, { get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...input: unknown[]): unknown => {
        if (name === 'consolidation') looked.push((input[0] as { entity: string }).entity);
        return (value as (...input: unknown[]) => unknown).apply(target, input);
      };
    } });
    const dreamer = createDreamer({ store: watched, clock });
    for (let index = 0; index < 30; index += 1) store.append(megramOf(`m${index}`, 'accept', { entity: `path:/${index}` }));
    await dreamer.dream();
    expect(looked).toHaveLength(30);
    await dreamer.dream();
    store.append(megramOf('new', 'accept', { entity: 'path:/7' }));
    await dreamer.dream();
    expect(looked.slice(30)).toEqual(['path:/7']);
  });
  test('evidence that arrives while the model writes counts towards the next rule', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    const dreamer = createDreamer({ store, clock, distil: async () => {
      fill(store, 2, 'abandon', 'late');
      await store.flush();
      return 'Use grep.';
    } });
    fill(store, 6, 'accept', 'm');
    const [rule] = (await dreamer.dream()).promoted;
    expect((await store.dirtyTags()).length).toBe(1);
    expect((await dreamer.dream()).demoted.map(({ id }) => id)).toEqual([rule?.id]);
    expect((await store.check()).problems).toEqual([]);
  });
  test('a rule that a host wrote is judged by what came after it', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    const dreamer = createDreamer({ store, clock });
    fill(store, 4, 'abandon', 'before');
    store.append(megramOf('host', 'accept', { level: 'C', k: 0, origin: { taskId: 't', integrity: 'trusted', source: 'host' } }));
    await dreamer.dream();
    expect(await store.sops(TAG, START)).toHaveLength(1);
    store.append(megramOf('after', 'abandon'));
    expect((await dreamer.dream()).demoted.map(({ id }) => id)).toEqual(['host']);
  });
  test('what was distilled stays distilled after export and import, and after rebuild', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    fill(store, 6, 'accept', 'm');
    await createDreamer({ store, clock }).dream();
    await store.rebuild();
    expect((await createDreamer({ store, clock }).dream()).promoted).toEqual([]);
    const copy = createMemory({ clock });
    await copy.import(store.export());
    expect((await createDreamer({ store: copy, clock }).dream()).promoted).toEqual([]);
    expect(await copy.sops(TAG, START)).toHaveLength(1);
  });
  test('never runs twice at once', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    let running = 0;
    let most = 0;
    const dreamer = createDreamer({ store, clock, distil: async () => {
      running += 1;
      most = Math.max(most, running);
      await store.flush();
      running -= 1;
      return 'Use grep.';
    } });
    fill(store, 6, 'accept', 'm');
    const reports = await Promise.all([dreamer.dream(), dreamer.dream(), dreamer.dream()]);
    expect(most).toBe(1);
    expect(new Set(reports).size).toBe(1);
  });
  test('runs every five minutes of the clock it is given, and goes on after a failure', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    const errors: unknown[] = [];
    const actions: number[] = [];
    const dreamer = createDreamer({ store, clock, onError: (error) => errors.push(error), onAction: ({ forgotten }) => actions.push(forgotten.length) });
    dreamer.start();
    dreamer.start();
    expect(clock.pending).toBe(1);
    store.append(megramOf('refine', 'refine'));
    await clock.advance(299_999);
    expect(actions).toEqual([]);
    await clock.advance(1);
    await dreamer.dream();
    expect(actions).toEqual([1]);
    await store.close();
    await clock.advance(300_000);
    expect(errors).toHaveLength(1);
    await clock.advance(300_000);
    expect(errors).toHaveLength(2);
    await dreamer.close();
    expect(clock.pending).toBe(0);
  });
  test('closing stops the model and waits for the pass', async () => {
    const clock = new ManualClock(START);
    const store = createMemory({ clock });
    let begun: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (begun = resolve));
    const dreamer = createDreamer({ store, clock, distil: ({ signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
      begun();
    }) });
    fill(store, 6, 'accept', 'm');
    const pass = dreamer.dream();
    await asked;
    await dreamer.close();
    expect((await pass).left).toEqual([{ tag: TAG, why: 'stopped' }]);
    expect((await store.dirtyTags()).length).toBe(1);
    await store.close();
  });
});

test('forgetting a source takes the rules that were made of its entries along, and nothing else', async () => {
  const clock = new ManualClock(START);
  const store = createMemory({ clock });
  const origin = { taskId: 't', integrity: 'trusted' as const, source: 'plugin' };
  for (const megram of many(6, (index) => megramOf(`bad${index}`, 'accept', { origin }))) store.append(megram);
  for (const megram of many(6, (index) => megramOf(`good${index}`, 'accept', { space: 'tool:wc' }))) store.append(megram);
  const { promoted } = await createDreamer({ store, clock }).dream();
  expect(promoted).toHaveLength(2);
  expect(await forgetSource(store, 'plugin')).toHaveLength(7);
  expect(await store.sops(TAG, START)).toEqual([]);
  expect(await store.sops({ space: 'tool:wc' }, START)).toHaveLength(1);
  expect((await store.list()).filter((megram) => megram.origin.source === 'plugin')).toEqual([]);
  expect((await store.check()).problems).toEqual([]);
});
