import { findNumbers, readings } from './numbers.js';
import { parseJson } from './parse-json.js';

const MAX_FLAGS = 50;
const MAX_LENGTH = 1_000_000;

const URL = /\bhttps?:\/\/[^\s<>"'`\u201c\u201d]+/gi;
const QUOTED = /"([^"\n]{2,200})"|\u201c([^\u201d\n]{2,200})\u201d|\u00ab([^\u00bb\n]{2,200})\u00bb|`([^`\n]{2,200})`|(?<![\p{L}\p{N}])'([^'\n]{2,200})'(?![\p{L}\p{N}])/gu;
const PATH = /(?<![\p{L}\p{N}_/.:~-])(?:~|\.{1,2})?(?:\/[\p{L}\p{N}_.@+-]+)+\/?|(?<![\p{L}\p{N}_])[A-Za-z]:\\[^\s"'<>|]+|(?<![\p{L}\p{N}_/.:-])[\p{L}\p{N}_.@+-]+(?:\/[\p{L}\p{N}_.@+-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}(?![\p{L}\p{N}_])/gu;
/** snake_case, camelCase, calls, and words that mix letters with digits (versions, hashes, ticket numbers, dates). */
const IDENTIFIER = /(?<![\p{L}\p{N}_.])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[A-Z][A-Za-z0-9]*|[A-Za-z][\w.]*\(\)|[\p{L}\p{N}]+(?:[-.:][\p{L}\p{N}]+)*)/gu;
/** Abbreviations and products that are spelled like file names. */
const NO_PATH = /^(?:e\.g|i\.e|a\.m|p\.m)$|^(?:Node|Next|Vue|Nuxt|Express|Three|Deno|ASP)\.(?:js|NET)$/i;
/** A list number or a step at the beginning of a line, an ordinal, a numbered step, item or section. */
const ORDINAL_AFTER = /^(?:st|nd|rd|th|\.|\))(?![\p{L}\p{N}])/u;
const ORDINAL_BEFORE = /(?:^|\n)[ \t]*(?:[-*>][ \t]*)?\(?$|(?:step|item|option|point|part|section|phase|no\.|#)[ \t]*$/i;

/**
 * What an output claims and no source shows: numbers, paths, URLs, quoted strings and identifiers that appear in none of
 * the `corpora` (tool output, input, the caller's context). In order of appearance, each once, 50 at most.
 *
 * `1,000` and `1000`, `1.0` and `1`, `50 %` and `0.5`, a rounded decimal, trailing punctuation, and the numbers of lists
 * and steps raise no flag. Of objects the values are looked at, not the keys.
 */
export function ungrounded(output: unknown, corpora: readonly string[]): string[] {
  const sources = new Sources(corpora);
  const flags = new Set<string>();
  for (const text of texts(output)) {
    if (isPlainlyGrounded(text, corpora)) continue;
    collect(text.slice(0, MAX_LENGTH), sources, flags);
    if (flags.size >= MAX_FLAGS) break;
  }
  return [...flags].slice(0, MAX_FLAGS);
}

/**
 * The common case, cheaply: every word that could be a claim stands in a source as it is. Where one doesn't, or where
 * quotation marks make claims of several words, the patterns decide.
 */
function isPlainlyGrounded(text: string, corpora: readonly string[]): boolean {
  if (text.length > 2_000 || /["'`\u201c\u00ab]/.test(text)) return false;
  for (const word of text.split(/\s+/)) {
    if (!/[\p{N}_/\\]|[a-z][A-Z]|\(\)|\w\.\w/u.test(word)) continue;
    const claim = word.replace(/^[([{*]+|[)\]}.,;:!?*]+$/g, '');
    if (!corpora.some((corpus) => standsIn(corpus, claim))) return false;
  }
  return true;
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Not as part of a longer word or number. */
function standsIn(corpus: string, claim: string): boolean {
  for (let at = corpus.indexOf(claim); at >= 0; at = corpus.indexOf(claim, at + 1)) {
    const before = corpus[at - 1] ?? ' ';
    const after = corpus[at + claim.length] ?? ' ';
    if (!WORD_CHARACTER.test(before) && !WORD_CHARACTER.test(after) && !/[.,]\d/.test(corpus.slice(at + claim.length, at + claim.length + 2)) && !/\d[.,]$/.test(corpus.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
}

/** The texts of a value, a text that is JSON included. */
function* texts(value: unknown, depth = 0): Generator<string> {
  if (depth > 64) return;
  if (typeof value === 'string') {
    const parsed = depth === 0 && /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
    if (parsed?.ok) yield* texts(parsed.value, 1);
    else yield value;
  } else if (typeof value === 'number' || typeof value === 'bigint') yield String(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* texts(item, depth + 1);
}

function collect(text: string, sources: Sources, flags: Set<string>): void {
  const found: { readonly at: number; readonly flag: string }[] = [];
  /** Takes what was looked at out of the text, so that nothing is flagged twice in two ways. */
  const take = (hint: RegExp, pattern: RegExp, check: (match: RegExpMatchArray) => string | undefined | false): void => {
    // The patterns are dear, and most texts hold nothing for most of them.
    if (!hint.test(text)) return;
    text = text.replace(pattern, (...parts: unknown[]) => {
      const match = parts.slice(0, parts.findIndex((part) => typeof part === 'number')) as unknown as RegExpMatchArray;
      const at = parts.find((part) => typeof part === 'number') as number;
      const flag = check(match);
      if (flag === false) return match[0];
      if (flag !== undefined) found.push({ at, flag });
      return ' '.repeat(match[0].length);
    });
  };
  take(/:\/\//, URL, ([whole]) => {
    const url = whole!.replace(/[.,;:!?)\]}'*_]+$/, '');
    return sources.holds(url.replace(/\/$/, '')) ? undefined : url;
  });
  take(/["'`\u201c\u00ab]/, QUOTED, (groups) => {
    const quoted = groups.slice(1).find((group) => group !== undefined) ?? '';
    const bare = quoted.trim().replace(/[.,;:!?]+$/, '');
    return bare === '' || sources.holds(bare) ? undefined : quoted;
  });
  take(/[/\\.]/, PATH, ([whole]) => {
    const path = whole!.replace(/[.,;:!?]+$/, '');
    if (!/[\p{L}\p{N}]/u.test(path) || NO_PATH.test(path)) return undefined;
    return sources.holds(path.replace(/\/$/, '')) ? undefined : path;
  });
  take(/[\p{N}_]|[a-z][A-Z]|\(\)/u, IDENTIFIER, ([whole]) => {
    const name = whole!;
    const kind = identifierKind(name);
    if (kind === 'none') return false;
    return sources.holds(name.replace(/\(\)$/, '').replace(/^v(?=\d)/i, '')) ? undefined : name;
  });
  for (const number of findNumbers(text)) {
    const before = text.slice(Math.max(0, number.index - 24), number.index);
    const after = text.slice(number.index + number.text.length, number.index + number.text.length + 4);
    if (isOrdinal(number.text, before, after)) continue;
    if (!sources.holdsNumber(number.forms, /^\s?%/.test(after))) found.push({ at: number.index, flag: number.text + (/^\s?%/.test(after) ? '%' : '') });
  }
  for (const { flag } of found.sort((a, b) => a.at - b.at)) flags.add(flag);
}

/** Plain words are none, and neither is a number with its unit (`5MB`, `10ms`), which counts as a number. */
function identifierKind(word: string): 'identifier' | 'none' {
  const mixesDigits = /\p{L}/u.test(word) && /\p{N}/u.test(word);
  if (/^\d[\d.]*(?:st|nd|rd|th|[\p{L}%]{1,3}|px|bytes|times)$/u.test(word)) return 'none';
  if (/_/.test(word) || /\(\)$/.test(word) || mixesDigits) return 'identifier';
  if (/^[a-z]+[A-Z]/.test(word)) return 'identifier';
  // Dates, times, versions of three and more numbers.
  return /^\d+(?:-\d+){2,}$|^\d+(?:[:.]\d+){2,}$|^\d{1,2}:\d{2}$/.test(word) ? 'identifier' : 'none';
}

function isOrdinal(digits: string, before: string, after: string): boolean {
  if (!/^\d{1,2}$/.test(digits)) return false;
  if (/^(?:st|nd|rd|th)(?![\p{L}\p{N}])/u.test(after)) return true;
  if (/(?:step|item|option|point|part|section|phase|no\.|#)[ \t]*$/i.test(before)) return true;
  return ORDINAL_BEFORE.test(before) && ORDINAL_AFTER.test(after);
}

class Sources {
  private folded: string | undefined;
  private numbers: Set<string> | undefined;

  constructor(private readonly corpora: readonly string[]) {}

  private get text(): string {
    return (this.folded ??= fold(this.corpora.join(' | ')));
  }

  holds(claim: string): boolean {
    // Most claims stand somewhere as they are.
    if (this.corpora.some((text) => text.includes(claim))) return true;
    const folded = fold(claim);
    return this.text.includes(folded) || this.text.replaceAll('\\', '/').includes(folded.replaceAll('\\', '/'));
  }

  holdsNumber(forms: readonly string[], percent: boolean): boolean {
    this.numbers ??= numbersOf(this.text);
    for (const form of forms) {
      if (this.numbers.has(form)) return true;
      if (percent && this.numbers.has(scale(form, 0.01))) return true;
      if (!percent && form.includes('.') && this.numbers.has(scale(form, 100))) return true;
    }
    return false;
  }
}

/** Every reading of every number, and what the decimals among them round to. */
function numbersOf(text: string): Set<string> {
  const numbers = new Set<string>();
  for (const { forms } of findNumbers(text)) {
    for (const form of forms) {
      numbers.add(form);
      const decimals = Math.min(6, form.split('.')[1]?.length ?? 0);
      for (let kept = 1; kept < decimals; kept += 1) numbers.add(readings(Number(form).toFixed(kept))[0] ?? form);
    }
  }
  return numbers;
}

function scale(form: string, factor: number): string {
  return readings(String(Number((Number(form) * factor).toFixed(8))))[0] ?? form;
}

function fold(text: string): string {
  if (/^[\n\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/[\n ]+/g, ' ');
  return text.normalize('NFKC').toLowerCase().replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\s+/g, ' ');
}
