import type { LLMClient, LLMReply } from '../contracts/llm.js';
import { systemClock } from '../signals/system-clock.js';
import { runWithTimeout } from '../signals/run-with-timeout.js';
import { callOnce } from './openai/call.js';
import { probeConnection } from './openai/connect-probe.js';
import { timedOut, toFailure } from './openai/failures.js';
import { learn, type Dialect } from './openai/learned.js';
import { resolveEndpoint, type OpenAIClientOptions, type OpenAILike } from './openai/options.js';
import { requestBody } from './openai/request-body.js';
import { loadSdk } from './openai/sdk.js';

export type { OpenAIClientOptions, OpenAILike } from './openai/options.js';

/** More corrections than there are things to give up. */
const MAX_CORRECTIONS = 8;

/**
 * A model behind an OpenAI-compatible chat API: OpenAI, DeepSeek, vLLM, llama.cpp, Ollama and others.
 *
 * It streams, so that a slow model and a dead connection can be told apart, and never returns half a stream. What a
 * server doesn't know (JSON-schema mode, the name of the token limit, usage in streams, temperature) is found out from
 * its refusals, once per client, without a failed call. It doesn't retry anything else. Reasoning fields are left out of
 * the text. Reads no environment variable; needs the `openai` package unless `client` is given.
 *
 * Throws ARTOO_INVALID_CONFIG when something is missing. `complete` rejects with ArtooErrors: see `classifyLLMError`.
 *
 * @example
 * import { createOpenAIClient } from 'artoo/openai';
 * const brain = createOpenAIClient({ model: 'deepseek-reasoner', baseURL: 'https://api.deepseek.com', apiKey: key, rank: 2 });
 */
export function createOpenAIClient(options: OpenAIClientOptions): LLMClient {
  const endpoint = resolveEndpoint(options);
  const clock = options.clock ?? systemClock;
  const timeoutMs = options.timeoutMs ?? 600_000;
  let loading: Promise<OpenAILike> | undefined;
  let dialect: Dialect = {
    schemaMode: 'json_schema',
    tokenFields: endpoint.isOpenAI ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens', 'max_completion_tokens'],
    streamUsage: true,
    temperature: true,
    reasoning: true,
    streaming: options.streaming ?? true,
  };

  const load = (): Promise<OpenAILike> => {
    loading ??= loadSdk(options, endpoint).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  const complete: LLMClient['complete'] = async (request, { signal, onDelta }) => {
    const sdk = options.client ?? (await load());
    const attempt = async (inner: AbortSignal): Promise<LLMReply> => {
      for (let corrections = 0; ; corrections += 1) {
        const sent = dialect;
        const body = requestBody(request, options, sent);
        try {
          return await callOnce({
            sdk, body, request, signal: inner, clock, timeoutMs, onDelta,
            idleTimeoutMs: options.idleTimeoutMs ?? 180_000,
            connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
            probe: options.client || options.fetch ? undefined : (ms) => probeConnection(endpoint.baseURL, ms),
            onNoStream: () => { dialect = { ...dialect, streaming: false }; },
          });
        } catch (error) {
          // A call beside this one may have learned the same meanwhile: then the next try already fits.
          const better = inner.aborted || corrections >= MAX_CORRECTIONS ? undefined : learn(sent, body, error);
          if (!better) throw error;
          dialect = merge(dialect, sent, better);
        }
      }
    };
    try {
      return await runWithTimeout({
        clock, ms: timeoutMs, signal, run: attempt,
        onTimeout: () => timedOut('did not finish', timeoutMs, 'Raise timeoutMs, or check that the endpoint is alive.'),
      });
    } catch (error) {
      throw toFailure(error, { apiKey: options.apiKey?.trim(), now: clock.now() });
    }
  };

  return {
    model: options.model,
    ...(options.rank === undefined ? {} : { rank: options.rank }),
    capabilities: options.capabilities ?? { tools: true, jsonSchema: true },
    complete,
  };
}

/** Takes over only what a refusal changed, so that two calls at once don't undo each other's findings. */
function merge(current: Dialect, sent: Dialect, better: Dialect): Dialect {
  const changed = Object.entries(better).filter(([key, value]) => sent[key as keyof Dialect] !== value);
  const untouched = changed.filter(([key]) => current[key as keyof Dialect] === sent[key as keyof Dialect]);
  return { ...current, ...Object.fromEntries(untouched) };
}
