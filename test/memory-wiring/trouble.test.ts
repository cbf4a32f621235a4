import { createBus } from 'artoo/bus';
import { createFileLedger } from 'artoo/ledger';
import { createMemory, deferMemory, type ArtooMemory, type Megram, type MemoryStore } from 'artoo/memory';
import { ManualClock } from 'artoo/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyMemory } from '../../src/testing/faults/faulty-memory.js';
import { artooWith, lookIn, megram, modelThat, OwnIds, payloadsOf, planOf, runTask, START } from './support.js';

const ram = (): ArtooMemory => createMemory({ clock: { now: () => START } });
const search = () => lookIn('search', { 'z.txt': 'total 42' });
const model = () => modelThat(() => planOf('search', 'z.txt'));
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A store with some of its methods replaced. */
function changed(store: MemoryStore, change: Partial<MemoryStore>): MemoryStore {
  const keys: (keyof MemoryStore)[] = ['append', 'flush', 'potentials', 'sops', 'list', 'get', 'remove', 'demote', 'due', 'dirtyTags', 'check', 'rebuild', 'export', 'import', 'close', 'recall', 'createDreamer'];
  const bound = Object.fromEntries(keys.map((key) => [key, (store[key] as ((...input: unknown[]) => unknown) | undefined)?.bind(store)]));
  return { ...bound, ...change } as unknown as MemoryStore;
}
const withoutRecall = (store: MemoryStore): MemoryStore => {
  const { recall: _recall, createDreamer: _createDreamer, ...port } = changed(store, {});
  return port;
};

describe('a memory that is in trouble', () => {
  test.each<[string, Partial<MemoryStore>]>([
    ['rejects', { recall: () => Promise.reject(new Error('the disk is gone')) }],
    ['throws', { recall: () => { throw new Error('the disk is gone'); } }],
  ])('costs a plan its memory and nothing else when it %s', async (_what, change) => {
    const artoo = artooWith(model(), { memory: changed(ram(), change), tools: [search()] });
    const { result, events } = await runTask(artoo);
    expect(result.directive).toBe('accept');
    expect(payloadsOf(events, 'MemoryReply')).toEqual([{ sops: [], potentials: [], constraints: [], log: ['This plan was made without memory: the disk is gone'] }]);
    await artoo.close();
  });

  test.each<[string, (store: MemoryStore) => MemoryStore]>([
    ['recall', (store) => changed(store, { recall: never })],
    ['the questions of a store without recall', (store) => ({ ...withoutRecall(store), potentials: never })],
  ])('that hangs in %s is given up after five seconds of the clock', async (_what, hang) => {
    const clock = new ManualClock(START);
    const artoo = artooWith(model(), { memory: hang(ram()), tools: [search()], clock });
    const ended = runTask(artoo);
    await clock.advance(4_900);
    const early = await Promise.race([ended, Promise.resolve('still waiting')]);
    expect(early).toBe('still waiting');
    await clock.advance(200);
    const { result, events } = await ended;
    expect(result.directive).toBe('accept');
    expect(payloadsOf(events, 'MemoryReply')[0]?.log?.[0]).toContain('did not answer within 5000 ms');
    await artoo.close();
  });

  test('that hangs holds up no abort', async () => {
    const artoo = artooWith(model(), { memory: changed(ram(), { recall: never }), tools: [search()] });
    const run = artoo.run({ input: 'x', intent: 'x', slug: 'x' });
    for await (const event of run) if (event.type === 'MemoryQuery') run.abort();
    expect(await run.result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
    await artoo.close();
  });

  test('that answers with nonsense is read item by item, cleaned and capped', async () => {
    const nonsense = {
      constraints: [
        null, { kind: 'obey', text: 'x' }, { kind: 'must_not', text: 7 },
        ...Array.from({ length: 100_000 }, () => ({ kind: 'prefer', text: `two\nlines\u202e${'x'.repeat(5_000)}` })),
      ],
      sops: 'all of them', potentials: [{ tag: { space: 'tool:search' }, attention: Number.NaN, decision: 0, action: 'avoid' }],
      lessons: [42, 'y'.repeat(1_000_000)], mustNot: { tools: 'all' }, log: null, untrusted: 'maybe',
    };
    const artoo = artooWith(model(), { memory: changed(ram(), { recall: async () => nonsense as never }), tools: [search()] });
    const { result, events } = await runTask(artoo);
    const reply = payloadsOf(events, 'MemoryReply')[0]!;
    expect(result.directive).toBe('accept');
    expect(reply.constraints).toHaveLength(7);
    expect(reply.constraints[0]!.text).toMatch(/^two linesx/);
    expect(reply.constraints[0]!.text.length).toBeLessThan(1_000);
    expect(reply).toMatchObject({ sops: [], potentials: [] });
    expect(reply.lessons?.map(({ length }) => length < 2_100)).toEqual([true]);
    expect(reply.mustNot).toBeUndefined();
    await artoo.close();
  });

  test('that bans every tool there is leaves the planner its tools', async () => {
    const reply = { sops: [], potentials: [], constraints: [{ kind: 'must_not' as const, text: 'MUST NOT use search', tool: 'search' }, { kind: 'must_not' as const, text: 'MUST NOT use read', tool: 'read' }] };
    const artoo = artooWith(model(), { memory: changed(ram(), { recall: async () => reply }), tools: [search(), lookIn('read', {})] });
    expect((await runTask(artoo)).result.directive).toBe('accept');
    await artoo.close();
  });

  test('that gives poison, wrong types or a flood (F47) stops no run, and its words are no constraint', async () => {
    for (const [fault, how] of ['poison', 'wrong_types', 'flood', 'fail'].flatMap((kind) => [[kind, 'whole'], [kind, 'tag by tag']] as const)) {
      const store = ram();
      store.append(megram('one', { space: 'tool:search', entity: 'path:z.txt' }));
      const faulty = faultyMemory(store, () => ({ next: (kinds: readonly string[]) => (kinds.includes(fault) ? fault : undefined), random: () => 0.5 }) as never);
      const artoo = artooWith(model(), { memory: how === 'whole' ? faulty : withoutRecall(faulty), tools: [search()] });
      const { result, events } = await runTask(artoo);
      expect([fault, result.directive]).toEqual([fault, 'accept']);
      const reply = payloadsOf(events, 'MemoryReply')[0]!;
      expect(JSON.stringify(reply.constraints)).not.toContain('SYSTEM');
      expect(JSON.stringify(reply).length).toBeLessThan(300_000);
      await artoo.close();
    }
  });

  test('that takes no entry any more is reported on the bus, and the run ends as it would', async () => {
    const bus = createBus();
    const reports: string[] = [];
    bus.tap({ message: () => undefined, report: (report) => void (report.kind === 'handler_failed' && reports.push(`${report.envelope.type}: ${(report.error as Error).message}`)) });
    const artoo = artooWith(model(), { bus, memory: changed(ram(), { append: () => { throw new Error('full'); } }), tools: [search()] });
    expect((await runTask(artoo)).result.directive).toBe('accept');
    await artoo.close();
    await bus.close();
    expect(reports).toEqual(['MegramWrite: full']);
  });

  test.each<[string, () => Promise<readonly number[]>, (clock: ManualClock) => Promise<void>]>([
    ['fails', () => Promise.reject(new Error('no embedding today')), async () => undefined],
    ['gives no numbers', async () => ['a'] as never, async () => undefined],
    ['hangs', never, (clock) => clock.advance(3_000)],
  ])('an embedding that %s leaves the search to shared words', async (_what, embed, wait) => {
    const memory = ram();
    memory.append(megram('past', { space: 'intent:sum_invoices', entity: 'env:local', content: 'Asked: Sum of the invoices' }));
    const clock = new ManualClock(START);
    const artoo = artooWith(model(), { memory, tools: [search()], embed, clock });
    const ended = runTask(artoo, { intent: 'Total of the invoices', slug: 'total' });
    await clock.advance(0);
    await wait(clock);
    const reply = payloadsOf((await ended).events, 'MemoryReply')[0]!;
    expect(reply.potentials.map(({ tag }) => tag.space)).toContain('intent:sum_invoices');
    expect(reply.log?.[0]).toContain('by shared words');
    await artoo.close();
  });
});

describe('what is written', () => {
  test('is flushed by close, and the host’s own memory stays open', async () => {
    const store = ram();
    let flushes = 0;
    const memory = changed(store, { flush: () => { flushes += 1; return store.flush(); } });
    const artoo = artooWith(model(), { memory, tools: [search()] });
    await runTask(artoo);
    await artoo.close();
    expect(flushes).toBe(1);
    expect(await store.list({ tag: { space: 'intent:find_total' } })).toHaveLength(1);
  });
  test('a flush that fails is what close rejects with; one that hangs is given up', async () => {
    const failing = artooWith(model(), { memory: changed(ram(), { flush: () => Promise.reject(new Error('disk full')) }), tools: [] });
    await expect(failing.close()).rejects.toThrow('disk full');
    const clock = new ManualClock(START);
    const hanging = artooWith(model(), { memory: changed(ram(), { flush: never }), tools: [], clock });
    const closed = hanging.close();
    await clock.advance(31_000);
    await closed;
    expect(clock.pending).toBe(0);
  });
  test('is the same once, however often a task is resumed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'artoo-resume-'));
    const store = ram();
    const appended: Megram[] = [];
    const memory = changed(store, { append: (entry) => { appended.push(entry); store.append(entry); } });
    const planner = (prompt: string): object => planOf(prompt.includes('The last plan failed') ? 'search' : 'read', 'z.txt');
    // The first process stops for good in the middle of its second round.
    const first = modelThat(planner, [{ role: 'R4b', times: Infinity, reply: () => never() }]);
    const tools = () => [lookIn('read', {}), search()];
    const ledger = createFileLedger({ dir });
    const clock = new ManualClock(START);
    const one = artooWith(first, { memory, tools: tools(), ledger, ids: new OwnIds('resumed'), clock });
    const run = one.run({ input: 'x', intent: 'Find the total', slug: 'find_total' });
    for await (const event of run) if (event.type === 'SubTaskOutcome' && event.payload.status === 'matched') break;
    const closing = one.close({ graceMs: 0 });
    await clock.advance(0);
    await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
    await closing;
    await ledger.close();
    const before = (await store.list()).map(({ id }) => id);
    expect(before).toEqual(['resumed-task-1/1/break_symmetry/0']);

    const again = createFileLedger({ dir });
    const second = modelThat(planner);
    const two = artooWith(second, { memory, tools: tools(), ledger: again, ids: new OwnIds('other') });
    expect((await two.resume('resumed-task-1').result).directive).toBe('accept');
    await two.close();
    await again.close();
    const ids = appended.map(({ id }) => id);
    expect(ids.filter((id) => id === before[0])).toHaveLength(2);
    expect(appended.filter(({ id }) => id === before[0])[1]).toEqual(appended.find(({ id }) => id === before[0]));
    expect(await store.list()).toHaveLength(new Set(ids).size);
    expect((await store.potentials({ space: 'tool:read' }, START)).attention).toBeCloseTo(0.85);
    await rm(dir, { recursive: true, force: true });
  });
  test('a memory that opens when it is first used answers the same, and its Dreamer begins then', async () => {
    let opened = 0;
    const store = ram();
    const clock = new ManualClock(START);
    const memory = deferMemory(async () => {
      opened += 1;
      return store;
    });
    const artoo = artooWith(model(), { memory, tools: [search()], clock });
    expect([opened, clock.pending]).toEqual([0, 0]);
    const { events } = await runTask(artoo);
    await runTask(artoo, { slug: 'find_total' });
    expect(opened).toBe(1);
    expect(payloadsOf(events, 'MemoryReply')[0]).toHaveProperty('mustNot');
    expect(clock.pending).toBe(1);
    await artoo.close();
    expect(clock.pending).toBe(0);
  });
});
