import { ArtooError } from '../../contracts/errors.js';
import type { LLMClient } from '../../contracts/llm.js';
import type { Clock } from '../../contracts/runtime.js';

/** What is used of an `OpenAI` instance; any object of this shape will do. */
export interface OpenAILike {
  readonly chat: { readonly completions: { create(body: never, options?: never): PromiseLike<unknown> } };
}

export interface OpenAIClientOptions {
  /** The model's name at the provider. */
  readonly model: string;
  /** An instance of the `openai` package to use. Without it one is made from the options below. */
  readonly client?: OpenAILike;
  /** Default: OpenAI's own. A trailing `/chat/completions` is taken off. */
  readonly baseURL?: string;
  /** Needed unless the base URL is on this machine or `headers` authenticate. */
  readonly apiKey?: string;
  /** See LLMClient. */
  readonly rank?: number;
  /** Default: tools and JSON schema. A server without a JSON-schema mode is found out by itself; one without tools isn't. */
  readonly capabilities?: LLMClient['capabilities'];
  /** For requests that name none. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Sent as `reasoning_effort`: `low`, `medium`, `high` or what the provider knows. */
  readonly reasoning?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly defaultQuery?: Readonly<Record<string, string>>;
  /** More fields of the request body, for what a provider adds to the protocol. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Default true: only a stream shows that a slow model is alive. */
  readonly streaming?: boolean;
  /** In ms, until the server is reached; default 10,000. Says nothing about how long it may think. */
  readonly connectTimeoutMs?: number;
  /** In ms, between two pieces of a stream, from the first on; default 180,000. */
  readonly idleTimeoutMs?: number;
  /** In ms, for the whole call; default 600,000. */
  readonly timeoutMs?: number;
  /** A fetch of one's own, e.g. for a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

const OPENAI = 'https://api.openai.com/v1';

export interface Endpoint { readonly baseURL: string; readonly isOpenAI: boolean }

/** Checks the options and works out the endpoint. Throws ARTOO_INVALID_CONFIG that names everything missing. */
export function resolveEndpoint(options: OpenAIClientOptions): Endpoint {
  const missing: string[] = [];
  if (typeof options.model !== 'string' || options.model.trim() === '') missing.push('model');
  const baseURL = options.client ? clientBaseURL(options.client) : normaliseBaseURL(options.baseURL);
  if (!options.client && !isSet(options.apiKey) && !isLoopback(baseURL) && !authenticates(options.headers)) missing.push('apiKey');
  if (missing.length > 0) {
    throw invalid(`createOpenAIClient: ${missing.join(' and ')} missing.`, missing.includes('apiKey')
      ? 'Pass apiKey; nothing is read from the environment. Only endpoints on this machine need none.'
      : 'Pass the name of the model, e.g. model: "gpt-4.1".');
  }
  if (options.client && typeof options.client.chat?.completions?.create !== 'function') {
    throw invalid('createOpenAIClient: client has no chat.completions.create.', 'Pass an instance of the openai package, or leave it out.');
  }
  for (const key of ['connectTimeoutMs', 'idleTimeoutMs', 'timeoutMs'] as const) {
    const value = options[key];
    if (value !== undefined && !(value > 0)) throw invalid(`createOpenAIClient: ${key} must be above 0.`, 'Leave it out for the default, or pass Infinity for none.');
  }
  return { baseURL, isOpenAI: hostOf(baseURL).endsWith('openai.com') };
}

/** Takes a pasted endpoint for what was meant: no trailing slash, no `/chat/completions`. `/v1` is never added. */
export function normaliseBaseURL(given: string | undefined): string {
  if (!isSet(given)) return OPENAI;
  let url: URL;
  try {
    url = new URL(given.trim());
  } catch {
    throw invalid('createOpenAIClient: baseURL is no URL.', 'Pass something like https://api.example.com/v1.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid('createOpenAIClient: baseURL must begin with http:// or https://.', 'Pass something like https://api.example.com/v1.');
  if (url.username !== '' || url.password !== '') throw invalid('createOpenAIClient: baseURL must not hold a user name or password.', 'Pass credentials as apiKey or in headers.');
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function clientBaseURL(client: OpenAILike): string {
  const { baseURL } = client as { readonly baseURL?: unknown };
  return typeof baseURL === 'string' ? baseURL : OPENAI;
}

export function hostOf(baseURL: string): string {
  try {
    return new URL(baseURL).hostname;
  } catch {
    return '';
  }
}

function isLoopback(baseURL: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostOf(baseURL));
}

function authenticates(headers: OpenAIClientOptions['headers']): boolean {
  return Object.keys(headers ?? {}).some((name) => /^(?:authorization|api-key|x-api-key)$/i.test(name));
}

function isSet(value: string | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function invalid(message: string, hint: string): ArtooError {
  return new ArtooError('ARTOO_INVALID_CONFIG', message, { hint });
}
