import { checkArithmetic } from './arithmetic.js';
import { expandBraces } from './braces.js';
import { stop } from './judgement.js';
import { childrenOf } from './parse-shell.js';
import type { ParsedScript, Word, WordPart } from './parse-shell.js';
import type { Field } from './types.js';
import { mayExist } from './targets.js';
import { PATTERNS_VANISH } from './variables.js';
import { NUMBER, UNKNOWN, assign, literal, lookup, note, rangeOf, spend } from './walk-state.js';
import type { Known, WalkState } from './walk-state.js';

/** Walks a nested script (a substitution) and says whether it prints nothing but a number. */
export type WalkScript = (script: ParsedScript | undefined, node: { readonly pos: number; readonly end: number }) => { readonly numeric: boolean; readonly name: boolean };
export interface Reading { readonly state: WalkState; readonly walkScript: WalkScript }

/** How a part of a word adds to it. */
interface Piece extends Known { readonly many: boolean }
/** Escapes that end a `$'…'` early or mean what the text does not show. */
const ODD_ESCAPE = /\\(?:0|x0|u0|U0|c)/;

/** The words that one word of the source becomes. Walks everything inside it that runs. */
export function readWord(reading: Reading, word: Word, { splits = true, patterns = false }: { readonly splits?: boolean; readonly patterns?: boolean } = {}): Field[] {
  const { state } = reading;
  const range = rangeOf(state, word);
  spend(state, 1 + (word.parts?.length ?? 0));
  if (splits && word.parts?.some((part) => part.type === 'BraceExpansion')) {
    const spelled = expandBraces(word.text);
    if (spelled) return spelled.filter((text) => text !== '').map((text) => ({ ...literal(text), many: false, range }));
  }
  if (isAddress(state, word)) return [{ ...literal(word.text), many: false, range }];
  const pieces = word.parts ? word.parts.map((part) => readPart(reading, part, { quoted: !splits, patterns })) : [{ ...literal(word.value), many: false }];
  const joined = join(pieces);
  return [{ ...tilde(state, word, joined), range }];
}

/** One field for one word that isn't split: the value of an assignment, a case word, a here-string. */
export function readValue(reading: Reading, word: Word, options: { readonly patterns?: boolean } = {}): Field {
  return readWord(reading, word, { ...options, splits: false })[0] ?? { ...UNKNOWN, many: false, range: rangeOf(reading.state, word) };
}

/** Walks the parts of something that is only text, e.g. a here-document. */
export function readParts(reading: Reading, parts: readonly WordPart[]): void {
  for (const part of parts) readPart(reading, part, { quoted: true, patterns: false });
}

/** An address whose `?` would be a pattern, if there were a folder named `https:` for it to match in. */
function isAddress(state: WalkState, word: Word): boolean {
  if (!/^https?:\/\/[\w.-]+(?::\d+)?\/[\w./?=%+,:-]*$/.test(word.text) || !word.parts?.every((part) => part.type === 'Literal' || part.type === 'Glob')) return false;
  return state.repeated === 0 && !state.positional && !state.variables.has(PATTERNS_VANISH) && !mayExist(state, word.text.split('/')[0]);
}

function join(pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0]!;
  let prefix = '';
  let exact = true;
  for (const piece of pieces) {
    if (!exact) break;
    prefix += piece.prefix;
    exact = piece.text !== undefined;
  }
  const first = pieces.find((piece) => piece.text !== '') ?? { ...literal(''), many: false };
  const known = literal(prefix);
  return {
    text: exact ? prefix : undefined, prefix, numeric: exact ? known.numeric : pieces.every((piece) => piece.numeric && !piece.prefix.startsWith('-')),
    dash: prefix === '' ? first.dash || pieces.some((piece) => piece.text === undefined && piece.dash) : known.dash, many: pieces.some((piece) => piece.many),
  };
}

/** `~` and `~/x` stand for the home folder; `~name` for a folder nobody knows here. */
function tilde(state: WalkState, word: Word, field: Piece): Piece {
  if (!word.text.startsWith('~')) return field;
  const { home } = state.options;
  const own = /^~(?:\/|$)/.test(word.text) && field.prefix.startsWith('~');
  if (!own || home === undefined) return { ...UNKNOWN, prefix: '/', dash: false, many: field.many };
  return { ...field, text: field.text === undefined ? undefined : home + field.text.slice(1), prefix: home + field.prefix.slice(1) };
}

function readPart(reading: Reading, part: WordPart, { quoted, patterns }: { readonly quoted: boolean; readonly patterns: boolean }): Piece {
  const { state } = reading;
  const range = rangeOf(state, part);
  const unknown = { ...UNKNOWN, many: !quoted };
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return { ...literal(part.value), many: false };
    case 'AnsiCQuoted':
      return ODD_ESCAPE.test(part.text) ? unknown : { ...literal(part.value), many: false };
    case 'DoubleQuoted':
    case 'LocaleString': {
      const pieces = part.parts.map((inner) => readPart(reading, inner, { quoted: true, patterns }));
      const several = part.parts.some((inner) => /^\$\{?@|\[@\]/.test(inner.text));
      return { ...(pieces.length === 0 ? literal('') : join(pieces)), many: several };
    }
    case 'Glob':
      for (const inner of part.parts ?? []) readPart(reading, inner, { quoted: true, patterns });
      // A name that begins with a dash is never made unasked, so a leading star or question mark is taken for none.
      return { ...UNKNOWN, dash: part.kind === 'bracket', many: true };
    case 'SimpleExpansion': {
      const known = lookup(state, part.text.slice(1));
      return { ...unsplit(known, quoted), many: !quoted && known.text === undefined && !known.numeric };
    }
    case 'ParameterExpansion':
      return readParameter(reading, part, quoted);
    case 'CommandExpansion': {
      const { numeric, name } = reading.walkScript(part.script, part);
      return numeric ? { ...NUMBER, many: false } : name ? { ...unknown, dash: false } : unknown;
    }
    case 'ArithmeticExpansion':
      if (part.expression) checkArithmetic(reading, part.expression);
      else if (!/^\$\(\(\s*\)\)$/.test(part.text)) note(state, '$((', stop('an arithmetic expression that can\'t be read'), range);
      return { ...NUMBER, dash: true, many: false };
    case 'ProcessSubstitution':
      reading.walkScript(part.script, part);
      return { text: undefined, prefix: '/dev/fd/', dash: false, numeric: false, many: false };
    case 'ExtendedGlob':
      for (const inner of part.parts ?? []) readPart(reading, inner, { quoted: true, patterns });
      if (!patterns) note(state, part.operator, stop('an extended pattern, which bash reads differently by its settings'), range);
      return unknown;
    case 'BraceExpansion':
      for (const inner of part.parts ?? []) readPart(reading, inner, { quoted: true, patterns });
      return unknown;
  }
}

/** Without quotes a value is cut at blanks and its patterns are matched: then it is no longer known. */
function unsplit(known: Known, quoted: boolean): Known {
  if (quoted || known.text === undefined || /^[^\s*?[\\]+$/.test(known.text)) return known;
  return UNKNOWN;
}

type Parameter = Extract<WordPart, { type: 'ParameterExpansion' }>;

function readParameter(reading: Reading, part: Parameter, quoted: boolean): Piece {
  const { state } = reading;
  const range = rangeOf(state, part);
  const { operation, parameter, prefix, index } = part;
  const refuse = (reason: string): void => note(state, '${', stop(reason), range);
  if (index && index.text !== '@' && index.text !== '*') {
    const field = readValue(reading, index);
    if (!/^[\w.-]+$/.test(field.text ?? '') && !field.numeric) refuse('an index that can\'t be read: bash runs what it holds');
    else if (field.text !== undefined && /^[A-Za-z_]/.test(field.text) && lookup(state, field.text) !== UNKNOWN && !lookup(state, field.text).numeric) refuse('an index that can\'t be read: bash runs what it holds');
  }
  if (prefix === '!' && operation?.type !== 'Names' && !(index && /^[@*]$/.test(index.text))) refuse('a variable named by another one');
  if (operation?.type === 'Transform') refuse('a transformation that can run what the text holds');
  if (operation?.type === 'Unknown') refuse('an expansion that can\'t be read');
  if (operation?.type === 'Slice') for (const word of [operation.offset, operation.length]) if (word) sliceNumber(reading, word, refuse);
  if (operation) for (const child of childrenOf(operation)) if (child.type === 'Word' && operation.type !== 'Slice') readValue(reading, child, { patterns: true });
  if (operation?.type === 'Default' && /=/.test(operation.operator) && !assign(state, parameter, undefined)) refuse(`it sets ${parameter}`);
  if (prefix === '#') return { ...NUMBER, many: false };
  const many = !quoted || index?.text === '@' || parameter === '@';
  if (operation || index || prefix) return { ...UNKNOWN, many };
  const known = lookup(state, parameter);
  return { ...unsplit(known, quoted), many: many && known.text === undefined && !known.numeric };
}

function sliceNumber(reading: Reading, word: Word, refuse: (reason: string) => void): void {
  const field = readValue(reading, word);
  const text = field.text ?? '';
  const safe = field.numeric || /^[\s\d+*/%()-]*$/.test(field.text ?? '?') || (/^\s*\w+\s*$/.test(text) && lookup(reading.state, text.trim()).numeric);
  if (!safe) refuse('an offset that can\'t be read: bash runs what it holds');
}
