import type { RolePort } from '../contracts/bus.js';
import type { Envelope } from '../contracts/envelope.js';
import type { Clock } from '../contracts/runtime.js';
import type { Clarify, Confirm } from '../contracts/people.js';
import { runWithTimeout } from '../signals/index.js';
import type { Engine } from './engine.js';
import type { TaskScope } from './task-scope.js';

/** Where questions to people are put: approvals at the host's port, clarifications at the user's. */
export function attachPeople(engine: Engine, clock: Clock, handlers: { readonly confirm: Confirm | undefined; readonly clarify: Clarify | undefined }): void {
  if (handlers.confirm) attachConfirm(engine.port('host'), engine, clock, handlers.confirm);
  if (handlers.clarify) attachClarify(engine.port('user'), engine, clock, handlers.clarify);
}

function attachConfirm(port: RolePort, engine: Engine, clock: Clock, confirm: Confirm): void {
  port.subscribe('ApprovalRequest', async (message) => {
    const task = engine.task(message.taskId);
    if (!task) return;
    // A handler may never answer: once somebody else has, or its time is over, nothing waits for it.
    await Promise.race([putTo(confirm, message, { port, task, clock }), task.questions.over(message.payload.approvalId)]);
  });
}

async function putTo(confirm: Confirm, message: Envelope<'ApprovalRequest'>, { port, task, clock }: { readonly port: RolePort; readonly task: TaskScope; readonly clock: Clock }): Promise<void> {
  const { approvalId, fingerprint, subtaskId } = message.payload;
  let decision: string;
  let reason: string | undefined;
  try {
    decision = await untilStopped(clock, task.signal, () => confirm({ ...message.payload, taskId: message.taskId }));
    if (!DECISIONS.has(decision)) reason = `the answer ${JSON.stringify(decision)} is none of allow, deny, allow-for-task, later`;
  } catch (error) {
    if (task.signal.aborted) return;
    decision = 'deny';
    reason = `confirm() failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  port.publish({
    type: 'ApprovalReply', taskId: message.taskId, causeId: message.id, subtaskId,
    payload: { approvalId, fingerprint, decision: DECISIONS.has(decision) ? (decision as 'allow') : 'deny', ...(reason === undefined ? {} : { reason }) },
  });
}

const DECISIONS: ReadonlySet<string> = new Set(['allow', 'deny', 'allow-for-task', 'later']);

function attachClarify(port: RolePort, engine: Engine, clock: Clock, clarify: Clarify): void {
  port.subscribe('ClarificationRequest', async (message) => {
    const task = engine.task(message.taskId);
    if (!task) return;
    const { questions, round } = message.payload;
    const answers = await task.effect({ role: 'user', kind: 'clarify' }, message.payload, () => task.waitForHuman(async () => {
      try {
        const said = await untilStopped(clock, task.signal, () => clarify(questions, { taskId: message.taskId }));
        return said === undefined || said === null ? [] : typeof said === 'string' ? [said] : [...said].map(String);
      } catch (error) {
        if (task.signal.aborted) throw error;
        // A handler that fails has no answer: R1 goes on with what it understood.
        return [];
      }
    }));
    task.trust(answers);
    port.publish({ type: 'ClarificationReply', taskId: message.taskId, causeId: message.id, payload: { answers, round } });
  });
}

/** Waits as long as it takes, but not for a task that is over. */
function untilStopped<T>(clock: Clock, signal: AbortSignal, ask: () => T | Promise<T>): Promise<T> {
  return runWithTimeout<T>({ clock, ms: Infinity, signal, run: async () => ask(), onTimeout: () => new Error('a wait without a limit ended') });
}
