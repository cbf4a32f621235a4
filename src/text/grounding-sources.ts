import { normalizeForQuote } from './quote.js';
import { coarserDates, findDates, findTimes } from './moments.js';
import { readings } from './numbers.js';
import { baseValues } from './quantities.js';

/** Beyond so many characters searched, what is left counts as shown: a flag is a help, never worth a stall. */
const MAX_SEARCHED = 100_000_000;
/** In an address the two slashes stay. */
const DOUBLE_SLASH = /(?<!:)\/{2,}/g;
const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;
const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]+/gu;
const URLS = /https?:\/\/[^\s<>"'`\u201c\u201d\u3001\u3002\uff0c\uff1b\uff09\u300d\u300b]+/gi;
const NUMBER_WORDS = 'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const NUMBER_WORD = new RegExp(`\\b(?:${NUMBER_WORDS})\\b`, 'gi');
const NOTHING = /^\s*(?:\[\s*\]|\{\s*\}|null|none|0)?\s*$|\b(?:no|none|nothing|not found|empty|without)\b/i;
const MAX_ITEMS = 100_000;

/** Everything that was shown, looked up in several ways. Each index is built once, at its first use. */
export class GroundingSources {
  private folded: string | undefined;
  private words: Set<string> | undefined;
  private quotable: readonly string[] | undefined;
  private numbers: Set<string> | undefined;
  private values: Map<string, Float64Array> | undefined;
  private dates: Set<string> | undefined;
  private times: Set<string> | undefined;
  private urls: readonly string[] | undefined;
  private counts: Set<number> | undefined;
  private searched = 0;

  constructor(private readonly corpora: readonly string[]) {}

  /** All in one, in the form that claims are compared in. */
  get text(): string {
    return (this.folded ??= foldText(this.corpora.join('\n\u0001\n')).replaceAll('\\', '/').replace(DOUBLE_SLASH, '/'));
  }

  /** Does the claim stand there, and not as a part of a longer word? */
  holdsWord(claim: string, options: { readonly prefix?: boolean; readonly path?: boolean } = {}): boolean {
    const wanted = foldText(claim).replaceAll('\\', '/').replace(DOUBLE_SLASH, '/');
    if (wanted === '') return true;
    if (options.prefix !== true && options.path !== true && PLAIN_NAME.test(wanted)) return (this.words ??= new Set(this.text.match(WORD) ?? [])).has(wanted);
    const text = this.text;
    let from = 0;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      if (standsAlone(text, at, at + wanted.length, options)) return true;
      this.searched += at - from;
      from = at;
      if (this.searched > MAX_SEARCHED) return true;
    }
    this.searched += text.length - from;
    return this.searched > MAX_SEARCHED;
  }

  /** A phrase in other letters, quotation marks and white space; an ellipsis is a gap within one source. */
  holdsQuote(quote: string): boolean {
    const whole = normalizeForQuote(quote).replace(/[.,;:!?\u3002\uff0c]+$/, '');
    const pieces = whole.split(/\s*(?:\[\.{3,}\]|\(\.{3,}\)|\.{3,})\s*/).map((piece) => piece.trim()).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
    if (pieces.length === 0) return true;
    this.quotable ??= this.corpora.map(normalizeForQuote);
    return this.searched > MAX_SEARCHED || this.quotable.some((text) => this.holdsPieces(text, pieces));
  }

  private holdsPieces(text: string, pieces: readonly string[]): boolean {
    let from = 0;
    for (const piece of pieces) {
      let at = text.indexOf(piece, from);
      while (at !== -1 && !standsAlone(text, at, at + piece.length, { words: true })) at = text.indexOf(piece, at + 1);
      this.searched += (at === -1 ? text.length : at) - from;
      if (at === -1) return false;
      from = at + piece.length;
    }
    return true;
  }

  holdsUrl(url: string): boolean {
    this.urls ??= [...new Set(this.corpora.flatMap((text) => text.match(URLS) ?? []).map(plainUrl))];
    const wanted = plainUrl(url);
    this.searched += this.urls.length;
    return this.urls.some((known) => known === wanted || (known.startsWith(wanted) && /[/?#]/.test(known[wanted.length] ?? ''))) || this.holdsWord(wanted, { path: true });
  }

  holdsNumber(form: string): boolean {
    return this.numberForms.has(form);
  }

  private get numberForms(): Set<string> {
    if (this.numbers) return this.numbers;
    const numbers = new Set<string>();
    for (const [kind, value] of baseValues(this.text)) if (kind === 'bare') numbers.add(plainNumber(value));
    // As written too, for what a floating point number can't hold, and the first parts of versions.
    for (const match of this.text.matchAll(/\d+(?:\.\d+)+|\d{16,}/g)) {
      numbers.add(match[0]);
      const parts = match[0].split('.');
      if (parts.length >= 2 && parts.length <= 3) numbers.add(parts[0] ?? '').add(parts.slice(0, 2).join('.'));
    }
    // Rows of a table, places such as (12,5): a comma that groups nothing separates.
    for (const match of this.text.matchAll(/(?<![\d.])\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)+/g)) {
      if (!/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(match[0])) for (const part of match[0].split(',')) numbers.add(plainNumber(Number(part)));
    }
    for (const match of this.text.matchAll(NUMBER_WORD)) numbers.add(String(NUMBER_WORDS.split('|').indexOf(match[0].toLowerCase())));
    for (const match of this.text.matchAll(/[一二三四五六七八九十](?=[个個件条次年月日行项項张張位份])/g)) numbers.add(String('一二三四五六七八九十'.indexOf(match[0]) + 1));
    if (this.corpora.some((text) => NOTHING.test(text))) numbers.add('0');
    return (this.numbers = numbers);
  }

  /** Is there a number of this dimension (`bare` for any) from `low` up to `high`? */
  holdsValue(dimension: string, low: number, high: number): boolean {
    this.values ??= sortedValues(this.text);
    const list = this.values.get(dimension);
    if (!list) return false;
    let first = 0;
    let last = list.length;
    while (first < last) {
      const middle = (first + last) >> 1;
      if ((list[middle] ?? 0) < low) first = middle + 1;
      else last = middle;
    }
    return first < list.length && (list[first] ?? Infinity) <= high;
  }

  holdsDate(keys: readonly string[]): boolean {
    this.dates ??= new Set(this.corpora.flatMap((text) => findDates(foldText(text)).flatMap(({ keys: found }) => found.flatMap((key) => [key, ...coarserDates(key)]))));
    const dates = this.dates;
    return keys.some((key) => dates.has(key) || coarserDates(key).some((part) => dates.has(part) && !/^\d{4}/.test(part) && this.holdsNumber(key.slice(0, 4)) && ![...dates].some((known) => known.endsWith(`-${part}`))));
  }

  holdsTime(keys: readonly string[]): boolean {
    this.times ??= new Set(this.corpora.flatMap((text) => findTimes(foldText(text)).flatMap(({ keys: found }) => found.flatMap((key) => [key, key.split(':').slice(0, 2).join(':')]))));
    const times = this.times;
    return keys.some((key) => times.has(key));
  }

  /** How many lines or items a source lists: what is counted is shown as well. */
  lists(count: number): boolean {
    return (this.counts ??= new Set(this.corpora.flatMap(countsOf))).has(count);
  }
}

/** One form for letters, dashes, quotation marks and white space. Line ends become spaces. */
export function foldText(text: string): string {
  if (/^[\n\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/[\n ]+/g, ' ');
  return text.normalize('NFKC').toLowerCase().replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\s+/g, ' ');
}

/** A number as {@link readings} writes it. */
export function plainNumber(value: number): string {
  return readings(/e/.test(String(value)) ? value.toFixed(8) : String(value))[0] ?? String(value);
}

function standsAlone(text: string, start: number, end: number, options: { readonly prefix?: boolean; readonly path?: boolean; readonly words?: boolean }): boolean {
  const first = text[start] ?? '';
  const last = text[end - 1] ?? '';
  const before = text[start - 1] ?? ' ';
  const after = text[end] ?? ' ';
  // Scripts without spaces have no ends of words to look for.
  const inWord = (left: string, right: string): boolean => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u.test(left) && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u.test(right);
  if (inWord(before, first) || (options.prefix !== true && inWord(last, after))) return false;
  if (options.words) return true;
  if (options.path === true && (/[-.]/.test(before) && /[\p{L}\p{N}_]/u.test(first) && /[\p{L}\p{N}_)*]/u.test(text[start - 2] ?? ''))) return false;
  if (options.path === true && after === '-' && /[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) return false;
  if (options.path === true && after === '.' && /[\p{L}\p{N}]/u.test(text[end + 1] ?? '') && /[\p{L}\p{N}]/u.test(last) && /\.[a-z0-9]{1,6}$/.test(text.slice(Math.max(start, end - 8), end))) return false;
  return !(/\d/.test(last) && /[.,]/.test(after) && /\d/.test(text[end + 1] ?? '')) && !(/\d/.test(first) && /[.,]/.test(before) && /\d/.test(text[start - 2] ?? ''));
}

function plainUrl(url: string): string {
  let plain = url.replace(/[.,;:!?)\]}'*_\u3002\uff0c]+$/, '');
  try {
    plain = decodeURI(plain);
  } catch {
    // An address with a stray percent sign is compared as it stands.
    plain = url;
  }
  return foldText(plain).replace(/^https?:\/\/(?:www\.)?/, '').replace(/[/?#]+$/, '');
}

function sortedValues(text: string): Map<string, Float64Array> {
  const lists = new Map<string, number[]>();
  for (const [dimension, value] of baseValues(text)) {
    const list = lists.get(dimension);
    if (list) list.push(value);
    else lists.set(dimension, [value]);
  }
  return new Map([...lists].map(([dimension, list]) => [dimension, Float64Array.from(list).sort()]));
}

function countsOf(text: string): number[] {
  const lines = text.split('\n', MAX_ITEMS).filter((line) => line.trim() !== '').length;
  const counts = lines > 1 ? [lines] : [];
  if (!/^\s*[[{]/.test(text)) return counts;
  try {
    addListLengths(JSON.parse(text) as unknown, counts, 0);
  } catch {
    return counts;
  }
  return counts;
}

/** The lengths of the lists within a value. */
export function addListLengths(value: unknown, counts: number[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 8 || counts.length > 10_000) return;
  if (Array.isArray(value)) counts.push(value.length);
  for (const item of Object.values(value)) addListLengths(item, counts, depth + 1);
}
