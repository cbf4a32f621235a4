export { backoffMs, type BackoffOptions } from '../llm/backoff.js';
export { completeStructured, type CompleteStructuredOptions, type StructuredResult, type StructuredUsage } from '../llm/complete-structured.js';
export { classifyLLMError, toLLMError, type ClassifyOptions, type LLMErrorClass } from '../llm/errors.js';
export { estimateTokens } from '../llm/estimate-tokens.js';
export type { Limiter, LimiterGrant, LimiterOptions } from '../llm/limiter.js';
export { resolveModels, type ModelRole, type Models } from '../llm/models.js';
export { assertLLMReply } from '../llm/reply.js';
export { defineSchema, type AnySchema, type StructuredSchema } from '../llm/schema.js';
export { withCache, type CachedReply, type ReplyStore, type WithCacheOptions } from '../llm/with-cache.js';
export { withFallback, type FallbackReply, type WithFallbackOptions } from '../llm/with-fallback.js';
export { createLimiter, withLimits, type WithLimitsOptions } from '../llm/with-limits.js';
export { withRetry, type RetryEvent, type WithRetryOptions } from '../llm/with-retry.js';
export type {
  LLMCallOptions, LLMClient, LLMMessage, LLMReply, LLMRequest, LLMToolCall, LLMToolDescription, LLMUsage,
} from '../contracts/llm.js';
