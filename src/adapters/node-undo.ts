import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { ArtooError } from '../contracts/errors.js';
import { ABSENT } from '../tools/portable/file-workspace.js';
import { PROTECTED_NAMES, protection, refuseProtected, workspacePath } from '../tools/portable/workspace-path.js';
import { copyContent, keepCopy, keptFolder, keptNames, place, requireUnchanged } from './node-atomic-write.js';
import { sizeBelow } from './node-backup-room.js';
import { openDirectory, type Directory, type Ground } from './node-directory.js';
import { groundOf } from './node-ground.js';
import { contentHash, openPlainFile, type PlainFile } from './node-plain-file.js';
import { errnoOf } from './node-system-error.js';
import { BACKUPS, readRecord, recordUndone, taskFolder, type RecordedWrite } from './node-task-record.js';

/** What {@link undoTask} takes. */
export interface UndoTaskOptions {
  /** The workspace that the task wrote to. */
  readonly root: string;
  readonly taskId: string;
  /** Also put back what somebody changed since; their content is kept beside the backups. Default false. */
  readonly force?: boolean;
  /** As in `openWorkspace`. */
  readonly protect?: readonly string[];
}

/** What {@link undoTask} did. Paths are relative to the workspace. */
export interface UndoReport {
  readonly taskId: string;
  /** Have their old content again. */
  readonly restored: readonly string[];
  /** The task had made them; they are gone. Folders that it made and that are empty now end with `/`. */
  readonly removed: readonly string[];
  /** Were already as they had been. */
  readonly unchanged: readonly string[];
  /** Were not, or not wholly, put back, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  /** With `force`: where the content that was there before is kept. */
  readonly kept: readonly { readonly path: string; readonly backup: string }[];
  /** What undoing can't reach. */
  readonly note: string;
}

const NOTE = 'What shell commands and other tools changed is not recorded and was not undone.';
const CHANGED = 'it was changed since by other hands';

/**
 * Puts back what a task's writeFile and editFile calls changed with backups on: files it replaced get their old content,
 * files it made are removed. A file that somebody changed since is left alone and listed, unless `force`. Repeating it
 * changes nothing more, and one that was interrupted is finished by calling it again. Rejects with
 * ARTOO_INVALID_ARGUMENT when nothing is recorded for the task.
 *
 * @example
 * import { undoTask } from 'artoo/tools';
 * const { restored, removed, left } = await undoTask({ root: './notes', taskId: result.taskId });
 */
export async function undoTask({ root, taskId, force = false, protect = PROTECTED_NAMES }: UndoTaskOptions): Promise<UndoReport> {
  const ground = groundOf(root);
  const record = typeof taskId === 'string' ? await readRecord(ground, taskFolder(taskId)) : undefined;
  if (!record || record.taskId !== taskId) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `Nothing is recorded to undo for the task ${JSON.stringify(taskId)} in ${ground.root}.`, {
      hint: 'undoableTasks({ root }), or `artoo undo`, lists what can be undone. Only writes with backups are recorded.',
    });
  }
  const isProtected = protection(protect);
  const report: Draft = { restored: [], removed: [], unchanged: [], left: [], kept: [] };
  const folders: string[] = [];
  for (const [path, writes] of byPath(record.writes.filter(({ id }) => !record.undone.has(id)))) {
    try {
      const names = workspacePath(path);
      refuseProtected(names, isProtected);
      const done = await undoPath(ground, { taskId, names, path, writes, force, report });
      if (!done) continue;
      await recordUndone(ground, taskId, writes.map(({ id }) => id));
    } catch (error) {
      report.left.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const mine = record.writes.filter(({ path }) => !report.left.some((left) => left.path === path));
  folders.push(...new Set(mine.flatMap(({ folders: made = [] }) => made)));
  for (const folder of folders.sort((a, b) => b.length - a.length)) if (await removeEmpty(ground, folder, isProtected)) report.removed.push(`${folder}/`);
  return { taskId, ...report, note: NOTE };
}

interface Draft { readonly restored: string[]; readonly removed: string[]; readonly unchanged: string[]; readonly left: { path: string; reason: string }[]; readonly kept: { path: string; backup: string }[] }
interface Undoing { readonly taskId: string; readonly names: readonly string[]; readonly path: string; readonly writes: readonly RecordedWrite[]; readonly force: boolean; readonly report: Draft }

/** The writes of each path in their order; the path that was written last comes first. */
function byPath(writes: readonly RecordedWrite[]): [string, RecordedWrite[]][] {
  const paths = new Map<string, RecordedWrite[]>();
  for (const write of writes) {
    const known = paths.get(write.path) ?? [];
    known.push(write);
    paths.delete(write.path);
    paths.set(write.path, known);
  }
  return [...paths].reverse();
}

/** Follows a path's writes back from what is there now. `whole`: all the way to what was there before the task. */
function unwind(now: string, writes: readonly RecordedWrite[]): { readonly state: string; readonly whole: boolean } {
  let state = now;
  // A note whose write never came about fits neither way and is passed over.
  for (const { before, after } of [...writes].reverse()) if (state === after) state = before;
  return { state, whole: state === writes[0]?.before };
}

/** True when the path is as it was before the task. */
async function undoPath(ground: Ground, undoing: Undoing): Promise<boolean> {
  const { names, path, writes, force, report } = undoing;
  const first = writes[0]!;
  const directory = await openFolder(ground, names.slice(0, -1), false);
  let current: PlainFile | undefined;
  try {
    current = directory ? await openPlainFile(ground, directory, names.at(-1) ?? '', path) : undefined;
    const now = await contentHash(current);
    const { state, whole } = unwind(now, writes);
    const target = whole || !force ? state : first.before;
    if (target === now) {
      if (whole) report.unchanged.push(path);
      else report.left.push({ path, reason: CHANGED });
      return whole;
    }
    if (!whole && current && force) {
      const backup = await keepCopy(ground, { folder: keptFolder(undoing.taskId), names, current, hash: now, room: { most: Infinity, used: 0 } });
      report.kept.push({ path, backup });
    }
    if (target === ABSENT) await remove(ground, directory!, undoing, current!);
    else await restore(ground, undoing, current, target);
    if (!whole && !force) report.left.push({ path, reason: `${CHANGED} and then by the task again: only the task's last changes were put back` });
    (target === ABSENT ? report.removed : report.restored).push(path);
    return whole || force;
  } finally {
    await current?.handle.close();
    await directory?.close();
  }
}

async function openFolder(ground: Ground, names: readonly string[], create: boolean): Promise<Directory | undefined> {
  try {
    return await openDirectory(ground, names, { create });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function remove(ground: Ground, directory: Directory, { names, path }: Undoing, current: PlainFile): Promise<void> {
  const name = names.at(-1) ?? '';
  await directory.check();
  await requireUnchanged(ground, directory, { name, shown: path, current });
  await fs.unlink(directory.child(name));
}

/** Puts a kept content in place, after it has been found to be what was kept. */
async function restore(ground: Ground, { taskId, names, path, writes }: Undoing, current: PlainFile | undefined, hash: string): Promise<void> {
  const kept = keptNames(keptFolder(taskId), names, hash);
  const from = await openDirectory(ground, kept.slice(0, -1)).catch(() => undefined);
  const lost = new ArtooError('ARTOO_TOOL_FAILED', 'its kept content is missing or was changed');
  if (!from) throw lost;
  try {
    const content = await openPlainFile(ground, from, kept.at(-1) ?? '', kept.join('/'));
    try {
      if (!content || await contentHash(content) !== hash) throw lost;
      const to = await openFolder(ground, names.slice(0, -1), true);
      try {
        const mode = writes.findLast(({ before }) => before === hash)?.mode;
        await place(ground, to!, { name: names.at(-1) ?? '', shown: path, current, mode, content: (handle) => copyContent(content, handle) });
      } finally {
        await to?.close();
      }
    } finally {
      await content?.handle.close();
    }
  } finally {
    await from.close();
  }
}

/** Takes away a folder that a task made, unless something is in it. */
async function removeEmpty(ground: Ground, path: string, isProtected: (name: string) => boolean): Promise<boolean> {
  try {
    const names = workspacePath(path);
    refuseProtected(names, isProtected);
    const parent = await openDirectory(ground, names.slice(0, -1));
    try {
      await fs.rmdir(parent.child(names.at(-1) ?? ''));
      return true;
    } finally {
      await parent.close();
    }
  } catch {
    // Not empty, gone, or no longer a folder of ours: it stays.
    return false;
  }
}

/** One task that left backups. */
export interface UndoableTask {
  readonly taskId: string;
  /** Files that it wrote to. */
  readonly files: number;
  /** Of them, those that are not put back yet. */
  readonly open: number;
  /** What its backups take. */
  readonly bytes: number;
}

/**
 * The tasks of which something can be undone, by the newest record first.
 *
 * @example
 * import { undoableTasks } from 'artoo/tools';
 * for (const { taskId, open } of await undoableTasks({ root: './notes' })) console.log(taskId, open);
 */
export async function undoableTasks({ root }: { readonly root: string }): Promise<UndoableTask[]> {
  const ground = groundOf(root);
  const directory = await openFolder(ground, BACKUPS, false);
  if (!directory) return [];
  const found: (UndoableTask & { readonly at: number })[] = [];
  try {
    for (const entry of await fs.readdir(directory.self, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const record = await readRecord(ground, [...BACKUPS, entry.name]).catch(() => undefined);
      // A folder that another task's id doesn't lead to can't be undone by its id.
      if (!record || taskFolder(record.taskId).at(-1) !== entry.name) continue;
      const files = new Set(record.writes.map(({ path }) => path));
      const open = new Set(record.writes.filter(({ id }) => !record.undone.has(id)).map(({ path }) => path));
      const { mtimeMs } = await fs.lstat(join(ground.root, ...BACKUPS, entry.name, 'manifest.jsonl'));
      found.push({ taskId: record.taskId, files: files.size, open: open.size, bytes: await sizeBelow(join(ground.root, ...BACKUPS, entry.name)), at: mtimeMs });
    }
  } finally {
    await directory.close();
  }
  return found.sort((a, b) => b.at - a.at).map(({ taskId, files, open, bytes }) => ({ taskId, files, open, bytes }));
}

/**
 * Removes the backups of a task for good: it can't be undone any more. Nothing else ever removes them. Resolves with
 * false when there are none.
 *
 * @example
 * import { forgetBackups } from 'artoo/tools';
 * await forgetBackups({ root: './notes', taskId: 'task-1' });
 */
export async function forgetBackups({ root, taskId }: { readonly root: string; readonly taskId: string }): Promise<boolean> {
  const ground = groundOf(root);
  const directory = typeof taskId === 'string' ? await openFolder(ground, BACKUPS, false) : undefined;
  if (!directory) return false;
  try {
    const child = directory.child(taskFolder(taskId).at(-1) ?? '');
    if ((await fs.lstat(child).catch(() => undefined))?.isDirectory() !== true) return false;
    await fs.rm(child, { recursive: true, force: true });
    return true;
  } finally {
    await directory.close();
  }
}
