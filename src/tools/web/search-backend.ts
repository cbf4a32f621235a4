/** One hit of a search. */
export interface SearchResult {
  readonly title: string;
  /** Whole http or https address. */
  readonly url: string;
  /** A few words of the page; may be empty. */
  readonly snippet: string;
}

/** What a search may use. */
export interface SearchContext {
  /** Aborts when the time for this backend is over and when the task stops. */
  readonly signal: AbortSignal;
  /** More results than this are dropped. */
  readonly maxResults: number;
  /** One GET under the rules of `fetchUrl`: limits on bytes and redirects, no private address unless `allowPrivate`. */
  readonly fetchPage: (request: SearchPageRequest) => Promise<SearchPage>;
}
export interface SearchPageRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The host of the address, with its port, may be on a private network: the host application named it. Redirects to others may not. */
  readonly allowPrivate?: boolean;
}
/** An answer of any status. */
export interface SearchPage {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Media type in lower case; empty where none was given. */
  readonly type: string;
  /** The body as it is; empty where it is no text. */
  readonly text: string;
}

/**
 * Searches for a query. An empty list says that there is nothing to find; whatever stands in the way is thrown, and its message
 * is told to the model.
 */
export type SearchFunction = (query: string, context: SearchContext) => readonly SearchResult[] | Promise<readonly SearchResult[]>;

/** A search function with a name that people know it by. */
export interface SearchBackend { readonly name: string; readonly search: SearchFunction }
