import { ArtooError } from '../contracts/errors.js';
import type { LLMReply, LLMRequest, LLMToolCall, LLMUsage } from '../contracts/llm.js';

const REPLY_KEYS = new Set(['text', 'toolCalls', 'usage', 'finishReason']);

/** Which call is answered; ids of tool calls derive from its number. */
export interface ReplyPlace { readonly call: number; readonly request: LLMRequest }

/** Makes the reply that a script's answer stands for; see {@link ScriptedLLM}. */
export function toReply(answer: unknown, place: ReplyPlace): LLMReply {
  const parts = replyParts(answer, place);
  const toolCalls = parts.toolCalls?.map((call, index) => withId(call, place.call, index));
  const text = parts.text ?? '';
  return Object.freeze({
    ...parts,
    text,
    ...(toolCalls ? { toolCalls: Object.freeze(toolCalls) } : {}),
    usage: parts.usage ?? estimateUsage(place.request, text, toolCalls),
    finishReason: parts.finishReason ?? (toolCalls && toolCalls.length > 0 ? 'tool_calls' : 'stop'),
  });
}

interface ReplyParts {
  readonly text?: string;
  readonly toolCalls?: readonly LLMToolCall[];
  readonly usage?: LLMUsage;
  readonly finishReason?: LLMReply['finishReason'];
}

function replyParts(answer: unknown, { request }: ReplyPlace): ReplyParts {
  if (typeof answer === 'string') return { text: answer };
  if (isReply(answer)) return answer;
  if (isToolProtocol(answer) && (request.tools?.length ?? 0) > 0) {
    return { toolCalls: [{ id: '', name: answer.tool, input: answer.input }] };
  }
  const text = JSON.stringify(answer) as string | undefined;
  if (text !== undefined) return { text };
  throw new ArtooError('ARTOO_INVALID_ARGUMENT', `A scripted reply came out as ${typeof answer}, which is no JSON.`, {
    hint: 'Return a string, a JSON value or an LLMReply from the reply function.',
  });
}

function isReply(answer: unknown): answer is ReplyParts {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  if ('finishReason' in answer) return true;
  const keys = Object.keys(answer);
  return keys.every((key) => REPLY_KEYS.has(key)) && (keys.includes('text') || keys.includes('toolCalls'));
}

/** The JSON tool protocol of models without native tool calls: `{ tool, input }` and nothing else. */
function isToolProtocol(answer: unknown): answer is { readonly tool: string; readonly input: unknown } {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length === 2 &&
    'input' in answer && 'tool' in answer && typeof answer.tool === 'string';
}

/** A scripted call needs no id; one that has an id keeps it, also a wrong one that a test put there on purpose. */
function withId(call: LLMToolCall, number: number, index: number): LLMToolCall {
  return typeof call.id === 'string' && call.id !== '' ? call : { ...call, id: `call-${number}-${index + 1}` };
}

/** One token for each four characters, as hosts estimate where a provider reports nothing. */
function estimateUsage(request: LLMRequest, text: string, toolCalls: readonly LLMToolCall[] | undefined): LLMUsage {
  let input = request.system?.length ?? 0;
  for (const message of request.messages ?? []) input += message.content.length;
  let output = text.length;
  for (const call of toolCalls ?? []) output += call.name.length + jsonLength(call.input);
  return { inputTokens: Math.ceil(input / 4), outputTokens: Math.ceil(output / 4) };
}

function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}
