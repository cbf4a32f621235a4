import { ArtooError } from '../../contracts/errors.js';
import type { Effect, FailureClass } from '../../contracts/names.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import type { SandboxPolicy, StandardResult, Tool } from '../../contracts/tool.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { canonicalJson, headTail } from '../../text/index.js';
import { classifyToolError } from '../../tools/classify-error.js';
import { effectOf, targetOf } from '../../tools/tool-call.js';
import { runTool, type ToolRunResult } from '../../tools/run-tool.js';
import { sha256 } from './approval.js';
import type { Conversation } from './conversation.js';
import type { Gate, GateQuestion } from './gate.js';
import { inTime } from './in-time.js';
import type { CallRequest } from './safe-call.js';

/** What the model is shown of an output, in characters, head and tail. */
export const SHOWN_CHARACTERS = 4_000;
/** Of all outputs of a conversation together; after that each shows only its ends. */
const SHOWN_IN_ALL = 120_000;
const SHOWN_AT_LEAST = 500;
const EVIDENCE_CHARACTERS = 120;
const WHOLE_TARGET = 900;
const MOST_DISCLOSED = 20;

/** A call that is over: its record, and what the model is told. */
export interface CallOutcome {
  readonly record: ToolCallRecord;
  readonly text: string;
  /** Set when the attempt can't go on: the same call a third time. */
  readonly fatal?: string;
  /** `text` is a tool's: it is shown as data. */
  readonly foreign?: boolean;
  /** What the runtime says of such a text. */
  readonly note?: string;
  /** Lines that the result must carry. */
  readonly disclosed?: readonly string[];
  /** The host vouches for what this tool says. */
  readonly vouchedFor?: boolean;
}

export interface CallToolServices {
  readonly task: TaskRuntime;
  readonly clock: Clock;
  readonly tool: (name: string) => Tool | undefined;
  readonly gate: Gate;
  readonly sandbox: SandboxPolicy | undefined;
  readonly log: (line: string) => void;
}

/** The recorded part of a tool run: what a resumed run needs to go on as if it had seen it. */
type RunRecord = Pick<ToolRunResult, 'ok' | 'text' | 'empty'> & { readonly failureClass?: FailureClass; readonly message?: string; readonly startedAt: number; readonly durationMs: number; readonly unknown?: boolean; readonly disclosed?: readonly string[]; /** It was not run: what had been let through was no longer so. */ readonly stale?: boolean };

/** Carries out one call, or says why not. Whatever goes wrong with a call is its result; only the end of the task throws. */
export async function callTool(call: CallRequest, conversation: Conversation, services: CallToolServices): Promise<CallOutcome> {
  const { task } = services;
  const { subtask } = conversation;
  const refuse = (text: string, target = '', failureClass: FailureClass = 'logical'): CallOutcome => {
    const record = makeRecord(call, { tool: call.name, target, effect: 'read', ok: false, failureClass, text, startedAt: services.clock.now(), durationMs: 0, ran: false });
    return { record, text };
  };
  /** What a tool's own functions say of a call may quote a file, or whatever else they looked at. */
  const quote = (note: string, text: string, target: string, tool: Tool, failureClass: FailureClass): CallOutcome =>
    ({ ...refuse(`${note}${text}`, target, failureClass), text, note, foreign: true, vouchedFor: tool.trusted === true });
  // What the run was given is settled before any text comes in: no plan, whoever wrote it, adds to that.
  const allowed = subtask.tools.filter((name) => !subtask.blockedTools.includes(name) && (task.tools?.includes(name) ?? true));
  const tool = allowed.includes(call.name) ? services.tool(call.name) : undefined;
  if (!tool) return refuse(`"${headTail(call.name, { max: 80 })}" is not among the tools of this subtask: ${allowed.join(', ') || 'none'}.`);

  if (call.unsafe !== undefined) return refuse(`Invalid input for ${tool.name}: ${call.unsafe}`);
  const parsed = await validated(tool, call.input, services);
  if (parsed.issues) return refuse(`Invalid input for ${tool.name}: ${parsed.issues.map(({ message, path }) => (path && path.length > 0 ? `${path.map(pathStep).join('.')}: ` : '') + message).join('; ')}`);
  const input = parsed.value;

  const key = `${tool.name}\n${canonicalJson(input)}`;
  const known = conversation.known.get(key);
  if (known && known.writes === conversation.writes) {
    known.times += 1;
    const record = { ...known.record, id: call.id, ran: false };
    if (known.times > 2) return { record, text: 'The same call a third time.', fatal: `the call ${tool.name} was made three times although nothing had changed` };
    return { record, text: known.text, note: 'You made this very call before and nothing has changed since. Its result was:\n', foreign: true, vouchedFor: tool.trusted === true };
  }

  const probe = await probeCall(tool, input, conversation, services);
  if ('problem' in probe) return quote(`${tool.name} can't be called so:\n`, probe.problem, probe.target, tool, probe.failureClass);
  const { target, effect } = probe;
  if (subtask.blockedTargets.includes(target)) return refuse(`The target "${target}" failed before and must not be used again.`, target);
  if (subtask.blockedPairs.some((pair) => pair.tool === tool.name && pair.target === target)) return refuse(`${tool.name} must not be called on "${target}" again.`, target);

  const question = { tool, input, target, effect, conversation, doubtful: conversation.doubtful.has(key) };
  const permission = await services.gate.ask(question);
  if (!permission.allowed) return refuse(permission.text, target, 'environmental');

  const acted = await task.act<RunRecord>(
    { role: 'R3', subtaskId: subtask.subtaskId, kind: 'tool' },
    { tool: tool.name, effect, target, input, probe: tool.probe },
    async (intentId) => {
      const startedAt = services.clock.now();
      const changed = await changedSince(question, permission.bound, services);
      if (changed !== undefined) return { ok: false, text: changed, empty: false, failureClass: 'environmental', startedAt, durationMs: 0, stale: true };
      const disclosed: string[] = [];
      const result = await runTool({
        tool, input, intentId, taskId: task.taskId, signal: task.signal, clock: services.clock, workspace: tool.workspace ?? task.workspace,
        sandbox: services.sandbox, log: services.log, disclose: (line) => { if (disclosed.length < MOST_DISCLOSED) disclosed.push(line); },
      });
      if (task.signal.aborted && !result.ok) throw task.signal.reason;
      return { ...toRunRecord(result, startedAt, effect), ...(disclosed.length > 0 ? { disclosed } : {}) };
    },
  );
  const run = acted.state === 'done' ? acted.value : doubt(tool, acted.state, services.clock.now());
  if (run.stale) return quote('', run.text, target, tool, 'environmental');
  if (acted.state === 'in-doubt') conversation.doubtful.add(key);
  if (effect !== 'read') conversation.writes += 1;
  const record = makeRecord(call, { tool: tool.name, target, effect, input, ...run });
  const room = Math.max(SHOWN_AT_LEAST, Math.min(SHOWN_CHARACTERS, SHOWN_IN_ALL - conversation.shown));
  const text = headTail(run.text === '' ? record.output : run.text, { max: room });
  conversation.shown += text.length;
  conversation.known.set(key, { times: 1, writes: conversation.writes, record, text });
  return { record, text, foreign: true, vouchedFor: tool.trusted === true, ...(run.disclosed ? { disclosed: run.disclosed } : {}) };
}

type Probe = { readonly target: string; readonly effect: Effect } | { readonly problem: string; readonly target: string; readonly failureClass: FailureClass };

/** What the call is about and what it would do: the tool's own functions say so, and their answers are on record. */
async function probeCall(tool: Tool, input: unknown, conversation: Conversation, services: CallToolServices): Promise<Probe> {
  const { task } = services;
  const target = targetOf(tool, input) || await task.during(() => targetOfInput(input));
  if (typeof tool.effect === 'string') return { target, effect: tool.effect };
  try {
    const effect = await task.effect(
      { role: 'R3', subtaskId: conversation.subtask.subtaskId, kind: 'gate' }, { tool: tool.name, input },
      () => effectNow(tool, input, services),
    );
    return { target, effect };
  } catch (error) {
    if (task.signal.aborted || (ArtooError.is(error) && error.code.startsWith('ARTOO_LEDGER'))) throw error;
    const hint = ArtooError.is(error) && error.hint !== undefined ? ` ${error.hint}` : '';
    return { problem: `${error instanceof Error ? error.message : String(error)}${hint}`, target, failureClass: classifyToolError(error) };
  }
}

/** The whole input where the tool names no target. A long one is told apart by its hash: a permission must fit no other. */
async function targetOfInput(input: unknown): Promise<string> {
  const json = canonicalJson(input);
  return json.length <= WHOLE_TARGET ? json : `${headTail(json, { max: WHOLE_TARGET })} #${await sha256(json)}`;
}

/**
 * A tool judges its effect by the state of the world, and time has passed since: a person may have thought long, or the
 * process come back from a crash. What was let through as harmless must still be so.
 */
async function changedSince(question: GateQuestion, bound: string | undefined, services: CallToolServices): Promise<string | undefined> {
  const { tool, input, effect: permitted } = question;
  if (bound !== undefined && !await services.gate.stillBound(question, bound)) return `Not carried out: what ${tool.name} was allowed to do has changed since. Look again and call it anew.`;
  if (typeof tool.effect === 'string') return undefined;
  try {
    const now = await effectNow(tool, input, services);
    return SEVERITY[now] > SEVERITY[permitted] ? `Not carried out: ${tool.name} would now be ${now}, and was let through as ${permitted}. Look again and call it anew.` : undefined;
  } catch (error) {
    if (services.task.signal.aborted) throw error;
    return `Not carried out: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function effectNow(tool: Tool, input: unknown, { task, clock }: CallToolServices): Promise<Effect> {
  return inTime(tool, 'effect', { clock, signal: task.signal }, (signal) => effectOf(tool, input, { signal, workspace: tool.workspace ?? task.workspace }));
}

/** Most validators answer at once; one that looks something up must come to an end as well. */
async function validated(tool: Tool, input: unknown, { task, clock }: CallToolServices): Promise<StandardResult<unknown>> {
  const answer = tool.validate(input);
  if (!(answer instanceof Promise)) return answer;
  try {
    return await task.during(() => inTime(tool, 'validation', { clock, signal: task.signal }, () => answer));
  } catch (error) {
    if (task.signal.aborted) throw error;
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
}

const SEVERITY: Readonly<Record<Effect, number>> = { read: 0, write: 1, irreversible: 2 };

function toRunRecord(result: ToolRunResult, startedAt: number, effect: Effect): RunRecord {
  const unknown = result.leftBehind === true && effect !== 'read';
  const message = result.ok ? undefined : `${result.message ?? 'failed'}${unknown ? ' Whether it took effect is unknown: verify before you retry.' : ''}`;
  return {
    ok: result.ok, text: result.ok ? result.text : [message, result.text].filter((part) => part !== '' && part !== undefined).join('\n'),
    empty: result.empty, startedAt, durationMs: Math.round(result.durationMs),
    ...(result.failureClass ? { failureClass: result.failureClass } : {}),
    ...(unknown ? { unknown } : {}),
  };
}

/** The process ended between intent and outcome, and nobody knows on which side of the effect. */
function doubt(tool: Tool, state: 'in-doubt' | 'done-before', startedAt: number): RunRecord {
  const text = state === 'done-before'
    ? `${tool.name} was carried out before an interruption; its output is lost.`
    : `Outcome unknown: an interruption came while ${tool.name} ran. Verify before you retry; a repeat needs a fresh confirmation.`;
  return { ok: state === 'done-before', text, empty: false, startedAt, durationMs: 0, ...(state === 'in-doubt' ? { failureClass: 'environmental' as const } : {}) };
}

function makeRecord(call: CallRequest, run: {
  readonly tool: string; readonly input?: unknown; readonly target: string; readonly effect: Effect; readonly ok: boolean; readonly empty?: boolean;
  readonly failureClass?: FailureClass; readonly text: string; readonly startedAt: number; readonly durationMs: number; readonly ran?: boolean;
}): ToolCallRecord {
  // That a call found nothing is a finding, and one that can be quoted.
  const text = run.text === '' ? '(no output)' : run.text;
  return {
    id: call.id, tool: run.tool, input: call.recorded ?? run.input ?? call.input, target: run.target, effect: run.effect, ok: run.ok,
    ...(run.empty ? { empty: true } : {}), ...(run.failureClass ? { failureClass: run.failureClass } : {}), ...(run.ran === false ? { ran: false } : {}),
    evidence: text.slice(-EVIDENCE_CHARACTERS), output: headTail(text, { max: SHOWN_CHARACTERS }), startedAt: run.startedAt, durationMs: run.durationMs,
  };
}

function pathStep(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step);
}
