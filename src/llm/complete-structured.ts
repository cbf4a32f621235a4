import { ArtooError } from '../contracts/errors.js';
import type { LLMCallOptions, LLMClient, LLMMessage, LLMReply, LLMRequest } from '../contracts/llm.js';
import { headTail } from '../text/head-tail.js';
import { estimateTokens } from './estimate-tokens.js';
import { withInstruction, withPromptedSchema } from './prompted-json.js';
import { MAX_REPLY_LENGTH, readStructured, type ReadReply } from './read-structured.js';
import { assertLLMReply } from './reply.js';
import { asStructuredSchema, deriveJsonSchema, type AnySchema, type StructuredSchema } from './schema.js';

export interface CompleteStructuredOptions<T> {
  /** Default: never aborted. */
  readonly signal?: AbortSignal;
  readonly onDelta?: LLMCallOptions['onDelta'];
  /** Names a problem with a value that fits the schema; the model is then asked again like for any other. */
  readonly accept?: (value: T) => string | undefined;
  /** Further tries of one reply, whatever the reasons. Default 2, which is also the most. */
  readonly maxReasks?: number;
}

/** In tokens, over all attempts. `estimated`: some of it was guessed from text length, since the client reported none. */
export interface StructuredUsage { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number; readonly estimated: boolean }

export interface StructuredResult<T> {
  readonly value: T;
  /** The reply that held the value. */
  readonly reply: LLMReply;
  /** True when the text was no valid JSON and had to be repaired. */
  readonly repaired: boolean;
  /** Calls made, from 1. */
  readonly attempts: number;
  readonly usage: StructuredUsage;
}

const MAX_REASKS = 2;
const DEFAULT_OUTPUT_TOKENS = 4_096;
const QUOTED_REPLY = 4_000;
const KEPT_RAW = 64_000;

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
export async function completeStructured<T>(
  client: LLMClient,
  schema: StructuredSchema<T> | AnySchema<T>,
  request: LLMRequest,
  options: CompleteStructuredOptions<T> = {},
): Promise<StructuredResult<T>> {
  const structured = asStructuredSchema(schema);
  const callOptions: LLMCallOptions = { signal: options.signal ?? new AbortController().signal, ...(options.onDelta ? { onDelta: options.onDelta } : {}) };
  const maxReasks = Math.min(MAX_REASKS, Math.max(0, options.maxReasks ?? MAX_REASKS));
  const raw: string[] = [];
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: false };
  const seen = { empty: 0, cut: 0 };
  const first = firstRequest(client, structured, request);
  let current = first;

  for (let attempts = 1; ; attempts += 1) {
    const reply = assertLLMReply(await client.complete(current, callOptions));
    addUsage(usage, current, reply);
    raw.push(headTail(reply.text, { max: KEPT_RAW }));
    if (reply.finishReason === 'content_filter') throw filtered(raw, usage);
    const read = judge(readStructured(reply, structured.schema), options.accept);
    if (read.kind === 'value') return { value: read.value, reply, repaired: read.repaired, attempts, usage };
    if (read.kind === 'empty' || read.kind === 'cut') seen[read.kind] += 1;
    if (attempts > maxReasks || seen.empty > 1 || seen.cut > 1) throw failed(structured.name, read.problem, raw, attempts, usage);
    current = nextRequest(first, current, reply, read);
  }
}

function firstRequest<T>(client: LLMClient, structured: StructuredSchema<T>, request: LLMRequest): LLMRequest {
  const jsonSchema = structured.jsonSchema ?? deriveJsonSchema(structured.schema);
  if (client.capabilities?.jsonSchema) return { ...request, schema: { name: structured.name, jsonSchema } };
  return withPromptedSchema(request, jsonSchema);
}

function judge<T>(read: ReadReply<T>, accept: CompleteStructuredOptions<T>['accept']): ReadReply<T> {
  const problem = read.kind === 'value' ? accept?.(read.value) : undefined;
  return problem === undefined ? read : { kind: 'garbage', problem };
}

/** The first request again, with the newest reply and what was wrong with it; older tries add nothing but cost. */
function nextRequest<T>(first: LLMRequest, current: LLMRequest, reply: LLMReply, read: Exclude<ReadReply<T>, { kind: 'value' }>): LLMRequest {
  const { problem } = read;
  if (read.kind === 'cut') {
    const limit = current.maxOutputTokens ?? Math.max(DEFAULT_OUTPUT_TOKENS, reply.usage?.outputTokens ?? 0);
    const messages = withInstruction(first.messages, `Your last reply could not be used: ${problem}. Answer again, complete and as short as possible.`);
    return { ...first, messages, maxOutputTokens: limit * 2 };
  }
  const instruction = `Your last reply could not be used: ${problem}. Answer again with the one JSON value alone.`;
  const quoted: LLMMessage[] = read.kind === 'empty' ? [] : [{ role: 'assistant', content: headTail(reply.text, { max: QUOTED_REPLY }) }];
  const messages = withInstruction([...first.messages, ...quoted], instruction);
  return { ...first, messages, ...(current.maxOutputTokens === undefined ? {} : { maxOutputTokens: current.maxOutputTokens }) };
}

function addUsage(sum: { -readonly [K in keyof StructuredUsage]: StructuredUsage[K] }, request: LLMRequest, reply: LLMReply): void {
  sum.inputTokens += reply.usage?.inputTokens ?? estimateTokens(request);
  sum.outputTokens += reply.usage?.outputTokens ?? estimateTokens(reply.text.slice(0, MAX_REPLY_LENGTH));
  sum.cachedTokens += reply.usage?.cachedTokens ?? 0;
  sum.estimated ||= reply.usage === undefined;
}

function failed(name: string, problem: string, raw: readonly string[], attempts: number, usage: StructuredUsage): ArtooError {
  return new ArtooError('ARTOO_STRUCTURED_OUTPUT', `The model gave no usable "${name}" in ${attempts} ${attempts === 1 ? 'try' : 'tries'}: ${problem}.`, {
    hint: 'details.raw holds the replies. A larger model, a JSON-schema mode or a larger output limit may help.',
    details: { raw, problem, attempts, usage },
  });
}

function filtered(raw: readonly string[], usage: StructuredUsage): ArtooError {
  return new ArtooError('ARTOO_LLM_CONTENT_FILTER', "The provider's content filter stopped the reply.", {
    hint: 'Rephrase the task, or ask the provider about its filter.',
    details: { raw, usage },
  });
}
