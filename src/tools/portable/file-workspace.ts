import type { Workspace } from '../../contracts/tool.js';
import type { SandboxOptions, SandboxPort } from './sandbox.js';

/** What something in the folder is. Links are never followed. */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';
export interface DirectoryEntry { readonly name: string; readonly kind: EntryKind }
/** `size` in bytes; 0 for anything but a file. */
export interface FileStatus { readonly kind: EntryKind; readonly size: number }

/** An open file. Bytes past its end are simply not there. */
export interface OpenFile {
  /** In bytes, when it was opened. */
  readonly size: number;
  read(start: number, length: number): Promise<Uint8Array>;
}

/** The fingerprint of a file that isn't there. */
export const ABSENT = 'absent';

export interface WriteOptions {
  /** What `fingerprint` said when the write was approved; the write is refused when it is no longer true. */
  readonly expected?: string | undefined;
  /** Keeps the previous content in `.artoo/backups`. */
  readonly backup?: boolean;
  /** With `backup`: the task that writes. What was replaced or created is then noted, so that `undoTask` can put it back. */
  readonly task?: string | undefined;
}
export interface WriteOutcome {
  readonly created: boolean;
  readonly bytes: number;
  /** Path of the kept previous content. */
  readonly backup?: string;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  /** In ms; the process group is killed then and what it printed so far is kept. */
  readonly timeoutMs: number;
  /** Added to the allow-listed environment. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** How many processes and threads the user may have while it runs (`ulimit -u`). The system doesn't hold root to it. */
  readonly maxProcesses?: number | undefined;
}
/** Text of one stream: head and tail around a mark when there was more than is kept. */
export interface CapturedOutput { readonly text: string; readonly totalBytes: number }
export interface CommandOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly killedBy: string | null;
  readonly timedOut: boolean;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

/** Finds lines by a regular expression away from the caller's thread, so that no pattern can block it. */
export interface LineMatcher {
  /** Which of the lines match. Rejects with ARTOO_TOOL_FAILED when it takes longer than `timeoutMs`. */
  match(lines: readonly string[], options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<readonly boolean[]>;
  close(): Promise<void>;
}

/**
 * What the portable tools need of a folder. `openWorkspace` gives one on Node; a host may put its own below the tools,
 * e.g. over a container.
 *
 * Paths are relative to the root with `/` between names. Every member refuses paths that lead outside, through links,
 * or to protected names with ARTOO_WORKSPACE_ESCAPE, and rejects with ARTOO_TOOL_FAILED (environmental, the system's
 * code in `details.errno`) when the system refuses.
 */
export interface FileWorkspace extends Workspace {
  /** Undefined when nothing is there. */
  status(path: string): Promise<FileStatus | undefined>;
  /** Sorted by name. `''` or `.` is the root. Protected names are left out. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Opens a plain file for the time that `use` takes. */
  withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T>;
  /** Stands for a file's content at this moment; `ABSENT` when there is none. */
  fingerprint(path: string): Promise<string>;
  /** Replaces or creates as a whole: a reader sees the old content or the new. Makes missing folders. ARTOO_WORKSPACE_CHANGED. */
  write(path: string, text: string, options?: WriteOptions): Promise<WriteOutcome>;
  /** Runs a bash command in the root. Rejects when it can't be started or the signal aborts. */
  run(command: string, options: CommandOptions): Promise<CommandOutcome>;
  /** A sandbox for commands in the root. Left out: this folder can have none. */
  readonly sandbox?: ((options?: SandboxOptions) => SandboxPort) | undefined;
  lineMatcher(pattern: RegExp): LineMatcher;
  /** In ms, for time boxes. */
  monotonic(): number;
}
