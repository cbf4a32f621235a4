/** How a file or folder is looked for: where it is said to lie, or by its name anywhere in the workspace. */
export type Search = 'exact' | 'by name';

/** A file or folder that a request is about. `path` is relative to the workspace; `.` is the workspace itself. */
export interface Place {
  readonly path: string;
  readonly search: Search;
  /** The user's own word for it, where a replan looks elsewhere. */
  readonly meant?: string;
}

/** What is looked for in text. `ignoreCase` for words that the user wrote without a capital letter. */
export interface Needle { readonly text: string; readonly regex: boolean; readonly ignoreCase: boolean }

export interface CountFiles { readonly kind: 'count files'; readonly matching: string; readonly in: Place }
export interface CountText { readonly kind: 'count lines' | 'count words'; readonly in: Place; /** Set when `in` is a folder. */ readonly matching?: string }
export interface CountHits { readonly kind: 'count occurrences' | 'count lines with' | 'count files with'; readonly needle: Needle; readonly in: Place; readonly matching?: string }
export type CountRequest = CountFiles | CountText | CountHits;

/** Everything the offline model can do. One of these is one subtask. */
export type OfflineRequest =
  | CountRequest
  | { readonly kind: 'find files'; readonly matching: string; readonly in: Place }
  | { readonly kind: 'find lines' | 'find files with'; readonly needle: Needle; readonly in: Place; readonly matching?: string }
  | { readonly kind: 'list folder'; readonly in: Place }
  | { readonly kind: 'summarise file' | 'show file'; readonly in: Place }
  | { readonly kind: 'compare files'; readonly left: Place; readonly right: Place; readonly by: 'lines' | 'words' | 'content' }
  | { readonly kind: 'compare counts'; readonly left: CountRequest; readonly right: CountRequest }
  | { readonly kind: 'write report'; readonly to: string };

/** A part of the user's words that is none of these. */
export interface Unsupported { readonly kind: 'unsupported'; readonly words: string; readonly why: string }
export type Part = OfflineRequest | Unsupported;

/** A place where it is said to be. */
export function at(path: string): Place {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/(?<=[^/])\/+$/, '');
  return { path: plain === '' ? '.' : plain, search: 'exact' };
}

/** The places of a request, each under its name. */
export function placesOf(request: OfflineRequest): readonly Place[] {
  switch (request.kind) {
    case 'write report': return [];
    case 'compare files': return [request.left, request.right];
    case 'compare counts': return [request.left.in, request.right.in];
    default: return [request.in];
  }
}

/** The request with each place replaced. */
export function withPlaces(request: OfflineRequest, change: (place: Place) => Place): OfflineRequest {
  switch (request.kind) {
    case 'write report': return request;
    case 'compare files': return { ...request, left: change(request.left), right: change(request.right) };
    case 'compare counts': return { ...request, left: { ...request.left, in: change(request.left.in) }, right: { ...request.right, in: change(request.right.in) } };
    default: return { ...request, in: change(request.in) };
  }
}

/** The request in the user's own places: the same for every path on which it was tried. */
export function asMeant(request: OfflineRequest): OfflineRequest {
  return withPlaces(request, (place) => at(place.meant ?? place.path));
}
