import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest } from '../../contracts/llm.js';
import type { FaultSource, SourceMaker } from './fault-source.js';
import { hang, injectedError } from './injected-error.js';

const REFUSALS = ['rate_limited', 'rate_limited_for', 'unavailable', 'rejected', 'context_too_long', 'network'] as const;
const REPLIES = ['cut', 'truncated', 'fenced', 'thinking', 'two_objects', 'empty', 'wrong_schema', 'not_json', 'huge', 'no_usage', 'negative_usage', 'unknown_tool', 'hostile_input', 'duplicate_ids'] as const;
const ALL = ['hang', ...REFUSALS, ...REPLIES] as const;

/** What can go wrong with a model (F1 to F12). */
export type LLMFault = (typeof ALL)[number];

/** A model that sometimes refuses, hangs, or answers with something else than it would have. */
export function faultyLLM(client: LLMClient, makeSource: SourceMaker<LLMFault>): LLMClient {
  const source = makeSource(ALL);
  return {
    model: client.model,
    ...(client.rank === undefined ? {} : { rank: client.rank }),
    ...(client.capabilities === undefined ? {} : { capabilities: client.capabilities }),
    async complete(request, options) {
      const fault = source.next();
      if (fault === undefined) return client.complete(request, options);
      if (fault === 'hang') return hang(options.signal);
      const refusal = refusalOf(fault);
      if (refusal) throw refusal;
      return spoil(await answer(client, request, options, fault, source), fault, source);
    },
  };
}

async function answer(client: LLMClient, request: LLMRequest, options: LLMCallOptions, fault: LLMFault, source: FaultSource<LLMFault>): Promise<LLMReply> {
  if (fault !== 'cut') return client.complete(request, options);
  // The text streams up to somewhere, then the connection is gone.
  const reply = await client.complete(request, { signal: options.signal });
  options.onDelta?.(reply.text.slice(0, Math.floor(source.random() * reply.text.length)));
  throw injectedError('connection lost while the reply was streaming', { code: 'ECONNRESET' });
}

function refusalOf(fault: LLMFault): Error | undefined {
  switch (fault) {
    case 'rate_limited': return injectedError('too many requests', { status: 429 });
    case 'rate_limited_for': return injectedError('too many requests', { status: 429, retryAfterMs: 50 });
    case 'unavailable': return injectedError('service unavailable', { status: 503 });
    case 'rejected': return injectedError('bad request', { status: 400 });
    case 'context_too_long': return injectedError('This model\'s maximum context length is exceeded', { status: 400, code: 'context_length_exceeded' });
    case 'network': return injectedError('connection refused', { code: 'ECONNREFUSED' });
    default: return undefined;
  }
}

function spoil(reply: LLMReply, fault: LLMFault, source: FaultSource<LLMFault>): LLMReply {
  const { text } = reply;
  const { usage, ...rest } = reply;
  switch (fault) {
    case 'truncated': return { ...reply, text: text.slice(0, Math.floor(source.random() * text.length)), finishReason: 'length' };
    case 'fenced': return { ...reply, text: `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nAnything else?` };
    case 'thinking': return { ...reply, text: `<think>{"status": "completed", "output": "a draft"}</think>${text}` };
    case 'two_objects': return { ...reply, text: `${text}\n${text}` };
    case 'empty': return { ...reply, text: ' \n ', toolCalls: [], finishReason: 'stop' };
    case 'wrong_schema': return { ...reply, text: '{"unexpected": [1, 2, 3]}', toolCalls: [], finishReason: 'stop' };
    case 'not_json': return { ...reply, text: '抱歉，我不能以 JSON 回答。', toolCalls: [], finishReason: 'stop' };
    case 'huge': return { ...reply, text: text + ' '.repeat(500_000) + 'x'.repeat(500_000) };
    case 'no_usage': return rest;
    case 'negative_usage': return { ...reply, usage: { inputTokens: -5, outputTokens: Number.NaN } };
    case 'unknown_tool': return withCall(reply, { name: 'no_such_tool', input: {} });
    case 'hostile_input': return withCall(reply, { name: reply.toolCalls?.[0]?.name ?? 'no_such_tool', input: JSON.parse('{"__proto__": {"polluted": true}, "path": 7}') });
    case 'duplicate_ids': return { ...reply, ...(reply.toolCalls ? { toolCalls: [...reply.toolCalls, ...reply.toolCalls] } : {}) };
    default: return { ...rest, ...(usage === undefined ? {} : { usage }) };
  }
}

function withCall(reply: LLMReply, call: { readonly name: string; readonly input: unknown }): LLMReply {
  return { ...reply, toolCalls: [{ id: 'injected-call', ...call }], finishReason: 'tool_calls' };
}
