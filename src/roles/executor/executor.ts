import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import type { LLMMessage, LLMReply } from '../../contracts/llm.js';
import type { CorrectionSignal, ExecutionResult, StepFailure, SubTask } from '../../contracts/messages.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import type { SandboxPolicy, Tool } from '../../contracts/tool.js';
import { createRedactor, fence, headTail, stringifyOutput, type Redactor } from '../../text/index.js';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry.js';
import { ask, Role, type ModelRoleOptions } from '../role.js';
import { systemClock } from '../../signals/system-clock.js';
import { Approvals } from './approval.js';
import { callTool, type CallOutcome } from './call-tool.js';
import type { Conversation } from './conversation.js';
import { Gate } from './gate.js';
import { correctionPrompt, EXECUTOR_JSON_SYSTEM, EXECUTOR_SYSTEM, executorPrompt } from './prompt.js';
import { readReply, type ExecutorStep } from './read-reply.js';
import { safeCall, type CallRequest } from './safe-call.js';

export interface ExecutorOptions extends ModelRoleOptions {
  readonly tools?: readonly Tool[] | ToolRegistry;
  readonly clock?: Clock;
  /** Tells secrets apart: what holds one never leaves unasked. Default: the common shapes of keys. */
  readonly secrets?: Redactor;
  readonly sandbox?: SandboxPolicy | undefined;
}

interface State { readonly conversations: Map<string, Conversation>; readonly begun: Set<string>; readonly approvals: Approvals }

type Ending = Pick<ExecutionResult, 'status' | 'output'> & { readonly failure?: StepFailure; readonly infeasible?: boolean };

/** Replies in a row that can't be used before the attempt fails. */
const MOST_UNUSABLE = 3;
/** Calls in one reply that are carried out; the rest are refused. */
const MOST_CALLS_AT_ONCE = 20;
/** A longer output goes on with head and tail, and says so. */
const OUTPUT_CHARACTERS = 200_000;

/**
 * R3: carries out one subtask with the tools on its allow-list, through the gate, and reports what came of it.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { Executor } from 'artoo/roles';
 * const bus = createBus();
 * new Executor({ llm, tools: [clock] }).attach(rolePort(bus, 'R3'));
 */
export class Executor extends Role<State> {
  readonly id = 'R3';
  private readonly registry: ToolRegistry;
  private readonly clock: Clock;
  private readonly native: boolean;
  private readonly secrets: Redactor;

  constructor(private readonly options: ExecutorOptions) {
    super(options);
    const { tools = [] } = options;
    this.registry = 'describe' in tools ? tools : createToolRegistry(tools);
    this.clock = options.clock ?? systemClock;
    this.secrets = options.secrets ?? createRedactor();
    this.native = options.llm.capabilities?.tools === true;
  }

  protected createState(): State {
    return { conversations: new Map(), begun: new Set(), approvals: new Approvals() };
  }

  protected listen(port: RolePort): void {
    port.subscribe('SubTask', (message) => this.begin(message));
    port.subscribe('CorrectionSignal', (message) => this.correct(message));
    port.subscribe('ApprovalReply', (message) => {
      const task = this.task(message.taskId);
      const problem = task && this.stateOf(task).approvals.answer(message.payload);
      if (problem !== undefined) task?.record({ kind: 'law', law: 1, what: `${message.payload.approvalId}: ${problem}`, decision: 'answer refused' });
    });
    port.subscribe('SubTaskOutcome', (message) => {
      const task = this.task(message.taskId);
      if (task) this.stateOf(task).conversations.delete(message.payload.subtaskId);
    });
  }

  private async begin(message: Envelope<'SubTask'>): Promise<void> {
    const task = this.task(message.taskId);
    if (!task) return;
    const subtask = message.payload;
    // Once each, also when another message brings it again.
    if (this.stateOf(task).begun.has(subtask.subtaskId)) return;
    this.stateOf(task).begun.add(subtask.subtaskId);
    const tools = this.registry.describe(subtask.tools.filter((name) => !subtask.blockedTools.includes(name)));
    const conversation: Conversation = {
      subtask, tools, messages: [{ role: 'user', content: executorPrompt(subtask, this.native ? undefined : tools) }],
      toolCalls: [], known: new Map(), doubtful: new Set(), attempt: 1, calls: 0, writes: 0, shown: 0, questions: 0,
    };
    this.stateOf(task).conversations.set(subtask.subtaskId, conversation);
    this.tell(task.taskId, subtask.intent, subtask.subtaskId);
    await this.attempt(task, conversation, message);
  }

  private async correct(message: Envelope<'CorrectionSignal'>): Promise<void> {
    const task = this.task(message.taskId);
    const conversation = task && this.stateOf(task).conversations.get(message.payload.subtaskId);
    // A correction of another attempt than the last one is late: two attempts at once would share one conversation.
    if (!task || !conversation || message.payload.attemptNumber !== conversation.attempt) return;
    conversation.attempt += 1;
    conversation.messages.push({ role: 'user', content: correctionPrompt(fencedCorrection(message.payload, task.nonce)) });
    await this.attempt(task, conversation, message);
  }

  private async attempt(task: TaskRuntime, conversation: Conversation, cause: Envelope): Promise<void> {
    let ending: Ending;
    try {
      ending = await this.work(task, conversation);
    } catch (error) {
      if (task.signal.aborted || !ArtooError.is(error) || error.code.startsWith('ARTOO_LEDGER') || error.code === 'ARTOO_BUDGET') throw error;
      ending = { status: 'failed', output: null, failure: { code: error.code, class: 'environmental', infrastructure: true } };
    }
    const { subtask, attempt, toolCalls } = conversation;
    this.port.publish({
      type: 'ExecutionResult', taskId: task.taskId, causeId: cause.id,
      payload: { subtaskId: subtask.subtaskId, attempt, toolCalls: [...toolCalls], ...ending },
    });
  }

  /** Turn for turn: ask the model, carry out what it asks for, until it ends or the attempt can't go on. */
  private async work(task: TaskRuntime, conversation: Conversation): Promise<Ending> {
    let callsLeft = task.limits.toolCalls;
    let unusable = 0;
    let maxOutputTokens: number | undefined;
    for (;;) {
      const reply = await this.askModel(task, conversation, maxOutputTokens);
      const step = readReply(reply);
      if (step.kind === 'end') {
        conversation.messages.push({ role: 'assistant', content: reply.text });
        return endingOf(step);
      }
      if (step.kind === 'unusable') {
        if (++unusable >= MOST_UNUSABLE) return failed('ARTOO_STRUCTURED_OUTPUT', `the model gave no usable reply: ${step.problem}`);
        if (reply.finishReason === 'length') maxOutputTokens = 2 * (maxOutputTokens ?? 4_096);
        // A cut or withheld reply is not shown back: it would be continued instead of said again.
        conversation.messages.push({ role: 'user', content: `That reply can't be used: ${step.problem}. Answer again.` });
        continue;
      }
      unusable = 0;
      if (callsLeft <= 0) return failed('ARTOO_TOOL_FAILED', `the limit of ${task.limits.toolCalls} tool calls in one attempt is reached`);
      const fatal = await this.carryOut(task, conversation, step, callsLeft);
      callsLeft -= step.calls.length;
      if (fatal !== undefined) return failed('ARTOO_TOOL_FAILED', fatal);
      if (callsLeft <= 0) conversation.messages.push({ role: 'user', content: 'No further tool calls are possible. End now with what you have.' });
    }
  }

  private askModel(task: TaskRuntime, conversation: Conversation, maxOutputTokens: number | undefined): Promise<LLMReply> {
    const { subtask, tools, messages } = conversation;
    return ask(this.options.llm, task, {
      role: 'R3', taskId: task.taskId, subtaskId: subtask.subtaskId,
      system: this.native ? EXECUTOR_SYSTEM : EXECUTOR_JSON_SYSTEM,
      messages: [...messages],
      ...(this.native && tools.length > 0 ? { tools } : {}),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
  }

  /** Carries out the calls of one reply in their order and shows the model their results. */
  private async carryOut(task: TaskRuntime, conversation: Conversation, step: ExecutorStep & { kind: 'calls' }, callsLeft: number): Promise<string | undefined> {
    const { messages, subtask } = conversation;
    const calls = step.calls.map((call) => safeCall(call, `${subtask.subtaskId.slice(0, 8)}-${++conversation.calls}`));
    messages.push(step.native
      ? { role: 'assistant', content: step.text, toolCalls: calls }
      : { role: 'assistant', content: JSON.stringify({ tool: calls[0]!.name, input: calls[0]!.input }) });
    const gate = this.gate(task, subtask);
    let fatal: string | undefined;
    for (const [index, call] of calls.entries()) {
      if (fatal !== undefined || index >= Math.min(callsLeft, MOST_CALLS_AT_ONCE)) {
        messages.push(answer(step.native, call, 'Not carried out: too many calls at once.'));
        continue;
      }
      const outcome = await callTool(call, conversation, {
        task, clock: this.clock, sandbox: this.options.sandbox, tool: (name) => this.registry.get(name), gate, log: (line) => this.tell(task.taskId, line, subtask.subtaskId),
      });
      conversation.toolCalls.push(outcome.record);
      if (outcome.foreign && !outcome.vouchedFor) task.taint('R3', subtask.subtaskId, sourceOf(outcome));
      for (const line of outcome.disclosed ?? []) gate.disclose(line, outcome.record, subtask.subtaskId);
      messages.push(answer(step.native, call, shown(outcome, call, task.nonce)));
      fatal = outcome.fatal;
    }
    return fatal;
  }

  private gate(task: TaskRuntime, subtask: SubTask): Gate {
    const { approvals } = this.stateOf(task);
    const canAsk = this.port.listens('ApprovalRequest');
    return new Gate({
      task, clock: this.clock, approvals, secrets: this.secrets,
      ask: canAsk ? (question) => this.port.publish({ type: 'ApprovalRequest', taskId: task.taskId, payload: question }) : undefined,
      say: (event) => this.port.publish({ type: 'LawEvent', taskId: task.taskId, subtaskId: subtask.subtaskId, payload: event }),
    });
  }
}

/** Where text came from, in one line for who is asked about what it led to. */
function sourceOf({ record }: CallOutcome): string {
  return `${record.tool} ${headTail(record.target.replaceAll('\n', ' '), { max: 160 })}`;
}

function endingOf(step: ExecutorStep & { kind: 'end' }): Ending {
  const long = typeof step.output === 'string' || step.size > OUTPUT_CHARACTERS;
  return { status: step.status, output: long ? headTail(stringifyOutput(step.output), { max: OUTPUT_CHARACTERS }) : step.output, ...(step.infeasible ? { infeasible: true } : {}) };
}

function failed(code: string, message: string): Ending {
  return { status: 'failed', output: message, failure: { code, class: 'logical', infrastructure: false } };
}

function shown(outcome: CallOutcome, call: CallRequest, nonce: string): string {
  if (!outcome.foreign) return outcome.text;
  const head = outcome.note ?? (outcome.record.ok ? '' : 'The call failed.\n');
  return head + fence({ label: `output of ${outcome.record.tool}`, text: outcome.text, nonce, address: call.id });
}

function answer(native: boolean, call: CallRequest, content: string): LLMMessage {
  return native ? { role: 'tool', toolCallId: call.id, content } : { role: 'user', content: `Result of ${call.name}:\n${content}` };
}

/** What was wrong is quoted from a model that read tool output: it stays data here. */
function fencedCorrection(correction: CorrectionSignal, nonce: string): CorrectionSignal {
  const mark = (text: string, part: string): string => fence({ label: part, text, nonce, address: `${correction.subtaskId} ${correction.attemptNumber} ${part}` });
  return { ...correction, whatWasWrong: mark(correction.whatWasWrong, 'finding'), whatToDo: mark(correction.whatToDo, 'advice') };
}
