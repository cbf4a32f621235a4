import { ArtooError } from '../contracts/errors.js';
import type { LLMClient, LLMReply } from '../contracts/llm.js';
import { toLLMError } from './errors.js';
import { assertLLMReply } from './reply.js';

/** A reply that says who gave it. */
export interface FallbackReply extends LLMReply { readonly answeredBy: string }

export interface WithFallbackOptions {
  /** Told whenever a client failed and the next one is asked. */
  readonly onFallback?: (event: { readonly from: string; readonly to: string; readonly error: ArtooError }) => void;
}

/**
 * A client that asks the next one when one fails, for whatever reason but an abort. It has the name of the first, the
 * capabilities that all have, and the lowest rank: a chain is as strong as its weakest link. Replies carry `answeredBy`.
 * When all fail it rejects with the last one's error; `details.tried` lists what each said.
 *
 * @example
 * import { withFallback } from 'artoo/llm';
 * const brain = withFallback([hosted, local], { onFallback: ({ to }) => console.error(`falling back to ${to}`) });
 */
export function withFallback(clients: readonly LLMClient[], options: WithFallbackOptions = {}): LLMClient {
  const [first] = clients;
  if (!first) throw new ArtooError('ARTOO_INVALID_CONFIG', 'withFallback needs at least one client.', { hint: 'Pass the clients in the order to ask them.' });
  const ranks = clients.map((client) => client.rank);
  const ranked = ranks.every((rank) => rank !== undefined);
  return {
    model: first.model,
    ...(ranked ? { rank: Math.min(...(ranks as number[])) } : {}),
    capabilities: {
      tools: clients.every((client) => client.capabilities?.tools === true),
      jsonSchema: clients.every((client) => client.capabilities?.jsonSchema === true),
    },
    async complete(request, callOptions): Promise<FallbackReply> {
      const tried: { model: string; code: string; message: string }[] = [];
      for (const [index, client] of clients.entries()) {
        try {
          return { ...assertLLMReply(await client.complete(request, callOptions)), answeredBy: client.model };
        } catch (thrown) {
          const error = toLLMError(thrown);
          tried.push({ model: client.model, code: error.code, message: error.message });
          const next = clients[index + 1];
          if (callOptions.signal.aborted || error.code === 'ARTOO_ABORTED' || (!next && clients.length === 1)) throw error;
          if (!next) {
            throw new ArtooError(error.code, `All ${clients.length} models failed; the last one: ${error.message}`, {
              cause: error,
              ...(error.hint === undefined ? {} : { hint: error.hint }),
              details: { ...error.details, tried },
            });
          }
          options.onFallback?.({ from: client.model, to: next.model, error });
        }
      }
      throw new ArtooError('ARTOO_LLM_FAILED', 'No model was asked.');
    },
  };
}
