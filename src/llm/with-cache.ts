import type { LLMClient, LLMReply, LLMRequest } from '../contracts/llm.js';
import { canonicalJson } from '../text/canonical-json.js';
import { uuidV5 } from '../text/uuid.js';
import { assertLLMReply } from './reply.js';
import { wrapClient } from './wrap.js';

/** Where replies are kept. What throws or rejects counts as not there: a cache must never fail a call. */
export interface ReplyStore {
  get(key: string): LLMReply | undefined | Promise<LLMReply | undefined>;
  set(key: string, reply: LLMReply): void | Promise<void>;
}

/** A reply taken from the cache: nothing was asked, so nothing was used. */
export interface CachedReply extends LLMReply { readonly fromCache: true }

export interface WithCacheOptions {
  /** Default: in RAM, for this wrapper alone. */
  readonly store?: ReplyStore;
  /** Replies kept by the default store; the least recently used goes first. Default 500. */
  readonly maxEntries?: number;
}

/**
 * A client that answers a request it has seen before from a store. The key is everything in the request but the ids of
 * task and subtask. Failures, filtered, cut and empty replies are not kept. A reply from the cache carries
 * `fromCache: true` and a usage of zero tokens.
 *
 * @example
 * import { withCache } from 'artoo/llm';
 * const cheap = withCache(client, { maxEntries: 1_000 });
 */
export function withCache(client: LLMClient, options: WithCacheOptions = {}): LLMClient {
  const store = options.store ?? memoryStore(options.maxEntries ?? 500);
  return wrapClient(client, async (request, callOptions) => {
    const key = requestKey(client.model, request);
    const known = await quietly(() => store.get(key));
    if (known !== undefined && isKeepable(known)) {
      callOptions.signal.throwIfAborted();
      callOptions.onDelta?.(known.text);
      return cached(known);
    }
    const reply = assertLLMReply(await client.complete(request, callOptions));
    if (isKeepable(reply)) await quietly(() => store.set(key, structuredClone(reply)));
    return reply;
  });
}

function requestKey(model: string, request: LLMRequest): string {
  const { taskId: _task, subtaskId: _subtask, ...rest } = request;
  return uuidV5(canonicalJson({ model, ...rest }));
}

function isKeepable(reply: LLMReply): boolean {
  if (reply.finishReason !== 'stop' && reply.finishReason !== 'tool_calls') return false;
  return reply.text.trim() !== '' || (reply.toolCalls !== undefined && reply.toolCalls.length > 0);
}

function cached(reply: LLMReply): CachedReply {
  return { ...structuredClone(reply), usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }, fromCache: true };
}

async function quietly<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

function memoryStore(maxEntries: number): ReplyStore {
  const entries = new Map<string, LLMReply>();
  return {
    get(key) {
      const reply = entries.get(key);
      if (reply !== undefined) {
        entries.delete(key);
        entries.set(key, reply);
      }
      return reply;
    },
    set(key, reply) {
      entries.set(key, reply);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    },
  };
}
