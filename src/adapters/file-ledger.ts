import { resolve } from 'node:path';
import { ArtooError } from '../contracts/errors.js';
import type { Ledger, LedgerEvent, LedgerLine } from '../contracts/ledger.js';
import { fileStem } from './file-ledger/file-names.js';
import { nodeFileSystem, type LedgerFileSystem } from './file-ledger/file-system.js';
import { LedgerFolder } from './file-ledger/folder.js';
import { bootId } from './file-ledger/head.js';
import { notFound, problemError, storeError } from './file-ledger/ledger-errors.js';
import { OpenFiles } from './file-ledger/open-files.js';
import { OwnerLock } from './file-ledger/owner-lock.js';
import { readLog } from './file-ledger/read-folder.js';
import { TaskFile } from './file-ledger/task-file.js';
import { TaskList } from './file-ledger/task-list.js';

/** When a line is forced to the device: where its writer asks (`intent`), each line, or never. */
export type FsyncPolicy = 'intent' | 'always' | 'never';

/** Options of {@link createFileLedger}. */
export interface FileLedgerOptions {
  /** The folder; made when the first line is written. Several processes may share it. */
  readonly dir: string;
  /** Default `'intent'`. With any policy a line that was acknowledged survives the death of the process. */
  readonly fsync?: FsyncPolicy;
  /** Log files kept open at once; default 512. Fewer where the process runs out of descriptors. */
  readonly maxOpenFiles?: number;
  /** Calls of the file system, for tests of faults; default Node's. */
  readonly fs?: LedgerFileSystem;
}

/** How many failed tasks are remembered that nobody releases, as when a full disk meets an endless stream of tasks. */
const MAX_UNOPENED = 10_000;

/** A {@link Ledger} on disk: it can own tasks and must be closed. */
export type FileLedger = Ledger & Required<Pick<Ledger, 'acquire' | 'release' | 'close'>>;

/**
 * The record of tasks as one JSON-lines file each, chained by SHA-256, in a folder.
 *
 * Lines about the world outside (replies of models, tool intents and outcomes, answers of people, the task's begin and
 * end) are handed to the operating system before `append` returns, all others at the end of the turn or with the next of
 * those, in order. Synced lines also survive a power cut, and so does every line before them. The first append to a task takes
 * its lock; `task.end`, `release` and `close` give it up.
 *
 * Errors: ARTOO_STORE_FULL and ARTOO_LEDGER_WRITE (after which the task's appends fail until `acquire` or a new ledger
 * reads it again), ARTOO_LEDGER_LOCKED, ARTOO_LEDGER_DAMAGED, ARTOO_LEDGER_VERSION, ARTOO_CLOSED.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * import { createFileLedger } from 'artoo/ledger';
 * const artoo = createArtoo({ models, tools, ledger: createFileLedger({ dir: './ledger' }) });
 */
export function createFileLedger(options: FileLedgerOptions): FileLedger {
  const { fsync = 'intent', maxOpenFiles = 512, fs = nodeFileSystem } = options;
  assertOptions(options.dir, fsync, maxOpenFiles);
  const dir = resolve(options.dir);
  const shared = { fs, folder: new LedgerFolder(fs, dir), files: new OpenFiles(fs, maxOpenFiles), lock: new OwnerLock(fs, dir), boot: bootId() };
  const tasks = new Map<string, TaskFile>();
  const dirty = new Set<TaskFile>();
  /** Tasks whose record could not be opened for a line: the next line must not be kept without that one. */
  const unopened = new Map<string, ArtooError>();
  const taskList = new TaskList(fs, dir, shared.boot);
  let closing: Promise<void> | undefined;

  function open(taskId: string): TaskFile {
    if (closing) throw new ArtooError('ARTOO_CLOSED', 'The ledger is closed.', { hint: 'Create a new file ledger on the same folder.' });
    const known = tasks.get(taskId);
    if (known) return known;
    const file = new TaskFile(shared, taskId);
    tasks.set(taskId, file);
    return file;
  }

  function openFor(event: LedgerEvent): TaskFile {
    const earlier = unopened.size > 0 ? unopened.get(event.taskId) : undefined;
    if (earlier) throw earlier;
    try {
      return open(event.taskId);
    } catch (error) {
      if (ArtooError.is(error) && error.code !== 'ARTOO_CLOSED') unopened.set(event.taskId, error);
      for (const oldest of unopened.keys()) {
        if (unopened.size <= MAX_UNOPENED) break;
        unopened.delete(oldest);
      }
      throw error;
    }
  }

  /** Flushes what waits. Runs at the end of each turn that wrote, and when the process ends within one. */
  function flushDirty(): void {
    if (dirty.size === 0) return;
    process.off('exit', flushDirty);
    for (const file of dirty) {
      dirty.delete(file);
      try {
        file.flush();
      } catch {
        // Kept by the file: the task's next append throws it, before anything outside is done.
      }
      closeIfDone(file);
    }
  }

  function flushLater(file: TaskFile): void {
    if (dirty.size === 0) {
      queueMicrotask(flushDirty);
      process.on('exit', flushDirty);
    }
    dirty.add(file);
  }

  function closeIfDone(file: TaskFile): void {
    if (!file.isDone || file.failure || tasks.get(file.taskId) !== file) return;
    tasks.delete(file.taskId);
    try {
      file.close();
    } catch {
      // Every line is in the log; only its head record is behind, and vouches for less than it could.
    }
  }

  function discard(file: TaskFile): void {
    dirty.delete(file);
    if (dirty.size === 0) process.off('exit', flushDirty);
    tasks.delete(file.taskId);
    try {
      file.close();
    } catch (error) {
      throw storeError(error, 'close', file.paths.log);
    }
  }

  async function release(taskId: string): Promise<void> {
    unopened.delete(taskId);
    const file = tasks.get(taskId);
    if (!file) return;
    while (file.isSyncing) await file.idle();
    if (tasks.get(taskId) === file) discard(file);
  }

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const taskId of [...tasks.keys()]) await release(taskId).catch((error: unknown) => failures.push(error));
    shared.lock.close();
    if (failures.length > 0) throw failures[0];
  }

  function syncFile(file: TaskFile): Promise<void> {
    return file.sync().then(() => closeIfDone(file));
  }

  return {
    append(event: LedgerEvent, appendOptions?: { readonly sync?: boolean }): void | Promise<void> {
      if (fsync === 'never' || (fsync === 'intent' && appendOptions?.sync !== true)) {
        const file = openFor(event);
        if (file.append(event)) flushLater(file);
        return undefined;
      }
      try {
        const file = openFor(event);
        file.append(event);
        return syncFile(file);
      } catch (error) {
        return Promise.reject(error as Error);
      }
    },
    async read(taskId) {
      flushDirty();
      let reading;
      try {
        reading = await readLog(fs, dir, fileStem(taskId), shared.boot);
      } catch (error) {
        throw storeError(error, 'read', dir);
      }
      if (!reading) throw notFound(taskId, dir);
      const { scan, problem, file } = reading;
      if (problem) throw problemError(problem, file, taskId);
      if (scan.lines.length === 0) throw notFound(taskId, dir);
      if (scan.taskId !== taskId) throw problemError({ line: 1, message: 'it belongs to another task.' }, file, taskId);
      return scan.lines.map((line): LedgerLine => Object.freeze(line));
    },
    async list() {
      flushDirty();
      try {
        return await taskList.read();
      } catch (error) {
        throw storeError(error, 'list', dir);
      }
    },
    async acquire(taskId) {
      const known = tasks.get(taskId);
      if (!known || known.failure) await release(taskId);
      open(taskId);
    },
    release,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function assertOptions(dir: unknown, fsync: string, maxOpenFiles: number): void {
  if (typeof dir !== 'string' || dir === '') {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'A file ledger needs a folder.', { hint: 'Pass { dir: \'./ledger\' }.' });
  }
  if (!['intent', 'always', 'never'].includes(fsync)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `fsync is ${JSON.stringify(fsync)}.`, { hint: 'Use \'intent\', \'always\' or \'never\'.' });
  }
  if (!(Number.isInteger(maxOpenFiles) && maxOpenFiles > 0)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `maxOpenFiles is ${String(maxOpenFiles)}.`, { hint: 'Give a count of 1 or more.' });
  }
}
