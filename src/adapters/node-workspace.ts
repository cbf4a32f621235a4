import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { ArtooError } from '../contracts/errors.js';
import type { DirectoryEntry, EntryKind, FileStatus, FileWorkspace, OpenFile } from '../tools/portable/file-workspace.js';
import { PROTECTED_NAMES, protection, refuse, refuseProtected, workspacePath } from '../tools/portable/workspace-path.js';
import { decodeUtf8 } from '../tools/portable/file-text.js';
import { createBwrapSandbox } from './bwrap.js';
import { writeAtomically } from './node-atomic-write.js';
import { DEFAULT_BACKUP_BYTES, type BackupRoom } from './node-backup-room.js';
import { openDirectory, type Directory, type Ground } from './node-directory.js';
import { groundOf } from './node-ground.js';
import { workerLineMatcher } from './node-line-matcher.js';
import { fingerprintOf, openPlainFile, readBytes } from './node-plain-file.js';
import { runCommand } from './node-process.js';
import { errnoOf, systemError } from './node-system-error.js';

const DEFAULT_TEXT_BYTES = 10_485_760;

/** Options of {@link openWorkspace}. */
export interface OpenWorkspaceOptions {
  /** Names that tools never touch, wherever they stand; default `.git`, `.env` (with its variants) and `.artoo`. */
  readonly protect?: readonly string[];
  /** Whether /proc/self/fd may be used; found out when left out. Without it the confinement is weaker against races. */
  readonly useProc?: boolean;
  /** Bytes that all backups below `.artoo/backups` may take; a write that needs more is refused. Default 1 GiB. */
  readonly backupBytes?: number;
}

/**
 * Opens a folder for tools. `root` must exist; `~/` stands for the home folder. Throws ARTOO_INVALID_ARGUMENT when it
 * is no folder, or one that can't be confined (the file system's root, /proc, /sys, /dev).
 *
 * Every file is opened name by name without following links, then checked by where its descriptor points, so that
 * swapping folders for links while a tool runs leads nowhere. Without /proc (macOS) each name is looked at
 * before and after instead: that closes the door for links that are there, and narrows it for races.
 *
 * @example
 * import { openWorkspace } from 'artoo/tools';
 * const workspace = openWorkspace('./notes');
 * await workspace.exists('todo.md');
 */
export function openWorkspace(root: string, options: OpenWorkspaceOptions = {}): FileWorkspace {
  const ground = groundOf(root, options.useProc);
  const room: BackupRoom = { most: options.backupBytes ?? DEFAULT_BACKUP_BYTES, used: undefined };
  if (!(room.most >= 0)) throw new ArtooError('ARTOO_INVALID_ARGUMENT', '`backupBytes` must be a number of bytes.', { hint: 'Leave it out for 1 GiB.' });
  const inTurn = createTurns();
  const isProtected = protection(options.protect ?? PROTECTED_NAMES);
  const namesOf = (path: string): string[] => {
    const names = workspacePath(path);
    refuseProtected(names, isProtected);
    return names;
  };
  const workspace: FileWorkspace = {
    root: ground.root,
    exists: (path) => exists(ground, namesOf, path),
    async readText(path, { maxBytes = DEFAULT_TEXT_BYTES } = {}) {
      return workspace.withFile(path, async (file) => decodeUtf8(await file.read(0, Math.min(file.size, maxBytes)), { end: file.size > maxBytes }));
    },
    status: async (path) => status(ground, namesOf(path)),
    list: async (path) => list(ground, namesOf(path), isProtected),
    withFile: async (path, use) => withFile(ground, namesOf(path), use),
    async fingerprint(path) {
      const names = namesOf(path);
      const directory = await existing(openDirectory(ground, names.slice(0, -1)));
      if (!directory) return fingerprintOf(undefined);
      try {
        const file = await openPlainFile(ground, directory, nameOf(names, path), path);
        try {
          return await fingerprintOf(file);
        } finally {
          await file?.handle.close();
        }
      } finally {
        await directory.close();
      }
    },
    async write(path, text, writeOptions) {
      const names = namesOf(path);
      nameOf(names, path);
      if (path.endsWith('/')) throw refuse(path, 'names a folder');
      const write = (): ReturnType<typeof writeAtomically> => writeAtomically(ground, names, text, writeOptions ?? {}, room);
      // Notes must stand in the order in which the files changed.
      return writeOptions?.backup ? inTurn(write) : write();
    },
    run: (command, runOptions) => runCommand({ ...runOptions, command, directory: ground.root }),
    sandbox: (sandboxOptions) => createBwrapSandbox({ ...sandboxOptions, root: ground.root, isProtected }),
    lineMatcher: (pattern) => workerLineMatcher(pattern),
    monotonic: () => performance.now(),
  };
  return Object.freeze(workspace);
}

/** Lets one at a time through, in the order they came. */
function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function nameOf(names: readonly string[], path: string): string {
  const name = names.at(-1);
  if (name === undefined) throw refuse(path, 'names the workspace itself, not a file in it');
  return name;
}

/** Undefined instead of a rejection when a part of the path isn't there. */
async function existing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function exists(ground: Ground, namesOf: (path: string) => string[], path: string): Promise<boolean> {
  const names = namesOf(path);
  try {
    const found = await status(ground, names);
    if (found?.kind !== 'link') return found !== undefined;
  } catch (error) {
    if (!ArtooError.is(error, 'ARTOO_WORKSPACE_ESCAPE')) throw error;
  }
  // Through a link: only what lies inside is anybody's business.
  const real = await fs.realpath(join(ground.root, ...names)).catch(() => undefined);
  if (real === undefined || !real.startsWith(`${ground.root}/`)) throw refuse(path, 'goes through a symbolic link that leads outside or nowhere');
  namesOf(real.slice(ground.root.length + 1));
  return true;
}

async function status(ground: Ground, names: readonly string[]): Promise<FileStatus | undefined> {
  const directory = await existing(openDirectory(ground, names.slice(0, -1)));
  if (!directory) return undefined;
  try {
    const name = names.at(-1);
    if (name === undefined) return { kind: 'directory', size: 0 };
    const found = await existing(fs.lstat(directory.child(name)));
    await directory.check();
    if (!found) return undefined;
    return { kind: kindOf(found), size: found.isFile() ? found.size : 0 };
  } catch (error) {
    throw systemError(error, `${JSON.stringify(names.join('/'))} could not be looked at`);
  } finally {
    await directory.close();
  }
}

async function list(ground: Ground, names: readonly string[], isProtected: (name: string) => boolean): Promise<DirectoryEntry[]> {
  const directory: Directory = await openDirectory(ground, names);
  try {
    const entries = await fs.readdir(directory.self, { withFileTypes: true });
    await directory.check();
    return entries
      .filter((entry) => !isProtected(entry.name))
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  } catch (error) {
    throw systemError(error, `The folder ${JSON.stringify(names.join('/') || '.')} could not be listed`);
  } finally {
    await directory.close();
  }
}

async function withFile<T>(ground: Ground, names: readonly string[], use: (file: OpenFile) => Promise<T>): Promise<T> {
  const shown = names.join('/');
  const directory = await openDirectory(ground, names.slice(0, -1));
  try {
    const file = await openPlainFile(ground, directory, nameOf(names, shown), shown);
    if (!file) throw systemError(Object.assign(new Error('missing'), { code: 'ENOENT' }), `${JSON.stringify(shown)} could not be opened`);
    try {
      return await use({ size: Number(file.status.size), read: (start, length) => readBytes(file.handle, start, length) });
    } finally {
      await file.handle.close();
    }
  } catch (error) {
    throw errnoOf(error) === undefined ? error : systemError(error, `${JSON.stringify(shown)} could not be read`);
  } finally {
    await directory.close();
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other';
}
