import { ArtooError } from '../contracts/errors.js';
import type { LedgerLine } from '../contracts/ledger.js';
import type { FinalResult } from '../contracts/messages.js';
import type { TaskOptions } from './task-options.js';
import { LEDGER_VERSION } from './task-scope.js';

/** Resumes in a row that recorded nothing before the task counts as one that brings its host down. */
const MOST_FRUITLESS_RESUMES = 10;

export type BeginLine = Extract<LedgerLine, { readonly kind: 'task.begin' }>;

/** What stands in `task.begin`: enough to run the task again under the same terms. */
export interface RecordedConfiguration { readonly limits: TaskOptions['limits']; readonly hyperparameters: TaskOptions['hyperparameters']; readonly stream: boolean }

/** The result of a task that is over, or undefined. */
export function recordedResult(lines: readonly LedgerLine[]): FinalResult | undefined {
  if (!lines.some((line) => line.kind === 'task.end')) return undefined;
  for (const line of lines) if (line.kind === 'message' && line.envelope.type === 'FinalResult') return line.envelope.payload;
  return undefined;
}

/** The first line, checked: without it nothing can be resumed. */
export function beginOf(taskId: string, lines: readonly LedgerLine[]): BeginLine {
  const newer = lines.find((line) => line.v > LEDGER_VERSION);
  if (newer) {
    throw new ArtooError('ARTOO_LEDGER_VERSION', `The record of ${taskId} was written by a newer version (${newer.v} against ${LEDGER_VERSION}).`, {
      hint: 'Resume it with the version of artoo that wrote it, or a newer one.',
    });
  }
  const first = lines[0];
  if (first?.kind !== 'task.begin') {
    throw new ArtooError('ARTOO_LEDGER_DAMAGED', `The record of ${taskId} does not begin with its beginning.`, {
      hint: 'Restore the ledger from a copy; other tasks are not affected.',
    });
  }
  return first;
}

/** A task that crashed its host again and again at the same place is left to the host. */
export function assertNotPoisoned(taskId: string, lines: readonly LedgerLine[]): void {
  let fruitless = 0;
  for (let index = lines.length - 1; index >= 0 && lines[index]!.kind === 'task.resume'; index--) fruitless += 1;
  if (fruitless < MOST_FRUITLESS_RESUMES) return;
  throw new ArtooError('ARTOO_TASK_POISONED', `${taskId} was resumed ${fruitless} times and got no further each time.`, {
    hint: 'Look at what it does at that place; start it anew when that is mended.',
  });
}
