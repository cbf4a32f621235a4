import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { Effect, Tool } from '../../contracts/tool.js';
import { cleanText } from '../../text/index.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import { applyEdits, type Edit, type EditedPlace, type EditedText } from './apply-edits.js';
import { describeBinary, isBinary } from './file-text.js';
import { ABSENT, type FileWorkspace } from './file-workspace.js';
import { createJudgedCalls, keyOfText } from './judged-calls.js';
import { missingPath } from './missing-path.js';
import { effectOfWriting, MOST_CHARACTERS, writeContent, type WriteFileOptions } from './write-content.js';

const MOST_BYTES = 20_000_000;
const MOST_EDITS = 100;
const MOST_SHOWN_LINES = 30;
const LONGEST_LINE = 200;

interface EditInput { readonly path: string; readonly edits: readonly Edit[] }

/**
 * The tool `editFile`: replaces exact texts in a file, all of a call's edits or none. Each must stand there once, or be
 * marked `all`. The rest of the file stays as it is, byte by byte: line ends, byte order mark, final line end. Editing is
 * overwriting: `irreversible`, unless `overwrite: 'allow-with-backup'` keeps the previous content. What was judged and
 * shown is what is written; a file that changed since is left alone (ARTOO_WORKSPACE_CHANGED).
 *
 * @example
 * import { editFile, openWorkspace } from 'artoo/tools';
 * const tool = editFile({ workspace: openWorkspace('.'), overwrite: 'allow-with-backup' });
 */
export function editFile({ workspace, overwrite = 'ask', backups = false }: WriteFileOptions): Tool {
  const judged = createJudgedCalls<EditInput>(workspace, ({ path, edits }) => `${path}\n${keyOfText(JSON.stringify(edits))}`);
  return defineTool({
    name: 'editFile',
    description: 'Changes parts of a text file of the workspace: each edit replaces `find`, quoted exactly from the file with its white space, by `replace`. '
      + '`find` must stand there exactly once; with `all` every place is replaced. Edits are made in their order, all or none. '
      + (overwrite === 'ask' ? 'Each call needs permission. ' : 'The previous content is kept as a backup. ')
      + 'Read the file first. To make a new file use writeFile.',
    input: z.object({
      path: z.string().check(z.minLength(1), z.describe('File relative to the workspace.')),
      edits: z.array(z.object({
        find: z.string().check(z.minLength(1), z.maxLength(MOST_CHARACTERS), z.describe('Exact text to replace.')),
        replace: z.string().check(z.maxLength(MOST_CHARACTERS), z.describe('What stands there afterwards; empty removes it.')),
        all: z.optional(z.boolean().check(z.describe('Replace every place.'))),
      })).check(z.minLength(1), z.maxLength(MOST_EDITS)),
    }),
    effect: async (input): Promise<Effect> => {
      const fingerprint = await judged.look(input);
      // An edit that doesn't fit is refused here: nobody should be asked about it.
      await edited(workspace, input);
      return effectOfWriting(fingerprint, overwrite);
    },
    target: ({ path }) => path,
    preview: async (input) => {
      const fingerprint = await judged.seen(input);
      return preview(input.path, fingerprint, await edited(workspace, input));
    },
    workspace,
    execute: async (input, context) => {
      const expected = judged.take(input) ?? (overwrite === 'ask' ? undefined : await workspace.fingerprint(input.path));
      if (expected === undefined) throw refusal(`The edit of ${JSON.stringify(input.path)} was not judged before; nothing was written.`, input.path);
      // Said before an edit is found not to fit a text that it was not made for.
      if (await workspace.fingerprint(input.path) !== expected) throw refusal(`${JSON.stringify(input.path)} is no longer what it was when this edit was judged; nothing was written.`, input.path);
      const { text, count } = await edited(workspace, input);
      const done = await writeContent({ workspace, overwrite, backups, path: input.path, text, expected, context });
      return `Edited ${count === 1 ? '1 place' : `${count} places`}. ${done}`;
    },
  });
}

function refusal(message: string, path: string): ArtooError {
  return new ArtooError('ARTOO_WORKSPACE_CHANGED', message, { hint: 'Read the file again, then edit again.', details: { failureClass: 'environmental', path } });
}

/** The file with the edits in it; throws what the model should know when they don't fit. */
async function edited(workspace: FileWorkspace, { path, edits }: EditInput): Promise<EditedText> {
  const status = await workspace.status(path);
  if (!status) throw await missingPath(workspace, path, 'file');
  if (status.kind === 'directory') throw ToolError.environmental(`${JSON.stringify(path)} is a folder.`, { hint: 'Name a file inside it.' });
  if (status.size > MOST_BYTES) throw ToolError.logical(`${JSON.stringify(path)} has ${status.size} bytes; files up to ${MOST_BYTES} can be edited.`);
  const bytes = await workspace.withFile(path, async (file) => file.read(0, Math.min(file.size, MOST_BYTES)));
  if (isBinary(bytes)) throw ToolError.logical(`${JSON.stringify(path)} is no text: ${describeBinary(bytes, bytes.length)}`);
  return applyEdits(strictText(bytes, path), edits, { path, most: MOST_CHARACTERS });
}

/** With its byte order mark; bytes that are no UTF-8 would come back as others. */
function strictText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw ToolError.logical(`${JSON.stringify(path)} holds bytes that are no UTF-8; an edit would change them.`, { cause, hint: 'Use a program that knows its encoding.' });
  }
}

function preview(path: string, fingerprint: string, { places, count }: EditedText): string {
  const state = fingerprint === ABSENT ? 'gone' : fingerprint.slice(0, 19);
  const title = `${path}: ${count === 1 ? '1 place changes' : `${count} places change`} (now ${state})`;
  const rest = count > places.length ? [`[… and ${count - places.length} more places …]`] : [];
  return [title, ...places.map(hunk), ...rest].join('\n');
}

function hunk({ line, removed, added }: EditedPlace): string {
  return [`@@ line ${line} @@`, ...marked('-', removed), ...(added === '' ? [] : marked('+', added))].join('\n');
}

/** Marked lines, of many the first and the last. */
function marked(sign: string, text: string): string[] {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  const half = MOST_SHOWN_LINES / 2;
  const show = (line: string): string => {
    const clean = cleanText(line.slice(0, 2 * LONGEST_LINE)).replaceAll('\n', ' ');
    return `${sign} ${clean.length > LONGEST_LINE ? `${clean.slice(0, LONGEST_LINE)} …` : clean}`;
  };
  if (lines.length <= MOST_SHOWN_LINES) return lines.map(show);
  return [...lines.slice(0, half).map(show), `${sign} [… ${lines.length - MOST_SHOWN_LINES} lines …]`, ...lines.slice(-half).map(show)];
}
