import * as z from 'zod/mini';
import type { Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { compileGlob } from './glob-pattern.js';
import { DEFAULT_TIME_BOX_MS, requireFolder, type SearchToolOptions } from './list-files.js';
import { prefixLength, report, walk } from './walk.js';

const MOST_PATHS = 1_000;

/**
 * The tool `glob`: paths that match a pattern, sorted, one per line.
 *
 * @example
 * import { glob, openWorkspace } from 'artoo/tools';
 * const tool = glob({ workspace: openWorkspace('.') });
 */
export function glob({ workspace, timeBoxMs = DEFAULT_TIME_BOX_MS }: SearchToolOptions): Tool {
  return defineTool({
    name: 'glob',
    description: 'Finds files of the workspace by a pattern such as "**/*.md" or "src/{a,b}/*.ts", one path per line, sorted. '
      + 'A pattern without "/" looks in all folders. Nothing comes back when nothing matches. '
      + '.git, node_modules and .artoo are left out unless `all` is true. Use it instead of a shell command to find files.',
    input: z.object({
      pattern: z.string().check(z.minLength(1), z.describe('Relative to `path`.')),
      path: z.optional(z.string().check(z.describe('Folder to search; the workspace itself when left out.'))),
      type: z.optional(z.enum(['file', 'directory', 'any']).check(z.describe('What to find; files when left out.'))),
      all: z.optional(z.boolean().check(z.describe('Also search folders that are left out by default.'))),
    }),
    effect: 'read',
    target: ({ pattern, path }) => path === undefined ? pattern : `${path}/${pattern}`,
    workspace,
    timeoutMs: timeBoxMs + 20_000,
    execute: async ({ pattern, path = '.', type = 'file', all = false }, { signal }) => {
      const match = compileGlob(workspace, pattern);
      const until = workspace.monotonic() + timeBoxMs;
      await requireFolder(workspace, path);
      const { found, notes } = await walk({ workspace, from: path, everything: all, signal, until });
      const wanted = found.filter(({ kind }) => type === 'any' ? kind !== 'other' : kind === type);
      const start = prefixLength(path);
      const matches = await match(wanted.map((entry) => entry.path.slice(start)), { timeoutMs: timeBoxMs, signal });
      const lines = wanted.filter((_, index) => matches[index]).map(({ path: entry, kind }) => kind === 'directory' ? `${entry}/` : entry);
      return report(lines, MOST_PATHS, notes);
    },
  });
}
