import { join } from 'node:path';
import type { LedgerLine, LedgerTask } from '../../contracts/ledger.js';
import { scanChain, type ChainScan } from './chain.js';
import { HEAD_ENDING, LOG_ENDING } from './file-names.js';
import { errorCode, type LedgerFileSystem } from './file-system.js';
import { checkHead, missingLog, parseHead } from './head.js';
import type { LedgerProblem } from './ledger-errors.js';

/** A log as it was found: its good lines, and what is wrong with it if anything is. */
export interface LogReading { readonly file: string; readonly scan: ChainScan; readonly problem: LedgerProblem | undefined }

/** Reads the log and the head record of a task; undefined when there is nothing of it. */
export async function readLog(fs: LedgerFileSystem, folder: string, stem: string, boot: string): Promise<LogReading | undefined> {
  const file = join(folder, stem + LOG_ENDING);
  // The head first: lines that are written meanwhile only add to what it vouches for.
  const head = await readOptional(fs, join(folder, stem + HEAD_ENDING));
  const log = await readOptional(fs, file);
  const record = head === undefined ? { line: 0, message: 'its head record is missing.' } : parseHead(head);
  const scan = scanChain(log ?? new Uint8Array());
  if (log !== undefined) return { file, scan, problem: checkHead(scan, record, boot) };
  const problem = head === undefined ? undefined : missingLog(record);
  return problem ? { file, scan, problem } : undefined;
}

/** The file names, without ending, of the tasks in a folder; none when the folder is not there. */
export async function taskStems(fs: LedgerFileSystem, folder: string): Promise<readonly string[]> {
  try {
    const stems = (await fs.readdir(folder))
      .map((name) => [LOG_ENDING, HEAD_ENDING].find((ending) => name.endsWith(ending)) ? name.replace(/\.[^.]*$/, '') : undefined)
      .filter((stem) => stem !== undefined);
    return [...new Set(stems)].sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What `list` says of a log; undefined for one without a line. */
export function describeTask({ file, scan, problem }: LogReading): LedgerTask | undefined {
  const first = scan.lines[0];
  if (!first && !problem) return undefined;
  const facts = {
    // Without a readable first line the file's own name is all there is.
    taskId: scan.taskId ?? file,
    lines: scan.lines.length,
    startedAt: first?.at ?? 0,
    updatedAt: scan.lines.at(-1)?.at ?? 0,
  };
  if (problem) {
    const code = problem.newerVersion === undefined ? 'ARTOO_LEDGER_DAMAGED' : 'ARTOO_LEDGER_VERSION';
    return { ...facts, status: problem.newerVersion === undefined ? 'damaged' : 'parked', reason: `${code}: line ${problem.line}: ${problem.message}` };
  }
  return { ...facts, ...statusOf(scan.lines) };
}

function statusOf(lines: readonly LedgerLine[]): Pick<LedgerTask, 'status' | 'reason'> {
  const last = lines.findLast(({ kind }) => kind === 'task.end' || kind === 'task.parked' || kind === 'task.resume');
  if (last?.kind === 'task.end') return { status: 'finished' };
  if (last?.kind === 'task.parked') return { status: 'parked', reason: `${last.code}: ${last.message}` };
  return { status: 'running' };
}

async function readOptional(fs: LedgerFileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
