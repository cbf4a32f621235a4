import { deepFreeze } from '../bus/freeze.js';
import { ArtooError } from '../contracts/errors.js';
import type { EffectAddress } from '../contracts/ledger.js';
import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest } from '../contracts/llm.js';
import type { Clock } from '../contracts/runtime.js';
import type { StopReason } from '../contracts/names.js';
import { compactRequest } from '../llm/compact-request.js';
import { backoffMs } from '../llm/backoff.js';
import { classifyLLMError, toLLMError } from '../llm/errors.js';
import { assertLLMReply } from '../llm/reply.js';
import { estimateTokens } from '../llm/estimate-tokens.js';
import { delay } from '../signals/index.js';
import type { Grant } from './budget-meter.js';
import { headTail } from '../text/index.js';
import { laneKey } from './lanes.js';
import { recordRequest, type RecordedRequest } from './llm-record.js';
import type { EffectLine } from './replay-index.js';
import { fromRecordedError, toRecordedError } from './recorded-error.js';
import { sameRequest } from './same-request.js';
import type { TaskScope } from './task-scope.js';

/** What the engine gives to model calls. */
export interface ModelCallServices {
  readonly clock: Clock;
  /** In [0,1): jitter only, nothing that is recorded depends on it. */
  readonly random: () => number;
  readonly task: (taskId: string) => TaskScope | undefined;
  readonly onBudget: (task: TaskScope, reason: StopReason, message: string) => void;
  readonly onDelta: (task: TaskScope, request: LLMRequest, text: string) => void;
  readonly isStreaming: (task: TaskScope) => boolean;
}

interface Call { readonly task: TaskScope; readonly request: LLMRequest; readonly address: EffectAddress; readonly recorded: RecordedRequest }
type CallLine = Extract<EffectLine, { kind: 'llm.call' }>;
type ReplyLine = Extract<EffectLine, { kind: 'llm.reply' }>;

/**
 * The host's client as the roles see it: each attempt is granted, recorded, timed and metered.
 *
 * What the record holds is answered from there. An attempt that was granted and never answered stays spent; the repeat
 * takes a further grant.
 */
export function recordedClient(client: LLMClient, services: ModelCallServices): LLMClient {
  const owner = {};

  const begin = (task: TaskScope, request: LLMRequest): Call => {
    deepFreeze(request);
    const lane = { subtaskId: request.subtaskId, role: request.role, kind: 'llm' as const };
    const address = task.lanes.take(lane);
    const known = task.state(owner, () => new Map<string, LLMRequest>());
    const key = laneKey(lane);
    const recorded = recordRequest(request, known.get(key));
    known.set(key, request);
    task.causality.called(request.role, request.subtaskId);
    return { task, request, address, recorded };
  };

  const attemptOnce = async (call: Call, attempt: number, options: LLMCallOptions): Promise<LLMReply> => {
    const { task, request, address, recorded } = call;
    if (task.replay) await task.beforeLive();
    else task.throwIfStopped();
    const reserved = task.meter.reserve(request, client.model);
    if ('denial' in reserved) {
      const { reason, message } = reserved.denial;
      await task.append({ kind: 'budget.denied', address, reason, message });
      throw overBudget(services, task, reason, message);
    }
    const { grant } = reserved;
    const granted = task.append({
      kind: 'llm.call', address, attempt, model: client.model, reserved: { tokens: grant.tokens, money: grant.money }, request: recorded,
    });
    if (granted) await granted;
    const startedAt = services.clock.monotonic();
    task.begin();
    try {
      const reply = keepable(assertLLMReply(await send(client, services, call, grant, options)), client.model);
      const { estimated } = charge(task, request, client.model, grant, reply);
      const kept = task.append({
        kind: 'llm.reply', address, attempt, durationMs: Math.round(services.clock.monotonic() - startedAt), reply, ...(estimated ? { estimated } : {}),
      });
      if (kept) await kept;
      return reply;
    } catch (error) {
      if (task.signal.aborted) throw task.signal.reason;
      if (ArtooError.is(error) && error.code.startsWith('ARTOO_LEDGER')) throw error;
      const failure = toLLMError(error);
      charge(task, request, client.model, grant, undefined);
      await task.append({ kind: 'llm.reply', address, attempt, durationMs: Math.round(services.clock.monotonic() - startedAt), error: toRecordedError(failure) });
      throw failure;
    } finally {
      task.finish();
    }
  };

  return {
    model: client.model,
    ...(client.rank === undefined ? {} : { rank: client.rank }),
    ...(client.capabilities === undefined ? {} : { capabilities: client.capabilities }),
    async complete(request, options) {
      const task = services.task(request.taskId);
      if (!task) throw new ArtooError('ARTOO_ABORTED', 'The task has ended.');
      const call = begin(task, request);
      const past = task.replay ? replayAttempts(services, task, call, client.model) : NO_PAST;
      if (past.reply) return past.reply;
      let { attempts, failures } = past;
      let error: unknown = past.error;
      let current = call;
      for (;;) {
        const shorter = current === call && ArtooError.is(error, 'ARTOO_LLM_CONTEXT_TOO_LONG') ? compactRequest(request) : undefined;
        if (shorter) {
          // Once: what is still too long then is not for this model.
          current = { ...call, request: shorter };
          failures = 0;
        } else if (error !== undefined) {
          const { retryable, retryAfterMs } = classifyLLMError(error);
          if (task.signal.aborted || !retryable || failures > task.limits.callRetries) throw error;
          const ms = backoffMs(failures, { random: services.random, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
          await waiting(task, () => delay({ clock: services.clock, ms, signal: task.signal }));
        }
        try {
          return await attemptOnce(current, ++attempts, options);
        } catch (failure) {
          error = failure;
          failures += 1;
        }
      }
    },
  };
}

function send(client: LLMClient, services: ModelCallServices, call: Call, grant: Grant, options: LLMCallOptions): Promise<LLMReply> {
  const { task, request } = call;
  const asked = grant.maxOutputTokens === undefined || grant.maxOutputTokens === request.maxOutputTokens
    ? request : { ...request, maxOutputTokens: grant.maxOutputTokens };
  const stream = options.onDelta ?? (services.isStreaming(task) ? (text: string) => services.onDelta(task, request, text) : undefined);
  return task.guard(
    task.limits.callTimeoutMs,
    (scope) => {
      if (stream) scope.onDelta = stream;
      return client.complete(asked, scope);
    },
    () => new ArtooError('ARTOO_LLM_TIMEOUT', `${client.model} did not answer within ${task.limits.callTimeoutMs} ms.`, {
      hint: 'Raise limits.callTimeoutMs, or look at the server behind the client.',
    }),
  );
}

/** A record keeps a million characters of a value; what is longer is no answer, and would not come back the same. */
const LONGEST_REPLY = 1_000_000;

function keepable(reply: LLMReply, model: string): LLMReply {
  if (reply.toolCalls && reply.toolCalls.length > 0 && !fits(reply.toolCalls)) {
    throw new ArtooError('ARTOO_LLM_BAD_RESPONSE', `${model} asked for tool calls that are no JSON of at most ${LONGEST_REPLY} characters.`, {
      hint: 'Tool inputs must be plain JSON values: see docs/ports/llm-client.md.',
    });
  }
  return reply.text.length <= LONGEST_REPLY ? reply : { ...reply, text: headTail(reply.text, { max: LONGEST_REPLY }), finishReason: 'length' };
}

function fits(calls: NonNullable<LLMReply['toolCalls']>): boolean {
  try {
    return JSON.stringify(calls).length <= LONGEST_REPLY;
  } catch {
    return false;
  }
}

/** Waiting before a retry is something under way: a run that waits isn't stalled. */
async function waiting(task: TaskScope, wait: () => Promise<void>): Promise<void> {
  task.begin();
  try {
    await wait();
  } finally {
    task.finish();
  }
}

function charge(task: TaskScope, request: LLMRequest, model: string, grant: Pick<Grant, 'tokens' | 'money'>, reply: LLMReply | undefined): { estimated: boolean } {
  const usage = reply?.usage;
  const estimated = usage === undefined;
  task.meter.settle(grant, request.role, model, usage ?? {
    inputTokens: estimateTokens(request), outputTokens: reply ? estimateTokens(reply.text) : 0,
  }, estimated);
  return { estimated };
}

function overBudget(services: ModelCallServices, task: TaskScope, reason: StopReason, message: string): ArtooError {
  services.onBudget(task, reason, message);
  return new ArtooError('ARTOO_BUDGET', message, { hint: 'Give the run a larger budget, or a smaller task.', details: { reason } });
}

interface Past { readonly reply?: LLMReply; readonly error?: ArtooError; readonly attempts: number; readonly failures: number }
const NO_PAST: Past = { attempts: 0, failures: 0 };

/** Goes through what the record holds of a call: spent grants, failed attempts, a reply. */
function replayAttempts(services: ModelCallServices, task: TaskScope, call: Call, model: string): Past {
  const lines = task.replay?.take(call.address)?.lines ?? [];
  const first = lines.find((line): line is CallLine => line.kind === 'llm.call');
  if (first && !sameRequest(first.request, call.recorded, task.redactor)) {
    task.diverge(call.address, `${call.request.role} asks its model something else than the record holds`);
    return NO_PAST;
  }
  let attempts = 0;
  let failures = 0;
  let error: ArtooError | undefined;
  for (const line of lines) {
    if (line.kind === 'budget.denied') throw overBudget(services, task, line.reason, line.message);
    if (line.kind !== 'llm.call') continue;
    attempts = line.attempt;
    task.meter.hold(line.reserved);
    const answer = lines.find((other): other is ReplyLine => other.kind === 'llm.reply' && other.attempt === line.attempt);
    error = undefined;
    if (!answer) continue;
    charge(task, call.request, model, line.reserved, answer.reply);
    if (answer.reply) return { reply: answer.reply, attempts, failures };
    failures += 1;
    error = answer.error ? fromRecordedError(answer.error) : undefined;
  }
  return { attempts, failures, ...(error ? { error } : {}) };
}
