import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
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
};

/** A database by somebody else over SQLite: an optional package, also looked for beside the variable's folder. */
async function sqlite(): Promise<MemoryFactory | undefined> {
  const roots = [import.meta.url, ...(process.env['ARTOO_SQLITE_LEVEL'] === undefined ? [] : [join(process.env['ARTOO_SQLITE_LEVEL'], 'package.json')])];
  for (const root of roots) {
    try {
      const { SqliteLevel } = (await import(createRequire(root).resolve('sqlite-level'))) as { SqliteLevel: new (options: { filename: string }) => LevelDatabase & { put(key: string, value: string): Promise<void> } };
      return () => {
        const db = new SqliteLevel({ filename: ':memory:' });
        return Promise.resolve(over(db, () => db.close()));
      };
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

const foreign = await sqlite();

for (const [name, factory] of Object.entries({ ...factories, ...(foreign ? { 'sqlite-level': foreign } : {}) })) {
  describe(`memory on ${name}`, () => {
    for (const { name: rule, needs, run } of memoryStoreConformance) {
      test(rule, async ({ skip }) => {
        if (needs) {
          const probe = await factory();
          const offered = probe[needs] !== undefined;
          await probe.store.close();
          await probe.dispose?.();
          skip(!offered, `${name} offers no way to ${needs}`);
        }
        await run(factory);
      });
    }
  });
}

if (!foreign) test.skip('memory on sqlite-level: not installed here (npm install sqlite-level, or set ARTOO_SQLITE_LEVEL to a folder that has it)', () => undefined);
