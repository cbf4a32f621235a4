import { jsonrepair } from 'jsonrepair';
import { parseJson } from './parse-json.js';
import { unfence } from './unfence.js';

export interface ExtractJsonOptions {
  /** `object`: arrays around or beside are passed over. `any`: objects, arrays, and a text that is one plain value. */
  readonly want?: 'object' | 'any';
  /** False for a reply that was cut: its end is unknown, so nothing may be completed by guessing. Default true. */
  readonly repair?: boolean;
}

export interface ExtractedJson {
  /** In the order of the text. */
  readonly values: readonly unknown[];
  /** True when at least one value was no valid JSON as it stood. */
  readonly repaired: boolean;
}

const MAX_REPAIR = 1_000_000;
const MAX_VALUES = 100;
/** What follows an opening bracket where JSON is meant, rather than prose in brackets. */
const LOOKS_LIKE_OBJECT = /\s*(?:["'\u201c}{/]|$|[A-Za-z_$][\w$-]{0,80}\s{0,20}:)/y;
const LOOKS_LIKE_ARRAY = /\s*(?:["'\u201c{[\]/\d-]|$|true|false|null)/y;

/**
 * Finds JSON values in a model's text: each first balanced object or array, brackets within strings not counted, prose
 * and fences around ignored. Never throws. A value that begins like JSON but is broken is repaired as a whole or left
 * out as a whole: a piece of it is never taken for an answer.
 */
export function extractJson(text: string, options: ExtractJsonOptions = {}): ExtractedJson {
  const want = options.want ?? 'any';
  const body = unfence(text).trim();
  const whole = parseJson(body);
  if (whole.ok && (want === 'any' || isObject(whole.value))) return { values: [whole.value], repaired: false };

  const values: unknown[] = [];
  let repaired = false;
  let position = 0;
  /** Bounds the work on a text of brackets alone. */
  let budget = body.length * 20 + 1_000;
  while (position < body.length && values.length < MAX_VALUES && budget > 0) {
    const start = nextOpening(body, position, want);
    if (start === -1) break;
    const end = balancedEnd(body, start);
    budget -= (end ?? body.length) - start;
    const strict = end === undefined ? undefined : parseJson(body.slice(start, end));
    if (end !== undefined && strict?.ok) {
      values.push(strict.value);
      position = end;
      continue;
    }
    if (!looksLikeJson(body, start)) {
      position = start + 1;
      continue;
    }
    const stop = end ?? lastClosing(body, start);
    const fixed = options.repair === false ? undefined : repair(body.slice(start, stop));
    if (fixed !== undefined) {
      values.push(fixed);
      repaired = true;
    }
    position = end ?? body.length;
  }
  return { values, repaired };
}

function nextOpening(text: string, from: number, want: 'object' | 'any'): number {
  const brace = text.indexOf('{', from);
  if (want === 'object') return brace;
  const bracket = text.indexOf('[', from);
  if (brace === -1) return bracket;
  return bracket === -1 ? brace : Math.min(brace, bracket);
}

/** The index after the bracket that closes the one at `start`; undefined when it stays open. */
function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function looksLikeJson(text: string, start: number): boolean {
  const pattern = text[start] === '{' ? LOOKS_LIKE_OBJECT : LOOKS_LIKE_ARRAY;
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = start + 1;
  return sticky.test(text);
}

/**
 * Where a value ends whose brackets or quotation marks don't add up: after the last bracket of its kind when prose
 * follows, with the text when the value itself goes on.
 */
function lastClosing(text: string, start: number): number {
  const last = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  return last > start && !/^\s*[,\]}]/.test(text.slice(last + 1, last + 200)) ? last + 1 : text.length;
}

function repair(text: string): unknown {
  if (text.length > MAX_REPAIR) return undefined;
  try {
    const parsed = parseJson(jsonrepair(text));
    if (!parsed.ok) return undefined;
    const sameKind = text.startsWith('{') ? isObject(parsed.value) : Array.isArray(parsed.value);
    return sameKind ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
