import { ToolError } from '../tool-error.js';
import { attribute, elementsBelow, hasClass, parseHtml, textBelow, type HtmlElement } from './html-tree.js';
import type { SearchBackend, SearchPage, SearchResult } from './search-backend.js';
import { endpointAddress } from './search-endpoint.js';

/** Options of {@link duckDuckGo}. */
export interface DuckDuckGoOptions {
  /** Where the page for browsers without scripts is; default `https://html.duckduckgo.com/html/`. */
  readonly endpoint?: string;
}

/** What stands on the page that asks whether one is human. It comes with a status of success. */
const CHALLENGE = /anomaly-modal|anomaly\.js|challenge-form|bots use DuckDuckGo/i;

/**
 * Search by the page that DuckDuckGo has for browsers without scripts. Needs no key. It is no official interface: the page may
 * change, and too many requests are answered with a question for humans; both end in a failure, never in "nothing found".
 *
 * @example
 * import { duckDuckGo, webSearch } from 'artoo/tools';
 * const tool = webSearch({ backends: [duckDuckGo()] });
 */
export function duckDuckGo({ endpoint = 'https://html.duckduckgo.com/html/' }: DuckDuckGoOptions = {}): SearchBackend {
  const address = endpointAddress(endpoint, 'duckDuckGo', 'endpoint');
  return {
    name: 'duckduckgo',
    search: async (query, { fetchPage }) => {
      const url = new URL(address);
      url.searchParams.set('q', query);
      return readResults(await fetchPage({ url: url.href, headers: { accept: 'text/html' }, allowPrivate: true }));
    },
  };
}

async function readResults(page: SearchPage): Promise<readonly SearchResult[]> {
  if (CHALLENGE.test(page.text)) throw ToolError.environmental('it asks for a proof of being human, as it does after many requests');
  if (page.status !== 200) throw ToolError.environmental(`it answered with the status ${page.status}`);
  const { document } = await parseHtml(page.text, { monotonic: () => 0 });
  const elements = [...elementsBelow(document)];
  const results = elements.filter((element) => hasClass(element, 'result') && !hasClass(element, 'result--ad')).flatMap((element) => readResult(element, page.url));
  if (results.length > 0) return results;
  if (elements.some((element) => hasClass(element, 'no-results') || hasClass(element, 'result--no-result'))) return [];
  throw ToolError.environmental('its page was not understood: it may have changed');
}

function readResult(element: HtmlElement, base: string): SearchResult[] {
  const inside = [...elementsBelow(element)];
  const link = inside.find((one) => one.tagName === 'a' && hasClass(one, 'result__a'));
  const url = link && targetOf(attribute(link, 'href') ?? '', base);
  if (!link || url === undefined) return [];
  const snippet = inside.find((one) => hasClass(one, 'result__snippet'));
  return [{ title: textBelow(link), url, snippet: snippet ? textBelow(snippet) : '' }];
}

/** Where a hit leads: links go through a page that counts clicks, and advertisements through one that names no target. */
function targetOf(href: string, base: string): string | undefined {
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }
  const counted = url.searchParams.get('uddg');
  if (url.pathname === '/l/' && counted !== null) return counted;
  return url.host === new URL(base).host || /(?:^|\.)duckduckgo\.com$/.test(url.hostname) ? undefined : url.href;
}
