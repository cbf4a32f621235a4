import type { Needle } from '../requests.js';
import { entriesOf, filesIn, nameOf, saysFolder, under } from './files.js';
import { matchesGlob } from './glob-match.js';
import { call, expectOk, readListing, toolFor, Unable, type CallResult, type Hands, type Procedure } from './procedure.js';
import { readHit, textOf, type Hit } from './texts.js';

/** Lines that hold what is searched for, in a file or below a folder, with remarks of the tool on what it couldn't read. */
export interface Hits { readonly hits: readonly Hit[]; readonly unread: string }

export interface Search { readonly needle: Needle; readonly path: string; readonly matching?: string | undefined }

export function* hitsIn(hands: Hands, search: Search): Procedure<Hits> {
  return hands.skills.has('grep') ? yield* hitsByGrep(hands, search) : yield* hitsByReading(hands, search);
}

function* hitsByGrep(hands: Hands, search: Search): Procedure<Hits> {
  const result = expectOk((yield [{ tool: toolFor(hands, 'grep'), input: grepInput(search) }])[0]!);
  const found = readListing(result);
  if (found.complete) return { hits: parseHits(found.lines), unread: found.unread };
  if (!hands.skills.has('list')) throw tooMany(search);
  // Too much for one look: each folder and file below is searched by itself.
  const entries = yield* entriesOf(hands, search.path);
  const files = entries.files.filter((file) => search.matching === undefined || matchesGlob(file, search.matching));
  const inputs = files.map((path) => grepInput({ ...search, path, matching: undefined }));
  const looked = inputs.length === 0 ? [] : yield inputs.map((input) => ({ tool: toolFor(hands, 'grep'), input }));
  const hits: Hit[] = [];
  for (const [index, one] of looked.entries()) hits.push(...wholeHits(one, { ...search, path: files[index]! }));
  for (const path of entries.folders) hits.push(...(yield* hitsByGrep(hands, { ...search, path })).hits);
  return { hits: hits.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)), unread: found.unread };
}

function wholeHits(result: CallResult, search: Search): readonly Hit[] {
  const found = readListing(expectOk(result));
  if (!found.complete) throw tooMany(search);
  return parseHits(found.lines);
}

function tooMany({ needle, path }: Search): Unable {
  return new Unable(`more lines of ${nameOf(path)} hold ${JSON.stringify(needle.text)} than one look can show; narrow it to a smaller folder or a rarer text`);
}

function grepInput({ needle, path, matching }: Search): Readonly<Record<string, unknown>> {
  return {
    pattern: needle.text, ...under(path), ...(matching === undefined ? {} : { glob: matching }),
    ...(needle.regex ? {} : { literal: true }), ...(needle.ignoreCase ? { ignoreCase: true } : {}),
  };
}

function parseHits(lines: readonly string[]): Hit[] {
  return lines.flatMap((line) => readHit(line) ?? []);
}

/** Without a tool that searches, every file is read. */
function* hitsByReading(hands: Hands, search: Search): Procedure<Hits> {
  const paths = yield* pathsToRead(hands, search);
  const expression = expressionOf(search.needle);
  const hits: Hit[] = [];
  for (const path of paths) {
    const { text, whole } = yield* textOf(hands, path);
    if (!whole) throw new Unable(`${path} is too long to be searched by reading it`);
    text.split('\n').forEach((line, index) => {
      if (new RegExp(expression.source, expression.flags.replace('g', '')).test(line)) hits.push({ path, line: index + 1, text: line });
    });
  }
  return { hits, unread: '' };
}

function* pathsToRead(hands: Hands, { path, matching }: Search): Procedure<readonly string[]> {
  if (matching === undefined && path !== '.') {
    const result = yield* call(hands, 'read', { path });
    if (result.ok) return [path];
    if (!saysFolder(result)) expectOk(result);
  }
  return yield* filesIn(hands, matching ?? '*', path);
}

/** Finds every place in a line where the text stands. */
export function expressionOf({ text, regex, ignoreCase }: Needle): RegExp {
  return new RegExp(regex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase ? 'gi' : 'g');
}
