import { MemoryLevel } from 'memory-level';
import { quantize, type MemoryState, type Megram } from '../../src/entries/memory.js';

export const START = 1_700_000_000_000;
export const DAY = 86_400_000;

/** A trusted M entry about grep on one path, as a state of the controller leaves it. */
export function megramOf(id: string, state: MemoryState = 'accept', change: Partial<Megram> = {}): Megram {
  return {
    id, level: 'M', createdAt: START, lastRecalledAt: null, space: 'tool:grep', entity: 'path:/tmp/a', content: `lesson ${id}`, state, ...quantize(state),
    origin: { taskId: 'task-1', integrity: 'trusted', source: 'R7' }, ...change,
  };
}

export function many(count: number, make: (index: number) => Megram): readonly Megram[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A database whose disk fails, atomically, while `error` is set. */
export interface BreakableLevel {
  readonly db: MemoryLevel<string, string>;
  error: Error | undefined;
  /** Batches that still work before `error` counts. */
  left: number;
}

export function breakableLevel(): BreakableLevel {
  const db = new MemoryLevel<string, string>();
  const batch = db.batch.bind(db) as (...input: unknown[]) => Promise<void>;
  const breakable: BreakableLevel = { db, error: undefined, left: 0 };
  Object.defineProperty(db, 'batch', { value: (...input: unknown[]) => (breakable.error && breakable.left-- <= 0 ? Promise.reject(breakable.error) : batch(...input)) });
  return breakable;
}
