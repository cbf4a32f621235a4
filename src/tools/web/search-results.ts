import { cleanText } from '../../text/index.js';
import { ToolError } from '../tool-error.js';
import { readAddress } from './web-address.js';
import type { SearchResult } from './search-backend.js';

const LONGEST_TITLE = 150;
const LONGEST_SNIPPET = 500;
const LONGEST_RESULT_ADDRESS = 1_000;
/** How many entries of a backend are looked at. */
const MOST_LOOKED_AT = 200;

/**
 * What a backend returned, checked and cleaned: each result has a title and a whole http address, each address comes once.
 * Throws when it is no list, or a list in which nothing is of use.
 */
export function readSearchResults(value: unknown, maxResults: number): readonly SearchResult[] {
  if (!Array.isArray(value)) throw ToolError.environmental('it returned no list of results');
  const found = new Map<string, SearchResult>();
  for (const entry of value.slice(0, MOST_LOOKED_AT) as readonly unknown[]) {
    const result = readResult(entry);
    if (result && !found.has(result.url)) found.set(result.url, result);
    if (found.size >= maxResults) break;
  }
  if (value.length > 0 && found.size === 0) throw ToolError.environmental('none of its results has a title and an address of the web');
  return [...found.values()];
}

function readResult(entry: unknown): SearchResult | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  try {
    const { title, url, snippet } = entry as Readonly<Record<string, unknown>>;
    if (typeof title !== 'string' || typeof url !== 'string') return undefined;
    const address = readAddress(url).href;
    const shown = oneLine(title, LONGEST_TITLE);
    if (shown === '' || address.length > LONGEST_RESULT_ADDRESS) return undefined;
    return { title: shown, url: address, snippet: typeof snippet === 'string' ? oneLine(snippet, LONGEST_SNIPPET) : '' };
  } catch {
    // No address, or an entry that throws when it is read: no result.
    return undefined;
  }
}

/** A text as one clean line of at most so many characters. */
export function oneLine(text: string, longest: number): string {
  const line = cleanText(text.slice(0, 4 * longest)).replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${cleanText(line.slice(0, longest - 1)).trimEnd()}…`;
}
