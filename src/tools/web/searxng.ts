import { ToolError } from '../tool-error.js';
import type { SearchBackend, SearchPage, SearchResult } from './search-backend.js';
import { endpointAddress } from './search-endpoint.js';

/** Options of {@link searxng}. */
export interface SearxngOptions {
  /** Where the instance is, e.g. `http://localhost:8888`. It may be on a private network, since you name it here. */
  readonly baseUrl: string;
  /** Such as `general`, `news`, `it`; default: the instance's own. */
  readonly categories?: readonly string[];
  /** Such as `en` or `de-DE`; default: the instance's own. */
  readonly language?: string;
  /** Sent with each request, to this host alone. */
  readonly headers?: Readonly<Record<string, string>>;
}

const NO_JSON = 'it gives no JSON: add "json" to search.formats in its settings.yml';

/**
 * Search by an instance of SearXNG, over its JSON interface.
 *
 * @example
 * import { searxng, webSearch } from 'artoo/tools';
 * const tool = webSearch({ backends: [searxng({ baseUrl: 'http://localhost:8888' })] });
 */
export function searxng({ baseUrl, categories, language, headers = {} }: SearxngOptions): SearchBackend {
  const base = endpointAddress(baseUrl, 'searxng', 'baseUrl');
  return {
    name: 'searxng',
    search: async (query, { fetchPage }) => {
      const url = new URL(base);
      url.pathname = `${url.pathname.replace(/\/$/, '')}/search`;
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      if (categories && categories.length > 0) url.searchParams.set('categories', categories.join(','));
      if (language !== undefined) url.searchParams.set('language', language);
      return readResults(await fetchPage({ url: url.href, headers: { ...headers, accept: 'application/json' }, allowPrivate: true }));
    },
  };
}

function readResults({ status, text }: SearchPage): readonly SearchResult[] {
  if (status === 403) throw ToolError.environmental(`it answered with the status 403; perhaps ${NO_JSON}`);
  if (status === 429) throw ToolError.environmental('it was asked too often (status 429)');
  if (status !== 200) throw ToolError.environmental(`it answered with the status ${status}`);
  const answer = parse(text);
  const { results, unresponsive_engines: silent } = answer;
  if (!Array.isArray(results)) throw ToolError.environmental('its answer holds no list of results');
  // Nothing found, because nobody looked: that is no empty result.
  if (results.length === 0 && Array.isArray(silent) && silent.length > 0) {
    throw ToolError.environmental(`it found nothing, and these engines of it gave no answer: ${silent.slice(0, 5).map((engine) => (Array.isArray(engine) ? engine.slice(0, 2).join(', ') : String(engine))).join('; ')}`);
  }
  return results.map((result: unknown) => {
    const { title, url, content } = (typeof result === 'object' && result !== null ? result : {}) as Readonly<Record<string, unknown>>;
    return { title: title ?? '', url, snippet: content ?? '' } as SearchResult;
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (text.trimStart().startsWith('<')) throw ToolError.environmental(NO_JSON, { cause });
    throw ToolError.environmental('its answer is no valid JSON', { cause });
  }
  throw ToolError.environmental('its answer holds no list of results');
}
