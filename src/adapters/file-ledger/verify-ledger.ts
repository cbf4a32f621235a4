import { basename, dirname } from 'node:path';
import { ArtooError } from '../../contracts/errors.js';
import { chainStart, checkLine, rawLine, type ChainedLine } from './chain.js';
import { LOG_ENDING } from './file-names.js';
import { nodeFileSystem, type LedgerFileSystem } from './file-system.js';
import { bootId } from './head.js';
import { storeError } from './ledger-errors.js';
import { taskStems, readLog } from './read-folder.js';

/** Something that is wrong with a record. `line` counts from 1; 0 is the task's head record. */
export interface LedgerFinding { readonly taskId?: string; readonly file?: string; readonly line: number; readonly message: string }

/** What {@link verifyLedger} found. `torn` counts logs whose last line a crash cut short: no damage. */
export interface LedgerVerification {
  readonly ok: boolean;
  readonly tasks: number;
  readonly lines: number;
  readonly torn: number;
  readonly problems: readonly LedgerFinding[];
}

/**
 * Checks the hash chain of every task in a folder, of one log file, or of the lines of one task (raw text, or as a file
 * ledger's `read` gave them). A cut end is found in folders and files, by the head record; not in lines alone.
 *
 * @throws ARTOO_LEDGER_NOT_FOUND when the folder or file is not there.
 * @example
 * import { verifyLedger } from 'artoo/ledger';
 * const { ok, problems } = await verifyLedger('./ledger');
 * if (!ok) for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`);
 */
export async function verifyLedger(
  source: string | readonly (string | object)[],
  options: { readonly fs?: LedgerFileSystem } = {},
): Promise<LedgerVerification> {
  if (typeof source !== 'string') return verifyLines(source);
  const fs = options.fs ?? nodeFileSystem;
  if (!fs.existsSync(source)) {
    throw new ArtooError('ARTOO_LEDGER_NOT_FOUND', `There is no ledger at ${source}.`, { hint: 'Name the folder that the file ledger writes to, or one of its .jsonl files.' });
  }
  try {
    const single = source.endsWith(LOG_ENDING);
    const folder = single ? dirname(source) : source;
    return await verifyFolder(fs, folder, single ? [basename(source, LOG_ENDING)] : await taskStems(fs, folder));
  } catch (error) {
    throw storeError(error, 'read', source);
  }
}

async function verifyFolder(fs: LedgerFileSystem, folder: string, stems: readonly string[]): Promise<LedgerVerification> {
  const problems: LedgerFinding[] = [];
  const boot = bootId();
  let tasks = 0;
  let lines = 0;
  let torn = 0;
  for (const stem of stems) {
    const reading = await readLog(fs, folder, stem, boot);
    if (!reading) continue;
    tasks += 1;
    const { scan, problem, file } = reading;
    lines += scan.lines.length;
    if (scan.tornBytes > 0) torn += 1;
    if (problem) problems.push({ ...(scan.taskId === undefined ? {} : { taskId: scan.taskId }), file, line: problem.line, message: problem.message });
  }
  return { ok: problems.length === 0, tasks, lines, torn, problems };
}

function verifyLines(source: readonly (string | object)[]): LedgerVerification {
  let position = chainStart('');
  let taskId: string | undefined;
  for (const entry of source) {
    const line = position.line + 1;
    const raw = typeof entry === 'string' ? entry.replace(/\n$/, '') : rawLine(entry as ChainedLine);
    const checked = checkLine(raw, position, taskId);
    if ('message' in checked) {
      const problem = { ...(taskId === undefined ? {} : { taskId }), line, message: checked.message };
      return { ok: false, tasks: 1, lines: position.line, torn: 0, problems: [problem] };
    }
    taskId ??= checked.parsed.taskId;
    position = { line, hash: checked.hash, bytes: 0 };
  }
  return { ok: true, tasks: source.length === 0 ? 0 : 1, lines: position.line, torn: 0, problems: [] };
}
