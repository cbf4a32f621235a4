import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { SqliteLevel } from 'sqlite-level';
import { describe, test } from 'vitest';
import { createLevelMemory, createMemory, deferMemory, openMemory, type LevelDatabase } from '../../src/entries/memory.js';
import { memoryStoreConformance, type MemoryFactory, type MemoryFixture } from '../../src/memory/conformance.js';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'artoo-memory-'));

/** A fixture over a database that outlives its store. */
function over(db: LevelDatabase & { put(key: string, value: string): Promise<void> }, dispose: () => Promise<void>): MemoryFixture {
  return {
    store: createLevelMemory({ db }),
    reopen: () => Promise.resolve(createLevelMemory({ db })),
    damage: (id) => db.put(`m|${encodeURIComponent(id)}`, '{"id": "torn'),
    dispose,
  };
}

const factories: Readonly<Record<string, MemoryFactory>> = {
  'RAM': () => Promise.resolve({ store: createMemory() }),
  'RAM, opened when first used': () => Promise.resolve({ store: deferMemory(() => Promise.resolve(createMemory())) }),
  'memory-level': () => {
    const db = new MemoryLevel<string, string>();
    return Promise.resolve(over(db, () => db.close()));
  },
  'memory-level with other default encodings': () => {
    const db = new MemoryLevel<string, unknown>({ valueEncoding: 'json', storeEncoding: 'view' });
    return Promise.resolve({ store: createLevelMemory({ db }), reopen: () => Promise.resolve(createLevelMemory({ db })), dispose: () => db.close() });
  },
  'classic-level in a folder': async () => {
    const path = await folder();
    return { store: await openMemory({ path }), reopen: () => openMemory({ path }), dispose: () => rm(path, { recursive: true, force: true }) };
  },
  'classic-level': async () => {
    const path = await folder();
    const db = new ClassicLevel<string, string>(path);
    return over(db, async () => {
      await db.close();
      await rm(path, { recursive: true, force: true });
    });
  },
  'a sublevel of classic-level': async () => {
    const path = await folder();
    const db = new ClassicLevel<string, string>(path);
    await db.put('m|not-ours', 'the host’s own');
    return over(db.sublevel('memory'), async () => {
      await db.close();
      await rm(path, { recursive: true, force: true });
    });
  },
  // By somebody else, over SQLite, with an older abstract-level under it.
  'sqlite-level': () => {
    const db = new SqliteLevel<string, string>({ filename: ':memory:' });
    return Promise.resolve(over(db, () => db.close()));
  },
};

for (const [name, factory] of Object.entries(factories)) {
  describe(`memory on ${name}`, () => {
    for (const { name: rule, needs, run } of memoryStoreConformance) {
      test(rule, async ({ skip }) => {
        if (needs) {
          const probe = await factory();
          const offered = (needs === 'recall' || needs === 'createDreamer' ? probe.store[needs] : probe[needs]) !== undefined;
          await probe.store.close();
          await probe.dispose?.();
          skip(!offered, `${name} offers no way to ${needs}`);
        }
        await run(factory);
      });
    }
  });
}
