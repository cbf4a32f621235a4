import type { LLMMessage, LLMRequest } from '../contracts/llm.js';

/**
 * The request of a client without a JSON-schema mode: the schema is written behind the last message, where it can't
 * disturb the stable beginning that providers cache. A last turn that is not the user's stays as it is.
 */
export function withPromptedSchema(request: LLMRequest, jsonSchema: Readonly<Record<string, unknown>>): LLMRequest {
  return { ...request, messages: withInstruction(request.messages, schemaInstruction(jsonSchema)) };
}

/** Adds to the last user message, or a user message of its own where the last turn is the model's or a tool's. */
export function withInstruction(messages: readonly LLMMessage[], instruction: string): LLMMessage[] {
  const last = messages[messages.length - 1];
  if (last?.role !== 'user') return [...messages, { role: 'user', content: instruction }];
  return [...messages.slice(0, -1), { ...last, content: last.content === '' ? instruction : `${last.content}\n\n${instruction}` }];
}

function schemaInstruction(jsonSchema: Readonly<Record<string, unknown>>): string {
  return `Answer with one JSON value and nothing else: no prose, no code fence. It must fit this JSON Schema:\n${JSON.stringify(jsonSchema)}`;
}
