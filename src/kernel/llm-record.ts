import type { LLMMessage, LLMRequest } from '../contracts/llm.js';
import { hash53 } from '../text/index.js';

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

/** What the next request of a lane is compared with. */
export interface LanePrompt { readonly request: LLMRequest; readonly hash: string }

/** The recorded form of a request and the hash of all that the model was shown in this lane so far. */
export function recordRequest(request: LLMRequest, before: LanePrompt | undefined): { readonly recorded: RecordedRequest; readonly hash: string } {
  const previous = before?.request;
  const keep = sharedMessages(request.messages, previous?.messages);
  const added = keep === 0 ? request.messages : request.messages.slice(keep);
  const same: ('system' | 'tools' | 'schema')[] = [];
  if (previous && previous.system === request.system) same.push('system');
  if (previous && previous.tools === request.tools) same.push('tools');
  if (previous && previous.schema === request.schema) same.push('schema');
  const recorded: RecordedRequest = {
    same,
    ...(same.includes('system') ? {} : { system: request.system }),
    ...(same.includes('tools') || !request.tools ? {} : { tools: request.tools }),
    ...(same.includes('schema') || !request.schema ? {} : { schema: request.schema.name }),
    keep,
    messages: added,
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
  return { recorded, hash: hash53(hashedText(request, before, keep, added)) };
}

function hashedText(request: LLMRequest, before: LanePrompt | undefined, keep: number, added: readonly LLMMessage[]): string {
  let text = `${before?.hash ?? ''}\n${keep}\n${before?.request.system === request.system ? '' : request.system}\n${request.schema?.name ?? ''}\n`;
  if (before?.request.tools !== request.tools) for (const tool of request.tools ?? []) text += `${tool.name}:${tool.description}\n`;
  for (const message of added) {
    text += `${message.role}:${message.content}\n`;
    if (message.toolCalls) for (const call of message.toolCalls) text += `${call.name}(${JSON.stringify(call.input)})\n`;
  }
  return text;
}

/** Conversations grow at the end and keep the same message objects, so identity is enough. */
function sharedMessages(messages: readonly LLMMessage[], previous: readonly LLMMessage[] | undefined): number {
  if (!previous) return 0;
  let shared = 0;
  while (shared < previous.length && shared < messages.length && messages[shared] === previous[shared]) shared += 1;
  return shared;
}
