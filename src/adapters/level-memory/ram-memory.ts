import { MemoryLevel } from 'memory-level';
import type { ArtooMemory } from '../../memory/store-types.js';
import { createLevelMemory, type MemoryOptions } from '../level-memory.js';

/**
 * A memory in RAM: the same store over memory-level, gone with the process.
 *
 * @example
 * import { createMemory } from 'artoo/memory';
 * const memory = createMemory();
 */
export function createMemory(options: MemoryOptions = {}): ArtooMemory {
  return createLevelMemory({ ...options, db: new MemoryLevel<string, string>({ storeEncoding: 'utf8' }), closeDatabase: true });
}
