import { ToolError } from '../tool-error.js';
import { nearestLines } from './nearest-lines.js';

/** One exact replacement. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
  /** Replaces every place; without it there must be exactly one. */
  readonly all?: boolean | undefined;
}

/** One place that an edit changed, as whole lines. Lines count from 1 in the text that the edit found. */
export interface EditedPlace { readonly line: number; readonly removed: string; readonly added: string }
export interface EditedText {
  readonly text: string;
  /** The first places; `count` says how many there were. */
  readonly places: readonly EditedPlace[];
  readonly count: number;
}

const MOST_PLACES = 40;
const MOST_LINES_NAMED = 10;
/** Places that one edit may change. */
const MOST_REPLACED = 100_000;

/**
 * Applies edits in their order, each to what the ones before it left; all or none. Line feeds in an edit also match the
 * CRLF of a file, and what is put in takes over the file's line ends. Throws a ToolError that says which edit doesn't
 * fit, and what stands there instead.
 */
export function applyEdits(before: string, edits: readonly Edit[], { path, most }: { readonly path: string; readonly most: number }): EditedText {
  let text = before;
  let count = 0;
  const places: EditedPlace[] = [];
  for (const [index, edit] of edits.entries()) {
    const who = edits.length === 1 ? 'The edit' : `Edit ${index + 1} of ${edits.length}`;
    const nothing = edits.length === 1 ? '' : ' None of the edits was made.';
    if (edit.find === '') throw ToolError.logical(`${who} has an empty \`find\`.${nothing}`, { hint: 'Quote the text to replace. To make a new file use writeFile.' });
    if (edit.find === edit.replace) throw ToolError.logical(`${who} replaces a text by itself.${nothing}`, { hint: 'Leave it out.' });
    const source = readLineEnds(text);
    const needle = edit.find.replaceAll('\r\n', '\n');
    const found = findAll(source.plain, needle);
    if (found.count === 0) throw missing(source.plain, needle, { who, path, nothing });
    if (found.count > 1 && edit.all !== true) throw ambiguous(source.plain, found, { who, path, nothing });
    if (found.count > MOST_REPLACED) throw ToolError.logical(`${who} finds its text ${found.count} times in ${JSON.stringify(path)}; at most ${MOST_REPLACED} are replaced at once.${nothing}`, { hint: 'Look for a longer text.' });
    // Judged before anything is built: a short text in very many places can grow without measure.
    if (text.length + found.count * (edit.replace.length + edit.replace.split('\n').length - edit.find.length) > most) {
      throw ToolError.logical(`${who} would make ${JSON.stringify(path)} longer than ${most} characters.${nothing}`, { hint: 'Replace fewer places, or by less.' });
    }
    const pieces: string[] = [];
    let from = 0;
    for (let at = source.plain.indexOf(needle); at >= 0; at = source.plain.indexOf(needle, at + needle.length)) {
      const start = source.toRaw(at);
      const end = source.toRaw(at + needle.length);
      const added = source.withLineEnds(edit.replace);
      if (places.length < MOST_PLACES) places.push(placeOf(text, start, end, added));
      pieces.push(text.slice(from, start), added);
      from = end;
      if (edit.all !== true) break;
    }
    count += found.count;
    text = pieces.join('') + text.slice(from);
  }
  if (text === before) throw ToolError.logical(`The edits leave ${JSON.stringify(path)} as it is.`, { hint: 'Leave the call out.' });
  return { text, places, count };
}

interface Found { readonly count: number; readonly first: readonly number[] }

function findAll(text: string, needle: string): Found {
  const first: number[] = [];
  let count = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    count += 1;
    if (first.length < MOST_LINES_NAMED) first.push(at);
  }
  return { count, first };
}

interface LineEnds {
  /** With LF alone. */
  readonly plain: string;
  /** From an offset in `plain` to one in the text itself. */
  toRaw(offset: number): number;
  /** A text with the line ends that most lines of the file have. */
  withLineEnds(text: string): string;
}

function readLineEnds(text: string): LineEnds {
  if (!text.includes('\r\n')) return { plain: text, toRaw: (offset) => offset, withLineEnds: (added) => (text.includes('\n') ? added.replaceAll('\r\n', '\n') : added) };
  const pairs: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) pairs.push(at - pairs.length);
  const plain = text.replaceAll('\r\n', '\n');
  const lineFeeds = plain.split('\n').length - 1;
  const mostly = pairs.length * 2 >= lineFeeds;
  return {
    plain,
    toRaw: (offset) => offset + countBelow(pairs, offset),
    withLineEnds: (added) => {
      const unix = added.replaceAll('\r\n', '\n');
      return mostly ? unix.replaceAll('\n', '\r\n') : unix;
    },
  };
}

/** How many of the sorted numbers are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The lines that a place touches, whole, so that a person sees what becomes of them. */
function placeOf(text: string, start: number, end: number, added: string): EditedPlace {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const lineEnd = next < 0 ? text.length : next;
  const head = text.slice(start === 0 ? 0 : lineStart, start);
  const tail = end <= lineEnd ? text.slice(end, lineEnd) : '';
  return { line: lineAt(text, start), removed: `${head}${text.slice(start, end)}${tail}`, added: `${head}${added}${tail}` };
}

interface Blame { readonly who: string; readonly path: string; readonly nothing: string }

function missing(text: string, needle: string, { who, path, nothing }: Blame): Error {
  const near = nearestLines(text, needle);
  const what = near === undefined ? '' : near.exact
    ? ` With other white space it stands from line ${near.line} on:\n${near.lines.join('\n')}\n`
    : ` The most similar text begins on line ${near.line}:\n${near.lines.join('\n')}\n`;
  return ToolError.logical(`${who} finds its text nowhere in ${JSON.stringify(path)}.${nothing}${what}`, {
    hint: near === undefined ? 'Read the file, then quote from it exactly.' : 'Quote from the file exactly, with its white space.',
  });
}

function ambiguous(text: string, { count, first }: Found, { who, path, nothing }: Blame): Error {
  const lines = first.map((at) => lineAt(text, at)).join(', ');
  return ToolError.logical(`${who} finds its text ${count} times in ${JSON.stringify(path)}, on lines ${lines}${count > first.length ? ' …' : ''}.${nothing}`, {
    hint: 'Add lines around it to `find` until it stands there once, or set `all` to replace every place.',
  });
}
