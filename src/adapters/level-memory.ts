import type { Clock } from '../contracts/runtime.js';
import type { ArtooMemory, MemoryReport } from '../memory/store-types.js';
import type { LevelDatabase } from './level-memory/database.js';
import { LevelMemory } from './level-memory/store.js';

export type { Change, LevelDatabase, LevelIterator } from './level-memory/database.js';

/** Options that every memory takes. */
export interface MemoryOptions {
  /** Default: the system's time. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Told of what nobody waits for: damaged records, refused batches, dropped entries. Must not throw. */
  readonly onReport?: (report: MemoryReport) => void;
  /** Entries kept waiting while the disk fails; beyond it the oldest are given up and counted. Default 10,000. */
  readonly queueLimit?: number;
  /** Live entries of untrusted origin that one source may contribute: each of `origin.influencedBy`, else `origin.source`. Default 1,000. */
  readonly untrustedQuota?: number;
}

/** Options of {@link createLevelMemory}. */
export interface LevelMemoryOptions extends MemoryOptions {
  /** An abstract-level database of version 1 to 3, open or not. One memory per database: a shared one gives a sublevel. */
  readonly db: LevelDatabase;
  /** Survive a power cut, not only a crash of the process: each batch waits for the disk. Default false. */
  readonly sync?: boolean;
  /** Close the database with the memory. Default false: the database is the host's. */
  readonly closeDatabase?: boolean;
}

/**
 * A memory over any abstract-level database. The database is opened when needed; an error in that (locked, damaged) is
 * the rejection of whatever is asked first. Close the memory before its database.
 *
 * @throws ARTOO_MEMORY_LOCKED, ARTOO_MEMORY_INVALID, ARTOO_MEMORY_WRITE, ARTOO_STORE_FULL from its methods; ARTOO_CLOSED after `close`.
 * @example
 * import { createLevelMemory } from 'artoo/memory';
 * import { ClassicLevel } from 'classic-level';
 * const memory = createLevelMemory({ db: new ClassicLevel('./memory') });
 */
export function createLevelMemory(options: LevelMemoryOptions): ArtooMemory {
  return new LevelMemory(options);
}
