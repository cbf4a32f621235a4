import type { ApprovalReply, SubTask } from '../../contracts/messages.js';
import type { Effect } from '../../contracts/names.js';
import { canonicalJson } from '../../text/index.js';

/** What a question is about; its fingerprint binds the answer to exactly this. */
export interface ApprovalSubject {
  readonly taskId: string;
  readonly nonce: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly input: unknown;
  readonly effect: Effect;
  readonly target: string;
  readonly root: string;
  readonly preview: string;
}

/** SHA-256 over all that the answer is bound to, in hex. */
export function fingerprintOf(subject: ApprovalSubject): Promise<string> {
  return sha256(canonicalJson(subject));
}

/** In hex. */
export async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What was answered in this task, so that nobody is asked twice and a standing permission is found. */
export class Approvals {
  private readonly refused = new Set<string>();
  private readonly standing: { readonly tool: string; readonly effect: Effect; readonly target: string }[] = [];
  private readonly waiting = new Map<string, { readonly fingerprint: string; readonly resolve: (reply: ApprovalReply) => void }>();
  asked = 0;

  isRefused(fingerprint: string): boolean {
    return this.refused.has(fingerprint);
  }

  stands(tool: string, effect: Effect, target: string): boolean {
    return this.standing.some((grant) => grant.tool === tool && grant.effect === effect && target.startsWith(grant.target));
  }

  note(fingerprint: string, decision: ApprovalReply['decision'], grant: { readonly tool: string; readonly effect: Effect; readonly target: string }): void {
    if (decision === 'deny') this.refused.add(fingerprint);
    if (decision === 'allow-for-task') this.standing.push(grant);
  }

  /** The first valid answer to a question counts. */
  wait(approvalId: string, fingerprint: string): Promise<ApprovalReply> {
    return new Promise((resolve) => this.waiting.set(approvalId, { fingerprint, resolve }));
  }

  /** Hands an answer to who waits for it; else says why it doesn't count. */
  answer(reply: ApprovalReply): string | undefined {
    const question = this.waiting.get(reply.approvalId);
    if (!question) return 'nobody waits for this answer: it was given before, or never asked for';
    if (question.fingerprint !== reply.fingerprint) return 'the answer is to another question';
    this.waiting.delete(reply.approvalId);
    question.resolve(reply);
    return undefined;
  }
}

/** Says which task a question belongs to, so that an answer finds it after a restart. */
export function approvalIdOf(taskId: string, subtask: Pick<SubTask, 'subtaskId'>, count: number): string {
  return `${taskId}/${subtask.subtaskId}/approval/${count}`;
}
