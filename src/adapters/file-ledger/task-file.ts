import { join } from 'node:path';
import type { EffectKind, LedgerEvent, LedgerKind } from '../../contracts/ledger.js';
import { ArtooError } from '../../contracts/errors.js';
import { chainLine, chainStart, scanChain, type ChainPosition } from './chain.js';
import { fileStem, HEAD_ENDING, LOCK_ENDING, LOG_ENDING } from './file-names.js';
import { errorCode, writeAll, type LedgerFileSystem } from './file-system.js';
import type { LedgerFolder } from './folder.js';
import { GroupCommit } from './group-commit.js';
import { checkHead, loadHead, missingLog, writeHead } from './head.js';
import { problemError, storeError, type LedgerProblem } from './ledger-errors.js';
import type { OpenFiles } from './open-files.js';
import type { OwnerLock } from './owner-lock.js';

/** What the files of one ledger share. */
export interface LedgerShared {
  readonly fs: LedgerFileSystem;
  readonly folder: LedgerFolder;
  readonly files: OpenFiles;
  readonly lock: OwnerLock;
  readonly boot: string;
}

/**
 * Lines that may wait for the end of the turn, or for the next that can't: they say nothing about the world outside, or,
 * as a grant of a model call, cost nothing when they are lost along with the turn.
 */
const MAY_WAIT: ReadonlySet<LedgerKind> = new Set(['llm.call', 'message', 'subtask.begin', 'subtask.end', 'verdicts', 'ggs.decision', 'law', 'budget.denied']);
/** Effects that only look: taking them again costs nothing. */
const LOOKS: ReadonlySet<EffectKind> = new Set(['clock', 'memory', 'check']);

function mayWait(event: LedgerEvent): boolean {
  return MAY_WAIT.has(event.kind) || (event.kind === 'effect' && LOOKS.has(event.address.kind));
}

/** The paths of one task's files. */
export function taskPaths(folder: string, taskId: string): { readonly log: string; readonly head: string; readonly lock: string } {
  const stem = join(folder, fileStem(taskId));
  return { log: stem + LOG_ENDING, head: stem + HEAD_ENDING, lock: stem + LOCK_ENDING };
}

/**
 * The open record of one task: owned by this process, verified when it was opened, appended to from there.
 *
 * The first failure is kept and thrown again by each later call: what stands in the file then ends at an unknown place,
 * and only reading it again tells where.
 */
export class TaskFile {
  readonly paths: ReturnType<typeof taskPaths>;
  failure: ArtooError | undefined;
  private readonly commits: GroupCommit;
  private position: ChainPosition;
  private synced: ChainPosition;
  private flushed: ChainPosition;
  private pending = '';
  private created = false;
  private inFolder = false;
  private ended = false;

  /**
   * Takes the lock; reads and verifies what is there, cutting a torn last line.
   * @throws ARTOO_LEDGER_LOCKED, _DAMAGED, _VERSION, _WRITE, ARTOO_STORE_FULL.
   */
  constructor(private readonly shared: LedgerShared, readonly taskId: string) {
    this.paths = taskPaths(shared.folder.path, taskId);
    this.position = this.synced = this.flushed = chainStart(taskId);
    this.commits = new GroupCommit(() => this.commit());
    this.guard('lock', () => {
      shared.folder.make();
      shared.lock.acquire(this.paths.lock);
    });
    try {
      this.guard('open', () => {
        if (shared.fs.existsSync(this.paths.log)) this.load();
        else if (shared.fs.existsSync(this.paths.head)) this.refuse(missingLog(loadHead(shared.fs, this.paths.head)));
      });
    } catch (error) {
      this.unlockQuietly();
      throw error;
    }
  }

  get lines(): number {
    return this.position.line;
  }

  /** Adds a line. True when it has to wait for `flush`. */
  append(event: LedgerEvent): boolean {
    if (this.failure) throw this.failure;
    const next = chainLine(this.position, event);
    this.pending += next.text;
    this.position = next.position;
    if (event.kind === 'task.end') this.ended = true;
    else if (event.kind === 'task.resume') this.ended = false;
    if (mayWait(event)) return true;
    this.flush();
    return this.ended;
  }

  /** Hands everything to the operating system: it survives the process from here on. */
  flush(): void {
    if (this.failure) throw this.failure;
    if (this.pending === '') return;
    this.guard('write', () => {
      if (!this.created) this.create();
      const descriptor = this.shared.files.get(this.paths.log);
      if (this.shared.fs.fstatSync(descriptor).size !== this.flushed.bytes) throw lostOwnership(this.paths.log);
      writeAll(this.shared.fs, descriptor, this.pending, null);
    });
    this.pending = '';
    this.flushed = this.position;
  }

  /** Resolves when everything appended so far is on the device. */
  sync(): Promise<void> {
    this.flush();
    return this.commits.request();
  }

  /** Has its task ended, and is nothing under way? Then `close` keeps nothing waiting. */
  get isDone(): boolean {
    return this.ended && !this.commits.busy;
  }

  /** Resolves when no sync is under way. */
  idle(): Promise<void> {
    return this.commits.idle();
  }

  get isSyncing(): boolean {
    return this.commits.busy;
  }

  /** Notes in the head record how far it came, and gives up the file and the lock. Not while a sync is under way. */
  close(): void {
    try {
      if (this.failure) return;
      this.flush();
      if (this.created) this.guard('write', () => this.noteHead());
    } finally {
      this.shared.files.close(this.paths.log);
      this.shared.lock.release(this.paths.lock);
    }
  }

  /** Where another error is on its way already. A lock that stays is taken over once this process is gone. */
  private unlockQuietly(): void {
    try {
      this.shared.lock.release(this.paths.lock);
    } catch {
      // The error on its way says what is wrong with the folder.
    }
  }

  private create(): void {
    const { fs } = this.shared;
    // First the head record, so that a log without one has lost it.
    try {
      fs.closeSync(this.shared.files.open(this.paths.head, 'wx'));
    } catch (error) {
      // A crash between the two left the head record alone.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    this.shared.files.get(this.paths.log);
    this.created = true;
  }

  private load(): void {
    const { fs } = this.shared;
    const scan = scanChain(fs.readFileSync(this.paths.log));
    const head = loadHead(fs, this.paths.head);
    const isOther = scan.taskId !== undefined && scan.taskId !== this.taskId;
    this.refuse(isOther ? { line: 1, message: 'it belongs to another task.' } : checkHead(scan, head, this.shared.boot));
    if (scan.lines.length > 0) this.position = this.synced = this.flushed = scan.position;
    if (scan.tornBytes > 0) {
      const descriptor = this.shared.files.open(this.paths.log, 'r+');
      try {
        fs.ftruncateSync(descriptor, this.flushed.bytes);
      } finally {
        fs.closeSync(descriptor);
      }
    }
    // What was synced before may have been written by a process that died before it synced: only the head tells.
    const line = head && 'synced' in head ? head.synced.line : 0;
    this.synced = line === 0 ? chainStart(this.taskId) : { line, hash: scan.hashes[line - 1] ?? '', bytes: 0 };
    this.created = true;
    const last = scan.lines.findLast(({ kind }) => kind === 'task.end' || kind === 'task.resume');
    this.ended = last?.kind === 'task.end';
  }

  private refuse(problem: LedgerProblem | undefined): void {
    if (problem) throw problemError(problem, this.paths.log, this.taskId);
  }

  private async commit(): Promise<void> {
    const { files, fs, folder } = this.shared;
    if (this.failure) throw this.failure;
    const position = this.flushed;
    try {
      const descriptor = files.pin(this.paths.log);
      try {
        await allDone(this.inFolder ? [fs.fdatasync(descriptor)] : [fs.fdatasync(descriptor), folder.sync()]);
      } finally {
        files.unpin(this.paths.log);
      }
      this.inFolder = true;
      this.synced = position;
      this.noteHead();
    } catch (error) {
      // After a failed sync nobody knows what the device has, and asking again would only hide it.
      this.failure ??= storeError(error, 'sync', this.paths.log);
    }
    if (this.failure) throw this.failure;
  }

  private noteHead(): void {
    writeHead(this.shared, this.paths.head, { synced: this.synced, written: this.flushed, boot: this.shared.boot });
  }

  private guard(action: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failure = storeError(error, action, this.paths.log);
      throw this.failure;
    }
  }
}

/** Waits for all of them also when one fails: the descriptor stays in use until then. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

function lostOwnership(path: string): ArtooError {
  return new ArtooError('ARTOO_LEDGER_LOCKED', `${path} was changed by somebody else while this ledger had it open.`, {
    hint: 'Only one ledger at a time may run a task; stop this run and let the other go on.', details: { path },
  });
}
