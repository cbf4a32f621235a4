import { at, type Place } from '../requests.js';
import { matchesGlob } from './glob-match.js';
import { call, expectOk, readListing, Unable, type CallResult, type Hands, type Procedure } from './procedure.js';

/** `path` as an input: the workspace itself goes unsaid. */
export function under(path: string): { readonly path?: string } {
  return path === '.' ? {} : { path };
}

/** How deep a folder is listed when only a list is to be had. */
const ALL_LEVELS = 20;

/** Files below a folder that match a glob, sorted. Where one look shows too much, each folder below is looked at. */
export function* filesIn(hands: Hands, matching: string, folder: string): Procedure<readonly string[]> {
  if (!hands.skills.has('glob')) return yield* filesByList(hands, matching, folder);
  const found = readListing(expectOk(yield* call(hands, 'glob', { pattern: matching, ...under(folder) })));
  if (found.complete) return found.lines;
  if (!hands.skills.has('list') || matching.includes('/')) throw new Unable(`there are more files that match ${matching} in ${nameOf(folder)} than one look can show (${found.lines.length} and more)`);
  const { files, folders } = yield* entriesOf(hands, folder);
  const all = files.filter((file) => matchesGlob(file, matching));
  for (const below of folders) all.push(...(yield* filesIn(hands, matching, below)));
  return all.sort();
}

function* filesByList(hands: Hands, matching: string, folder: string): Procedure<readonly string[]> {
  const found = readListing(expectOk(yield* call(hands, 'list', { ...under(folder), depth: ALL_LEVELS })));
  const start = folder === '.' ? 0 : folder.length + 1;
  const matched = (lines: readonly string[]): string[] => lines.filter((line) => !/[/@]$/.test(line) && matchesGlob(line.slice(start), matching));
  if (found.complete) return matched(found.lines);
  const { files, folders } = yield* entriesOf(hands, folder);
  const all = matched(files);
  for (const below of folders) all.push(...(yield* filesByList(hands, matching, below)));
  return all.sort();
}

/** What a folder holds itself. Links are left out: what they lead to may lie anywhere. */
export function* entriesOf(hands: Hands, folder: string): Procedure<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const found = readListing(expectOk(yield* call(hands, 'list', { ...under(folder) })));
  if (!found.complete) throw new Unable(`${nameOf(folder)} holds more than one look can show`);
  return { files: found.lines.filter((line) => !/[/@]$/.test(line)), folders: found.lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)) };
}

/** The path to use for a place; a place known by its name alone is looked for first. */
export function* locate(hands: Hands, place: Place, type: 'file' | 'directory'): Procedure<string> {
  if (place.search === 'exact') return place.path;
  const name = place.path.split('/').pop() ?? place.path;
  const kind = type === 'file' ? 'file' : 'folder';
  const found = (yield* named(hands, `**/${name}`, type)).filter((path) => !hands.avoid.includes(path));
  // It was not there before; it may be by now.
  if (place.meant !== undefined && found.includes(place.meant)) return place.meant;
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw new Unable(`${found.length} ${kind}s are named ${name}: ${found.slice(0, 6).join(', ')}; say which one is meant`);
  const extension = /\.\w+$/.exec(name)?.[0] ?? '';
  const close = nearest(name, (yield* named(hands, `**/*${type === 'file' ? extension : ''}`, type)).filter((path) => !hands.avoid.includes(path)));
  if (close === undefined) throw new Unable(`there is no ${kind} named ${name} anywhere in the workspace, and none with a name like it`);
  return close;
}

function* named(hands: Hands, pattern: string, type: 'file' | 'directory'): Procedure<readonly string[]> {
  if (hands.skills.has('glob')) {
    const found = readListing(expectOk(yield* call(hands, 'glob', { pattern, type })));
    return found.lines.map((line) => line.replace(/\/$/, ''));
  }
  const found = readListing(expectOk(yield* call(hands, 'list', { depth: ALL_LEVELS })));
  return found.lines.filter((line) => line.endsWith('/') === (type === 'directory') && !line.endsWith('@')).map((line) => line.replace(/\/$/, '')).filter((line) => matchesGlob(line, pattern));
}

/** The one path whose name is so like the wanted one that a slip of the keyboard explains it. */
function nearest(name: string, paths: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const ranked = paths.map((path) => ({ path, distance: changes(wanted, (path.split('/').pop() ?? '').toLowerCase()) })).sort((a, b) => a.distance - b.distance);
  const [first, second] = ranked;
  if (!first || first.distance > Math.max(1, Math.floor(wanted.length / 5))) return undefined;
  return second && second.distance === first.distance ? undefined : first.path;
}

/** Insertions, deletions, changes and swaps of neighbours. */
function changes(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

export function nameOf(folder: string): string {
  return at(folder).path === '.' ? 'the workspace' : folder;
}

/** Was the path a folder after all? */
export function saysFolder(result: CallResult): boolean {
  return !result.ok && /\bis a (?:folder|directory)\b|EISDIR/i.test(result.text);
}

/** What an answer must say when it is about another path than the user named. */
export function elsewhereNote(place: Place, path: string): string {
  return place.search === 'exact' || place.meant === undefined || place.meant === path ? '' : ` (${place.meant} is not there; ${path} was taken for it.)`;
}
