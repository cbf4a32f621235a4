import { ArtooError } from '../../contracts/errors.js';
import type { LLMUsage } from '../../contracts/llm.js';
import { readErrorFacts } from '../../llm/error-facts.js';
import { scrubSecrets, toLLMError } from '../../llm/errors.js';

/**
 * What the SDK or fetch threw, as an ArtooError. The key is taken out of every text, of the cause too; the provider's
 * own object is not passed on, since it may hold the request.
 */
export function toFailure(error: unknown, context: { readonly apiKey: string | undefined; readonly now: number }): ArtooError {
  if (ArtooError.is(error)) return error;
  const hide = (text: string): string => {
    const { apiKey } = context;
    return scrubSecrets(apiKey !== undefined && apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text);
  };
  if (error instanceof SyntaxError) {
    // Its message quotes what couldn't be parsed: text of a model.
    return badResponse('sent something that is no JSON');
  }
  const facts = readErrorFacts(error, context.now);
  const typed = toLLMError(error, { now: context.now });
  const cause = Object.assign(new Error(hide(facts.message)), {
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(facts.codes[0] === undefined ? {} : { code: hide(facts.codes[0]) }),
  });
  const noTools = typed.code === 'ARTOO_LLM_REJECTED' && /support[^.]{0,20}\btools?\b|tool(?:s| use| choice)[^.]{0,40}not (?:supported|available|enabled)/i.test(facts.message);
  const hint = noTools ? 'This model takes no native tool calls: pass capabilities: { tools: false, jsonSchema: true }.' : typed.hint;
  return new ArtooError(typed.code, hide(typed.message), { cause, ...(hint === undefined ? {} : { hint }), details: typed.details });
}

export function badResponse(what: string): ArtooError {
  return new ArtooError('ARTOO_LLM_BAD_RESPONSE', `The model endpoint ${what}.`, {
    hint: 'Check that the base URL is the root of an OpenAI-compatible API, usually ending in /v1.',
  });
}

/** A stream that ended before the model said that it had: never a result, but paid for. */
export function halfStream(usage: LLMUsage, cause?: unknown): ArtooError {
  return new ArtooError('ARTOO_LLM_NETWORK', 'The reply broke off: the stream ended before the model had finished.', {
    ...(cause === undefined ? {} : { cause }),
    hint: 'Try again; if it happens often, look for a proxy that closes long connections.',
    details: { usage, retryable: true },
  });
}

export function timedOut(what: string, ms: number, hint: string): ArtooError {
  return new ArtooError('ARTOO_LLM_TIMEOUT', `The model endpoint ${what} within ${ms} ms.`, { hint });
}
