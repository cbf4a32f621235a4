import { ArtooError, type ArtooErrorCode } from '../contracts/errors.js';
import { cleanText } from '../text/clean-text.js';
import { readErrorFacts, type ErrorFacts } from './error-facts.js';

export interface LLMErrorClass {
  readonly code: ArtooErrorCode;
  readonly retryable: boolean;
  /** What the provider asked for, in ms; not capped. */
  readonly retryAfterMs?: number;
}

export interface ClassifyOptions {
  /** Epoch ms, for a retry-after given as a date. Default: the system's time. */
  readonly now?: number;
}

const RETRYABLE: ReadonlySet<ArtooErrorCode> = new Set([
  'ARTOO_LLM_TIMEOUT', 'ARTOO_LLM_RATE_LIMITED', 'ARTOO_LLM_UNAVAILABLE', 'ARTOO_LLM_NETWORK', 'ARTOO_LLM_BAD_RESPONSE',
]);
const CONTEXT_TOO_LONG = /context[_ ]length|context[_ ]window|maximum context|prompt is too long|too many (?:input )?tokens|reduce the length|string_above_max_length|exceeds? the (?:available )?context/i;
const CONTENT_FILTER = /content[_ ](?:filter|policy)|responsible_?ai_?policy/i;
const OUT_OF_QUOTA = /insufficient_quota|billing_hard_limit|exceeded your current quota|insufficient[_ ]balance/i;
const TIMED_OUT = /ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError|APIConnectionTimeoutError|\bHeadersTimeoutError|ConnectTimeoutError/;
const CERTIFICATE = /CERT_|_CERT\b|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS_|ERR_SSL_/;
const NETWORK = /ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED|APIConnectionError|FetchError|ERR_STREAM_PREMATURE_CLOSE/;
const NETWORK_MESSAGE = /fetch failed|socket hang up|other side closed|^terminated$|\bterminated\b|premature close|network (?:error|timeout)|connection (?:error|reset|closed|refused)|failed to fetch/i;

/**
 * Says what a failed model call was, by what the error carries: `status`, `statusCode`, `code`, `headers`, `retryAfterMs`,
 * its name, its causes. Works on errors of SDKs, of fetch, of hand-written clients and on artoo's own. Never throws.
 *
 * Retryable: time limits, 408, 409, 425, 429, 5xx, network errors, an unusable response. Not: other 4xx, an exhausted
 * quota, a refused certificate, an abort, anything unknown.
 *
 * @example
 * import { classifyLLMError } from 'artoo/llm';
 * classifyLLMError({ status: 429, headers: { 'retry-after': '2' } });
 * // { code: 'ARTOO_LLM_RATE_LIMITED', retryable: true, retryAfterMs: 2000 }
 */
export function classifyLLMError(error: unknown, options: ClassifyOptions = {}): LLMErrorClass {
  if (isOwn(error)) {
    const after = error.details['retryAfterMs'];
    const retryable = error.details['retryable'];
    return withDelay({ code: error.code, retryable: typeof retryable === 'boolean' ? retryable : RETRYABLE.has(error.code) }, typeof after === 'number' ? after : undefined);
  }
  const facts = readErrorFacts(error, options.now ?? Date.now());
  return withDelay(classifyFacts(facts), facts.retryAfterMs);
}

/**
 * The error as an ArtooError: its own kind stays as it is; anything else gets the code of {@link classifyLLMError}, the
 * provider's words (shortened, keys taken out) and the original as cause. `details` holds `status` and `retryAfterMs`.
 */
export function toLLMError(error: unknown, options: ClassifyOptions = {}): ArtooError {
  if (isOwn(error)) return error;
  const facts = readErrorFacts(error, options.now ?? Date.now());
  const { code, retryable } = classifyFacts(facts);
  const said = scrubSecrets(cleanText(facts.message)).replace(/\s+/g, ' ').trim().slice(0, 300);
  return new ArtooError(code, `${SAYING[code] ?? 'The model call failed'}${facts.status === undefined ? '' : ` (HTTP ${facts.status})`}${said === '' ? '.' : `: ${said}`}`, {
    cause: error,
    hint: HINTS[code] ?? 'The cause holds what the client threw.',
    details: {
      retryable,
      ...(facts.status === undefined ? {} : { status: facts.status }),
      ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
    },
  });
}

/** Takes common key shapes out of a text. */
export function scrubSecrets(text: string): string {
  return text
    .replace(/\b(?:sk|pk|rk|gsk|xai|hf|nvapi|csk|key)[-_][A-Za-z0-9_*-]{4,}/g, '[key]')
    .replace(/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{6,}/gi, '$1 [key]')
    .replace(/\b(api[-_ ]?key|token|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi, '$1$2[key]')
    .replace(/\bAIza[A-Za-z0-9_-]{20,}/g, '[key]');
}

/** An object that throws when it is looked at is none of ours. */
function isOwn(error: unknown): error is ArtooError {
  try {
    return ArtooError.is(error);
  } catch {
    return false;
  }
}

function withDelay(result: LLMErrorClass, retryAfterMs: number | undefined): LLMErrorClass {
  return retryAfterMs === undefined || !result.retryable ? result : { ...result, retryAfterMs };
}

function classifyFacts(facts: ErrorFacts): LLMErrorClass {
  const { status, name, message } = facts;
  const codes = facts.codes.join(' ');
  if (status !== undefined) return byStatus(status, `${codes} ${message}`);
  if (/\bAbortError\b|APIUserAbortError/.test(name) || /\bABORT_ERR\b|ERR_CANCELED/.test(codes)) return { code: 'ARTOO_ABORTED', retryable: false };
  const marks = `${codes} ${name}`;
  if (TIMED_OUT.test(marks)) return { code: 'ARTOO_LLM_TIMEOUT', retryable: true };
  if (CERTIFICATE.test(codes)) return { code: 'ARTOO_LLM_NETWORK', retryable: false };
  if (CONTEXT_TOO_LONG.test(codes)) return { code: 'ARTOO_LLM_CONTEXT_TOO_LONG', retryable: false };
  if (CONTENT_FILTER.test(codes)) return { code: 'ARTOO_LLM_CONTENT_FILTER', retryable: false };
  if (/rate_limit|too_many_requests|overloaded/i.test(codes)) return { code: 'ARTOO_LLM_RATE_LIMITED', retryable: true };
  if (/server_error|internal_error|service_unavailable/i.test(codes)) return { code: 'ARTOO_LLM_UNAVAILABLE', retryable: true };
  if (/invalid_request|authentication|permission|not_found/i.test(codes)) return { code: 'ARTOO_LLM_REJECTED', retryable: false };
  if (NETWORK.test(marks) || NETWORK_MESSAGE.test(message)) return { code: 'ARTOO_LLM_NETWORK', retryable: true };
  if (facts.retryAfterMs !== undefined) return { code: 'ARTOO_LLM_RATE_LIMITED', retryable: true };
  if (/\bSyntaxError\b/.test(name)) return { code: 'ARTOO_LLM_BAD_RESPONSE', retryable: true };
  return { code: 'ARTOO_LLM_FAILED', retryable: false };
}

function byStatus(status: number, words: string): LLMErrorClass {
  if (status === 408) return { code: 'ARTOO_LLM_TIMEOUT', retryable: true };
  if (status === 429) return OUT_OF_QUOTA.test(words) ? { code: 'ARTOO_LLM_REJECTED', retryable: false } : { code: 'ARTOO_LLM_RATE_LIMITED', retryable: true };
  if (status === 409 || status === 425 || (status >= 500 && status !== 501)) return { code: 'ARTOO_LLM_UNAVAILABLE', retryable: true };
  if (status === 400 || status === 413 || status === 422) {
    if (CONTEXT_TOO_LONG.test(words)) return { code: 'ARTOO_LLM_CONTEXT_TOO_LONG', retryable: false };
    if (CONTENT_FILTER.test(words)) return { code: 'ARTOO_LLM_CONTENT_FILTER', retryable: false };
  }
  return { code: 'ARTOO_LLM_REJECTED', retryable: false };
}

const SAYING: Partial<Record<ArtooErrorCode, string>> = {
  ARTOO_LLM_TIMEOUT: 'The model did not answer in time',
  ARTOO_LLM_RATE_LIMITED: 'The model provider limits the rate of calls',
  ARTOO_LLM_UNAVAILABLE: 'The model provider is unavailable',
  ARTOO_LLM_NETWORK: 'The model could not be reached',
  ARTOO_LLM_REJECTED: 'The model provider refused the call',
  ARTOO_LLM_CONTEXT_TOO_LONG: 'The prompt is longer than the model takes',
  ARTOO_LLM_CONTENT_FILTER: 'The model provider filtered the call',
  ARTOO_LLM_BAD_RESPONSE: 'The model provider answered something that is no reply',
  ARTOO_ABORTED: 'The model call was aborted',
};
const HINTS: Partial<Record<ArtooErrorCode, string>> = {
  ARTOO_LLM_TIMEOUT: 'Raise the time limit of the client, or check that the endpoint is alive.',
  ARTOO_LLM_RATE_LIMITED: 'Wait, lower the concurrency with withLimits, or raise the quota at the provider.',
  ARTOO_LLM_UNAVAILABLE: 'Try later, or give a second client with withFallback.',
  ARTOO_LLM_NETWORK: 'Check the base URL, DNS, proxy and certificate of the endpoint.',
  ARTOO_LLM_REJECTED: 'Check the key, the model name and the options: the same call will be refused again.',
  ARTOO_LLM_CONTEXT_TOO_LONG: 'Shorten the input or use a model with a larger context.',
  ARTOO_LLM_CONTENT_FILTER: "Rephrase the task, or ask the provider about its filter.",
  ARTOO_LLM_BAD_RESPONSE: 'Check that the base URL is an OpenAI-compatible endpoint or that the client fits the port.',
};
