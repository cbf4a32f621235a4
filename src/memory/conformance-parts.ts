import type { MemoryStore, Megram } from '../contracts/memory.js';

/** What one case gets: a fresh, empty store and what the adapter can do beyond the least. */
export interface MemoryFixture {
  readonly store: MemoryStore;
  /** Closes the store and opens what it kept. Absent: nothing survives closing. */
  readonly reopen?: (() => Promise<MemoryStore>) | undefined;
  /** Writes something unreadable in the place of an entry. Absent: entries can't be reached from outside. */
  readonly damage?: ((id: string) => Promise<void>) | undefined;
  /** Called after the case, whatever became of it. */
  readonly dispose?: (() => Promise<void>) | undefined;
}

/** Makes a fixture. Each case asks for its own. */
export type MemoryFactory = () => Promise<MemoryFixture>;

/** One rule of the port. `run` rejects with an assertion error when the store breaks it. */
export interface MemoryCase {
  readonly name: string;
  /** What the fixture, or for the last two its store, must offer; without it a runner skips the case and says why. */
  readonly needs?: 'reopen' | 'damage' | 'recall' | 'createDreamer';
  run(factory: MemoryFactory): Promise<void>;
}

export const START = 1_700_000_000_000;
export const TAG = { space: 'tool:grep', entity: 'path:/tmp/a' };

/** A megram for tests. */
export function entry(id: string, change: Partial<Megram> = {}): Megram {
  return {
    id, level: 'M', createdAt: START, lastRecalledAt: null, ...TAG, content: `entry ${id}`, state: 'accept', f: 0.9, sigma: 1, k: 0.05,
    origin: { taskId: 'task-1', integrity: 'trusted', source: 'R7' }, ...change,
  };
}

export function rule(id: string, change: Partial<Megram> = {}): Megram {
  return entry(id, { level: 'C', k: 0, ...change });
}

/** One case over a store of its own, which is closed and disposed of whatever becomes of it. */
export function testCase(name: string, body: (fixture: MemoryFixture) => Promise<void>, needs?: MemoryCase['needs']): MemoryCase {
  return {
    name,
    ...(needs ? { needs } : {}),
    async run(factory) {
      const fixture = await factory();
      try {
        await body(fixture);
      } finally {
        await fixture.store.close().catch(() => undefined);
        await fixture.dispose?.();
      }
    },
  };
}
