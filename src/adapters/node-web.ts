import { ArtooError } from '../contracts/errors.js';
import type { Tool } from '../contracts/tool.js';
import { systemClock } from '../signals/system-clock.js';
import { duckDuckGo } from '../tools/web/duck-duck-go.js';
import { fetchUrlTool } from '../tools/web/fetch-url.js';
import { guardedFetch } from '../tools/web/guarded-fetch.js';
import { hostList } from '../tools/web/host-list.js';
import type { SearchBackend, SearchFunction } from '../tools/web/search-backend.js';
import { oneLine } from '../tools/web/search-results.js';
import { webSearchTool } from '../tools/web/web-search.js';
import type { WebTransport } from '../tools/web/web-transport.js';
import { nodeWebTransport } from './node-web-transport.js';

/** Options of {@link fetchUrl}. */
export interface FetchUrlOptions {
  /**
   * What may be fetched of this machine and of private networks: `true` for all of it, or hosts (`"localhost"`, `"10.0.0.7:8080"`,
   * `"*.corp.example"`). Default: nothing.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** Hosts that you vouch for: what is sent to them counts as staying inside, so calls to them never ask. Redirects to others are not followed. */
  readonly allowHosts?: readonly string[];
  /** Of one page, on the wire and unpacked each; default 2,097,152. What lies beyond is not read. */
  readonly maxBytes?: number;
  /** Of one call with all its redirects, in ms; default 20,000. */
  readonly timeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Of one output, head included; default 3,900: a run shows its model 4,000. */
  readonly maxCharacters?: number;
  /** Sent with each request. Use the function for what only some hosts may get, such as a key: it is asked anew for each redirect. */
  readonly headers?: Readonly<Record<string, string>> | ((url: URL) => Readonly<Record<string, string>>);
  readonly userAgent?: string;
}

/** Options of {@link webSearch}. */
export interface WebSearchOptions {
  /** Asked in this order, until one has found something; default: `duckDuckGo()` alone. */
  readonly backends?: readonly (SearchBackend | SearchFunction)[];
  /** The most results of a call, 1 to 20; default 8. */
  readonly maxResults?: number;
  /** For each backend, in ms; default 10,000. */
  readonly timeoutMs?: number;
}

const USER_AGENT = 'Mozilla/5.0 (compatible; artoo)';
/** A key in a header for everybody would be sent to any address that a model names. */
const FOR_ONE_HOST: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);
/** What belongs to the connection. */
const NOT_YOURS: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive']);

/**
 * The tool `fetchUrl`: the readable text of a page. Only GET, only http and https; private addresses are refused unless allowed, in any
 * spelling, after any redirect, and whatever the name service says. Throws ARTOO_INVALID_ARGUMENT for options that can't work.
 *
 * @example
 * import { fetchUrl } from 'artoo/tools';
 * const tool = fetchUrl({ allowPrivate: ['localhost:8080'], allowHosts: ['*.example.org'] });
 */
export function fetchUrl(options: FetchUrlOptions = {}): Tool {
  return fetchUrlOver(options, nodeWebTransport());
}

/** {@link fetchUrl} over a given network. */
export function fetchUrlOver(options: FetchUrlOptions, transport: WebTransport): Tool {
  const { allowPrivate = false, allowHosts = [], headers = {}, userAgent = USER_AGENT } = options;
  const maxBytes = whole(options.maxBytes, 'maxBytes', { least: 1, most: 268_435_456, usual: 2_097_152 });
  const timeoutMs = whole(options.timeoutMs, 'timeoutMs', { least: 1, most: 3_600_000, usual: 20_000 });
  const maxRedirects = whole(options.maxRedirects, 'maxRedirects', { least: 0, most: 50, usual: 5 });
  const maxCharacters = whole(options.maxCharacters, 'maxCharacters', { least: 1_000, most: 1_000_000, usual: 3_900 });
  if (typeof headers !== 'function') checkHeaders(headers);
  checkHeader('user-agent', userAgent);
  const mayBePrivate = typeof allowPrivate === 'boolean' ? () => allowPrivate : hostList(allowPrivate, 'allowPrivate');
  return fetchUrlTool({
    fetch: guardedFetch({ transport, clock: systemClock, timeoutMs, maxBytes, maxRedirects, userAgent }),
    clock: systemClock, mayBePrivate, vouchedFor: hostList(allowHosts, 'allowHosts'), maxBytes, maxCharacters, timeoutMs,
    headers: (url) => lowerCase(typeof headers === 'function' ? headers(new URL(url)) : headers),
  });
}

/**
 * The tool `webSearch`: hits of the first backend that has some. When none could be asked, the call fails with "Search unavailable" and
 * each backend's reason; that nothing was found is an empty result. Throws ARTOO_INVALID_ARGUMENT for options that can't work.
 *
 * @example
 * import { duckDuckGo, searxng, webSearch } from 'artoo/tools';
 * const tool = webSearch({ backends: [searxng({ baseUrl: 'http://localhost:8888' }), duckDuckGo()] });
 */
export function webSearch(options: WebSearchOptions = {}): Tool {
  return webSearchOver(options, nodeWebTransport());
}

/** {@link webSearch} over a given network. */
export function webSearchOver(options: WebSearchOptions, transport: WebTransport): Tool {
  const { backends = [duckDuckGo()] } = options;
  const maxResults = whole(options.maxResults, 'maxResults', { least: 1, most: 20, usual: 8 });
  const timeoutMs = whole(options.timeoutMs, 'timeoutMs', { least: 1, most: 600_000, usual: 10_000 });
  if (!Array.isArray(backends) || backends.length === 0) throw invalid('`backends` must hold at least one search backend.', 'Write for instance backends: [duckDuckGo()].');
  const maxBytes = 2_097_152;
  return webSearchTool({
    backends: backends.map((backend, index) => namedBackend(backend, index)), maxResults, timeoutMs, maxBytes, clock: systemClock,
    fetch: guardedFetch({ transport, clock: systemClock, timeoutMs, maxBytes, maxRedirects: 5, userAgent: USER_AGENT }),
  });
}

function namedBackend(backend: SearchBackend | SearchFunction, index: number): SearchBackend {
  if (typeof backend === 'function') return { name: oneLine(backend.name, 60) || 'search', search: backend };
  if (typeof backend !== 'object' || backend === null || typeof backend.search !== 'function' || typeof backend.name !== 'string' || oneLine(backend.name, 60) === '') {
    throw invalid(`\`backends\`[${index}] is no search backend.`, 'Give a function (query, { signal, maxResults }) => results, or { name, search }.');
  }
  return { name: oneLine(backend.name, 60), search: (query, context) => backend.search(query, context) };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
    found[name.toLowerCase()] = value;
  }
  return found;
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  if (typeof headers !== 'object' || headers === null) throw invalid('`headers` must be a record of texts or a function that returns one.', "Write for instance headers: { 'accept-language': 'de' }.");
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
    if (FOR_ONE_HOST.has(name.toLowerCase())) {
      throw invalid(`\`headers\` would send ${name} to every address that a model names.`, 'Give it to its own host only: headers: (url) => (url.host === "api.example.org" ? { … } : {}).');
    }
  }
}

function checkHeader(name: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
    throw invalid(`The header ${JSON.stringify(name)} can't be sent.`, 'A header is a name of letters, digits and "-" with one line of text.');
  }
  if (NOT_YOURS.has(name.toLowerCase())) throw invalid(`The header ${JSON.stringify(name)} belongs to the connection.`, 'Leave it out.');
}

function whole(value: number | undefined, name: string, { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number }): number {
  if (value === undefined) return usual;
  if (!Number.isInteger(value) || value < least || value > most) throw invalid(`\`${name}\` is ${String(value)}.`, `Write a whole number from ${least} to ${most}, or leave it out for ${usual}.`);
  return value;
}

function invalid(message: string, hint: string): ArtooError {
  return new ArtooError('ARTOO_INVALID_ARGUMENT', message, { hint });
}
