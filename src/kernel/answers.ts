import { ArtooError } from '../contracts/errors.js';
import type { LedgerLine } from '../contracts/ledger.js';
import type { ApprovalDecision, ApprovalQuestion } from '../contracts/people.js';

const DECISIONS: ReadonlySet<unknown> = new Set<ApprovalDecision>(['allow', 'deny', 'allow-for-task']);

/** The task that a question belongs to. Throws ARTOO_INVALID_ARGUMENT for an answer that is none, ARTOO_APPROVAL_UNKNOWN for an id that is none. */
export function readAnswer(approvalId: unknown, decision: unknown, reason: unknown): string {
  if (!DECISIONS.has(decision)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `${describe(decision)} is no answer.`, { hint: "Answer 'allow', 'deny' or 'allow-for-task'." });
  }
  if (reason !== undefined && typeof reason !== 'string') {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `The reason of an answer is a text, not ${reason === null ? 'null' : `of type ${typeof reason}`}.`, { hint: 'Pass { reason: \'…\' }, or leave it out.' });
  }
  const taskId = typeof approvalId === 'string' ? /^(.+)\/[^/]+\/approval\/\d+$/su.exec(approvalId)?.[1] : undefined;
  if (taskId === undefined) throw unknownQuestion(approvalId, 'it is no id of a question');
  return taskId;
}

/** The questions of a task that wait for an answer, oldest first. */
export function openQuestions(lines: readonly LedgerLine[]): readonly ApprovalQuestion[] {
  const asked = new Map<string, { readonly fingerprint: string; readonly expiresAt: number }>();
  const questions = new Map<string, ApprovalQuestion>();
  for (const line of lines) {
    if (line.kind === 'approval.asked') asked.set(line.approvalId, line);
    else if (line.kind === 'approval.answered' && asked.get(line.approvalId)?.fingerprint === line.fingerprint) asked.delete(line.approvalId);
    else if (line.kind === 'task.end') asked.clear();
    else if (line.kind === 'message' && line.envelope.type === 'ApprovalRequest') {
      questions.set(line.envelope.payload.approvalId, { ...line.envelope.payload, taskId: line.taskId });
    }
  }
  return [...asked].flatMap(([approvalId, { fingerprint, expiresAt }]) => {
    const question = questions.get(approvalId);
    // Put again, a question is the same message: only how long it stays open is new.
    return question?.fingerprint === fingerprint ? [{ ...question, expiresAt }] : [];
  });
}

/** What the record says about one question. Throws ARTOO_APPROVAL_UNKNOWN when it is not open, ARTOO_APPROVAL_EXPIRED when it no longer is. */
export function openQuestion(lines: readonly LedgerLine[], approvalId: string, now: number): { readonly fingerprint: string } {
  let asked: { readonly fingerprint: string; readonly expiresAt: number } | undefined;
  let answer: string | undefined;
  for (const line of lines) {
    if (line.kind === 'approval.asked' && line.approvalId === approvalId) {
      asked = line;
      answer = undefined;
    } else if (line.kind === 'approval.answered' && line.approvalId === approvalId) answer = line.decision;
    else if (line.kind === 'task.end') answer ??= asked && 'nothing: its task has ended';
  }
  if (!asked) throw unknownQuestion(approvalId, 'it was never put');
  if (answer !== undefined) throw answeredBefore(approvalId, answer);
  return assertInTime(approvalId, asked, now);
}

export function assertInTime<T extends { readonly expiresAt: number }>(approvalId: string, question: T, now: number): T {
  if (question.expiresAt > now) return question;
  throw new ArtooError('ARTOO_APPROVAL_EXPIRED', `The question ${approvalId} could be answered until ${new Date(question.expiresAt).toISOString()}.`, {
    hint: 'resume(taskId) puts it again; limits.approvalMs says how long a question stays open.',
  });
}

export function answeredBefore(approvalId: string, answer: string): ArtooError {
  return unknownQuestion(approvalId, `it was answered before, with ${answer}`);
}

export function unknownQuestion(approvalId: unknown, why: string): ArtooError {
  return new ArtooError('ARTOO_APPROVAL_UNKNOWN', `There is no open question ${describe(approvalId)}: ${why}.`, {
    hint: 'artoo.pending() shows the questions that are open.',
  });
}

function describe(given: unknown): string {
  return typeof given === 'string' ? JSON.stringify(given).slice(0, 300) : given === null || given === undefined ? String(given) : `of type ${typeof given}`;
}
