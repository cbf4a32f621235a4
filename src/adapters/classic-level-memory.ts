import { ArtooError } from '../contracts/errors.js';
import type { ArtooMemory } from '../memory/store-types.js';
import { storeError } from './level-memory/failures.js';
import { LevelMemory } from './level-memory/store.js';
import type { MemoryOptions } from './level-memory.js';

/** Options of {@link openMemory}. */
export interface OpenMemoryOptions extends MemoryOptions {
  /** Folder of the database; made when it is missing. */
  readonly path: string;
  /** Survive a power cut, not only a crash of the process. Default false. */
  readonly sync?: boolean;
  /**
   * Salvage a damaged database first, make derived data anew, and check the result. What LevelDB can't read is lost:
   * keep a copy. Default false.
   */
  readonly repair?: boolean;
}

/**
 * Opens a memory in a folder, with LevelDB by way of the optional package classic-level. One process at a time.
 *
 * @throws ARTOO_MEMORY_LOCKED when it is open already, ARTOO_MEMORY_INVALID when it is damaged or of a newer layout,
 * ARTOO_INVALID_CONFIG when classic-level isn't installed.
 * @example
 * import { openMemory } from 'artoo/memory';
 * const memory = await openMemory({ path: './memory' });
 */
export async function openMemory(options: OpenMemoryOptions): Promise<ArtooMemory> {
  const { path, repair = false, ...rest } = options;
  if (typeof path !== 'string' || path === '') {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'openMemory needs a path.', { hint: 'Name a folder: openMemory({ path: "./memory" }).' });
  }
  const { ClassicLevel } = await loadClassicLevel();
  try {
    if (repair) await ClassicLevel.repair(path);
    const db = new ClassicLevel<string, string>(path);
    const memory = new LevelMemory({ ...rest, db, closeDatabase: true, reopen: true });
    try {
      await memory.opened();
      if (repair) await verified(memory);
    } catch (error) {
      await memory.close().catch(() => undefined);
      throw error;
    }
    return memory;
  } catch (error) {
    throw storeError(error, `opened at ${path}`);
  }
}

async function verified(memory: ArtooMemory): Promise<void> {
  await memory.rebuild();
  const { ok, problems } = await memory.check();
  if (ok) return;
  throw new ArtooError('ARTOO_MEMORY_INVALID', `The repaired memory has ${problems.length} problems left: ${problems.slice(0, 3).join('; ')}`, {
    hint: 'Open it without repair and export what is readable, then import that into an empty folder.',
    details: { problems },
  });
}

async function loadClassicLevel(): Promise<typeof import('classic-level')> {
  try {
    return await import('classic-level');
  } catch (error) {
    throw new ArtooError('ARTOO_INVALID_CONFIG', 'A memory on disk needs the package classic-level, which could not be loaded.', {
      cause: error,
      hint: 'Run npm install classic-level, or hand in a database of your own with createLevelMemory({ db }).',
    });
  }
}
