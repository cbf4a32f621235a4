import { ArtooError } from '../../contracts/errors.js';
import type { Endpoint, OpenAIClientOptions, OpenAILike } from './options.js';

/** Node's timers end here. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Loads the `openai` package and makes an instance that neither retries nor reads settings from the environment. */
export async function loadSdk(options: OpenAIClientOptions, endpoint: Endpoint): Promise<OpenAILike> {
  let sdk: typeof import('openai');
  try {
    sdk = await import('openai');
  } catch (cause) {
    throw new ArtooError('ARTOO_INVALID_CONFIG', 'The package "openai" could not be loaded.', {
      cause,
      hint: 'Install it (npm install openai), or pass an instance as client.',
    });
  }
  return new sdk.OpenAI({
    baseURL: endpoint.baseURL,
    apiKey: options.apiKey?.trim() || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: sdkTimeout(options.timeoutMs),
    logLevel: 'off',
    ...(options.headers ? { defaultHeaders: options.headers } : {}),
    ...(options.defaultQuery ? { defaultQuery: { ...options.defaultQuery } } : {}),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
}

/** The SDK's own limit must never be the first to strike. */
export function sdkTimeout(timeoutMs: number | undefined): number {
  return Math.min(LONGEST_TIMER_MS, (timeoutMs ?? 600_000) + 60_000);
}
