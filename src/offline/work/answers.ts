import type { OfflineRequest, Place } from '../requests.js';
import { countOf, locateAny } from './count.js';
import { elsewhereNote, filesIn, locate, nameOf, under } from './files.js';
import { call, expectOk, readListing, Unable, type Hands, type Procedure } from './procedure.js';
import { hitsIn } from './search.js';
import { summarise } from './summarise.js';
import { lineCount, textOf, wordsIn } from './texts.js';

/** How to come to the answer of a request. `report` is what a report would say. */
export function answerOf(hands: Hands, request: OfflineRequest, report: string): Procedure<string> {
  switch (request.kind) {
    case 'write report': return writeReport(hands, request.to, report);
    case 'list folder': return listFolder(hands, request.in);
    case 'find files': return findFiles(hands, request);
    case 'find lines':
    case 'find files with': return findLines(hands, request);
    case 'summarise file': return summarise(hands, request.in);
    case 'show file': return showFile(hands, request.in);
    case 'compare files': return compareFiles(hands, request);
    case 'compare counts': return compareCounts(hands, request);
    default: return (function* count() { return (yield* countOf(hands, request)).answer; })();
  }
}

function* writeReport(hands: Hands, to: string, report: string): Procedure<string> {
  if (report === '') throw new Unable('there is nothing to report: no earlier step handed over an output');
  const result = expectOk(yield* call(hands, 'write', { path: to, content: report }));
  return `The report is in ${to}. ${result.text.trim()}`;
}

function* listFolder(hands: Hands, place: Place): Procedure<string> {
  const path = yield* locate(hands, place, 'directory');
  const byList = hands.skills.has('list');
  const result = byList ? yield* call(hands, 'list', under(path)) : yield* call(hands, 'glob', { pattern: '*', ...under(path), type: 'any' });
  const { lines: found, complete, unread } = readListing(expectOk(result));
  if (!complete) throw new Unable(`${nameOf(path)} holds more than one look can show`);
  // A glob goes down into all folders; only what lies in this one was asked for.
  const start = path === '.' ? 0 : path.length + 1;
  const lines = byList ? found : found.filter((line) => !line.slice(start).replace(/\/$/, '').includes('/'));
  return titled(`${lines.length} ${lines.length === 1 ? 'entry' : 'entries'} in ${nameOf(path)}`, lines, unread + elsewhereNote(place, path));
}

function* findFiles(hands: Hands, request: OfflineRequest & { readonly kind: 'find files' }): Procedure<string> {
  const folder = yield* locate(hands, request.in, 'directory');
  const files = yield* filesIn(hands, request.matching, folder);
  const what = request.matching === '*' ? `${files.length} ${files.length === 1 ? 'file is' : 'files are'} in` : `${files.length} ${files.length === 1 ? 'file matches' : 'files match'} ${request.matching} in`;
  return titled(`${what} ${nameOf(folder)}`, files, elsewhereNote(request.in, folder));
}

function* findLines(hands: Hands, request: OfflineRequest & { readonly kind: 'find lines' | 'find files with' }): Procedure<string> {
  const path = yield* locateAny(hands, request);
  const { hits, unread } = yield* hitsIn(hands, { needle: request.needle, path, matching: request.matching });
  const what = `${JSON.stringify(request.needle.text)}${request.needle.ignoreCase ? ' (in any case)' : ''}`;
  const note = unread + elsewhereNote(request.in, path);
  if (request.kind === 'find files with') {
    const files = [...new Set(hits.map((hit) => hit.path))];
    return titled(`${files.length} ${files.length === 1 ? 'file' : 'files'} in ${nameOf(path)} ${files.length === 1 ? 'holds' : 'hold'} ${what}`, files, note);
  }
  return titled(`${hits.length} ${hits.length === 1 ? 'line' : 'lines'} in ${nameOf(path)} ${hits.length === 1 ? 'holds' : 'hold'} ${what}`, hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text}`), note);
}

function* showFile(hands: Hands, place: Place): Procedure<string> {
  const path = yield* locate(hands, place, 'file');
  const { text, whole } = yield* textOf(hands, path);
  if (text === '') return `${path} is empty.${elsewhereNote(place, path)}`;
  return `Text of ${path}${whole ? '' : ' (its beginning and end)'}:${elsewhereNote(place, path)}\n${text.replace(/\n$/, '')}`;
}

function* compareFiles(hands: Hands, request: OfflineRequest & { readonly kind: 'compare files' }): Procedure<string> {
  const left = yield* locate(hands, request.left, 'file');
  const right = yield* locate(hands, request.right, 'file');
  const note = elsewhereNote(request.left, left) + elsewhereNote(request.right, right);
  if (request.by === 'content') return (yield* compareContent(hands, left, right)) + note;
  const unit = request.by === 'words' ? 'word' : 'line';
  const counts: number[] = [];
  for (const path of [left, right]) counts.push(unit === 'line' ? yield* lineCount(hands, path) : yield* wordCount(hands, path));
  const [one, other] = counts as [number, number];
  const say = (count: number): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (one === other) return `${left} and ${right} are equally long: ${say(one)} each.${note}`;
  const [longer, shorter, most, least] = one > other ? [left, right, one, other] : [right, left, other, one];
  return `${longer} is longer than ${shorter}: ${say(most)} against ${say(least)}.${note}`;
}

function* wordCount(hands: Hands, path: string): Procedure<number> {
  const { text, whole } = yield* textOf(hands, path);
  if (!whole) throw new Unable(`${path} is too long to count its words with the tools there are`);
  return wordsIn(text);
}

function* compareContent(hands: Hands, left: string, right: string): Procedure<string> {
  const one = yield* textOf(hands, left);
  const other = yield* textOf(hands, right);
  if (one.text !== other.text) {
    const lines = [one.text.split('\n'), other.text.split('\n')] as const;
    const first = lines[0].findIndex((line, index) => line !== lines[1][index]);
    return `${left} and ${right} differ${one.whole && other.whole ? `, first in line ${(first < 0 ? lines[0].length : first) + 1}` : ''}.`;
  }
  if (!one.whole || !other.whole) throw new Unable(`${left} and ${right} are too long to be compared to their last character`);
  return `${left} and ${right} are identical.`;
}

function* compareCounts(hands: Hands, request: OfflineRequest & { readonly kind: 'compare counts' }): Procedure<string> {
  const left = yield* countOf(hands, request.left);
  const right = yield* countOf(hands, request.right);
  const verdict = left.count === right.count ? 'Equally many' : left.count > right.count ? 'The first is more' : 'The second is more';
  return `${verdict}: ${left.count} against ${right.count}.\n${left.answer}\n${right.answer}`;
}

function titled(title: string, lines: readonly string[], note: string): string {
  const tail = note.trim() === '' ? '' : ` ${note.trim()}`;
  return lines.length === 0 ? `${title}.${tail}` : `${title}:${tail}\n${lines.join('\n')}`;
}
