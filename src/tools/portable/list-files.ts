import * as z from 'zod/mini';
import type { Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import type { FileWorkspace } from './file-workspace.js';
import { missingPath } from './missing-path.js';
import { report, walk } from './walk.js';

const MOST_ENTRIES = 1_000;

/** What the searching tools take. */
export interface SearchToolOptions {
  readonly workspace: FileWorkspace;
  /** How long one search may take, in ms; default 10,000. What was found by then is returned, with a note. */
  readonly timeBoxMs?: number;
}
/** The time box of a search, in ms. */
export const DEFAULT_TIME_BOX_MS = 10_000;

/**
 * The tool `listFiles`: what a folder holds, sorted, folders with a `/` at the end, links with an `@`.
 *
 * @example
 * import { listFiles, openWorkspace } from 'artoo/tools';
 * const tool = listFiles({ workspace: openWorkspace('./notes') });
 */
export function listFiles({ workspace, timeBoxMs = DEFAULT_TIME_BOX_MS }: SearchToolOptions): Tool {
  return defineTool({
    name: 'listFiles',
    description: 'Lists what a folder of the workspace holds, one path per line; folders end with "/", links with "@". '
      + 'Nothing comes back for an empty folder. .git, node_modules and .artoo are left out unless `all` is true.',
    input: z.object({
      path: z.optional(z.string().check(z.describe('Folder relative to the workspace; the workspace itself when left out.'))),
      depth: z.optional(z.int().check(z.minimum(1), z.maximum(20), z.describe('Levels to go down; 1 when left out.'))),
      all: z.optional(z.boolean().check(z.describe('Also list folders that are left out by default.'))),
    }),
    effect: 'read',
    target: ({ path }) => path ?? '.',
    workspace,
    timeoutMs: timeBoxMs + 20_000,
    execute: async ({ path = '.', depth = 1, all = false }, { signal }) => {
      await requireFolder(workspace, path);
      const { found, notes } = await walk({ workspace, from: path, depth, everything: all, signal, until: workspace.monotonic() + timeBoxMs });
      const lines = found.map(({ path: entry, kind }) => kind === 'directory' ? `${entry}/` : kind === 'link' ? `${entry}@` : entry);
      return report(lines, MOST_ENTRIES, notes);
    },
  });
}

/** Throws an error that says what is there instead when the path is no folder. */
export async function requireFolder(workspace: FileWorkspace, path: string): Promise<void> {
  const status = await workspace.status(path);
  if (status?.kind !== 'directory') throw await missingPath(workspace, path, 'folder');
}
