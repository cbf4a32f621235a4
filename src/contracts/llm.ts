import type { RoleId } from './names.js';

/** A call that the model asks for. `id` is whatever the provider gave; the runtime makes ids unique. */
export interface LLMToolCall { readonly id: string; readonly name: string; readonly input: unknown }

/** One turn. `toolCalls` only on assistant turns, `toolCallId` only on tool turns. */
export interface LLMMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCalls?: readonly LLMToolCall[];
  readonly toolCallId?: string;
}

export interface LLMToolDescription { readonly name: string; readonly description: string; readonly inputSchema: Readonly<Record<string, unknown>> }

/** One call. `role`, `taskId` and `subtaskId` say who asks; a client may ignore them. */
export interface LLMRequest {
  readonly role: RoleId;
  readonly taskId: string;
  readonly subtaskId?: string;
  readonly system: string;
  readonly messages: readonly LLMMessage[];
  readonly tools?: readonly LLMToolDescription[];
  readonly schema?: { readonly name: string; readonly jsonSchema: Readonly<Record<string, unknown>> };
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** In tokens. `cachedTokens` is the part of `inputTokens` that the provider had cached. */
export interface LLMUsage { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens?: number }

export interface LLMReply {
  readonly text: string;
  readonly toolCalls?: readonly LLMToolCall[];
  readonly usage?: LLMUsage;
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
}

/**
 * A model. One method, easy to write over any SDK.
 *
 * `complete` may reject; an error with a numeric `status`, a `retryAfterMs` or a system error `code` is classified by
 * it. It must settle soon after `signal` aborts. The request is frozen and stays the caller's. It must not retry by
 * itself: the runtime does, and counts every attempt. `onDelta` gets text as it streams, if the client can stream.
 * Absent `capabilities` mean none: tools and schemas are then asked for in the prompt.
 */
export interface LLMClient {
  readonly model: string;
  /** How capable the model is, on the host's own scale. R4b's must be at least R2's. */
  readonly rank?: number;
  readonly capabilities?: { readonly tools?: boolean; readonly jsonSchema?: boolean };
  complete(request: LLMRequest, options: LLMCallOptions): Promise<LLMReply>;
}

export interface LLMCallOptions { readonly signal: AbortSignal; readonly onDelta?: (text: string) => void }
