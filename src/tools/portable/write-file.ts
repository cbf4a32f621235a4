import * as z from 'zod/mini';
import type { Effect, Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { diffPreview } from './diff-preview.js';
import { decodeUtf8, describeBinary, isBinary } from './file-text.js';
import { ABSENT, type FileWorkspace } from './file-workspace.js';
import { createJudgedCalls, keyOfText } from './judged-calls.js';
import { effectOfWriting, MOST_CHARACTERS, writeContent, type WriteFileOptions } from './write-content.js';

/** Larger files are not compared line by line for the question. */
const MOST_COMPARED_BYTES = 262_144;

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
export function writeFile({ workspace, overwrite = 'ask', backups = false }: WriteFileOptions): Tool {
  const judged = createJudgedCalls<WriteInput>(workspace, ({ path, content }) => `${path}\n${keyOfText(content)}`);
  return defineTool({
    name: 'writeFile',
    description: 'Writes a text file of the workspace as a whole; folders that are missing are made. '
      + (overwrite === 'ask' ? 'Replacing an existing file needs permission. ' : 'The previous content of a replaced file is kept as a backup. ')
      + 'To change a part of a file use editFile. Comes back with what was written where.',
    input: z.object({
      path: z.string().check(z.minLength(1), z.describe('File relative to the workspace.')),
      content: z.string().check(z.maxLength(MOST_CHARACTERS), z.describe('The whole new content.')),
    }),
    effect: async (input): Promise<Effect> => effectOfWriting(await judged.look(input), overwrite),
    target: ({ path }) => path,
    // What was judged stays what is expected; only a call that nobody judged is looked at here first.
    preview: async (input) => preview(workspace, input, await judged.seen(input)),
    workspace,
    execute: async (input, context) => {
      // A call that nobody judged here may only make a new file.
      const expected = judged.take(input) ?? (overwrite === 'ask' ? ABSENT : undefined);
      return writeContent({ workspace, overwrite, backups, path: input.path, text: input.content, expected, context });
    },
  });
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
