import type { LLMClient } from '../contracts/llm.js';

/** A client with another `complete` and everything else of the inner one. */
export function wrapClient(inner: LLMClient, complete: LLMClient['complete']): LLMClient {
  return {
    model: inner.model,
    ...(inner.rank === undefined ? {} : { rank: inner.rank }),
    ...(inner.capabilities === undefined ? {} : { capabilities: inner.capabilities }),
    complete,
  };
}
