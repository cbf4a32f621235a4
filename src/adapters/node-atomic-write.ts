import { randomUUID } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ArtooError } from '../contracts/errors.js';
import type { WriteOptions, WriteOutcome } from '../tools/portable/file-workspace.js';
import { openDirectory, type Directory, type Ground } from './node-directory.js';
import { fingerprintOf, isUnchanged, openPlainFile, readBytes, type PlainFile } from './node-plain-file.js';
import { errnoOf, systemError } from './node-system-error.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const CHUNK_BYTES = 1_048_576;
const DEFAULT_MODE = 0o666;
/** Where previous contents are kept, below the root. */
const BACKUPS: readonly string[] = ['.artoo', 'backups'];

type Content = (to: FileHandle) => Promise<void>;

/**
 * Writes a file as a whole: into a new file of a random name in the same checked folder, then put in place at once. A
 * new file never replaces one that appeared meanwhile; an existing one is replaced only while it is what it was.
 */
export async function writeAtomically(ground: Ground, names: readonly string[], text: string, options: WriteOptions = {}): Promise<WriteOutcome> {
  const shown = names.join('/');
  const name = names.at(-1) ?? '';
  const directory = await openDirectory(ground, names.slice(0, -1), { create: true });
  let current: PlainFile | undefined;
  try {
    current = await openPlainFile(ground, directory, name, shown);
    const fingerprint = await fingerprintOf(current);
    if (options.expected !== undefined && options.expected !== fingerprint) throw changed(shown);
    if (current && (current.status.mode & 0o222n) === 0n) {
      throw systemError(Object.assign(new Error('read-only'), { code: 'EACCES' }), `${JSON.stringify(shown)} is marked read-only`);
    }
    const backup = current && options.backup ? await keepCopy(ground, names, current, fingerprint) : undefined;
    const bytes = new TextEncoder().encode(text);
    await place(ground, directory, { name, shown, current, content: async (to) => void (await to.writeFile(bytes)) });
    return { created: !current, bytes: bytes.length, ...(backup === undefined ? {} : { backup }) };
  } catch (error) {
    throw systemError(error, `${JSON.stringify(shown)} could not be written`);
  } finally {
    await current?.handle.close();
    await directory.close();
  }
}

interface Placing { readonly name: string; readonly shown: string; readonly current: PlainFile | undefined; readonly content: Content }

async function place(ground: Ground, directory: Directory, { name, shown, current, content }: Placing): Promise<void> {
  const temporary = directory.child(`.artoo-${randomUUID()}.tmp`);
  const handle = await fs.open(temporary, CREATE, DEFAULT_MODE);
  try {
    try {
      await content(handle);
      if (current) await handle.chmod(Number(current.status.mode & 0o777n));
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

async function requireUnchanged(ground: Ground, directory: Directory, { name, shown, current }: Omit<Placing, 'content'>): Promise<void> {
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

/** Copies what is about to be replaced; the name tells the content, so that the same content is kept once. */
async function keepCopy(ground: Ground, names: readonly string[], current: PlainFile, fingerprint: string): Promise<string> {
  const mark = fingerprint.slice(fingerprint.indexOf(':') + 1).slice(0, 16);
  const kept = [...BACKUPS, ...names.slice(0, -1), `${names.at(-1) ?? ''}.${mark}`];
  const directory = await openDirectory(ground, kept.slice(0, -1), { create: true });
  const shown = kept.join('/');
  const name = kept.at(-1) ?? '';
  try {
    const existing = await openPlainFile(ground, directory, name, shown);
    await existing?.handle.close();
    if (existing) return shown;
    await place(ground, directory, { name, shown, current: undefined, content: (to) => copy(current, to) });
    return shown;
  } finally {
    await directory.close();
  }
}

async function copy({ handle, status }: PlainFile, to: FileHandle): Promise<void> {
  const size = Number(status.size);
  for (let position = 0; position < size; position += CHUNK_BYTES) await to.writeFile(await readBytes(handle, position, Math.min(CHUNK_BYTES, size - position)));
}

function changed(shown: string, cause?: unknown): ArtooError {
  return new ArtooError('ARTOO_WORKSPACE_CHANGED', `${JSON.stringify(shown)} is no longer what it was when this write was judged; nothing was written.`, {
    hint: 'Read the file again, then write again.', details: { failureClass: 'environmental', path: shown }, ...(cause === undefined ? {} : { cause }),
  });
}
