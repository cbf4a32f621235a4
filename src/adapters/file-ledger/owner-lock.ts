import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ArtooError } from '../../contracts/errors.js';
import { errorCode, writeAll, type LedgerFileSystem } from './file-system.js';

/** Who holds a lock. `start` tells a process from a later one with the same pid, where the system says. */
interface Owner { readonly pid: number; readonly start: string; readonly host: string; readonly id: string; readonly file: string }

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);
/** A death between two system calls adds a level; more than this is something else. */
const MAX_LEVELS = 4;

/**
 * Lets one process own a task. A lock file is a hard link to the owner's file: it appears at once, whole, and only
 * where there was none. The lock of a process that is gone is replaced under a second lock of the same make, so that
 * two processes can't both take it over. Another ledger of the same process may take a task over; the file's size
 * tells the first that it lost it.
 */
export class OwnerLock {
  private readonly id = randomUUID();
  private owner: Owner | undefined;

  constructor(private readonly fs: LedgerFileSystem, private readonly folder: string) {}

  /** @throws ARTOO_LEDGER_LOCKED at once when a live process holds it; errors of the file system as they are. */
  acquire(path: string, level = 0): void {
    for (let tries = 0; tries < 100; tries += 1) {
      if (this.place(path)) return;
      const holder = this.read(path);
      if (holder === undefined) continue;
      if (holder === 'unreadable' || level >= MAX_LEVELS) throw locked(path, undefined);
      if (holder.id === this.id) return;
      if (isAlive(holder)) throw locked(path, holder);
      this.takeOver(path, holder, level);
    }
    throw locked(path, undefined);
  }

  /** Gives it up, unless another has taken it over. */
  release(path: string): void {
    const holder = this.read(path);
    if (typeof holder === 'object' && holder.id === this.id) this.fs.unlinkSync(path);
  }

  /** Removes the owner's file. Locks still held stay held. */
  close(): void {
    if (this.owner) this.removeQuietly(this.owner.file);
    this.owner = undefined;
  }

  /** Replaces the lock of a dead owner, unless somebody else did meanwhile. */
  private takeOver(path: string, dead: Owner, level: number): void {
    const guard = `${path}~`;
    this.acquire(guard, level + 1);
    try {
      const now = this.read(path);
      if (typeof now !== 'object' || now.id !== dead.id) return;
      const fresh = `${path}.${this.id}`;
      this.place(fresh);
      this.fs.renameSync(fresh, path);
      this.removeQuietly(dead.file);
    } finally {
      this.release(guard);
    }
  }

  /** True when the lock is there now and ours. */
  private place(path: string): boolean {
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        this.fs.linkSync(join(this.folder, this.ownerFile().file), path);
        return true;
      } catch (error) {
        const code = errorCode(error);
        if (code === 'EEXIST') return false;
        if (code !== undefined && NO_LINKS.has(code)) return this.write(path);
        // The owner's file has as many links as the system allows, or somebody removed it: make another.
        if ((code !== 'EMLINK' && code !== 'ENOENT') || tries > 0) throw error;
        this.close();
      }
    }
    return false;
  }

  private ownerFile(): Owner {
    if (this.owner) return this.owner;
    const file = `.owner-${process.pid}-${randomUUID()}`;
    this.owner = { pid: process.pid, start: processState(process.pid)?.start ?? '', host: hostname(), id: this.id, file };
    this.write(join(this.folder, file));
    return this.owner;
  }

  /** For file systems without hard links, and for the owner's file itself. */
  private write(path: string): boolean {
    let descriptor: number;
    try {
      descriptor = this.fs.openSync(path, 'wx');
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      writeAll(this.fs, descriptor, JSON.stringify(this.owner), null);
    } catch (error) {
      this.removeQuietly(path.slice(this.folder.length + 1));
      throw error;
    } finally {
      this.fs.closeSync(descriptor);
    }
    return true;
  }

  private read(path: string): Owner | 'unreadable' | undefined {
    let text: string;
    try {
      text = Buffer.from(this.fs.readFileSync(path)).toString('utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const owner = JSON.parse(text) as Owner;
      return Number.isInteger(owner.pid) && typeof owner.id === 'string' && typeof owner.host === 'string' ? owner : 'unreadable';
    } catch {
      return 'unreadable';
    }
  }

  private removeQuietly(file: string): void {
    try {
      // The name comes from a file: nothing but an owner's file, a lock or a guard of this folder is removed.
      if (!/[\\/]/.test(file)) this.fs.unlinkSync(join(this.folder, file));
    } catch {
      // What is left is one small file that nobody reads.
    }
  }
}

/** Is the holder another process that still runs? What can't be told counts as running. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const state = processState(owner.pid);
  if (state === undefined) return true;
  return !state.dead && (owner.start === '' || state.start === owner.start);
}

/** From /proc, where there is one. A process that nobody has waited for yet is listed and dead. */
function processState(pid: number): { readonly start: string; readonly dead: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; fields count from after its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '', dead: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}

function locked(path: string, holder: Owner | undefined): ArtooError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
  return new ArtooError('ARTOO_LEDGER_LOCKED', `${who} owns this task (${path}).`, {
    hint: 'Wait until it has released the task or has ended. If you know that it is gone, remove the lock file.',
    details: { path, ...(holder ? { pid: holder.pid, host: holder.host } : {}) },
  });
}
