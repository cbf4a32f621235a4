import type { ApprovalRequest } from './messages.js';

/** What a person is asked before something that can't be undone. */
export type ApprovalQuestion = ApprovalRequest & { readonly taskId: string };
/** The answer that settles a question: this once, this tool, effect and target prefix for the rest of the task, no. */
export type ApprovalDecision = 'allow' | 'deny' | 'allow-for-task';
/**
 * Answers a question. `later`: the task is parked once nothing else of it can go on, and `artoo.answer(approvalId, …)`
 * takes it up again, in another process and after a restart as well. Anything else, a throw among it, means deny.
 */
export type Confirm = (question: ApprovalQuestion) => ApprovalDecision | 'later' | Promise<ApprovalDecision | 'later'>;
/** Answers R1's questions, `answers[i]` to `questions[i]`; nothing means: go on as you understand it. */
export type Clarify = (questions: readonly string[], context: { readonly taskId: string }) => Answers | Promise<Answers>;
type Answers = readonly string[] | string | undefined;
