import { randomUUID } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ArtooError } from '../contracts/errors.js';
import type { WriteOptions, WriteOutcome } from '../tools/portable/file-workspace.js';
import { reserve, type BackupRoom } from './node-backup-room.js';
import { openDirectory, type Directory, type Ground } from './node-directory.js';
import { contentHash, fingerprintOf, hashOfBytes, isUnchanged, openPlainFile, readBytes, type PlainFile } from './node-plain-file.js';
import { errnoOf, systemError } from './node-system-error.js';
import { BACKUPS, recordWrite, syncDirectory, taskFolder } from './node-task-record.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const CHUNK_BYTES = 1_048_576;
const DEFAULT_MODE = 0o666;
/** Until it has its own rights, a copy of somebody's file is nobody else's business. */
const PRIVATE_MODE = 0o600;
/** A kept file's name has this much of the original one, in characters: its mark must fit in as well. */
const LONGEST_KEPT_NAME = 50;

type Content = (to: FileHandle) => Promise<void>;

/**
 * Writes a file as a whole: into a new file of a random name in the same checked folder, then put in place at once. A
 * new file never replaces one that appeared meanwhile; an existing one is replaced only while it is what it was. With a
 * task the previous content is kept and the write noted before anything is replaced: where either fails, nothing is.
 */
export async function writeAtomically(ground: Ground, names: readonly string[], text: string, { expected, backup: keep = false, task }: WriteOptions, room: BackupRoom): Promise<WriteOutcome> {
  const shown = names.join('/');
  const name = names.at(-1) ?? '';
  const folders: string[] = [];
  const directory = await openDirectory(ground, names.slice(0, -1), { create: true, onCreated: (path) => folders.push(path) });
  let current: PlainFile | undefined;
  try {
    current = await openPlainFile(ground, directory, name, shown);
    const fingerprint = await fingerprintOf(current);
    if (expected !== undefined && expected !== fingerprint) throw changed(shown);
    if (current && (current.status.mode & 0o222n) === 0n) {
      throw systemError(Object.assign(new Error('read-only'), { code: 'EACCES' }), `${JSON.stringify(shown)} is marked read-only`);
    }
    const bytes = new TextEncoder().encode(text);
    const recorded = keep && task !== undefined;
    const before = recorded ? await contentHash(current) : fingerprint;
    const backup = current && keep ? await keepCopy(ground, { folder: keptFolder(task), names, current, hash: before, room }) : undefined;
    if (recorded) {
      await recordWrite(ground, task, {
        path: shown, before, after: hashOfBytes(bytes), ...(current ? { mode: Number(current.status.mode & 0o777n) } : {}), ...(folders.length > 0 ? { folders } : {}),
      });
    }
    await place(ground, directory, { name, shown, current, content: async (to) => void (await to.writeFile(bytes)) });
    return { created: !current, bytes: bytes.length, ...(backup === undefined ? {} : { backup }) };
  } catch (error) {
    throw systemError(error, `${JSON.stringify(shown)} could not be written`);
  } finally {
    await current?.handle.close();
    await directory.close();
  }
}

interface Placing {
  readonly name: string;
  readonly shown: string;
  readonly current: PlainFile | undefined;
  readonly content: Content;
  /** Permission bits; left out: those of what is replaced, else what the system gives to a new file. */
  readonly mode?: number | undefined;
}

/** Writes into a file of a random name and puts it in place, unless what is there is no longer `current`. */
export async function place(ground: Ground, directory: Directory, { name, shown, current, content, mode }: Placing): Promise<void> {
  const temporary = directory.child(`.artoo-${randomUUID()}.tmp`);
  const rights = mode ?? (current ? Number(current.status.mode & 0o777n) : undefined);
  const handle = await fs.open(temporary, CREATE, rights === undefined ? DEFAULT_MODE : PRIVATE_MODE);
  try {
    try {
      await content(handle);
      if (rights !== undefined) await handle.chmod(rights);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await directory.check();
    if (current) {
      await requireUnchanged(ground, directory, { name, shown, current });
      await fs.rename(temporary, directory.child(name));
    } else {
      await putNew(temporary, directory.child(name), shown);
    }
  } finally {
    await fs.rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Throws ARTOO_WORKSPACE_CHANGED unless the file is in the state that it was opened in. */
export async function requireUnchanged(ground: Ground, directory: Directory, { name, shown, current }: Pick<Placing, 'name' | 'shown' | 'current'>): Promise<void> {
  const now = await openPlainFile(ground, directory, name, shown);
  try {
    if (!now || !current || !isUnchanged(current.status, now.status)) throw changed(shown);
  } finally {
    await now?.handle.close();
  }
}

/** A second name for the finished file fails where something has the name already; a rename would replace it. */
async function putNew(temporary: string, target: string, shown: string): Promise<void> {
  try {
    await fs.link(temporary, target);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw changed(shown, error);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
    // A file system without hard links: look once more, then rename.
    const there = await fs.lstat(target).catch(() => undefined);
    if (there) throw changed(shown, error);
    await fs.rename(temporary, target);
  }
}

/** Where the previous contents of a task's files are kept, or of no task's. */
export function keptFolder(task: string | undefined): readonly string[] {
  return task === undefined ? BACKUPS : [...taskFolder(task), 'files'];
}

/** The path of a kept content. Its name tells the content, so that the same content is kept once. */
export function keptNames(folder: readonly string[], names: readonly string[], hash: string): string[] {
  const mark = hash.slice(hash.indexOf(':') + 1).slice(0, 16);
  const name = names.at(-1) ?? '';
  return [...folder, ...names.slice(0, -1), `${[...name].slice(0, LONGEST_KEPT_NAME).join('')}.${mark}`];
}

interface Keeping { readonly folder: readonly string[]; readonly names: readonly string[]; readonly current: PlainFile; readonly hash: string; readonly room: BackupRoom }

/** Copies what is about to be replaced, readable only for those who can read the original. Resolves with its path. */
export async function keepCopy(ground: Ground, { folder, names, current, hash, room }: Keeping): Promise<string> {
  const kept = keptNames(folder, names, hash);
  const directory = await openDirectory(ground, kept.slice(0, -1), { create: true });
  const shown = kept.join('/');
  const name = kept.at(-1) ?? '';
  try {
    const existing = await openPlainFile(ground, directory, name, shown);
    try {
      // What is there may be the torn or altered rest of something; only the same content is as good as a copy.
      if (existing && await contentHash(existing) === await contentHash(current)) return shown;
      await reserve(ground, room, Number(current.status.size));
      await place(ground, directory, { name, shown, current: existing, mode: Number(current.status.mode & 0o777n) | PRIVATE_MODE, content: (to) => copyContent(current, to) });
    } finally {
      await existing?.handle.close();
    }
    await syncDirectory(directory);
    return shown;
  } finally {
    await directory.close();
  }
}

/** Copies an open file into another. */
export async function copyContent({ handle, status }: PlainFile, to: FileHandle): Promise<void> {
  const size = Number(status.size);
  for (let position = 0; position < size; position += CHUNK_BYTES) await to.writeFile(await readBytes(handle, position, Math.min(CHUNK_BYTES, size - position)));
}

function changed(shown: string, cause?: unknown): ArtooError {
  return new ArtooError('ARTOO_WORKSPACE_CHANGED', `${JSON.stringify(shown)} is no longer what it was when this write was judged; nothing was written.`, {
    hint: 'Read the file again, then write again.', details: { failureClass: 'environmental', path: shown }, ...(cause === undefined ? {} : { cause }),
  });
}
