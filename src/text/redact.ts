import { ArtooError } from '../contracts/errors.js';
import { binarySize } from './binary.js';
import { findSecretAssignments, isSecretName, secretOfProperty, type Span } from './secret-assignments.js';
import { DEFAULT_SECRET_PATTERNS, mayHoldShape } from './secret-patterns.js';

/** Masks secrets. See {@link createRedactor}. */
export interface Redactor {
  /** The text with each code unit of a secret replaced by `█`; the same text where there is none. */
  text(value: string): string;
  /** The value with its texts and keys masked at any depth; the same reference where there is nothing to mask. Never throws. */
  value<T>(value: T): T;
  /** Is there anything that `value()` would mask? */
  finds(value: unknown): boolean;
}

/** Finds the secrets of a text. */
type Finder = (text: string) => readonly Span[];

const MASK = '\u2588';
const MASKED = /\u2588{8}/;
const MAX_DEPTH = 256;
/** A mask can lay bare another match beside it. Each turn masks more, and more than two are rare. */
const MAX_TURNS = 20;
const MAX_KNOWN_NAMES = 2_000;
const HIGH_SURROGATE = /[\ud800-\udbff]/;
const LOW_SURROGATE = /[\udc00-\udfff]/;

/** Does the text hold a mask of at least eight characters? */
export function isMasked(text: string): boolean {
  return MASKED.test(text);
}

/**
 * A redactor of the common secrets (keys of known vendors, private keys, tokens and passwords in headers, URLs and
 * assignments) and of the host's own `patterns`: expressions, or strings that are looked up as they are. `false` masks
 * nothing, not even the common ones.
 *
 * A mask has the length of what it hides, so that a text cut at a number of characters is cut at the same place. Masking
 * twice changes nothing more. Where an expression has a group named `secret`, that group alone is masked. An expression
 * that backtracks without end is the host's risk: it runs on every text. Throws ARTOO_INVALID_CONFIG for what is neither
 * an expression nor a string.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * const artoo = createArtoo({ models, redact: [/\bEMP-\d{6}\b/, 'the quiet harbour'] });
 */
export function createRedactor(patterns?: readonly (RegExp | string)[] | false): Redactor {
  if (patterns === false) return { text: (value) => value, value: (value) => value, finds: () => false };
  const finders = hostFinders(patterns ?? []);
  const names = new Map<string, KnownName>();

  const text = (value: string): string => {
    let masked = value;
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const spans = spansOf(masked, finders);
      if (spans.length === 0) break;
      const next = cover(masked, spans);
      if (next === masked) break;
      masked = next;
    }
    return masked;
  };
  const known = (name: string): KnownName => {
    const before = names.get(name);
    if (before) return before;
    const fresh = { masked: text(name), secret: isSecretName(name) };
    if (names.size < MAX_KNOWN_NAMES && name.length <= 64) names.set(name, fresh);
    return fresh;
  };
  const property = (name: string, item: string): string => {
    const span = known(name).secret ? secretOfProperty(name, item) : undefined;
    return text(span ? cover(item, [span]) : item);
  };
  const walk: Walk = { text, key: (name) => known(name).masked, property };
  return {
    text,
    value: <T>(value: T): T => redactItem(walk, value, []) as T,
    finds: (value) => redactItem(walk, value, []) !== value,
  };
}

/** Records repeat a few names without end, so what they come to is kept. */
interface KnownName { readonly masked: string; readonly secret: boolean }

/** What the walk over a value needs to know of its texts. */
interface Walk {
  text(value: string): string;
  key(name: string): string;
  /** The text of a property, whose name may tell that it is a secret. */
  property(name: string, value: string): string;
}

function redactItem(walk: Walk, value: unknown, path: object[]): unknown {
  if (typeof value === 'string') return walk.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (path.includes(value)) return '[circular]';
  if (path.length >= MAX_DEPTH) return '[too deep]';
  path.push(value);
  try {
    return redactObject(walk, value, path);
  } catch {
    // A getter or a proxy that throws: what can't be read can't be shown to be clean.
    return '[unreadable]';
  } finally {
    path.pop();
  }
}

function redactObject(walk: Walk, value: object, path: object[]): unknown {
  if (Array.isArray(value)) return redactList(walk, value, path);
  if (value instanceof Map || value instanceof Set) {
    const items = [...value];
    const list = redactList(walk, items, path);
    if (list === items) return value;
    return value instanceof Map ? new Map(list as [unknown, unknown][]) : new Set(list);
  }
  if (binarySize(value) !== undefined) return value;
  const toJson = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') {
    const plain: unknown = toJson.call(value, '');
    const redacted = redactItem(walk, plain, path);
    return redacted === plain ? value : redacted;
  }
  if (value instanceof Error) {
    const message = walk.text(value.message);
    return message === value.message ? value : { name: value.name, message };
  }
  return redactRecord(walk, value as Readonly<Record<string, unknown>>, path);
}

function redactList(walk: Walk, list: readonly unknown[], path: object[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = redactItem(walk, list[index], path);
    if (item !== list[index]) (copy ??= list.slice())[index] = item;
  }
  return copy ?? list;
}

function redactRecord(walk: Walk, record: Readonly<Record<string, unknown>>, path: object[]): unknown {
  const keys = Object.keys(record);
  let entries: [string, unknown][] | undefined;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    const item = record[key];
    const newKey = walk.key(key);
    const newItem = typeof item === 'string' ? walk.property(key, item) : redactItem(walk, item, path);
    if (newKey === key && newItem === item && !entries) continue;
    entries ??= keys.slice(0, index).map((earlier) => [earlier, record[earlier]]);
    entries.push([newKey, newItem]);
  }
  return entries ? fromEntries(entries) : record;
}

/** Two secrets of one length give one mask: the second key is made longer, so that nothing is lost. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const unique = new Map<string, unknown>();
  for (const [key, item] of entries) {
    let free = key;
    while (unique.has(free)) free += MASK;
    unique.set(free, item);
  }
  return Object.fromEntries(unique);
}

function spansOf(text: string, finders: readonly Finder[]): readonly Span[] {
  const assigned = findSecretAssignments(text);
  const shaped = mayHoldShape(text);
  if (!shaped && finders.length === 0) return assigned;
  const spans = [...assigned];
  if (shaped) for (const pattern of DEFAULT_SECRET_PATTERNS) for (const span of matchesOf(pattern, text)) spans.push(span);
  for (const find of finders) for (const span of find(text)) spans.push(span);
  return spans;
}

/** `pattern` is global. An empty match covers nothing and moves on. */
function* matchesOf(pattern: RegExp, text: string): Generator<Span> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    if (end > start) yield { start, end };
    if (match[0] === '') pattern.lastIndex += pattern.unicode && HIGH_SURROGATE.test(text[pattern.lastIndex] ?? '') ? 2 : 1;
  }
}

/** Characters of two code units are covered whole. */
function cover(text: string, spans: readonly Span[]): string {
  let covered = '';
  let position = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const start = LOW_SURROGATE.test(text[span.start] ?? '') && HIGH_SURROGATE.test(text[span.start - 1] ?? '') ? span.start - 1 : span.start;
    const end = HIGH_SURROGATE.test(text[span.end - 1] ?? '') && LOW_SURROGATE.test(text[span.end] ?? '') ? span.end + 1 : span.end;
    if (end <= position) continue;
    const from = Math.max(start, position);
    covered += text.slice(position, from) + MASK.repeat(end - from);
    position = end;
  }
  return covered + text.slice(position);
}

function hostFinders(patterns: readonly (RegExp | string)[]): Finder[] {
  if (!Array.isArray(patterns)) throw invalid(`redact must be a list of expressions and strings, or false; it is ${describe(patterns)}.`);
  return patterns.map((pattern: unknown, index) => {
    if (typeof pattern === 'string' && pattern !== '') return literalFinder(pattern);
    if (isExpression(pattern)) return expressionFinder(pattern);
    throw invalid(`redact[${index}] must be an expression or a text that is not empty; it is ${describe(pattern)}.`);
  });
}

function literalFinder(literal: string): Finder {
  return (text) => {
    const spans: Span[] = [];
    for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) spans.push({ start: at, end: at + literal.length });
    return spans;
  };
}

function expressionFinder(pattern: RegExp): Finder {
  const flags = new Set(pattern.flags.replace('y', ''));
  flags.add('g');
  if (pattern.source.includes('(?<secret>')) flags.add('d');
  const everywhere = new RegExp(pattern.source, [...flags].join(''));
  return (text) => [...matchesOf(everywhere, text)];
}

function isExpression(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

function describe(value: unknown): string {
  if (value === '') return 'an empty text';
  return value === null ? 'null' : `of type ${typeof value}`;
}

function invalid(message: string): ArtooError {
  return new ArtooError('ARTOO_INVALID_CONFIG', message, { hint: 'Pass for example [/\\bEMP-\\d{6}\\b/, "a literal text"]; false masks nothing at all.' });
}
