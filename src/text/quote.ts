export interface FoundQuote {
  /** Which text of the corpus holds the quote. */
  readonly index: number;
}

const MIN_LENGTH = 3;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const NUMBER = /^[\d.,]*\d[\d.,]*$/;

/**
 * What two texts are compared in when one quotes the other: compatibility forms, case and white space folded, quotation
 * marks and dashes unified, backticks and markdown marks dropped, escapes and spaces around JSON punctuation undone.
 */
export function normalizeForQuote(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^[ \t]*(?:(?:[-*+\u2022]|#{1,6}|>)[ \t]+)+/gm, '')
    .replace(/\\(?:r\\n|[nrt])(?![a-z]:)/g, ' ')
    .replace(/\\(["'\\/])/g, '$1')
    .replace(/[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2039\u203a\u00ab\u00bb\u300c-\u300f"'\u00b4]/g, "'")
    .replace(/[\u2010-\u2015\u2212\u2043\ufe58\ufe63]/g, '-')
    .replace(/[`*~]{1,3}|__/g, '')
    .replace(/(?<![\p{L}\p{N}])_(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])_(?![\p{L}\p{N}])/gu, '')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}[\]:,]) ?/g, '$1')
    .trim();
}

/**
 * Looks a quotation up. `…` or `...` is a gap; the pieces must then follow each other in one text. A piece has at least
 * three characters or is a whole value (a line, or a word or number that stands alone); a number is never found within a
 * longer one. Undefined when the quotation isn't there, or quotes nothing.
 */
export function findQuote(quote: string, corpus: readonly string[]): FoundQuote | undefined {
  const copied = findCopy(quote.trim(), corpus);
  if (copied) return copied;
  const variants = quoteVariants(quote);
  if (variants.length === 0) return undefined;
  for (let index = 0; index < corpus.length; index += 1) {
    const raw = corpus[index] ?? '';
    const text = normalizeForQuote(raw);
    for (const pieces of variants) if (contains(text, raw, pieces)) return { index };
  }
  return undefined;
}

/** Most quotations are copies, character for character: those need no folding. */
function findCopy(quote: string, corpus: readonly string[]): FoundQuote | undefined {
  if (quote.length < MIN_LENGTH || !WORD_CHARACTER.test(quote) || NUMBER.test(quote) || GAP.test(quote)) return undefined;
  const index = corpus.findIndex((text) => text.includes(quote));
  return index < 0 ? undefined : { index };
}

const GAP = /\u2026|\.{3}/;

/** The quotation as written, and without the quotation marks that a model put around it. */
function quoteVariants(quote: string): string[][] {
  const whole = normalizeForQuote(quote);
  const bare = /^'(.*)'$/.exec(whole)?.[1]?.trim();
  return [whole, ...(bare === undefined ? [] : [bare])]
    .map((text) => text.split(/\s*(?:\[\.{3,}\]|\(\.{3,}\)|\.{3,})\s*/).map((piece) => piece.trim()).filter((piece) => piece !== ''))
    .filter((pieces) => pieces.length > 0);
}

function contains(text: string, raw: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = findPiece(text, raw, piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return true;
}

function findPiece(text: string, raw: string, piece: string, from: number): number {
  if (!WORD_CHARACTER.test(piece)) {
    // Punctuation alone shows something only where it is all that a line says.
    return from === 0 && raw.split('\n').some((line) => normalizeForQuote(line) === piece) ? text.indexOf(piece) : -1;
  }
  const whole = [...piece].length < MIN_LENGTH || NUMBER.test(piece);
  for (let at = text.indexOf(piece, from); at !== -1; at = text.indexOf(piece, at + 1)) {
    if (!whole || standsAlone(text, at, at + piece.length)) return at;
  }
  return -1;
}

function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  if (/[\p{L}\p{N}_]$/u.test(before) || /^[\p{L}\p{N}_]/u.test(after)) return false;
  if (/\d[.,]$/.test(before) || /^[.,]\d/.test(after)) return false;
  return !(/-$/.test(before) && /^\d/.test(text.slice(start, end)));
}
