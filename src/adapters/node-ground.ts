import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { ArtooError } from '../contracts/errors.js';
import type { Ground } from './node-directory.js';
import { errnoOf } from './node-system-error.js';

/** Folders of the system that hold no files of anybody. */
const SYSTEM_FOLDERS = /^\/(proc|sys|dev)(\/|$)/;

/** Finds a folder's real path and how descriptors can be checked there. Throws ARTOO_INVALID_ARGUMENT. */
export function groundOf(root: unknown, useProc?: boolean): Ground {
  const real = realRoot(root);
  return { root: real, proc: useProc ?? hasProc(real) };
}

function realRoot(root: unknown): string {
  const hint = 'Make the folder first, or name another one.';
  if (typeof root !== 'string' || root === '' || root.includes('\0')) throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'A workspace needs the path of a folder.', { hint });
  const path = root === '~' || root.startsWith('~/') ? join(homedir(), root.slice(1)) : resolve(root);
  let real: string;
  try {
    real = realpathSync.native(path);
    if (!statSync(real).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  } catch (cause) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `The workspace ${JSON.stringify(path)} is no folder (${errnoOf(cause) ?? 'unreadable'}).`, { cause, hint });
  }
  if (real === parse(real).root || SYSTEM_FOLDERS.test(real)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `The folder ${JSON.stringify(real)} cannot be a workspace.`, { hint: 'Name a folder that holds only what tools may work on.' });
  }
  return real;
}

/** True when /proc says where a descriptor points, and says it with the paths that are known here. */
function hasProc(root: string): boolean {
  try {
    const descriptor = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === root;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}
