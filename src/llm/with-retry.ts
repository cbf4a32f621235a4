import { ArtooError } from '../contracts/errors.js';
import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest, LLMUsage } from '../contracts/llm.js';
import type { Clock } from '../contracts/runtime.js';
import { systemClock } from '../signals/system-clock.js';
import { delay } from '../signals/delay.js';
import { runWithTimeout } from '../signals/run-with-timeout.js';
import { backoffMs } from './backoff.js';
import { Circuit } from './circuit.js';
import { classifyLLMError, toLLMError, type LLMErrorClass } from './errors.js';
import { assertLLMReply } from './reply.js';
import { wrapClient } from './wrap.js';

export interface WithRetryOptions {
  /** Tries after the first. Default 3. */
  readonly retries?: number;
  /** Limit of each try in ms. Default 300,000. */
  readonly timeoutMs?: number;
  /** First and longest wait in ms. Defaults 500 and 30,000. */
  readonly baseMs?: number;
  readonly maxMs?: number;
  /** The longest that a `retry-after` is followed, in ms. Default 60,000. */
  readonly maxRetryAfterMs?: number;
  /** Failures in a row, of all calls, that open the circuit (default 8), and for how long in ms (default 30,000). */
  readonly circuit?: { readonly failures?: number; readonly cooldownMs?: number };
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Told before each wait. */
  readonly onRetry?: (event: RetryEvent) => void;
}

/** `attempt` failed and the next follows in `waitMs`. */
export interface RetryEvent { readonly attempt: number; readonly waitMs: number; readonly error: ArtooError }

/**
 * A client that tries again: on time limits, 429, 5xx, network errors and unusable responses, with growing random waits;
 * never on 400, 401, 403, 404, 422 or an abort.
 *
 * While a `retry-after` runs, no other call through this wrapper starts either. After too many failures in a row the
 * circuit opens: calls fail at once with ARTOO_LLM_UNAVAILABLE until a single probe has succeeded. Text streamed by a
 * try that failed can't be taken back; the next try streams anew. The runtime retries by itself and counts every try,
 * so this wrapper is for use outside of it, or for clients shared with other code.
 *
 * @example
 * import { withRetry } from 'artoo/llm';
 * const patient = withRetry(client, { retries: 5, onRetry: ({ waitMs }) => console.error(`again in ${waitMs} ms`) });
 */
export function withRetry(client: LLMClient, options: WithRetryOptions = {}): LLMClient {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const retries = options.retries ?? 3;
  const circuit = new Circuit(options.circuit?.failures ?? 8, options.circuit?.cooldownMs ?? 30_000);
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const once = async (request: LLMRequest, callOptions: LLMCallOptions): Promise<LLMReply> => {
    for (let left = pausedUntil - clock.monotonic(); left > 0; left = pausedUntil - clock.monotonic()) {
      await delay({ clock, ms: left, signal: callOptions.signal });
    }
    const pass = circuit.enter(clock.monotonic());
    if (pass.waitMs > 0) throw circuitOpen(client.model, pass.waitMs);
    try {
      const reply = await runWithTimeout({
        clock,
        ms: options.timeoutMs ?? 300_000,
        signal: callOptions.signal,
        run: async (signal) => assertLLMReply(await client.complete(request, { ...callOptions, signal })),
        onTimeout: () => new ArtooError('ARTOO_LLM_TIMEOUT', `"${client.model}" did not answer within ${options.timeoutMs ?? 300_000} ms.`, {
          hint: 'Raise timeoutMs, or check that the endpoint is alive.',
        }),
      });
      circuit.succeeded();
      return reply;
    } catch (error) {
      const kind = classifyLLMError(error, { now: clock.now() });
      // A provider that says when to come back is alive: it paces us, it does not fail.
      const failed = kind.retryable && kind.retryAfterMs === undefined && !callOptions.signal.aborted;
      if (failed) circuit.failed(pass, clock.monotonic());
      else circuit.left(pass);
      throw error;
    }
  };

  return wrapClient(client, async (request, callOptions) => {
    const spent: LLMUsage[] = [];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return withSpent(await once(request, callOptions), spent);
      } catch (error) {
        const kind: LLMErrorClass = classifyLLMError(error, { now: clock.now() });
        const typed = toLLMError(error, { now: clock.now() });
        const usage = typed.details['usage'];
        if (usage !== undefined) spent.push(usage as LLMUsage);
        const waitMs = backoffMs(attempt, { ...options, random, retryAfterMs: kind.retryAfterMs });
        if (kind.retryable && kind.retryAfterMs !== undefined) pausedUntil = Math.max(pausedUntil, clock.monotonic() + waitMs);
        if (callOptions.signal.aborted || !kind.retryable || attempt > retries) throw typed;
        options.onRetry?.({ attempt, waitMs, error: typed });
        await delay({ clock, ms: waitMs, signal: callOptions.signal });
      }
    }
  });
}

/** Adds what failed tries are known to have cost. */
function withSpent(reply: LLMReply, spent: readonly LLMUsage[]): LLMReply {
  if (spent.length === 0 || reply.usage === undefined) return reply;
  let { inputTokens, outputTokens } = reply.usage;
  for (const usage of spent) {
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
  }
  return { ...reply, usage: { ...reply.usage, inputTokens, outputTokens } };
}

function circuitOpen(model: string, retryInMs: number): ArtooError {
  return new ArtooError('ARTOO_LLM_UNAVAILABLE', `"${model}" failed too often in a row; calls are held back for ${Math.ceil(retryInMs)} ms.`, {
    hint: 'Wait for the provider to recover, or give a second client with withFallback.',
    // Not retryable here: whoever holds the circuit has decided already.
    details: { circuit: 'open', retryInMs, retryable: false },
  });
}
