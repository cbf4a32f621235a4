import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDreamer, createLevelMemory, potentials, type ArtooMemory, type Megram } from '../../src/entries/memory.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { breakableLevel, collect, DAY, megramOf, START } from './builders.js';

const SEED = 20_240_603;
const PLACES = [['intent:count', 'env:local'], ['tool:grep', 'path:/a'], ['tool:grep', 'path:/a|b'], ['tool:ls', '']] as const;

const anyMegram = fc.record({
  place: fc.nat({ max: PLACES.length - 1 }),
  level: fc.constantFrom('M', 'M', 'M', 'K', 'C', 'T') as fc.Arbitrary<Megram['level']>,
  days: fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -20_000, max: 20_000 })),
  recalled: fc.option(fc.integer({ min: -60, max: 90 })),
  f: fc.double({ min: 0, max: 1, noNaN: true }),
  sigma: fc.constantFrom(-1, -0.5, 0, 0.5, 1),
  k: fc.oneof(fc.constantFrom(0, 0.05, 0.2, 0.5), fc.double({ min: 0, max: 5, noNaN: true })),
  integrity: fc.constantFrom('trusted', 'trusted', 'untrusted') as fc.Arbitrary<Megram['origin']['integrity']>,
});

const anyStep = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('append' as const), value: anyMegram }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('demote' as const), which: fc.nat(), k: fc.constantFrom(0.05, 0.3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jump' as const), days: fc.integer({ min: -400, max: 400 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'dream' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'move' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'rebuild' as const }) },
);

/** What the store answers against what its entries add up to. */
async function expectSums(store: ArtooMemory, moments: readonly number[]): Promise<void> {
  const evidence = (await store.list()).filter(({ level }) => level === 'M' || level === 'K');
  for (const [space, entity] of PLACES) {
    for (const tag of [{ space, entity }, { space }]) {
      const own = evidence.filter((one) => one.space === space && (!('entity' in tag) || one.entity === entity));
      for (const at of moments) {
        const [kept, summed] = [await store.potentials(tag, at), potentials(own, at)];
        const scale = 1e-9 * Math.max(summed.attention, 1e-12);
        expect(Math.abs(kept.attention - summed.attention), `attention of ${JSON.stringify(tag)} at ${at}`).toBeLessThanOrEqual(scale);
        expect(Math.abs(kept.decision - summed.decision), `decision of ${JSON.stringify(tag)} at ${at}`).toBeLessThanOrEqual(scale);
      }
    }
  }
}

test('sums equal the full sum to 1e-9 over random histories of writes, passes, jumps, reopenings, crashes and imports', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 60 }), async (steps) => {
    const clock = new ManualClock(START);
    let disk = breakableLevel();
    let store = createLevelMemory({ db: disk.db, clock });
    const flushed = new Set<string>();
    let ids: string[] = [];
    for (const [index, step] of steps.entries()) {
      const pick = 'which' in step ? ids[step.which % Math.max(1, ids.length)] : undefined;
      if (step.kind === 'append') {
        const { place, days, recalled, integrity, ...numbers } = step.value;
        const [space, entity] = PLACES[place] ?? PLACES[0];
        store.append(megramOf(`m${index}`, 'accept', { ...numbers, space, entity, createdAt: START + days * DAY, lastRecalledAt: recalled === null ? null : START + recalled * DAY, origin: { taskId: 't', integrity, source: 'R7' } }));
        ids.push(`m${index}`);
      } else if (step.kind === 'remove' && pick !== undefined) {
        await store.remove([pick]);
        ids = ids.filter((id) => id !== pick);
        flushed.delete(pick);
      } else if (step.kind === 'demote' && pick !== undefined && (await store.get(pick))) await store.demote(pick, { level: 'K', k: step.k });
      else if (step.kind === 'jump') clock.jump(step.days * DAY);
      else if (step.kind === 'dream') {
        const dreamer = createDreamer({ store, clock });
        const { forgotten } = await dreamer.dream();
        await dreamer.close();
        for (const { id } of forgotten) flushed.delete(id);
        ids = (await store.list()).map(({ id }) => id);
      } else if (step.kind === 'reopen') {
        await store.close();
        store = createLevelMemory({ db: disk.db, clock });
      } else if (step.kind === 'crash') {
        await store.flush();
        for (const id of ids) flushed.add(id);
        store.append(megramOf(`lost${index}`));
        disk.error = new Error('killed');
        await store.flush().catch(() => undefined);
        disk.error = undefined;
        store = createLevelMemory({ db: disk.db, clock });
      } else if (step.kind === 'move') {
        const lines = await collect(store.export());
        await store.close();
        disk = breakableLevel();
        store = createLevelMemory({ db: disk.db, clock });
        expect(await store.import(lines)).toBe(lines.length);
      } else if (step.kind === 'rebuild') await store.rebuild();
    }
    const check = await store.check();
    expect(check.problems).toEqual([]);
    const kept = new Set((await store.list()).map(({ id }) => id));
    for (const id of flushed) expect(kept.has(id), `${id} was flushed`).toBe(true);
    const now = clock.now();
    await expectSums(store, [now, now + DAY, now - 30 * DAY, START - 40_000 * DAY, now + 40_000 * DAY]);
    await store.close();
  }), { seed: SEED, numRuns: process.env['ARTOO_SWEEP'] === '1' ? 1_000 : 60 });
});
