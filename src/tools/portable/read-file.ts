import * as z from 'zod/mini';
import type { Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import { decodeUtf8, describeBinary, isBinary } from './file-text.js';
import type { FileWorkspace, OpenFile } from './file-workspace.js';
import { missingPath } from './missing-path.js';

/** What is shown of one file, in bytes: whole up to here, else a third from its head and the rest from its tail. */
const MOST_BYTES = 262_144;
const DEFAULT_LINES = 2_000;
const CHUNK_BYTES = 262_144;
/** How long the search for a line may take, in ms. */
const LINE_SEARCH_MS = 20_000;

/**
 * The tool `readFile`: the text of a file, whole, or head and tail of a big one, or a range of lines.
 *
 * @example
 * import { openWorkspace, readFile } from 'artoo/tools';
 * const tool = readFile({ workspace: openWorkspace('.') });
 */
export function readFile({ workspace }: { readonly workspace: FileWorkspace }): Tool {
  return defineTool({
    name: 'readFile',
    description: 'Reads a text file of the workspace. A big file comes as head and tail with a mark between; '
      + 'read on with `offset` and `limit`. A binary file is described, not shown.',
    input: z.object({
      path: z.string().check(z.minLength(1), z.describe('File relative to the workspace.')),
      offset: z.optional(z.int().check(z.minimum(1), z.describe('First line to read, counted from 1.'))),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(100_000), z.describe('How many lines to read.'))),
    }),
    effect: 'read',
    target: ({ path }) => path,
    workspace,
    execute: async ({ path, offset, limit }, { signal }) => {
      const status = await workspace.status(path);
      if (!status) throw await missingPath(workspace, path, 'file');
      if (status.kind === 'directory') throw ToolError.environmental(`${JSON.stringify(path)} is a folder.`, { hint: 'Use listFiles to see what it holds.' });
      return workspace.withFile(path, async (file) => {
        const start = await file.read(0, Math.min(file.size, 8_192));
        if (isBinary(start)) return describeBinary(start, file.size);
        if (offset === undefined && limit === undefined) return readWhole(file);
        const until = workspace.monotonic() + LINE_SEARCH_MS;
        const overdue = (): boolean => workspace.monotonic() >= until;
        return readLines(file, { first: offset ?? 1, count: limit ?? DEFAULT_LINES, path, signal, overdue });
      });
    },
  });
}

async function readWhole(file: OpenFile): Promise<string> {
  if (file.size <= MOST_BYTES) return decodeUtf8(await file.read(0, file.size));
  const headBytes = Math.floor(MOST_BYTES / 3);
  const tailBytes = MOST_BYTES - headBytes;
  const head = decodeUtf8(await file.read(0, headBytes), { end: true });
  const tail = decodeUtf8(await file.read(file.size - tailBytes, tailBytes), { start: true });
  return `${head}\n[… ${file.size - MOST_BYTES} of ${file.size} bytes left out; read them with offset and limit …]\n${tail}`;
}

interface LineRange {
  readonly first: number;
  readonly count: number;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly overdue: () => boolean;
}

/** Goes through the file in chunks, so that a huge one costs no memory. */
async function readLines(file: OpenFile, { first, count, path, signal, overdue }: LineRange): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  const lines: string[] = [];
  let passed = 0;
  let kept = 0;
  let open = '';
  for (let position = 0; position < file.size; position += CHUNK_BYTES) {
    if (signal.aborted) throw signal.reason;
    if (overdue()) throw ToolError.logical(`Line ${first} of ${JSON.stringify(path)} was not reached in time.`, { hint: 'Use grep to find the part you need.' });
    const chunk = await file.read(position, CHUNK_BYTES);
    const last = chunk.length === 0 || position + chunk.length >= file.size;
    const pieces = (open + decoder.decode(chunk, { stream: !last })).split('\n');
    open = pieces.pop() ?? '';
    // A line longer than what may be shown is cut here, else it would be held whole.
    if (open.length > MOST_BYTES + 1) open = open.slice(0, MOST_BYTES + 1);
    if (last && open !== '') pieces.push(open);
    for (const piece of pieces) {
      passed += 1;
      if (passed < first) continue;
      if (lines.length >= count || kept >= MOST_BYTES) return [...lines, `[up to line ${passed - 1}; read on with offset ${passed}]`].join('\n');
      const room = MOST_BYTES - kept;
      lines.push(piece.length > room ? `${piece.slice(0, room)} [… the line goes on …]` : piece);
      kept += piece.length + 1;
    }
    if (last) break;
  }
  if (lines.length === 0) throw ToolError.logical(`${JSON.stringify(path)} has only ${passed} lines.`);
  return lines.join('\n');
}
