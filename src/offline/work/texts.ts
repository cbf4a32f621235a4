import { call, expectOk, readListing, Unable, type Hands, type Procedure } from './procedure.js';

/** Beyond the last line of anything: a reader that refuses says how many lines there are. */
const BEYOND = 1_000_000_000;
const TOTAL = /\bhas only (\d+) lines?\b/;

/** A file's text; `whole` is false where only its beginning and end could be had. */
export interface FileText { readonly text: string; readonly whole: boolean }

export function* textOf(hands: Hands, path: string): Procedure<FileText> {
  if (!hands.skills.has('read')) return yield* textByGrep(hands, path);
  const result = expectOk(yield* call(hands, 'read', { path }));
  refuseBinary(path, result.text);
  return { text: result.text, whole: !result.cut && !/^\[… \d+ of \d+ bytes left out/m.test(result.text) };
}

/** Every line matches `^`; the last one is empty where the file ends with a line feed. */
function* textByGrep(hands: Hands, path: string): Procedure<FileText> {
  const found = readListing(expectOk(yield* call(hands, 'grep', { pattern: '^', path })));
  const lines = found.lines.map((line) => readHit(line)?.text ?? '');
  return { text: lines.join('\n'), whole: found.complete && !lines.some((line) => line.endsWith(' …')) };
}

/** How many lines a file has, also where its text doesn't fit into one look. */
export function* lineCount(hands: Hands, path: string): Procedure<number> {
  const { text, whole } = yield* textOf(hands, path);
  if (whole) return linesIn(text);
  if (hands.skills.has('read')) {
    const beyond = yield* call(hands, 'read', { path, offset: BEYOND, limit: 1 });
    const total = TOTAL.exec(beyond.text);
    if (!beyond.ok && total) return Number(total[1]);
  } else {
    const { lines, complete, last } = yield* lastHit(hands, path);
    if (lines > 0 && !complete.more) return last === '' ? lines - 1 : lines;
  }
  throw new Unable(`${path} is too long to count its lines with the tools there are`);
}

function* lastHit(hands: Hands, path: string): Procedure<{ readonly lines: number; readonly last: string; readonly complete: { readonly more: boolean } }> {
  const result = expectOk(yield* call(hands, 'grep', { pattern: '^', path }));
  const hit = readHit(readListing(result).lines.at(-1) ?? '');
  return { lines: hit?.line ?? 0, last: hit?.text ?? '', complete: { more: /^\[\d+ more left out;/m.test(result.text) } };
}

/** A last line counts also where nothing ends it. */
export function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function refuseBinary(path: string, text: string): void {
  if (/^\[[^\n]*, \d+ bytes, begins with [0-9a-f ]*; it has no text to show\]$/.test(text)) throw new Unable(`${path} is no text file: ${text.slice(1, -1)}`);
}

/** A line of search results: `path:line: text`. */
export interface Hit { readonly path: string; readonly line: number; readonly text: string }

export function readHit(line: string): Hit | undefined {
  const match = /^(.+?):(\d+): (.*)$/.exec(line) ?? /^(.+?):(\d+):()$/.exec(line);
  return match ? { path: match[1]!, line: Number(match[2]), text: match[3]! } : undefined;
}
