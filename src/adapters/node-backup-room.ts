import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../tools/tool-error.js';
import type { Ground } from './node-directory.js';
import { BACKUPS } from './node-task-record.js';

/** Bytes that all kept contents of a workspace may take, when nothing else is said. */
export const DEFAULT_BACKUP_BYTES = 1_073_741_824;

/** How much may be kept, and how much is. `used` is counted when it is first needed. */
export interface BackupRoom { readonly most: number; used: number | undefined }

/** Takes room for a content that is about to be kept. Rejects when there is none: then nothing may be replaced. */
export async function reserve(ground: Ground, room: BackupRoom, bytes: number): Promise<void> {
  const fits = (): boolean => (room.used ?? 0) + bytes <= room.most;
  if (room.used === undefined || !fits()) room.used = await sizeBelow(join(ground.root, ...BACKUPS));
  if (!fits()) {
    throw ToolError.environmental(`Backups take ${room.used} of at most ${room.most} bytes: ${bytes} more don't fit, so nothing was replaced.`, {
      hint: 'A person must make room: `artoo undo` lists what is kept, `artoo undo TASK --forget` removes the backups of a task.',
    });
  }
  room.used += bytes;
}

/** Bytes of all files below a folder, links not followed. What can't be looked at counts nothing. */
export async function sizeBelow(path: string): Promise<number> {
  const entries = await fs.readdir(path, { withFileTypes: true }).catch(() => []);
  let total = 0;
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) total += await sizeBelow(child);
    else if (entry.isFile()) total += (await fs.lstat(child).catch(() => undefined))?.size ?? 0;
  }
  return total;
}
