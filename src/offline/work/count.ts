import type { CountHits, CountRequest, CountText } from '../requests.js';
import { elsewhereNote, filesIn, locate, nameOf } from './files.js';
import { Unable, type Hands, type Procedure } from './procedure.js';
import { expressionOf, hitsIn } from './search.js';
import { lineCount, textOf, wordsIn } from './texts.js';

/** A number, and the sentence that says it; the sentence begins with the number. */
export interface Counted { readonly count: number; readonly answer: string }

export function* countOf(hands: Hands, request: CountRequest): Procedure<Counted> {
  switch (request.kind) {
    case 'count files': {
      const path = yield* locate(hands, request.in, 'directory');
      const count = (yield* filesIn(hands, request.matching, path)).length;
      const what = request.matching === '*' ? `${count} ${count === 1 ? 'file is' : 'files are'} in` : `${count} ${count === 1 ? 'file matches' : 'files match'} ${request.matching} in`;
      return { count, answer: `${what} ${nameOf(path)}.${elsewhereNote(request.in, path)}` };
    }
    case 'count lines':
    case 'count words': return yield* countText(hands, request);
    default: return yield* countHits(hands, request);
  }
}

function* countText(hands: Hands, request: CountText): Procedure<Counted> {
  const unit = request.kind === 'count lines' ? 'line' : 'word';
  const say = (count: number, where: string): string => `${count} ${unit}${count === 1 ? '' : 's'} in ${where}.`;
  if (request.matching === undefined) {
    const path = yield* locate(hands, request.in, 'file');
    const count = yield* measure(hands, unit, path);
    return { count, answer: say(count, path) + elsewhereNote(request.in, path) };
  }
  const folder = yield* locate(hands, request.in, 'directory');
  const files = yield* listed(hands, request.matching, folder);
  // Asked for at once, so that many files cost no more turns than one.
  if (hands.skills.has('read') && files.length > 0) yield files.map((path) => ({ tool: hands.skills.get('read')!, input: { path } }));
  let count = 0;
  for (const path of files) count += yield* measure(hands, unit, path);
  return { count, answer: `${say(count, nameOf(folder)).slice(0, -1)}, over ${files.length} ${files.length === 1 ? 'file' : 'files'} that ${files.length === 1 ? 'matches' : 'match'} ${request.matching}.${elsewhereNote(request.in, folder)}` };
}

/** Files to measure: found by name, or by what a search for every line shows. */
function* listed(hands: Hands, matching: string, folder: string): Procedure<readonly string[]> {
  if (hands.skills.has('glob') || hands.skills.has('list')) return yield* filesIn(hands, matching, folder);
  const { hits } = yield* hitsIn(hands, { needle: { text: '^', regex: true, ignoreCase: false }, path: folder, matching });
  return [...new Set(hits.map(({ path }) => path))];
}

function* measure(hands: Hands, unit: 'line' | 'word', path: string): Procedure<number> {
  if (unit === 'line') return yield* lineCount(hands, path);
  const { text, whole } = yield* textOf(hands, path);
  if (!whole) throw new Unable(`${path} is too long to count its words with the tools there are`);
  return wordsIn(text);
}

function* countHits(hands: Hands, request: CountHits): Procedure<Counted> {
  const path = yield* locateAny(hands, request);
  const { hits, unread } = yield* hitsIn(hands, { needle: request.needle, path, matching: request.matching });
  const files = new Set(hits.map((hit) => hit.path)).size;
  const what = `${JSON.stringify(request.needle.text)}${request.needle.ignoreCase ? ' (in any case)' : ''}`;
  const where = `${nameOf(path)}${request.matching === undefined ? '' : ` (${request.matching})`}`;
  const tail = `${unread === '' ? '' : ` ${unread}`}${elsewhereNote(request.in, path)}`;
  if (request.kind === 'count files with') return { count: files, answer: `${files} ${files === 1 ? 'file' : 'files'} in ${where} ${files === 1 ? 'holds' : 'hold'} ${what}.${tail}` };
  const onLines = `${hits.length} ${hits.length === 1 ? 'line' : 'lines'}`;
  // A line that was shortened may hold more of them than can be seen.
  const shortened = hits.some(({ text }) => text.endsWith(' …'));
  if (request.kind === 'count lines with' || shortened) return { count: hits.length, answer: `${onLines} in ${where} ${hits.length === 1 ? 'holds' : 'hold'} ${what}.${tail}` };
  const expression = expressionOf(request.needle);
  const count = hits.reduce((sum, { text }) => sum + [...text.matchAll(expression)].filter(([found]) => found !== '').length, 0);
  const spread = count === 0 ? '' : `, on ${onLines} of ${files} ${files === 1 ? 'file' : 'files'}`;
  return { count, answer: `${count} ${count === 1 ? 'occurrence' : 'occurrences'} of ${what} in ${where}${spread}.${tail}` };
}

/** A file or a folder: what is searched may be either. */
export function* locateAny(hands: Hands, request: { readonly in: CountHits['in'] }): Procedure<string> {
  const isFile = /\.\w+$/.test(request.in.path);
  return yield* locate(hands, request.in, isFile ? 'file' : 'directory');
}

