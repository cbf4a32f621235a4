import * as z from 'zod/mini';
import type { Effect, Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import { diffPreview } from './diff-preview.js';
import { decodeUtf8, describeBinary, isBinary } from './file-text.js';
import { ABSENT, type FileWorkspace } from './file-workspace.js';

const MOST_CHARACTERS = 20_000_000;
/** Larger files are not compared line by line for the question. */
const MOST_COMPARED_BYTES = 262_144;
const MOST_REMEMBERED = 1_000;

/** Whether existing content may be replaced: only when somebody allows each time, or always with a copy kept. */
export type OverwritePolicy = 'ask' | 'allow-with-backup';
export interface WriteFileOptions {
  readonly workspace: FileWorkspace;
  /** Default `'ask'`. */
  readonly overwrite?: OverwritePolicy;
}
interface WriteInput { readonly path: string; readonly content: string }

/**
 * The tool `writeFile`: writes a text file whole. A new file is a `write`; replacing one is `irreversible`, unless
 * `overwrite: 'allow-with-backup'` keeps the previous content. Refused with ARTOO_WORKSPACE_CHANGED when the file is
 * no longer what it was when the call was judged or previewed, or exists although the call was not judged at all.
 *
 * @example
 * import { openWorkspace, writeFile } from 'artoo/tools';
 * const tool = writeFile({ workspace: openWorkspace('.'), overwrite: 'allow-with-backup' });
 */
export function writeFile({ workspace, overwrite = 'ask' }: WriteFileOptions): Tool {
  const seen = createMemory();
  const look = async (input: WriteInput): Promise<string> => {
    const fingerprint = await workspace.fingerprint(input.path);
    seen.set(input, fingerprint);
    return fingerprint;
  };
  return defineTool({
    name: 'writeFile',
    description: 'Writes a text file of the workspace as a whole; folders that are missing are made. '
      + (overwrite === 'ask' ? 'Replacing an existing file needs permission. ' : 'The previous content of a replaced file is kept as a backup. ')
      + 'Comes back with what was written where.',
    input: z.object({
      path: z.string().check(z.minLength(1), z.describe('File relative to the workspace.')),
      content: z.string().check(z.maxLength(MOST_CHARACTERS), z.describe('The whole new content.')),
    }),
    effect: async (input): Promise<Effect> => {
      const fingerprint = await look(input);
      return fingerprint === ABSENT || overwrite === 'allow-with-backup' ? 'write' : 'irreversible';
    },
    target: ({ path }) => path,
    preview: async (input) => {
      // What was judged stays what is expected; only a call that nobody judged is looked at here first.
      const expected = seen.get(input) ?? await look(input);
      return preview(workspace, input, expected);
    },
    workspace,
    execute: async (input, { signal }) => {
      // A call that nobody judged here, such as one taken up after a restart, may only make a new file.
      const expected = seen.take(input) ?? (overwrite === 'ask' ? ABSENT : undefined);
      if (signal.aborted) throw signal.reason;
      const status = await workspace.status(input.path);
      if (status?.kind === 'directory') throw ToolError.environmental(`${JSON.stringify(input.path)} is a folder.`, { hint: 'Name a file inside it.' });
      const { created, bytes, backup } = await workspace.write(input.path, input.content, { expected, backup: overwrite === 'allow-with-backup' });
      if (created) return `Created ${input.path} (${bytes} bytes).`;
      return `Replaced ${input.path} (${bytes} bytes).${backup === undefined ? '' : ` The previous content is kept in ${backup}.`}`;
    },
  });
}

interface Memory { get(input: WriteInput): string | undefined; take(input: WriteInput): string | undefined; set(input: WriteInput, fingerprint: string): void }

/**
 * What a file looked like when its call was judged. By the input itself, so that equal calls of two tasks don't mix;
 * where the input was copied on its way, by what it says, oldest forgotten first.
 */
function createMemory(): Memory {
  const byInput = new WeakMap<WriteInput, string>();
  const byText = new Map<string, string>();
  const keyOf = ({ path, content }: WriteInput): string => `${path}\n${content.length}\n${hash(content)}`;
  return {
    get: (input) => byInput.get(input) ?? byText.get(keyOf(input)),
    take(input) {
      const key = keyOf(input);
      const fingerprint = byInput.get(input) ?? byText.get(key);
      byInput.delete(input);
      byText.delete(key);
      return fingerprint;
    },
    set(input, fingerprint) {
      byInput.set(input, fingerprint);
      const key = keyOf(input);
      byText.delete(key);
      byText.set(key, fingerprint);
      const oldest = byText.size > MOST_REMEMBERED ? byText.keys().next().value : undefined;
      if (oldest !== undefined) byText.delete(oldest);
    },
  };
}

/** FNV-1a over the code units: tells contents apart in a key, protects nothing. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

async function preview(workspace: FileWorkspace, { path, content }: WriteInput, expected: string): Promise<string> {
  if (expected === ABSENT) return `${path}: new file, ${content.length} characters\n${diffPreview('', content)}`;
  const before = await workspace.withFile(path, async (file) => {
    const bytes = await file.read(0, Math.min(file.size, MOST_COMPARED_BYTES));
    return { bytes, size: file.size };
  });
  const title = `${path}: replaces ${before.size} bytes (now ${expected.slice(0, 19)}) by ${content.length} characters`;
  if (isBinary(before.bytes)) return `${title}\n${describeBinary(before.bytes, before.size)}`;
  if (before.size > MOST_COMPARED_BYTES) return `${title}\n[too large to compare here]`;
  return `${title}\n${diffPreview(decodeUtf8(before.bytes), content)}`;
}
