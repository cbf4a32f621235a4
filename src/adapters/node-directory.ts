import { constants, promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtooError } from '../contracts/errors.js';
import { fold, refuse } from '../tools/portable/workspace-path.js';
import { errnoOf, systemError } from './node-system-error.js';

/** Read-only, never through a link, never waiting for the other end of a pipe, never a terminal of ours. */
export const SAFE_READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const OPEN_DIRECTORY = SAFE_READ | (constants.O_DIRECTORY ?? 0);

/** Where a workspace lies and how descriptors are checked. `proc`: /proc/self/fd says where a descriptor points. */
export interface Ground { readonly root: string; readonly proc: boolean }

/**
 * A folder inside the workspace, held by a descriptor where the system has /proc: names are then looked up in that
 * very folder, so that swapping one of its parents for a link changes nothing. Elsewhere it is a checked path.
 */
export interface Directory {
  /** Real path; the root's with no names. */
  readonly path: string;
  /** A path to hand to system calls for an entry of this folder. */
  child(name: string): string;
  /** A path to hand to system calls for the folder itself. */
  readonly self: string;
  /** Throws ARTOO_WORKSPACE_ESCAPE when the folder is no longer where it was. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a folder name by name, making missing ones when asked; `onCreated` gets each one made. The caller closes it. */
export async function openDirectory(ground: Ground, names: readonly string[], options: { readonly create?: boolean; readonly onCreated?: (path: string) => void } = {}): Promise<Directory> {
  let current = await enter(ground, ground.root, ground.root, '.');
  for (const [index, name] of names.entries()) {
    const shown = names.slice(0, index + 1).join('/');
    const parent = current;
    try {
      if (options.create && await makeDirectory(parent.child(name), shown)) options.onCreated?.(shown);
      current = await enter(ground, parent.child(name), join(parent.path, name), shown);
    } finally {
      await parent.close();
    }
  }
  try {
    await current.check();
    return current;
  } catch (error) {
    await current.close();
    throw error;
  }
}

async function makeDirectory(path: string, shown: string): Promise<boolean> {
  try {
    await fs.mkdir(path);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw systemError(error, `The folder ${JSON.stringify(shown)} could not be made`);
    return false;
  }
}

async function enter(ground: Ground, via: string, path: string, shown: string): Promise<Directory> {
  if (!ground.proc) return enterByPath(ground, path, shown);
  const handle = await fs.open(via, OPEN_DIRECTORY).catch((error: unknown) => explainNoDirectory(error, via, shown));
  return {
    path,
    self: `/proc/self/fd/${handle.fd}`,
    child: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    check: () => requireAt(ground, handle, path, shown),
    close: () => handle.close(),
  };
}

/** Without descriptors: each name is looked at before, and again by `check` after what was done with it. */
async function enterByPath(ground: Ground, path: string, shown: string): Promise<Directory> {
  const first = await fs.lstat(path, { bigint: true }).catch((error: unknown) => {
    throw systemError(error, `The folder ${JSON.stringify(shown)} could not be opened`);
  });
  if (first.isSymbolicLink()) throw refuse(shown, 'is a symbolic link', 'Use the path it stands for.');
  if (!first.isDirectory()) throw notADirectory(shown);
  return {
    path,
    self: path,
    child: (name) => join(path, name),
    check: async () => {
      const again = await fs.lstat(path, { bigint: true }).catch(() => undefined);
      const same = again?.isDirectory() === true && again.dev === first.dev && again.ino === first.ino;
      if (!same || !(await isRealPath(ground, path))) throw refuse(shown, 'was moved or replaced meanwhile');
    },
    close: () => Promise.resolve(),
  };
}

async function explainNoDirectory(error: unknown, via: string, shown: string): Promise<never> {
  const code = errnoOf(error);
  if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'EMLINK') {
    const status = await fs.lstat(via).catch(() => undefined);
    if (status?.isSymbolicLink()) throw refuse(shown, 'is a symbolic link', 'Use the path it stands for, if that lies in the workspace.', error);
    if (code === 'ENOTDIR') throw notADirectory(shown, error);
  }
  throw systemError(error, `The folder ${JSON.stringify(shown)} could not be opened`);
}

function notADirectory(shown: string, cause?: unknown): ArtooError {
  return systemError(Object.assign(new Error(`not a folder: ${shown}`, cause === undefined ? undefined : { cause }), { code: 'ENOTDIR' }), `${JSON.stringify(shown)} is no folder`);
}

/** Throws ARTOO_WORKSPACE_ESCAPE unless the descriptor points to exactly this real path. */
export async function requireAt(ground: Ground, handle: FileHandle, path: string, shown: string): Promise<void> {
  if (ground.proc) {
    const real = await fs.readlink(`/proc/self/fd/${handle.fd}`).catch((error: unknown) => {
      throw systemError(error, `${JSON.stringify(shown)} could not be checked`);
    });
    if (real === path) return;
    throw refuse(shown, 'led elsewhere while it was opened');
  }
  const [open, named] = await Promise.all([handle.stat({ bigint: true }), fs.lstat(path, { bigint: true }).catch(() => undefined)]);
  const same = named !== undefined && open.dev === named.dev && open.ino === named.ino;
  if (!same || !(await isRealPath(ground, path))) throw refuse(shown, 'led elsewhere while it was opened');
}

/** A file system that ignores case gives back the true spelling, which is another name for the same thing. */
async function isRealPath(ground: Ground, path: string): Promise<boolean> {
  const real = await fs.realpath(path).catch(() => undefined);
  if (real === undefined) return false;
  return real === path || (fold(real) === fold(path) && real.startsWith(ground.root));
}
