import { ArtooError } from '../contracts/errors.js';
import type { Ledger, LedgerTask } from '../contracts/ledger.js';
import type { ApprovalDecision, ApprovalQuestion } from '../contracts/people.js';
import type { Clock } from '../contracts/runtime.js';
import { openQuestion, openQuestions, unknownQuestion } from './answers.js';
import { LEDGER_VERSION } from './task-scope.js';

/** A task without a result, and the questions that wait for an answer. */
export interface PendingTask extends LedgerTask { readonly questions: readonly ApprovalQuestion[] }

/** The open questions of a task; none where its record can't be read, which its status says. */
export async function questionsOf(ledger: Ledger, { taskId, status }: LedgerTask): Promise<readonly ApprovalQuestion[]> {
  if (status === 'damaged') return [];
  try {
    return openQuestions(await ledger.read(taskId));
  } catch {
    return [];
  }
}

export interface AnswerToRecord {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly taskId: string;
  readonly approvalId: string;
  readonly answer: { readonly decision: ApprovalDecision; readonly reason?: string };
}

/** Why a task that runs has no use for an answer. */
export async function refuseAnswer({ ledger, clock, taskId, approvalId }: Omit<AnswerToRecord, 'answer'>): Promise<never> {
  openQuestion(await ledger.read(taskId), approvalId, clock.now());
  throw unknownQuestion(approvalId, 'its task has gone on without it');
}

/** Adds an answer to the record of a task that rests. Rejects when no such question is open. */
export async function recordAnswer({ ledger, clock, taskId, approvalId, answer }: AnswerToRecord): Promise<void> {
  await ledger.acquire?.(taskId);
  try {
    const lines = await ledger.read(taskId);
    const at = clock.now();
    const { fingerprint } = openQuestion(lines, approvalId, at);
    await ledger.append({
      v: LEDGER_VERSION, taskId, at, elapsedMs: lines.at(-1)?.elapsedMs ?? 0, kind: 'approval.answered', approvalId, fingerprint, ...answer,
    }, { sync: true });
  } catch (error) {
    await ledger.release?.(taskId);
    if (ArtooError.is(error)) throw error;
    throw new ArtooError('ARTOO_LEDGER_WRITE', 'The ledger could not keep the answer.', { cause: error, hint: 'Mend the ledger and answer again: the question is still open.' });
  }
}
