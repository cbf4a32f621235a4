import { shown, stop, write } from './judgement.js';
import type { Field, Judgement, TargetKind } from './types.js';
import type { WalkState } from './walk-state.js';

/** Writing there changes nothing, or is what the standard streams are for. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/fd/1', '/dev/fd/2', '/dev/tty']);
const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp'] as const;
/** Names whose content runs or decides later, or that hold records. */
const GUARDED = /(?:^|\/)(?:\.git|\.artoo|\.env|\.ssh|\.gnupg|\.hg|\.svn|\.npmrc|\.envrc|\.netrc|\.bash[^/]*|\.zsh[^/]*|\.profile|\.gitconfig|\.gitattributes|\.gitmodules|\.inputrc|authorized_keys)(?:$|\/)/i;

/** Whether a path is /dev/null or a standard stream. */
export function isStream(text: string | undefined): boolean {
  return text !== undefined && STREAMS.has(text);
}

/** Every absolute path that a relative one may mean; undefined when that can't be known. */
export function resolvePath(state: WalkState, text: string): string[] | undefined {
  if (text === '' || text.includes('\0')) return undefined;
  // "a/../b" is not "b" where a is a link.
  if (/[^/.][^/]*\/+(?:\.\/+)*\.\.(?:\/|$)|\.\.[^/]+\/+\.\.(?:\/|$)/.test(text)) return undefined;
  if (text.startsWith('/')) return [normalize(text)];
  return state.directories?.map((directory) => normalize(`${directory}/${text}`));
}

export function normalize(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** Whether something is or may be there. */
export function mayExist(state: WalkState, text: string | undefined): boolean {
  const paths = text === undefined ? undefined : resolvePath(state, text);
  return !paths || paths.some((path) => existsAt(state, path));
}

export function isFolder(state: WalkState, text: string | undefined): boolean {
  const paths = text === undefined ? undefined : resolvePath(state, text);
  if (!paths || paths.length === 0) return false;
  return paths.every((path) => {
    if (state.made.has(path)) return true;
    try {
      return state.options.isDirectory?.(path) === true;
    } catch {
      return false;
    }
  });
}

function existsAt(state: WalkState, path: string): boolean {
  const { exists, cwd } = state.options;
  if (!exists) return true;
  const root = normalize(cwd);
  const relative = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
  try {
    return exists(path) || (relative !== undefined && exists(relative));
  } catch {
    return true;
  }
}

/** Judges a path that would be written: new and at home is a write, all else must be asked about. */
export function judgeTarget(state: WalkState, field: Field, kind: TargetKind): Judgement {
  const { text, range } = field;
  if (isStream(text)) return kind === 'place' ? stop(`${shown(field)} would be replaced, and what goes there is lost`, range) : { effect: 'read', reason: '' };
  if (text === undefined && kind === 'folder' && !field.many && inside(field.prefix)) return write('makes a folder', range);
  if (text === undefined) return stop(`it writes to ${shown(field)}, a path that can't be read from the text`, range);
  const paths = resolvePath(state, text);
  if (!paths) return stop(`it writes to ${shown(field)}, and where that is can't be read from the text`, range);
  const names = text.split('/');
  if (names.some((name) => name.startsWith('-'))) return stop('it makes a name that begins with a dash, which programs take for an option', range);
  for (const path of paths) {
    const where = judgePlace(state, path);
    if (where !== undefined) return stop(`it writes to ${shown(field)}, ${where}`, range);
    const folded = fold(path);
    if (kind !== 'folder' && state.placed.some((placed) => folded === placed || folded.startsWith(`${placed}/`))) return stop(`it writes to ${shown(field)}, which stands for something else by then`, range);
    if (kind === 'folder') {
      if (!existsAt(state, path)) state.made.add(path);
    } else if (kind !== 'stamp' && existsAt(state, path)) return stop(`${shown(field)} ${state.options.exists ? 'exists' : 'may exist'} and would be changed`, range);
    if (kind === 'place') state.placed.push(folded);
  }
  return write(kind === 'folder' ? 'makes a folder' : kind === 'stamp' ? 'sets a time stamp or makes an empty file' : 'makes a new file', range);
}

/** The start of a relative path that stays below where it starts. */
function inside(prefix: string): boolean {
  return /^(?:\.\/)?[\w@+-][\w@+.-]*\//.test(prefix) && !prefix.includes('..') && !GUARDED.test(prefix);
}

/** Why a place is nobody's to write to unasked; undefined when it is fine. */
export function judgePlace(state: WalkState, path: string): string | undefined {
  const root = normalize(state.options.cwd);
  const home = state.options.home === undefined ? undefined : normalize(state.options.home);
  const below = (folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  if (below(root) && root !== '/') return GUARDED.test(path.slice(root.length)) ? 'a protected name' : undefined;
  if (SCRATCH.some((folder) => path.startsWith(`${folder}/`))) return undefined;
  if (home !== undefined && home !== '/' && below(home)) return path.slice(home.length).includes('/.') ? 'a settings file of the user' : undefined;
  return 'outside of the working folder';
}

/** How names compare on a system that doesn't tell their cases apart. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
