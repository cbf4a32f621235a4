import { randomUUID } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import { ABSENT } from '../tools/portable/file-workspace.js';
import { refuse } from '../tools/portable/workspace-path.js';
import { fileStem } from './file-ledger/file-names.js';
import { openDirectory, requireAt, type Directory, type Ground } from './node-directory.js';
import { openPlainFile, readBytes } from './node-plain-file.js';
import { errnoOf, systemError } from './node-system-error.js';

/** Where previous contents are kept, below the root. */
export const BACKUPS: readonly string[] = ['.artoo', 'backups'];
const RECORD = 'manifest.jsonl';
/** A record longer than this is nobody's work. */
const MOST_RECORD_BYTES = 268_435_456;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const HASH = /^(?:absent|sha256:[0-9a-f]{64})$/;
const VERSION = 1;

/** One write of a task, noted before it happens. `before` and `after` are content hashes, or `absent`. */
export interface RecordedWrite {
  readonly id: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Permission bits of what was replaced. */
  readonly mode?: number | undefined;
  /** Folders that were made for it. */
  readonly folders?: readonly string[] | undefined;
}
/** What a task's record holds: its writes in their order, and the ids of those that were put back. */
export interface TaskRecord { readonly taskId: string; readonly writes: readonly RecordedWrite[]; readonly undone: ReadonlySet<string> }

/** The folder below the root that belongs to a task. */
export function taskFolder(taskId: string): string[] {
  return [...BACKUPS, fileStem(taskId)];
}

/** Notes a write; it is on the disk when this resolves. */
export async function recordWrite(ground: Ground, taskId: string, write: Omit<RecordedWrite, 'id'>): Promise<void> {
  await append(ground, taskId, { id: randomUUID(), ...write });
}

/** Notes that writes were put back. */
export async function recordUndone(ground: Ground, taskId: string, ids: readonly string[]): Promise<void> {
  await append(ground, taskId, { undone: ids });
}

async function append(ground: Ground, taskId: string, line: object): Promise<void> {
  const names = taskFolder(taskId);
  const shown = [...names, RECORD].join('/');
  const directory = await openDirectory(ground, names, { create: true });
  try {
    const before = await openPlainFile(ground, directory, RECORD, shown);
    await before?.handle.close();
    const handle = await fs.open(directory.child(RECORD), APPEND, 0o600);
    try {
      const { size } = await handle.stat();
      await requireAt(ground, handle, `${directory.path}/${RECORD}`, shown);
      const torn = size > 0 && (await readBytes(handle, size - 1, 1))[0] !== 0x0a;
      const head = size === 0 ? `${JSON.stringify({ artoo: VERSION, taskId })}\n` : torn ? '\n' : '';
      await handle.appendFile(`${head}${JSON.stringify(line)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!before) await syncDirectory(directory);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? refuse(shown, 'is a symbolic link', undefined, error) : systemError(error, `What is about to be changed could not be noted in ${shown}, so nothing was changed`);
  } finally {
    await directory.close();
  }
}

/** A new name outlives a power cut only when its folder was synced too; where that can't be done, so be it. */
export async function syncDirectory(directory: Directory): Promise<void> {
  try {
    const handle = await fs.open(directory.self, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some file systems can't sync a folder.
  }
}

/** Reads a folder's record; undefined when there is none. Lines that are no notes are left out: their write never began. */
export async function readRecord(ground: Ground, folder: readonly string[]): Promise<TaskRecord | undefined> {
  const shown = [...folder, RECORD].join('/');
  let directory: Directory;
  try {
    directory = await openDirectory(ground, folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const file = await openPlainFile(ground, directory, RECORD, shown);
    if (!file) return undefined;
    try {
      const size = Number(file.status.size);
      if (size > MOST_RECORD_BYTES) throw systemError(new Error('it is too long'), `${shown} could not be read`);
      return parseRecord(new TextDecoder().decode(await readBytes(file.handle, 0, size)));
    } finally {
      await file.handle.close();
    }
  } finally {
    await directory.close();
  }
}

function parseRecord(text: string): TaskRecord | undefined {
  const lines = text.split('\n').map(parseLine);
  const taskId = lines.find((line) => typeof line?.['taskId'] === 'string')?.['taskId'];
  if (typeof taskId !== 'string') return undefined;
  const writes: RecordedWrite[] = [];
  const undone = new Set<string>();
  for (const line of lines) {
    if (!line) continue;
    const { id, path, before, after, mode, folders, undone: ids } = line;
    if (Array.isArray(ids)) for (const one of ids) if (typeof one === 'string') undone.add(one);
    if (typeof id !== 'string' || typeof path !== 'string' || !isHash(before) || !isHash(after) || after === ABSENT) continue;
    writes.push({
      id, path, before, after,
      ...(typeof mode === 'number' && Number.isInteger(mode) ? { mode: mode & 0o777 } : {}),
      ...(Array.isArray(folders) ? { folders: folders.filter((folder): folder is string => typeof folder === 'string') } : {}),
    });
  }
  return { taskId, writes, undone };
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value);
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
