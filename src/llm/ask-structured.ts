import { ArtooError } from '../contracts/errors.js';
import type { LLMCallOptions, LLMClient, LLMMessage, LLMReply, LLMRequest } from '../contracts/llm.js';
import { headTail } from '../text/head-tail.js';
import { estimateTokens } from './estimate-tokens.js';
import { withInstruction, withPromptedSchema } from './prompted-json.js';
import { MAX_REPLY_LENGTH, readStructured, type ReadReply } from './read-structured.js';
import { assertLLMReply } from './reply.js';
import type { KnownSchema } from './known-schema.js';

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

/** The schema comes apart from it. */
type PlainRequest = Omit<LLMRequest, 'schema'>;

const MAX_REASKS = 2;
const DEFAULT_OUTPUT_TOKENS = 4_096;
const QUOTED_REPLY = 4_000;
const KEPT_RAW = 64_000;

/**
 * {@link completeStructured} for a schema whose JSON form is known: what the roles use, since deriving that form takes
 * more code than all the rest.
 */
export async function askStructured<T>(
  client: LLMClient,
  structured: KnownSchema<T>,
  request: PlainRequest,
  options: CompleteStructuredOptions<T> = {},
): Promise<StructuredResult<T>> {
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

function firstRequest<T>(client: LLMClient, { name, jsonSchema }: KnownSchema<T>, request: PlainRequest): LLMRequest {
  if (client.capabilities?.jsonSchema) return { schema: { name, jsonSchema }, ...request };
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
