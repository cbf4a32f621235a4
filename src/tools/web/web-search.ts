import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import type { Tool } from '../../contracts/tool.js';
import { abortError, runWithTimeout } from '../../signals/index.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import { readContentType } from './content-type.js';
import { decodeBytes, looksBinary } from './decode-bytes.js';
import type { GuardedFetch } from './guarded-fetch.js';
import { mayBeText } from './page-text.js';
import type { SearchBackend, SearchContext, SearchPage, SearchPageRequest, SearchResult } from './search-backend.js';
import { oneLine, readSearchResults } from './search-results.js';
import { readAddress } from './web-address.js';

export interface WebSearchParts {
  readonly backends: readonly SearchBackend[];
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  readonly maxResults: number;
  /** For each backend, in ms. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const LONGEST_QUERY = 400;
/** What all results together may take: a run shows its model 4,000 characters of an output. */
const ROOM = 3_700;
const SHORTEST_SNIPPET = 60;
const LONGEST_REASON = 300;

/** The tool `webSearch` over given backends and a given network. */
export function webSearchTool(parts: WebSearchParts): Tool {
  const { backends, maxResults, timeoutMs } = parts;
  return defineTool({
    name: 'webSearch',
    description: 'Searches the web and returns titles, addresses and a few words of each hit; read a hit with fetchUrl. '
      + 'Nothing comes back when nothing was found. When it fails, the search was not possible: say so instead of guessing.',
    input: z.object({
      query: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_QUERY), z.describe('What to look for, in a few words.')),
      maxResults: z.optional(z.int().check(z.minimum(1), z.maximum(20), z.describe(`Default and most: ${maxResults}.`))),
    }),
    effect: 'read',
    target: ({ query }) => query,
    outward: ({ query }) => [query],
    timeoutMs: backends.length * timeoutMs + 10_000,
    execute: async ({ query, maxResults: wanted = maxResults }, { signal }) => {
      const most = Math.min(wanted, maxResults);
      const failed: string[] = [];
      const empty: string[] = [];
      for (const backend of backends) {
        try {
          const results = await ask(parts, backend, query, most, signal);
          if (results.length > 0) return report(results, backend.name, [...failed, ...empty.map((name) => `${name}: found nothing`)]);
          // Another backend may know more.
          empty.push(backend.name);
        } catch (error) {
          if (signal.aborted) throw abortError(signal);
          failed.push(`${backend.name}: ${reasonOf(error)}`);
        }
      }
      if (empty.length > 0) return '';
      throw ToolError.environmental(`Search unavailable (${failed.join('; ')}).`, {
        hint: 'Do not guess what a search would have found: use another source, or say that the search was not possible.',
      });
    },
  });
}

function ask(parts: WebSearchParts, backend: SearchBackend, query: string, maxResults: number, signal: AbortSignal): Promise<readonly SearchResult[]> {
  return runWithTimeout({
    clock: parts.clock, signal, ms: parts.timeoutMs,
    run: async (inner) => {
      const context: SearchContext = { signal: inner, maxResults, fetchPage: (request) => fetchPage(parts, request, inner) };
      return readSearchResults(await backend.search(query, context), maxResults);
    },
    onTimeout: () => ToolError.environmental(`no answer within ${parts.timeoutMs} ms`),
  });
}

async function fetchPage({ fetch, maxBytes }: WebSearchParts, { url: text, headers = {}, allowPrivate = false }: SearchPageRequest, signal: AbortSignal): Promise<SearchPage> {
  const url = readAddress(text);
  const response = await fetch({
    url, signal,
    mayBePrivate: (hop) => allowPrivate && hop.host === url.host,
    allowedBy: 'A search service on a private network must be named by the host application itself.',
    headers: (hop) => (hop.origin === url.origin ? headers : {}),
    wanted: (head) => (mayBeText(head) ? maxBytes : 0),
  });
  const type = readContentType(response.headers.get('content-type'));
  const readable = !looksBinary(response.body, type?.charset);
  return {
    url: response.url.href, status: response.status, type: type?.mime ?? '',
    text: readable ? decodeBytes(response.body, { charset: type?.charset, declared: true, truncated: response.truncated }).text : '',
  };
}

function report(results: readonly SearchResult[], name: string, others: readonly string[]): string {
  const fixed = results.reduce((sum, { title, url }) => sum + title.length + url.length + 20, 0);
  const room = Math.max(SHORTEST_SNIPPET, Math.floor((ROOM - fixed) / results.length));
  const lines = results.map(({ title, url, snippet }, index) => [`${index + 1}. ${title}`, `   ${url}`, ...(snippet === '' ? [] : [`   ${oneLine(snippet, room)}`])].join('\n'));
  const head = `Answered by: ${name}${others.length > 0 ? ` (${oneLine(others.join('; '), LONGEST_REASON)})` : ''}`;
  return `${head}\n\n${lines.join('\n')}`;
}

function reasonOf(error: unknown): string {
  try {
    const message = ArtooError.is(error) || error instanceof Error ? error.message : String(error);
    return oneLine(message, LONGEST_REASON).replace(/\.$/, '') || 'it failed without a reason';
  } catch {
    return 'it failed with something that cannot be shown';
  }
}
