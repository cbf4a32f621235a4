import { pathIn } from './claim-path.js';
import { isKnownName, namesIn } from './claim-name.js';
import { checkNumbers } from './claim-number.js';
import { addListLengths, GroundingSources } from './grounding-sources.js';
import { findDates, findTimes, type FoundMoment } from './moments.js';
import { parseJson } from './parse-json.js';

const MAX_FLAGS = 50;
const MAX_LENGTH = 1_000_000;
const MAX_FLAG = 300;

const URL = /\bhttps?:\/\/[^\s<>"'`\u201c\u201d\u3001\u3002\uff0c\uff1b\uff09\u300d\u300b]+/gi;
/** Between quotation marks of several languages. A mark right after a letter or digit is an apostrophe or an inch. */
const QUOTED = /(?<![\p{L}\p{N}])"([^"\n]{2,200})"(?![\p{L}\p{N}])|\u201c([^\u201c\u201d\n]{2,200})\u201d|\u201e([^\u201c\u201d\n]{2,200})[\u201c\u201d]|\u00ab([^\u00ab\u00bb\n]{2,200})\u00bb|[\u300c\u300e]([^\u300c-\u300f\n]{2,200})[\u300d\u300f]|`([^`\n]{2,200})`|(?<![\p{L}\p{N}])['\u2018]([^'\u2018\u2019\n]{2,200})['\u2019](?![\p{L}\p{N}])/gu;
/** What may be a path, a domain or a file name: one run without spaces. */
const RUN = /[\p{L}\p{N}_.@+*~/\\:#-]*[./\\][\p{L}\p{N}_.@+*~/\\:#-]*(?:\(\d{1,6}(?:,\d{1,6})?\))?/gu;

/** Something found, where, and the text to flag. */
interface Flag { readonly at: number; readonly flag: string }
type Check = (whole: string, groups: readonly (string | undefined)[]) => string | false | undefined;

/**
 * What an output claims and no source shows: numbers, paths, URLs, quoted strings and identifiers that appear in none of
 * the `corpora` (tool output, input, the caller's context). In order of appearance, each once, 50 at most.
 *
 * Other spellings of a thing shown raise no flag: `1,000` and `1000`, `1.2k` and `1234`, `50 %` and `0.5`, `1 MiB` and its
 * bytes, dates and times in other forms, paths and URLs more or less complete. Neither do the numbers of lists and steps,
 * counts of what a source lists, and sums or percentages of numbers shown beside them. Of objects the values are looked
 * at, not the keys.
 */
export function ungrounded(output: unknown, corpora: readonly string[]): string[] {
  const sources = new GroundingSources(corpora);
  const flags = new Set<string>();
  const lengths: number[] = [];
  if (typeof output === 'object') addListLengths(output, lengths, 0);
  for (const text of texts(output)) {
    if (isPlainlyGrounded(text, corpora)) continue;
    for (const { flag } of flagsOf(text.slice(0, MAX_LENGTH), sources, lengths)) flags.add(flag.length > MAX_FLAG ? `${flag.slice(0, MAX_FLAG)}…` : flag);
    if (flags.size >= MAX_FLAGS) break;
  }
  return [...flags].slice(0, MAX_FLAGS);
}

/**
 * The common case, cheaply: every word that could be a claim stands in a source as it is. Where one doesn't, or where
 * quotation marks make claims of several words, the patterns decide.
 */
function isPlainlyGrounded(text: string, corpora: readonly string[]): boolean {
  if (text.length > 2_000 || /["'`\u2018\u201c\u201e\u00ab\u300c\u300e]|\b(?:commit|hash|sha|rev)/i.test(text)) return false;
  for (const word of text.split(/\s+/)) {
    if (!/[\p{N}_/\\]|[a-z][A-Z]|\(\)|\w\.\w/u.test(word)) continue;
    const claim = word.replace(/^[([{*]+|[)\]}.,;:!?*]+$/g, '');
    if (!corpora.some((corpus) => standsIn(corpus, claim))) return false;
  }
  return true;
}

/** What a longer word, number, path or address would go on with. */
const GOES_ON = /[\p{L}\p{N}_/\\@-]/u;

function standsIn(corpus: string, claim: string): boolean {
  for (let at = corpus.indexOf(claim); at >= 0; at = corpus.indexOf(claim, at + 1)) {
    const before = corpus[at - 1] ?? ' ';
    const after = corpus[at + claim.length] ?? ' ';
    if (!GOES_ON.test(before) && !GOES_ON.test(after) && !/^[.,][\p{L}\p{N}]/u.test(corpus.slice(at + claim.length, at + claim.length + 2)) && !/[\p{L}\p{N}][.,]$/u.test(corpus.slice(Math.max(0, at - 2), at))) return true;
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

/** In order of appearance. Each kind of claim stops at fifty, so the first fifty of all kinds are among them. */
function flagsOf(original: string, sources: GroundingSources, lengths: readonly number[]): Flag[] {
  const found: Flag[] = [];
  let text = original;
  /** Takes what was looked at out of the text, so that nothing is flagged twice in two ways. */
  const take = (hint: RegExp, pattern: RegExp, check: Check): void => {
    // The patterns are dear, and most texts hold nothing for most of them.
    if (!hint.test(text)) return;
    let flagged = 0;
    const known = new Map<string, string | false | undefined>();
    text = text.replace(pattern, (whole: string, ...rest: unknown[]) => {
      if (flagged >= MAX_FLAGS) return whole;
      const at = rest.findIndex((part) => typeof part === 'number');
      let flag = known.get(whole);
      if (flag === undefined && !known.has(whole)) known.set(whole, (flag = check(whole, rest.slice(0, at) as (string | undefined)[])));
      if (flag === false) return whole;
      if (flag !== undefined) {
        flagged += 1;
        found.push({ at: rest[at] as number, flag });
      }
      return ' '.repeat(whole.length);
    });
  };
  take(/:\/\//, URL, (whole) => {
    const url = whole.replace(/[.,;:!?)\]}'*_]+$/, '');
    return sources.holdsUrl(url) ? undefined : url;
  });
  take(/["'`\u2018\u201c\u201e\u00ab\u300c\u300e]/, QUOTED, (whole, groups) => checkQuoted(groups.find((group) => group !== undefined) ?? '', whole.startsWith('`'), sources));
  text = takeMoments(text, findDates(text), (keys) => sources.holdsDate(keys), found);
  text = takeMoments(text, findTimes(text), (keys) => sources.holdsTime(keys), found);
  take(/[/\\.]/, RUN, (whole) => pathIn(whole, sources));
  text = takeNames(text, sources, found);
  found.push(...checkNumbers({ text, original, sources, lengths, limit: MAX_FLAGS }));
  return found.sort((a, b) => a.at - b.at);
}

function checkQuoted(quoted: string, code: boolean, sources: GroundingSources): string | undefined {
  const bare = quoted.trim().replace(/[.,;:!?]+$/, '');
  if (bare === '' || sources.holdsQuote(bare)) return undefined;
  if (/\s/.test(bare)) return quoted;
  const path = pathIn(bare, sources);
  if (path === undefined) return undefined;
  return code && (isKnownName(bare) || sources.holdsWord(bare.replace(/\([^()]{0,100}\)$/, ''))) ? undefined : quoted;
}

/** Takes what was looked at out of the text, and where nothing was left to say, flags it. */
function takeMoments(text: string, moments: readonly FoundMoment[], holds: (keys: readonly string[]) => boolean, found: Flag[]): string {
  if (moments.length === 0) return text;
  const pieces: string[] = [];
  let position = 0;
  let flagged = 0;
  for (const moment of [...moments].sort((a, b) => a.index - b.index)) {
    if (moment.index < position || flagged >= MAX_FLAGS) continue;
    if (!holds(moment.keys)) {
      flagged += 1;
      found.push({ at: moment.index, flag: moment.text });
    }
    pieces.push(text.slice(position, moment.index), ' '.repeat(moment.text.length));
    position = moment.index + moment.text.length;
  }
  return pieces.join('') + text.slice(position);
}

function takeNames(text: string, sources: GroundingSources, found: Flag[]): string {
  let position = 0;
  let flagged = 0;
  const pieces: string[] = [];
  for (const name of namesIn(text)) {
    if (flagged >= MAX_FLAGS) break;
    if (!name.shownBy(sources)) {
      flagged += 1;
      found.push({ at: name.index, flag: name.text });
    }
    pieces.push(text.slice(position, name.index), ' '.repeat(name.text.length));
    position = name.index + name.text.length;
  }
  return pieces.join('') + text.slice(position);
}
