import type { LLMReply, LLMRequest } from '../../contracts/llm.js';
import type { Clock } from '../../contracts/runtime.js';
import { estimateTokens } from '../../llm/estimate-tokens.js';
import { linkedController } from '../../signals/linked-controller.js';
import type { ConnectProbe } from './connect-probe.js';
import { badResponse, halfStream, timedOut } from './failures.js';
import type { OpenAILike } from './options.js';
import { MAX_STREAM_LENGTH, ReplyParts } from './reply-parts.js';
import { sdkTimeout } from './sdk.js';
import { createWatchdog } from './watchdog.js';

export interface CallOptions {
  readonly sdk: OpenAILike;
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: LLMRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Asked when no answer has begun in time; undefined when the way to the server isn't known. */
  readonly probe: ((ms: number) => ReturnType<ConnectProbe>) | undefined;
  readonly onDelta: ((text: string) => void) | undefined;
  /** Told when a server that was asked for a stream sent none. */
  readonly onNoStream: () => void;
}

/** One exchange with the server, streamed or not. Rejects with whatever the SDK threw, or with an ArtooError. */
export async function callOnce(options: CallOptions): Promise<LLMReply> {
  const { controller, unlink } = linkedController(options.signal);
  const stopProbe = watchConnection(options, controller);
  const parts = new ReplyParts();
  try {
    const send = options.sdk.chat.completions.create as unknown as Create;
    const answer = await send.call(options.sdk.chat.completions, options.body, {
      signal: controller.signal, maxRetries: 0, timeout: sdkTimeout(options.timeoutMs),
    });
    stopProbe();
    if (isStream(answer)) await readStream(answer, parts, options, controller);
    else parts.addCompletion(answer);
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    stopProbe();
    unlink();
  }
  controller.signal.throwIfAborted();
  if (!parts.sawChoice) throw badResponse('answered without a choice');
  return parts.reply();
}

type Create = (this: unknown, body: unknown, options: unknown) => PromiseLike<unknown>;

async function readStream(stream: AsyncIterable<unknown>, parts: ReplyParts, options: CallOptions, controller: AbortController): Promise<void> {
  const watchdog = createWatchdog({
    clock: options.clock,
    ms: options.idleTimeoutMs,
    onIdle: () => controller.abort(timedOut('sent nothing more', options.idleTimeoutMs, 'Raise idleTimeoutMs when the model pauses that long.')),
  });
  let chunks = 0;
  try {
    for await (const chunk of stream) {
      watchdog.touch();
      chunks += 1;
      const text = parts.addChunk(chunk);
      if (text !== '') deliver(options.onDelta, text);
      if (parts.text.length > MAX_STREAM_LENGTH) {
        const error = badResponse(`streamed more than ${MAX_STREAM_LENGTH} characters`);
        controller.abort(error);
        throw error;
      }
    }
  } catch (error) {
    // Once the model has said how it ended, a connection that breaks takes nothing away.
    if (parts.finishReason !== undefined && !controller.signal.aborted) return;
    if (controller.signal.aborted || error instanceof SyntaxError || isProviderError(error)) throw error;
    throw halfStream(spent(options.request, parts.text), error);
  } finally {
    watchdog.stop();
  }
  if (controller.signal.aborted || parts.finishReason !== undefined) return;
  if (chunks === 0) options.onNoStream();
  else if (!parts.sawChoice) throw badResponse('answered without a choice');
  throw halfStream(spent(options.request, parts.text));
}

/** What a broken call has cost at least. */
function spent(request: LLMRequest, text: string): { inputTokens: number; outputTokens: number } {
  return { inputTokens: estimateTokens(request), outputTokens: estimateTokens(text) };
}

/** A host's callback is its own affair. */
function deliver(onDelta: CallOptions['onDelta'], text: string): void {
  try {
    onDelta?.(text);
  } catch {
    // The reply matters more than whoever watches it.
  }
}

/** An error that the server reported inside of the stream. */
function isProviderError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'error' in error && error.error !== undefined;
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function watchConnection(options: CallOptions, controller: AbortController): () => void {
  const { probe, connectTimeoutMs } = options;
  if (probe === undefined || connectTimeoutMs === Infinity) return () => {};
  let stopped = false;
  const cancel = options.clock.setTimeout(() => {
    void probe(Math.min(connectTimeoutMs, 10_000)).then((reached) => {
      if (!stopped && !reached) controller.abort(timedOut('could not be reached', connectTimeoutMs, 'Check the base URL, the network and whether the server runs.'));
    });
  }, connectTimeoutMs);
  return () => {
    stopped = true;
    cancel();
  };
}
