import { ArtooError } from '../contracts/errors.js';
import type { LLMReply, LLMToolCall, LLMUsage } from '../contracts/llm.js';

const FINISH_REASONS: ReadonlySet<unknown> = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

/**
 * Checks what a foreign client returned and hands back a well-formed reply: the same object when nothing had to change.
 *
 * Usage that is missing, negative or no number counts as missing; an unknown finish reason as `stop`, or `tool_calls`
 * where there are calls; a missing text is empty where there are calls. Throws ARTOO_LLM_BAD_RESPONSE when there is
 * neither text nor a call, or a call has no name.
 *
 * @example
 * import { assertLLMReply } from 'artoo/llm';
 * const reply = assertLLMReply(await client.complete(request, { signal }));
 */
export function assertLLMReply(reply: unknown): LLMReply {
  if (typeof reply !== 'object' || reply === null) throw badReply(`returned ${reply === null ? 'null' : typeof reply} instead of a reply`);
  const given = reply as Partial<Record<keyof LLMReply, unknown>>;
  const toolCalls = given.toolCalls === undefined ? undefined : checkToolCalls(given.toolCalls);
  const hasCalls = toolCalls !== undefined && toolCalls.length > 0;
  if (typeof given.text !== 'string' && !hasCalls) throw badReply('returned a reply without text and without tool calls');
  const usage = checkUsage(given.usage);
  const known = FINISH_REASONS.has(given.finishReason);
  if (typeof given.text === 'string' && known && toolCalls === given.toolCalls && usage === given.usage) return reply as LLMReply;
  return {
    ...(reply as object),
    text: typeof given.text === 'string' ? given.text : '',
    finishReason: known ? (given.finishReason as LLMReply['finishReason']) : hasCalls ? 'tool_calls' : 'stop',
    ...dropUndefined({ toolCalls, usage }, reply),
  };
}

/** Keys whose value is missing must go, since the spread above brought the bad ones along. */
function dropUndefined(values: { toolCalls: readonly LLMToolCall[] | undefined; usage: LLMUsage | undefined }, reply: object): Pick<LLMReply, 'toolCalls' | 'usage'> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined || key in reply) kept[key] = value;
  return kept;
}

function checkUsage(usage: unknown): LLMUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { inputTokens, outputTokens, cachedTokens } = usage as Partial<Record<keyof LLMUsage, unknown>>;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  if (cachedTokens === undefined || isCount(cachedTokens)) return usage as LLMUsage;
  return { inputTokens, outputTokens };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function checkToolCalls(calls: unknown): readonly LLMToolCall[] | undefined {
  if (!Array.isArray(calls)) return undefined;
  let changed = false;
  const checked = calls.map((call: unknown): LLMToolCall => {
    const { id, name, input } = (typeof call === 'object' && call !== null ? call : {}) as Partial<Record<keyof LLMToolCall, unknown>>;
    if (typeof name !== 'string' || name === '') throw badReply('returned a tool call without a name');
    if (typeof id === 'string') return call as LLMToolCall;
    changed = true;
    return { id: '', name, input };
  });
  return changed ? checked : (calls as readonly LLMToolCall[]);
}

function badReply(what: string): ArtooError {
  return new ArtooError('ARTOO_LLM_BAD_RESPONSE', `The model client ${what}.`, {
    hint: 'complete() must resolve with { text, toolCalls?, usage?, finishReason }; see docs/ports/llm-client.md.',
  });
}
