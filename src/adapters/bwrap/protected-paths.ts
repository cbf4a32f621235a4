import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../../tools/portable/workspace-path.js';
import { realOnes, type HiddenPath } from './secret-paths.js';

/** Folders of a workspace that are looked through for protected names; deeper ones come last. */
const MOST_FOLDERS = 5_000;
/** Holds what others published. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules']);

/** What of a workspace commands must not see, and what of it they may only read. Real paths, strictly below the root. */
export interface ProtectedPaths { readonly hidden: readonly HiddenPath[]; readonly git: readonly string[] }

/** Finds protected names in a workspace, level by level. Links are followed only where a protected name is one. */
export async function protectedPaths(root: string, isProtected: (name: string) => boolean): Promise<ProtectedPaths> {
  const found: string[] = [];
  const git: string[] = [];
  let level = [root];
  for (let looked = 0; level.length > 0 && looked < MOST_FOLDERS;) {
    const folders = level.slice(0, MOST_FOLDERS - looked);
    looked += folders.length;
    const entries = await Promise.all(folders.map(async (folder) => ({ folder, names: await fs.readdir(folder, { withFileTypes: true }).catch(() => []) })));
    level = [];
    for (const { folder, names } of entries) {
      for (const entry of names) {
        const path = join(folder, entry.name);
        // Written to only when asked, whether it counts as protected or not.
        if (fold(entry.name) === '.git') git.push(path);
        else if (isProtected(entry.name)) found.push(path);
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) level.push(path);
      }
    }
  }
  const below = ({ path }: HiddenPath): boolean => path.startsWith(`${root}/`);
  // Outside of the workspace everything is read-only anyway; a protected file there is hidden all the same.
  return {
    hidden: (await realOnes(found)).filter((entry) => below(entry) || !entry.folder),
    git: (await realOnes(git)).filter(below).map(({ path }) => path),
  };
}
