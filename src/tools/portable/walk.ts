import type { EntryKind, FileWorkspace } from './file-workspace.js';

/** Folders of other people's files, left out unless asked for. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', '.artoo']);
/** How many found things are held at most. */
const MOST_HELD = 100_000;

export interface WalkOptions {
  readonly workspace: FileWorkspace;
  /** Where to begin; must exist. */
  readonly from: string;
  /** How many levels below `from`; 1 is its own entries. */
  readonly depth?: number;
  /** Also goes into folders that are left out by default. */
  readonly everything: boolean;
  readonly signal: AbortSignal;
  /** On the workspace's monotonic clock, in ms. */
  readonly until: number;
}
export interface Found { readonly path: string; readonly kind: EntryKind }
export interface Walk {
  /** Sorted by path, in code units: the same folder gives the same list everywhere. */
  readonly found: readonly Found[];
  /** Why it isn't everything: one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Lists what is below a folder, within a time box. Links are named and never followed. A folder that can't be read is
 * noted and doesn't spoil the rest.
 */
export async function walk({ workspace, from, depth = Infinity, everything, signal, until }: WalkOptions): Promise<Walk> {
  const start = from.split('/').filter((name) => name !== '' && name !== '.');
  const found: Found[] = [];
  const notes: string[] = [];
  const queue: { readonly names: readonly string[]; readonly level: number }[] = [{ names: start, level: 1 }];
  let unreadable = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (signal.aborted) throw signal.reason;
    if (workspace.monotonic() >= until) {
      notes.push(`The time for this search was over: ${queue.length + 1} folders were not looked into. Search a smaller folder.`);
      break;
    }
    if (found.length >= MOST_HELD) {
      notes.push(`Stopped after ${MOST_HELD} entries: ${queue.length + 1} folders were not looked into. Search a smaller folder.`);
      break;
    }
    const folder = next.names.join('/');
    const entries = await workspace.list(folder).catch((error: unknown) => {
      // The folder that was asked for must be readable, the ones below may have gone.
      if (next?.level === 1) throw error;
      unreadable += 1;
      return [];
    });
    for (const { name, kind } of entries) {
      if (!everything && SKIPPED_FOLDERS.has(name)) continue;
      found.push({ path: folder === '' ? name : `${folder}/${name}`, kind });
      if (kind === 'directory' && next.level < depth) queue.push({ names: [...next.names, name], level: next.level + 1 });
    }
  }
  if (unreadable > 0) notes.push(`${unreadable} folders could not be read.`);
  found.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return { found, notes };
}

/** How much of each found path is the folder that was asked for, with its slash. */
export function prefixLength(from: string): number {
  const prefix = from.split('/').filter((name) => name !== '' && name !== '.').join('/');
  return prefix === '' ? 0 : prefix.length + 1;
}

/** Lines under the cap, then what was left out and why; empty when there is nothing at all to say. */
export function report(lines: readonly string[], most: number, notes: readonly string[], leftOut = Math.max(0, lines.length - most)): string {
  const rest = leftOut > 0 ? [`${leftOut} more left out; narrow the search to see them.`] : [];
  return [...lines.slice(0, most), ...[...rest, ...notes].map((note) => `[${note}]`)].join('\n');
}
