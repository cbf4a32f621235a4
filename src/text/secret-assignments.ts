/** Where a secret stands: the code units from `start` up to `end`. */
export interface Span { readonly start: number; readonly end: number }

type Family = 'password' | 'secret' | 'authorization';
/** How a value is written, from the form that is nearly always a value to the one that is mostly prose or code. */
type Form = 'quoted' | 'environment' | 'tight' | 'loose';

const WORDS = 'pass(?:word|wd|phrase|code)|(?<![a-z])pass|pwd|secret|token|(?:api|access|secret|private|auth|account|signing|encryption|master|shared)[_ -]?key|credentials?|authorization';
const SEPARATOR = /(?:=>|:=|={1,3}|:)[ \t]{0,4}/y;
/** An option of a command line and its value, with a space between. */
const OPTION = new RegExp(`--[a-z0-9_-]{0,40}?(?:${WORDS})\\d?[ \\t]{1,3}(?=[^\\s-])`, 'gi');
const NAME = new RegExp(`(?:${WORDS})\\d?$`, 'i');
const LONGEST_WORD = 24;
/** How the words end. */
const LAST_LETTERS = 'deslntyDESLNTY';
/** `pwd=abc`. */
const SHORTEST = 7;
const NONE: readonly Span[] = Object.freeze([]);
/** Of values this long so many are looked at in one text; where more stand within each other, all of them are covered. */
const LONG_VALUE = 512;
const MOST_LONG_VALUES = 2_000;

/** What was found in a text so far. */
interface Found { readonly spans: Span[]; longValues: number; /** Where the last span ends. */ coveredTo: number }

const QUOTE = /(\\{0,15})(["'`])/y;
const SCHEME = /\\{0,15}["'`]?(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate)[ \t]{1,3})?/iy;
const UNQUOTED = /[^\s"'`,;&<>(){}[\]|\\]{1,4096}/y;
const TO_SPACE = /[^\s"'`\\]{1,4096}/y;
const MAX_VALUE = 4_096;
/** Templates, variables, masks and dummies: text that stands where a secret will be. */
const PLACEHOLDER = /^(?:\$[{(]|\$[A-Z_][A-Z0-9_]*$|<|\{\{|\{[A-Za-z_]\w*\}|%[({s]|\*{3}|\.{3}|\u2026|\u2588+$|x{3,}$|your[_ -]|change[_-]?me|example|placeholder|process\.|os\.|env[.:]|secrets?\.|vault:)/i;
const PLAIN_WORD = /^(?:string|number|boolean|bool|object|any|unknown|never|void|text|null|undefined|none|nil|true|false|yes|no|on|off|required|optional|missing|invalid|incorrect|wrong|expired|empty|unset|hidden|redacted|masked|omitted|default|value|input|password|passwd|passphrase|pwd|pass|secret|token|key|bearer|basic|auth|field|label|type|prompt|read|write|(?:current|new)-password|one-time-code)$/i;
/** Packages are named `password-prompt`, too. */
const VERSION = /^[~^<>=]{0,2}\d+\.\d+\.\d+(?:-[\w.]{1,30})?$/;
const PATH_OR_URL = /^(?:\.{1,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|(?:\/[A-Za-z0-9_.-]{1,40}){2,12}$)/i;
const MEMBER_CHAIN = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;

/** The values of assignments whose names say that they are secret, in texts, JSON, environment files and command lines. */
export function findSecretAssignments(text: string): readonly Span[] {
  if (text.length < SHORTEST) return NONE;
  const found: Found = { spans: [], longValues: 0, coveredTo: 0 };
  // From one separator to the next: most texts hold few of them, and this sees all that artoo records.
  let colon = text.indexOf(':');
  let equals = text.indexOf('=');
  while (colon !== -1 || equals !== -1) {
    const at = equals === -1 || (colon !== -1 && colon < equals) ? colon : equals;
    // What lies within a value is covered with it.
    const nameEnd = at < found.coveredTo ? -1 : nameEndBefore(text, at);
    if (nameEnd !== -1) {
      const start = at + (sticky(SEPARATOR, text, at)?.[0].length ?? 1);
      addValue(found, text, nameEnd, start, text.slice(nameEnd, start));
    }
    if (at === colon) colon = text.indexOf(':', at + 1);
    else equals = text.indexOf('=', at + 1);
  }
  if (text.includes('--')) {
    OPTION.lastIndex = 0;
    for (let match = OPTION.exec(text); match; match = OPTION.exec(text)) addValue(found, text, match.index + match[0].trimEnd().length, OPTION.lastIndex, undefined);
  }
  return found.spans;
}

/** Where a name ends that could be one of the words: before spaces, then quotation marks. -1 where there is none. */
function nameEndBefore(text: string, separator: number): number {
  let end = separator;
  for (let spaces = 0; spaces < 3 && /[ \t]/.test(text[end - 1] ?? ''); spaces += 1) end -= 1;
  for (let quotes = 0; quotes < 8 && /["'\\\]]/.test(text[end - 1] ?? ''); quotes += 1) end -= 1;
  const last = /\d/.test(text[end - 1] ?? '') ? end - 2 : end - 1;
  return LAST_LETTERS.includes(text[last] ?? ' ') ? end : -1;
}

function addValue(found: Found, text: string, nameEnd: number, start: number, separator: string | undefined): void {
  const from = Math.max(0, nameEnd - LONGEST_WORD);
  const name = NAME.exec(text.slice(from, nameEnd));
  const span = name ? valueAt(found, text, from + name.index, start, familyOf(name[0]), separator) : undefined;
  if (!span) return;
  found.spans.push(span);
  found.coveredTo = Math.max(found.coveredTo, span.end);
}

/** Is this the name of a property whose text is a secret? */
export function isSecretName(name: string): boolean {
  return name.length <= 200 && NAME.test(name);
}

/** The secret part of the text of a property that {@link isSecretName} recognised. */
export function secretOfProperty(name: string, value: string): Span | undefined {
  const word = NAME.exec(name)?.[0] ?? '';
  const family = familyOf(word);
  if (family === 'authorization') return authorizationAt(value, 0);
  return isSecret(value, family, 'quoted', isWeakName(word)) ? { start: 0, end: value.length } : undefined;
}

function familyOf(word: string): Family {
  if (/^authorization/i.test(word)) return 'authorization';
  return /^(?:pass|pwd)/i.test(word) ? 'password' : 'secret';
}

/** Names whose values are often plain words. */
function isWeakName(word: string): boolean {
  return /^(?:secret|credentials?)\d?$/i.test(word);
}

function valueAt(found: Found, text: string, nameStart: number, start: number, family: Family, separator: string | undefined): Span | undefined {
  if (family === 'authorization') return separator === undefined ? undefined : authorizationAt(text, start, found);
  const quote = sticky(QUOTE, text, start);
  if (quote) {
    const from = start + quote[0].length;
    // The text around ends with the separator, or the name is a branch of a condition.
    if (/^[,}\]]{1,8}(?:\\{0,8}["'{[]|\s|$)/.test(text.slice(from, from + 12)) || /\?\s{0,4}\\{0,8}["']$/.test(text.slice(Math.max(0, nameStart - 12), nameStart))) return undefined;
    const end = quotedEnd(text, from, quote[2] ?? '"', quote[1]?.length ?? 0);
    const quotedName = /^\\*["']/.test(separator ?? '');
    return isSecret(text.slice(from, end), family, 'quoted', quotedName && isWeakName(text.slice(nameStart, nameStart + 6))) ? { start: from, end } : undefined;
  }
  const tight = separator === '=';
  if (tight && isEnvironmentName(text, nameStart, start - 1)) {
    const value = sticky(TO_SPACE, text, start)?.[0] ?? '';
    return isSecret(value, family, 'environment', true) ? { start, end: start + value.length } : undefined;
  }
  const run = sticky(UNQUOTED, text, start)?.[0] ?? '';
  if (isOneTooMany(found, run)) return { start, end: start + run.length };
  const value = run.replace(/[.:?]+$/, '');
  const end = start + value.length;
  if (value === '' || isCode(text, nameStart, value, end)) return undefined;
  return isSecret(value, family, tight ? 'tight' : 'loose', false) ? { start, end } : undefined;
}

function isOneTooMany(found: Found, value: string): boolean {
  return value.length >= LONG_VALUE && ++found.longValues > MOST_LONG_VALUES;
}

function authorizationAt(text: string, start: number, found?: Found): Span | undefined {
  const opening = sticky(SCHEME, text, start)?.[0] ?? '';
  const from = start + opening.length;
  const run = sticky(TO_SPACE, text, from)?.[0] ?? '';
  if (found && isOneTooMany(found, run)) return { start: from, end: from + run.length };
  const value = run.replace(/[,;]+$/, '');
  if (value.length < 6 || isDummy(value)) return undefined;
  const hasScheme = /[a-z]/i.test(opening);
  const secret = hasScheme ? /\d|[a-z][A-Z]|=$/.test(value) || value.length >= 24 : looksIssued(value);
  return secret ? { start: from, end: from + value.length } : undefined;
}

function isSecret(value: string, family: Family, form: Form, weakName: boolean): boolean {
  if (value.length < 3 || isDummy(value)) return false;
  if (/\s/.test(value)) return false;
  if (family === 'password') {
    if (form === 'quoted' || form === 'environment') return true;
    if (form === 'tight') return value.length >= 4;
    return value.length >= 6 && /[A-Za-z]/.test(value) && /[\d!@#$%^*+]/.test(value);
  }
  if (PATH_OR_URL.test(value)) return false;
  if (weakName && value.length >= 6) return true;
  if (form === 'loose') return looksIssued(value);
  return (value.length >= 8 && /[A-Za-z]/.test(value) && /\d/.test(value)) || looksIssued(value);
}

/** Long, and no word: letters among digits, or capitals among small letters. */
function looksIssued(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  const letters = /[A-Za-z]/.test(value);
  if (value.length >= 8 && letters && digits >= 3) return true;
  if (value.length >= 16 && letters && digits >= 1) return true;
  return value.length >= 24 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/[_.-]/.test(value);
}

function isDummy(value: string): boolean {
  return PLACEHOLDER.test(value) || PLAIN_WORD.test(value) || VERSION.test(value);
}

/** A call, an index, a member of an object: code that hands a secret on without holding it. */
function isCode(text: string, nameStart: number, value: string, end: number): boolean {
  const next = text[end] ?? '';
  if (next === '(' || next === '[' || next === '{' || next === '<' || MEMBER_CHAIN.test(value)) return true;
  // A plain word after `this.password=` or within an argument list is a variable.
  return /^[A-Za-z_$]+$/.test(value) && (/[.$]$/.test(text.slice(Math.max(0, nameStart - 1), nameStart)) || /[,)\]}]/.test(next));
}

/** Capitals from the beginning of a line, of a text or of a word: `export DB_PASSWORD=…`. */
function isEnvironmentName(text: string, nameStart: number, nameEnd: number): boolean {
  if (/[^A-Z0-9_]/.test(text.slice(nameStart, nameEnd))) return false;
  return /(?:^|[^A-Za-z0-9_$.]|\\n)[A-Z0-9_]{0,60}$/.test(text.slice(Math.max(0, nameStart - 64), nameStart));
}

/**
 * Where a quoted value ends. A text within JSON within JSON has its quotation marks behind `depth` backslashes: a mark
 * behind more of them belongs to the value.
 */
function quotedEnd(text: string, from: number, quote: string, depth: number): number {
  const limit = Math.min(text.length, from + MAX_VALUE);
  let run = 0;
  for (let index = from; index < limit; index += 1) {
    const character = text[index];
    if (character === '\n') return index;
    // The text that holds the value ends here: the value was cut.
    if (character === '"' && (run < depth || (quote !== '"' && run <= depth && /[,:}\]]/.test(text[index + 1] ?? '')))) return index - run;
    if (character === quote && run >= depth && (run - depth) % (2 * (depth + 1)) === 0) return index - Math.min(run, depth);
    run = character === '\\' ? run + 1 : 0;
  }
  return limit - run;
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
