import * as z from 'zod/mini';
import type { Tool } from '../../contracts/tool.js';
import { cleanText } from '../../text/index.js';
import { defineTool } from '../define-tool.js';
import { decodeUtf8, isBinary } from './file-text.js';
import type { FileWorkspace } from './file-workspace.js';
import { compileGlob } from './glob-pattern.js';
import { lineSearch, type LineSearch } from './line-search.js';
import { DEFAULT_TIME_BOX_MS, type SearchToolOptions } from './list-files.js';
import { missingPath } from './missing-path.js';
import { prefixLength, report, walk } from './walk.js';

const MOST_LINES = 500;
const LONGEST_SHOWN = 300;
/** How much of one file is searched, in bytes. */
const MOST_BYTES = 5_242_880;
const FILES_AT_ONCE = 8;

/**
 * The tool `grep`: lines that hold a text or match a regular expression, as `path:line: text`.
 *
 * @example
 * import { grep, openWorkspace } from 'artoo/tools';
 * const tool = grep({ workspace: openWorkspace('.') });
 */
export function grep({ workspace, timeBoxMs = DEFAULT_TIME_BOX_MS }: SearchToolOptions): Tool {
  return defineTool({
    name: 'grep',
    description: 'Searches the text files of the workspace for lines that match a regular expression (JavaScript) or, with `literal`, hold a text. '
      + 'Each hit is "path:line: text", sorted by path. Nothing comes back when no line matches. '
      + '.git, node_modules and .artoo are left out unless `all` is true. Use it instead of a shell command to search files.',
    input: z.object({
      pattern: z.string().check(z.minLength(1), z.maxLength(1_000)),
      path: z.optional(z.string().check(z.describe('File or folder to search; the whole workspace when left out.'))),
      glob: z.optional(z.string().check(z.minLength(1), z.describe('Only files that match this, such as "**/*.ts".'))),
      literal: z.optional(z.boolean().check(z.describe('Take the pattern as plain text.'))),
      ignoreCase: z.optional(z.boolean()),
      all: z.optional(z.boolean().check(z.describe('Also search folders that are left out by default.'))),
    }),
    effect: 'read',
    target: ({ pattern, path }) => `${path ?? '.'}:${pattern}`,
    workspace,
    timeoutMs: timeBoxMs + 20_000,
    execute: async ({ pattern, path = '.', glob, literal = false, ignoreCase = false, all = false }, { signal }) => {
      const until = workspace.monotonic() + timeBoxMs;
      const { files, notes } = await filesToSearch({ workspace, path, glob, all, signal, until });
      const search = lineSearch(workspace, { pattern, literal, ignoreCase });
      try {
        return await searchFiles({ workspace, files, notes, search, signal, until });
      } finally {
        await search.close();
      }
    },
  });
}

interface Where { readonly workspace: FileWorkspace; readonly path: string; readonly glob: string | undefined; readonly all: boolean; readonly signal: AbortSignal; readonly until: number }

async function filesToSearch({ workspace, path, glob, all, signal, until }: Where): Promise<{ files: readonly string[]; notes: readonly string[] }> {
  const status = await workspace.status(path);
  if (!status) throw await missingPath(workspace, path, 'folder');
  if (status.kind !== 'directory') return { files: [path], notes: [] };
  const match = glob === undefined ? undefined : compileGlob(workspace, glob);
  const { found, notes } = await walk({ workspace, from: path, everything: all, signal, until });
  const plain = found.filter(({ kind }) => kind === 'file').map(({ path: file }) => file);
  if (!match) return { files: plain, notes };
  const options = { timeoutMs: Math.max(1, until - workspace.monotonic()), signal };
  const start = prefixLength(path);
  // Relative to the folder or to the workspace: both are meant at times.
  const below = await match(plain.map((file) => file.slice(start)), options);
  const whole = start === 0 ? below : await match(plain, options);
  const files = plain.filter((_, index) => below[index] === true || whole[index] === true);
  return { files, notes };
}

interface Search { readonly workspace: FileWorkspace; readonly files: readonly string[]; readonly notes: readonly string[]; readonly search: LineSearch; readonly signal: AbortSignal; readonly until: number }

async function searchFiles({ workspace, files, notes, search, signal, until }: Search): Promise<string> {
  const hits: string[] = [];
  const trouble = { total: 0, unreadable: 0, big: 0 };
  let searched = 0;
  while (searched < files.length && workspace.monotonic() < until) {
    if (signal.aborted) throw signal.reason;
    const batch = files.slice(searched, searched + FILES_AT_ONCE);
    const texts = await Promise.all(batch.map((file) => textOf(workspace, file)));
    for (const [index, found] of texts.entries()) {
      if (found === 'unreadable') trouble.unreadable += 1;
      if (typeof found !== 'object') continue;
      if (found.cut) trouble.big += 1;
      const lines = found.text.split(/\r?\n/);
      const matches = await search.match(lines, { timeoutMs: Math.max(1, until - workspace.monotonic()), signal });
      matches.forEach((matched, line) => {
        if (!matched) return;
        trouble.total += 1;
        if (hits.length < MOST_LINES) hits.push(`${batch[index] ?? ''}:${line + 1}: ${shorten(lines[line] ?? '')}`);
      });
    }
    searched += batch.length;
  }
  const all = [
    ...notes,
    ...(searched < files.length ? [`The time for this search was over: ${files.length - searched} of ${files.length} files were not searched. Search a smaller folder.`] : []),
    ...(trouble.big > 0 ? [`${trouble.big} files are larger than 5 MB and were searched only in their beginning.`] : []),
    ...(search.cutLines > 0 ? [`${search.cutLines} long lines were searched only in their first 2000 characters.`] : []),
    ...(trouble.unreadable > 0 ? [`${trouble.unreadable} files could not be read.`] : []),
  ];
  return report(hits, MOST_LINES, all, trouble.total - hits.length);
}

/** A file may vanish or be closed to us between listing and reading: that spoils only this file. */
async function textOf(workspace: FileWorkspace, path: string): Promise<{ text: string; cut: boolean } | 'binary' | 'unreadable'> {
  try {
    return await workspace.withFile(path, async (file) => {
      const bytes = await file.read(0, Math.min(file.size, MOST_BYTES));
      return isBinary(bytes) ? 'binary' : { text: decodeUtf8(bytes, { end: file.size > MOST_BYTES }), cut: file.size > MOST_BYTES };
    });
  } catch {
    return 'unreadable';
  }
}

function shorten(line: string): string {
  const clean = cleanText(line.slice(0, LONGEST_SHOWN * 2));
  return clean.length > LONGEST_SHOWN ? `${clean.slice(0, LONGEST_SHOWN)} …` : clean;
}
