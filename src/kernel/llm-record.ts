import type { LLMMessage, LLMRequest } from '../contracts/llm.js';

/**
 * A request as it is recorded: what the lane's request before it had already is referred to, not written again.
 * `keep` counts the messages at the beginning that are the same; `same` names the fields that are.
 */
export interface RecordedRequest {
  readonly same: readonly ('system' | 'tools' | 'schema')[];
  readonly system?: string;
  readonly tools?: LLMRequest['tools'];
  readonly schema?: string;
  readonly keep: number;
  readonly messages: readonly LLMMessage[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** The recorded form of a request, given the one that its lane made before. */
export function recordRequest(request: LLMRequest, previous: LLMRequest | undefined): RecordedRequest {
  const keep = sharedMessages(request.messages, previous?.messages);
  const same: ('system' | 'tools' | 'schema')[] = [];
  if (previous?.system === request.system) same.push('system');
  if (previous && previous.tools === request.tools) same.push('tools');
  if (previous && previous.schema === request.schema) same.push('schema');
  const recorded: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] } = { same, keep, messages: keep === 0 ? request.messages : request.messages.slice(keep) };
  if (!same.includes('system')) recorded.system = request.system;
  if (!same.includes('tools') && request.tools) recorded.tools = request.tools;
  if (!same.includes('schema') && request.schema) recorded.schema = request.schema.name;
  if (request.maxOutputTokens !== undefined) recorded.maxOutputTokens = request.maxOutputTokens;
  if (request.temperature !== undefined) recorded.temperature = request.temperature;
  return recorded;
}

/** Conversations grow at the end and keep the same message objects, so identity is enough. */
function sharedMessages(messages: readonly LLMMessage[], previous: readonly LLMMessage[] | undefined): number {
  if (!previous) return 0;
  let shared = 0;
  while (shared < previous.length && shared < messages.length && messages[shared] === previous[shared]) shared += 1;
  return shared;
}
