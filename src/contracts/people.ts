import type { ApprovalRequest } from './messages.js';

/** What a person is asked before something that can't be undone. */
export type ApprovalQuestion = ApprovalRequest & { readonly taskId: string };
/**
 * The answer: `allow` this once, `allow-for-task` this tool, effect and target prefix for the rest of the task, `deny`.
 * Anything else, a throw among it, means deny.
 */
export type ApprovalDecision = 'allow' | 'deny' | 'allow-for-task';
export type Confirm = (question: ApprovalQuestion) => ApprovalDecision | Promise<ApprovalDecision>;
/** Answers R1's questions, `answers[i]` to `questions[i]`; nothing means: go on as you understand it. */
export type Clarify = (questions: readonly string[], context: { readonly taskId: string }) => Answers | Promise<Answers>;
type Answers = readonly string[] | string | undefined;
