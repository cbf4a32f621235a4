import { ArtooError } from '../../contracts/errors.js';
import { errorCode } from './file-system.js';

const HINTS: Readonly<Record<string, string>> = {
  EROFS: 'The file system is read-only: choose a folder that can be written.',
  EACCES: 'The process may not write there: check owner and mode of the folder.',
  EPERM: 'The process may not write there: check owner, mode and attributes of the folder.',
  EMFILE: 'The process has too many files open: raise its limit or lower the ledger\'s maxOpenFiles.',
  ENFILE: 'The machine has too many files open: raise its limit.',
  EIO: 'The device failed: check it, then reopen the ledger, which verifies what was kept.',
  ENOENT: 'A folder or file of the ledger was removed while it was in use: restore it or choose another folder.',
  ENOTDIR: 'Part of the path is a file: choose another folder.',
};

/** The error that a failed call of the file system becomes. What is an ArtooError already stays as it is. */
export function storeError(error: unknown, action: string, path: string): ArtooError {
  if (ArtooError.is(error)) return error;
  const code = errorCode(error);
  const details = { path, ...(code === undefined ? {} : { systemCode: code }) };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ArtooError('ARTOO_STORE_FULL', `No space left to ${action} ${path}.`, {
      cause: error, details, hint: 'Free space, then reopen the ledger (or acquire the task again) and resume.',
    });
  }
  return new ArtooError('ARTOO_LEDGER_WRITE', `Could not ${action} ${path}${code === undefined ? '' : ` (${code})`}.`, {
    cause: error, details,
    hint: (code !== undefined && HINTS[code]) || 'Look at the cause; once it is gone, reopen the ledger and resume the task.',
  });
}

/** What is wrong with a record: at which line (from 1; 0 for its head record) and why. */
export interface LedgerProblem { readonly line: number; readonly message: string; readonly newerVersion?: number }

/** ARTOO_LEDGER_DAMAGED or, for a line that a newer library wrote, ARTOO_LEDGER_VERSION. */
export function problemError(problem: LedgerProblem, file: string, taskId: string): ArtooError {
  const details = { file, line: problem.line, taskId };
  if (problem.newerVersion !== undefined) {
    return new ArtooError('ARTOO_LEDGER_VERSION', `Line ${problem.line} of ${file}: ${problem.message}`, {
      details: { ...details, version: problem.newerVersion }, hint: 'Update artoo to read this record.',
    });
  }
  return new ArtooError('ARTOO_LEDGER_DAMAGED', `Line ${problem.line} of ${file}: ${problem.message}`, {
    details, hint: 'Do not resume this task. Restore the file from a backup, or read it by hand and start a new task.',
  });
}

export function notFound(taskId: string, where: string): ArtooError {
  return new ArtooError('ARTOO_LEDGER_NOT_FOUND', `No record of task ${JSON.stringify(taskId.slice(0, 200))} in ${where}.`, {
    hint: 'list() names the tasks that are there.',
  });
}
