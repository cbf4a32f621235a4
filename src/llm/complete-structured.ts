import type { LLMClient, LLMRequest } from '../contracts/llm.js';
import { askStructured, type CompleteStructuredOptions, type StructuredResult } from './ask-structured.js';
import { asStructuredSchema, deriveJsonSchema, type AnySchema, type StructuredSchema } from './schema.js';

export type { CompleteStructuredOptions, StructuredResult, StructuredUsage } from './ask-structured.js';

/**
 * Asks a model for a value of a schema. Strips thinking and fences, takes the JSON, repairs it where the reply was
 * complete, checks it, and asks again with the problem quoted: two more times at most; once for an empty reply, once,
 * with twice the output limit, for a reply that was cut.
 *
 * Rejects with ARTOO_STRUCTURED_OUTPUT (`details.raw`: the replies, `details.problem`, `details.usage`), with
 * ARTOO_LLM_CONTENT_FILTER, or with what the client threw. It makes no other retries: wrap the client for those.
 *
 * @example
 * import * as z from 'zod/mini';
 * import { completeStructured } from 'artoo/llm';
 * const { value } = await completeStructured(client, { name: 'city', schema: z.object({ city: z.string() }) }, {
 *   role: 'host', taskId: 'demo', system: 'You know geography.', messages: [{ role: 'user', content: 'Capital of Peru?' }],
 * });
 */
export function completeStructured<T>(
  client: LLMClient,
  schema: StructuredSchema<T> | AnySchema<T>,
  request: LLMRequest,
  options: CompleteStructuredOptions<T> = {},
): Promise<StructuredResult<T>> {
  const structured = asStructuredSchema(schema);
  const jsonSchema = structured.jsonSchema ?? deriveJsonSchema(structured.schema);
  const { schema: _replaced, ...plain } = request;
  return askStructured(client, { name: structured.name, schema: structured.schema, jsonSchema }, plain, options);
}
