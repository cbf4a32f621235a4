import type { ApprovalRequest, LawEvent } from '../../contracts/messages.js';
import type { Effect } from '../../contracts/names.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import type { Tool } from '../../contracts/tool.js';
import { runWithTimeout } from '../../signals/index.js';
import { cleanText, headTail, stringifyOutput } from '../../text/index.js';
import { approvalIdOf, Approvals, fingerprintOf } from './approval.js';
import type { Conversation } from './conversation.js';
import { inTime } from './in-time.js';

export interface GateQuestion {
  readonly tool: Tool;
  readonly input: unknown;
  readonly target: string;
  readonly effect: Effect;
  readonly conversation: Conversation;
  /** An earlier run of this call has an unknown outcome. */
  readonly doubtful: boolean;
}
export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly text: string };

export interface GateServices {
  readonly task: TaskRuntime;
  readonly clock: Clock;
  readonly approvals: Approvals;
  /** Puts the question to the host; undefined when nobody listens. */
  readonly ask: ((question: ApprovalRequest) => void) | undefined;
  readonly say: (event: LawEvent, subtaskId: string) => void;
}

interface Decision { readonly decision: 'allow' | 'deny' | 'allow-for-task' | 'standing' | 'refused-before' | 'capped' | 'nobody'; readonly fingerprint: string; readonly reason?: string | undefined }

/** Questions to a person in one task; more would only train them to say yes. */
const MOST_QUESTIONS = 20;
const PREVIEW_CHARACTERS = 4_000;

/**
 * Law 1: what can't be undone needs a yes to exactly that. Every decision is on record at its call's address, so that
 * a resumed run neither asks again nor acts on an answer to another question.
 */
export class Gate {
  constructor(private readonly services: GateServices) {}

  async ask(question: GateQuestion): Promise<Permission> {
    const { tool, effect, target, conversation, doubtful } = question;
    const { subtask } = conversation;
    const cautious = subtask.cautionTools.includes(tool.name);
    if (effect !== 'irreversible' && !cautious && !doubtful) return { allowed: true };
    const reason = doubtful ? 'its earlier outcome is unknown' : cautious && effect !== 'irreversible' ? 'experience with this tool is mixed' : 'it cannot be undone';
    const { task, approvals } = this.services;
    const preview = await this.preview(question);
    const subject = {
      taskId: task.taskId, nonce: task.nonce, tool: tool.name, description: tool.description, inputSchema: tool.inputSchema,
      input: question.input, effect, target, root: (tool.workspace ?? task.workspace)?.root ?? '', preview,
    };
    const fingerprint = await fingerprintOf(subject);
    const settled = await task.effect<Decision>(
      { role: 'R3', subtaskId: subtask.subtaskId, kind: 'gate' }, { fingerprint, doubtful },
      () => this.decide(question, fingerprint, reason, preview),
    );
    approvals.note(fingerprint, settled.decision === 'allow-for-task' ? 'allow-for-task' : settled.decision === 'deny' ? 'deny' : 'allow', { tool: tool.name, effect, target });
    return this.conclude(settled, question, reason);
  }

  private async decide(question: GateQuestion, fingerprint: string, reason: string, preview: string): Promise<Decision> {
    const { task, clock, approvals, ask } = this.services;
    const { tool, effect, target, conversation, doubtful } = question;
    if (approvals.isRefused(fingerprint)) return { decision: 'refused-before', fingerprint };
    if (!doubtful && approvals.stands(tool.name, effect, target)) return { decision: 'standing', fingerprint };
    if (!ask) return { decision: 'nobody', fingerprint };
    if (approvals.asked >= MOST_QUESTIONS) return { decision: 'capped', fingerprint };
    approvals.asked += 1;
    const approvalId = approvalIdOf(conversation.subtask, conversation.questions++);
    const answered = approvals.wait(approvalId);
    const reply = await task.waitForHuman(() => {
      ask({
        approvalId, fingerprint, subtaskId: conversation.subtask.subtaskId, tool: tool.name, input: question.input, effect,
        target: cleanText(target), reason, preview,
      });
      return runWithTimeout({ clock, ms: Infinity, signal: task.signal, run: () => answered, onTimeout: () => new Error('unreachable') });
    });
    if (reply.fingerprint !== fingerprint) return { decision: 'deny', fingerprint, reason: 'the answer was to another question' };
    return { decision: reply.decision === 'later' ? 'deny' : reply.decision, fingerprint, reason: reply.reason };
  }

  private conclude(settled: Decision, question: GateQuestion, reason: string): Permission {
    const { tool, target, conversation } = question;
    const allowed = settled.decision === 'allow' || settled.decision === 'allow-for-task' || settled.decision === 'standing';
    const what = `${tool.name} on ${headTail(cleanText(target), { max: 200 })}`;
    this.services.say({ law: 1, what: `${what}: ${reason}`, decision: settled.decision, tool: tool.name, target }, conversation.subtask.subtaskId);
    if (allowed) return { allowed: true };
    const why = {
      deny: settled.reason ? `was denied: ${settled.reason}` : 'was denied',
      'refused-before': 'was denied before and is not asked again',
      capped: 'needs a confirmation, and no more questions may be asked in this task',
      nobody: 'needs a confirmation, and nobody is there to give it',
    }[settled.decision as 'deny' | 'refused-before' | 'capped' | 'nobody'];
    return { allowed: false, text: `[LAW1] ${what} ${why}. Don't try to reach the same end by other means.` };
  }

  /** What the person is shown: the tool's own preview, else the input; never raw control or bidi characters. */
  private async preview({ tool, input, conversation }: GateQuestion): Promise<string> {
    const { task, clock } = this.services;
    const shown = !tool.preview ? stringifyOutput(input) : await task.effect(
      { role: 'R3', subtaskId: conversation.subtask.subtaskId, kind: 'gate' }, { preview: tool.name, input },
      async () => {
        try {
          return await inTime(tool, 'preview', { clock, signal: task.signal }, (signal) => tool.preview!(input as never, { signal, workspace: tool.workspace ?? task.workspace }));
        } catch (error) {
          return `(no preview: ${error instanceof Error ? error.message : String(error)})`;
        }
      },
    );
    return headTail(cleanText(shown), { max: PREVIEW_CHARACTERS });
  }
}
