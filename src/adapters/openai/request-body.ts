import type { LLMMessage, LLMRequest } from '../../contracts/llm.js';
import { withPromptedSchema } from '../../llm/prompted-json.js';
import type { Dialect } from './learned.js';
import type { OpenAIClientOptions } from './options.js';

type Body = Record<string, unknown>;

/** The body of a chat completion in a server's dialect. */
export function requestBody(request: LLMRequest, options: OpenAIClientOptions, dialect: Dialect): Body {
  const { schema } = request;
  // Only the full mode tells the model what the schema is.
  const { messages } = schema && dialect.schemaMode !== 'json_schema' ? withPromptedSchema(request, schema.jsonSchema) : request;
  const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  const temperature = request.temperature ?? options.temperature;
  const body: Body = {
    model: options.model,
    messages: [...(request.system === '' ? [] : [{ role: 'system', content: request.system }]), ...messages.map(message)],
  };
  if (request.tools && request.tools.length > 0) {
    body['tools'] = request.tools.map((tool) => ({
      type: 'function',
      function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
    }));
  }
  if (schema && dialect.schemaMode === 'json_schema') {
    body['response_format'] = { type: 'json_schema', json_schema: { name: schemaName(schema.name), schema: schema.jsonSchema, strict: isStrict(schema.jsonSchema) } };
  } else if (schema && dialect.schemaMode === 'json_object') body['response_format'] = { type: 'json_object' };
  const [tokenField] = dialect.tokenFields;
  if (maxOutputTokens !== undefined && tokenField) body[tokenField] = maxOutputTokens;
  if (temperature !== undefined && dialect.temperature) body['temperature'] = temperature;
  if (options.reasoning !== undefined && dialect.reasoning) body['reasoning_effort'] = options.reasoning;
  if (dialect.streaming) {
    body['stream'] = true;
    if (dialect.streamUsage) body['stream_options'] = { include_usage: true };
  }
  return { ...body, ...options.extraBody };
}

function message(turn: LLMMessage): Body {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId ?? '', content: turn.content };
  if (turn.role !== 'assistant' || !turn.toolCalls || turn.toolCalls.length === 0) return { role: turn.role, content: turn.content };
  return {
    role: 'assistant',
    content: turn.content === '' ? null : turn.content,
    tool_calls: turn.toolCalls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: argumentsText(call.input) } })),
  };
}

/** Servers parse this text, and some refuse what is no object: broken arguments of an earlier turn are wrapped. */
function argumentsText(input: unknown): string {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { invalid: input ?? null });
}

function schemaName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'reply';
}

/** Strict mode wants every key required and no others allowed, all the way down. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Body;
  if (type === 'object') {
    const keys = Object.keys((properties ?? {}) as object);
    if (additionalProperties !== false || !keys.every((key) => Array.isArray(required) && required.includes(key))) return false;
  } else if (type === undefined && !('anyOf' in schema) && !('$ref' in schema) && !('enum' in schema) && !('const' in schema)) {
    // A map of properties or definitions, or a schema that allows anything; the latter is not for strict mode.
    if (Object.keys(schema).length === 0) return false;
  }
  return Object.values(schema).every(isStrict);
}
