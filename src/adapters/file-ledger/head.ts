import { readFileSync } from 'node:fs';
import type { ChainPosition, ChainScan } from './chain.js';
import { errorCode, writeAll, type LedgerFileSystem } from './file-system.js';
import type { LedgerProblem } from './ledger-errors.js';
import type { OpenFiles } from './open-files.js';

/**
 * What must be in a task's file at least. `synced` lines are on the device; `written` ones were handed to the operating
 * system during the boot named, so that only a power cut can have taken them.
 */
export interface HeadRecord {
  readonly v: number;
  readonly synced: HeadMark;
  readonly written: HeadMark;
  /** Which run of the machine wrote it; empty where the system doesn't say. */
  readonly boot: string;
}
interface HeadMark { readonly line: number; readonly hash: string }

/** Under one sector, so that overwriting it in place leaves the old or the new one. */
const HEAD_BYTES = 384;

/** Overwrites the head record in place. The file exists since before the task's first line. */
export function writeHead(
  { fs, files }: { readonly fs: LedgerFileSystem; readonly files: OpenFiles },
  path: string,
  marks: { readonly synced: ChainPosition; readonly written: ChainPosition; readonly boot: string },
): void {
  const head: HeadRecord = { v: 1, synced: toMark(marks.synced), written: toMark(marks.written), boot: marks.boot };
  const descriptor = files.open(path, 'r+');
  try {
    writeAll(fs, descriptor, `${JSON.stringify(head).padEnd(HEAD_BYTES - 1)}\n`, 0);
  } finally {
    fs.closeSync(descriptor);
  }
}

function toMark({ line, hash }: ChainPosition): HeadMark {
  return { line, hash };
}

/** The head record in these bytes; undefined when nothing was written to it yet, a problem when it can't be read. */
export function parseHead(bytes: Uint8Array): HeadRecord | LedgerProblem | undefined {
  // Nothing, or the zeros that a power cut leaves where the content never reached the device.
  if (bytes.every((byte) => byte === 0)) return undefined;
  try {
    const head = JSON.parse(Buffer.from(bytes).toString('utf8')) as HeadRecord;
    if (head.v === 1 && isMark(head.synced) && isMark(head.written) && typeof head.boot === 'string') return head;
    if (head.v > 1) return { line: 0, message: `its head record has version ${head.v}; this library knows version 1.`, newerVersion: head.v };
  } catch {
    // Falls through: it is the same problem.
  }
  return { line: 0, message: 'its head record was changed.' };
}

function isMark(mark: unknown): mark is HeadMark {
  return typeof mark === 'object' && mark !== null && Number.isInteger((mark as HeadMark).line) && typeof (mark as HeadMark).hash === 'string';
}

/** Reads the head record beside a log. A missing one is a problem: it is made before the log. */
export function loadHead(fs: LedgerFileSystem, path: string): HeadRecord | LedgerProblem | undefined {
  try {
    return parseHead(fs.readFileSync(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { line: 0, message: 'its head record is missing.' };
    throw error;
  }
}

/** Does the log hold all that its head record vouches for? */
export function checkHead(scan: ChainScan, head: HeadRecord | LedgerProblem | undefined, boot: string): LedgerProblem | undefined {
  if (scan.problem) return scan.problem;
  if (head === undefined) return undefined;
  if ('message' in head) return head;
  const marks = head.boot === boot ? [head.synced, head.written] : [head.synced];
  for (const { line, hash } of marks) {
    if (scan.position.line < line) {
      return { line: scan.position.line + 1, message: `it is missing: ${line} lines were written, ${scan.position.line} are there.` };
    }
    if (line > 0 && scan.hashes[line - 1] !== hash) return { line, message: 'it is not the line that was written.' };
  }
  return undefined;
}

/** The problem of a task whose head record is there and whose log is not; none when no line was vouched for. */
export function missingLog(head: HeadRecord | LedgerProblem | undefined): LedgerProblem | undefined {
  if (head === undefined || 'message' in head) return head;
  return head.written.line > 0 ? { line: 1, message: `the log is missing: ${head.written.line} lines were written.` } : undefined;
}

/** Names this run of the machine, where the system has a name for it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
