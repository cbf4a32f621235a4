import { ArtooError } from '../contracts/errors.js';
import type { LLMClient } from '../contracts/llm.js';
import type { Clock } from '../contracts/runtime.js';
import { systemClock } from '../signals/system-clock.js';
import { estimateTokens } from './estimate-tokens.js';
import { Limiter, type LimiterOptions } from './limiter.js';
import { wrapClient } from './wrap.js';

export interface WithLimitsOptions extends LimiterOptions {
  /** Instead of limits: a limiter shared with other clients of the same account. */
  readonly limiter?: Limiter;
  readonly clock?: Clock;
}

/**
 * A limiter that several clients can share.
 *
 * @example
 * import { createLimiter, withLimits } from 'artoo/llm';
 * const limiter = createLimiter({ requestsPerMinute: 60 });
 * const models = { brain: withLimits(large, { limiter }), tool: withLimits(small, { limiter }) };
 */
export function createLimiter(options: LimiterOptions & { readonly clock?: Clock }): Limiter {
  for (const key of ['concurrency', 'requestsPerMinute', 'tokensPerMinute'] as const) {
    const value = options[key];
    if (value !== undefined && !(value >= 1)) {
      throw new ArtooError('ARTOO_INVALID_CONFIG', `${key} must be at least 1.`, { hint: 'Leave a limit out to have none.' });
    }
  }
  return new Limiter(options, options.clock ?? systemClock);
}

/**
 * A client that keeps to limits: calls at once, calls per minute, tokens per minute. All runs that use the wrapper share
 * them, first come first served. A call that waits leaves the queue as soon as its signal aborts. Tokens are estimated
 * before the call and corrected by its usage; one call larger than the whole limit waits for an empty minute.
 *
 * @example
 * import { withLimits } from 'artoo/llm';
 * const polite = withLimits(client, { concurrency: 4, tokensPerMinute: 90_000 });
 */
export function withLimits(client: LLMClient, options: WithLimitsOptions): LLMClient {
  const limiter = options.limiter ?? createLimiter(options);
  return wrapClient(client, async (request, callOptions) => {
    const grant = await limiter.acquire(estimateTokens(request) + (request.maxOutputTokens ?? 0), callOptions.signal);
    try {
      const reply = await client.complete(request, callOptions);
      const usage = reply.usage;
      grant.done(usage && usage.inputTokens >= 0 && usage.outputTokens >= 0 ? usage.inputTokens + usage.outputTokens : undefined);
      return reply;
    } finally {
      grant.done();
    }
  });
}
