import type { ApprovalRequest, LawEvent } from '../../contracts/messages.js';
import type { Effect } from '../../contracts/names.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import type { Tool } from '../../contracts/tool.js';
import { canonicalJson, cleanText, headTail, isMasked, stringifyOutput, type Redactor } from '../../text/index.js';
import { approvalIdOf, Approvals, fingerprintOf } from './approval.js';
import type { Conversation } from './conversation.js';
import { inTime } from './in-time.js';
import { reasonToAsk, type ReasonToAsk } from './reason-to-ask.js';

export interface GateQuestion {
  readonly tool: Tool;
  readonly input: unknown;
  readonly target: string;
  readonly effect: Effect;
  readonly conversation: Conversation;
  /** An earlier run of this call has an unknown outcome. */
  readonly doubtful: boolean;
}
/** `bound`: what the yes was given to; it must still be so when the call is made. */
export type Permission = { readonly allowed: true; readonly bound?: string } | { readonly allowed: false; readonly text: string };

export interface GateServices {
  readonly task: TaskRuntime;
  readonly clock: Clock;
  readonly approvals: Approvals;
  readonly secrets: Redactor;
  /** Puts the question to the host; undefined when nobody listens. */
  readonly ask: ((question: ApprovalRequest) => void) | undefined;
  readonly say: (event: LawEvent, subtaskId: string) => void;
}

interface Decision { readonly decision: 'allow' | 'deny' | 'allow-for-task' | 'standing' | 'refused-before' | 'capped' | 'nobody'; readonly fingerprint: string; readonly reason?: string | undefined }

/** Questions to a person in one task; more would only train them to say yes. */
const MOST_QUESTIONS = 20;
const PREVIEW_CHARACTERS = 4_000;
/** Decisions that a person was asked for. */
const ASKED: ReadonlySet<Decision['decision']> = new Set(['allow', 'deny', 'allow-for-task']);

/**
 * Law 1: what can't be undone needs a yes to exactly that. Every decision is on record at its call's address, so that
 * a resumed run neither asks again nor acts on an answer to another question.
 */
export class Gate {
  constructor(private readonly services: GateServices) {}

  async ask(question: GateQuestion): Promise<Permission> {
    const { tool, effect, target, conversation, doubtful } = question;
    const { subtask } = conversation;
    const { task, approvals, secrets } = this.services;
    const influencedBy = task.influence('R3', subtask.subtaskId);
    const outward = outwardOf(tool, question.input);
    const why = reasonToAsk({
      effect, doubtful, outward, influencedBy, cautious: subtask.cautionTools.includes(tool.name),
      // A mask stands where a record kept a secret from us.
      secret: outward.length > 0 && (secrets.finds(outward) || outward.some(isMasked)), trustedTexts: task.trustedTexts,
    });
    if (!why) return { allowed: true };
    const preview = await this.recordedPreview(question);
    const fingerprint = await this.fingerprint(question, preview);
    let live = false;
    const settled = await task.effect<Decision>(
      { role: 'R3', subtaskId: subtask.subtaskId, kind: 'gate' }, { subject: await this.recordedSubject(question, fingerprint), doubtful },
      () => {
        live = true;
        return this.decide(question, fingerprint, why, preview, influencedBy);
      },
    );
    // A question of before a restart counts and has its number, or the next one would take its place.
    if (!live && ASKED.has(settled.decision)) {
      approvals.asked += 1;
      conversation.questions += 1;
    }
    // Once untrusted text has come in, a yes is to this one call, whatever it was meant for.
    const lasting = settled.decision === 'allow-for-task' && !influencedBy;
    approvals.note(fingerprint, lasting ? 'allow-for-task' : settled.decision === 'deny' ? 'deny' : 'allow', { tool: tool.name, effect, target });
    return this.conclude({ ...settled, fingerprint }, question, why.reason);
  }

  private async decide(question: GateQuestion, fingerprint: string, why: ReasonToAsk, preview: string, influencedBy: readonly string[] | undefined): Promise<Decision> {
    const { task, approvals, ask } = this.services;
    const { tool, effect, target, conversation } = question;
    if (approvals.isRefused(fingerprint)) return { decision: 'refused-before', fingerprint };
    if (!why.always && approvals.stands(tool.name, effect, target)) return { decision: 'standing', fingerprint };
    if (approvals.asked >= MOST_QUESTIONS) return { decision: 'capped', fingerprint };
    const approvalId = approvalIdOf(task.taskId, conversation.subtask, conversation.questions);
    const put = ask && ((expiresAt: number): void => ask({
      approvalId, fingerprint, subtaskId: conversation.subtask.subtaskId, tool: tool.name, input: question.input, effect,
      target: cleanText(target), reason: why.reason, preview, expiresAt, ...(influencedBy ? { influencedBy: influencedBy.map((source) => cleanText(source)) } : {}),
    }));
    if (put) approvals.asked += 1;
    const masked = isMasked(canonicalJson(question.input));
    const reply = await task.question({ approvalId, fingerprint, ...(masked ? { masked } : {}) }, put, () => approvals.wait(approvalId, fingerprint));
    if (!reply) return { decision: 'nobody', fingerprint };
    if (!put) approvals.asked += 1;
    conversation.questions += 1;
    return { decision: reply.decision === 'later' ? 'deny' : reply.decision, fingerprint, reason: reply.reason };
  }

  /** A line that the result must carry. */
  disclose(what: string, { tool, target }: { readonly tool: string; readonly target: string }, subtaskId: string): void {
    this.services.say({ law: 0, what, decision: 'disclosed', tool, target }, subtaskId);
  }

  private conclude(settled: Decision, question: GateQuestion, reason: string): Permission {
    const { tool, target, conversation } = question;
    const allowed = settled.decision === 'allow' || settled.decision === 'allow-for-task' || settled.decision === 'standing';
    const what = `${tool.name} on ${headTail(cleanText(target), { max: 200 })}`;
    this.services.say({ law: 1, what: `${what}: ${reason}${settled.reason === undefined ? '' : ` (${headTail(cleanText(settled.reason), { max: 300 })})`}`, decision: settled.decision, tool: tool.name, target }, conversation.subtask.subtaskId);
    if (allowed) return { allowed: true, bound: settled.fingerprint };
    const why = {
      deny: settled.reason ? `was denied: ${settled.reason}` : 'was denied',
      'refused-before': 'was denied before and is not asked again',
      capped: 'needs a confirmation, and no more questions may be asked in this task',
      nobody: 'needs a confirmation, and nobody is there to give it',
    }[settled.decision as 'deny' | 'refused-before' | 'capped' | 'nobody'];
    return { allowed: false, text: `[LAW1] ${what} ${why}. Don't try to reach the same end by other means.` };
  }

  /** Is everything still as it was when the yes was given? Time has passed since, and the process may be another one. */
  async stillBound(question: GateQuestion, bound: string): Promise<boolean> {
    return await this.fingerprint(question, await this.preview(question)) === bound;
  }

  private fingerprint({ tool, input, effect, target }: GateQuestion, preview: string): Promise<string> {
    const { task } = this.services;
    return task.during(() => fingerprintOf({
      taskId: task.taskId, nonce: task.nonce, tool: tool.name, description: tool.description, inputSchema: tool.inputSchema,
      input, effect, target, root: (tool.workspace ?? task.workspace)?.root ?? '',
      // A preview comes back from the record with masks in it.
      preview: this.services.secrets.text(preview),
    }));
  }

  /**
   * By what the record knows the call again. It holds masks in the place of secrets, so they must say the same as the
   * secrets did; what a yes is bound to is the fingerprint, which covers the call as it is.
   */
  private async recordedSubject(question: GateQuestion, fingerprint: string): Promise<string> {
    const input = this.services.secrets.value(question.input);
    const hides = input !== question.input || isMasked(canonicalJson(input));
    return hides ? this.fingerprint({ ...question, input, target: '' }, '') : fingerprint;
  }

  private async recordedPreview(question: GateQuestion): Promise<string> {
    const { tool, input, conversation } = question;
    if (!tool.preview) return this.preview(question);
    return this.services.task.effect(
      { role: 'R3', subtaskId: conversation.subtask.subtaskId, kind: 'gate' }, { preview: tool.name, input }, () => this.preview(question),
    );
  }

  /** What the person is shown: the tool's own preview, else the input; never raw control or bidi characters. */
  private async preview({ tool, input }: GateQuestion): Promise<string> {
    const { task, clock } = this.services;
    let shown: unknown;
    try {
      shown = !tool.preview ? stringifyOutput(input)
        : await inTime(tool, 'preview', { clock, signal: task.signal }, (signal) => tool.preview!(input as never, { signal, workspace: tool.workspace ?? task.workspace }));
    } catch (error) {
      shown = `(no preview: ${error instanceof Error ? error.message : String(error)})`;
    }
    return headTail(cleanText(String(shown)), { max: PREVIEW_CHARACTERS });
  }
}

/** A tool whose function fails says nothing about what it sends: then all of its input may leave. */
function outwardOf(tool: Tool, input: unknown): readonly string[] {
  if (!tool.outward) return [];
  try {
    const texts: unknown = tool.outward(input as never);
    if (texts === undefined) return [];
    if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  } catch {
    // Falls through to the careful answer.
  }
  return [stringifyOutput(input)];
}
