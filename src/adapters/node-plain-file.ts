import { createHash } from 'node:crypto';
import { promises as fs, type BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ABSENT } from '../tools/portable/file-workspace.js';
import { refuse } from '../tools/portable/workspace-path.js';
import { requireAt, SAFE_READ, type Directory, type Ground } from './node-directory.js';
import { errnoOf, systemError } from './node-system-error.js';

const CHUNK_BYTES = 262_144;
/** Larger files are told apart by what the system says of them, as reading them would take too long. */
const MOST_HASHED_BYTES = 67_108_864n;

/** A plain file, open for reading, checked to be the one that was named. */
export interface PlainFile { readonly handle: FileHandle; readonly status: BigIntStats }

/** Opens an entry of a folder if it is a plain file with one name; undefined when nothing is there. The caller closes it. */
export async function openPlainFile(ground: Ground, directory: Directory, name: string, shown: string): Promise<PlainFile | undefined> {
  // Looked at first, as opening a device can already do something.
  const before = await fs.lstat(directory.child(name), { bigint: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw systemError(error, `${JSON.stringify(shown)} could not be looked at`);
  });
  if (!before) return undefined;
  requirePlain(before, shown);
  const handle = await fs.open(directory.child(name), SAFE_READ).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === 'ELOOP' || errnoOf(error) === 'EMLINK') throw refuse(shown, 'is a symbolic link', 'Use the path it stands for.', error);
    throw systemError(error, `${JSON.stringify(shown)} could not be opened`);
  });
  if (!handle) return undefined;
  try {
    const status = await handle.stat({ bigint: true });
    requirePlain(status, shown);
    await requireAt(ground, handle, join(directory.path, name), shown);
    return { handle, status };
  } catch (error) {
    await handle.close();
    throw systemError(error, `${JSON.stringify(shown)} could not be opened`);
  }
}

/** Links, pipes, sockets and devices are refused, and files that may have a second name outside. */
function requirePlain(status: BigIntStats, shown: string): void {
  if (status.isFile()) {
    if (status.nlink > 1n) throw refuse(shown, 'is a hard link: the same file has another name, maybe outside', 'Copy the file to a new one.');
    return;
  }
  if (status.isSymbolicLink()) throw refuse(shown, 'is a symbolic link', 'Use the path it stands for, if that lies in the workspace.');
  if (status.isDirectory()) throw systemError(Object.assign(new Error('is a folder'), { code: 'EISDIR' }), `${JSON.stringify(shown)} is no file`);
  throw refuse(shown, 'is a pipe, a socket or a device');
}

/** Reads up to `length` bytes from `start`; fewer only at the end of the file. */
export async function readBytes(handle: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(Math.max(0, length));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Stands for the content: a SHA-256 of it, or of what the system knows of a very large file. */
export async function fingerprintOf(file: PlainFile | undefined): Promise<string> {
  if (!file) return ABSENT;
  const { status } = file;
  if (status.size > MOST_HASHED_BYTES) {
    return `status:${createHash('sha256').update([status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join(':')).digest('hex')}`;
  }
  return contentHash(file);
}

/** A SHA-256 of the content, whatever its size; `ABSENT` when there is none. */
export async function contentHash(file: PlainFile | undefined): Promise<string> {
  if (!file) return ABSENT;
  const hash = createHash('sha256');
  const size = Number(file.status.size);
  for (let position = 0; position < size; position += CHUNK_BYTES) hash.update(await readBytes(file.handle, position, CHUNK_BYTES));
  return `sha256:${hash.digest('hex')}`;
}

/** The same of bytes that will be a file's content. */
export function hashOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Whether two looks at a file saw the same state of the same file. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return before.dev === after.dev && before.ino === after.ino && before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
