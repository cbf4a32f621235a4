import { ArtooError } from '../../contracts/errors.js';

/** Longer paths are no system's. */
const LONGEST_PATH = 4_096;
/** Names that tools never touch: version control, secrets, artoo's own records. */
export const PROTECTED_NAMES: readonly string[] = ['.git', '.env', '.artoo'];
/** Variants of `.env` that hold examples, no secrets. */
const HARMLESS_ENV = /^\.env\.(example|sample|template|dist|defaults)$/;
/** Characters that some file systems skip when they compare names. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/**
 * The names of a path inside the folder, none for the root itself. Throws ARTOO_WORKSPACE_ESCAPE for everything that
 * leads or could lead elsewhere: absolute, `~`, `..`, drive letters, backslashes, control characters.
 */
export function workspacePath(path: unknown): string[] {
  if (typeof path !== 'string') throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'A path must be a text.', { hint: 'Use a path relative to the workspace, such as "notes/a.txt".' });
  if (path.length > LONGEST_PATH) throw refuse(path, 'is too long');
  if (/[\u0000-\u001f\u007f]/.test(path)) throw refuse(path, 'holds control characters');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw refuse(path, 'is absolute');
  if (path.startsWith('~')) throw refuse(path, 'begins with "~"');
  if (path.includes('\\')) throw refuse(path, 'holds a backslash');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw refuse(path, 'leads upwards with ".."');
  return names;
}

/** Answers whether a name is protected, whatever its case, width, invisible characters or trailing dots. */
export function protection(names: readonly string[]): (name: string) => boolean {
  const folded = names.map(fold);
  const shortNames = new Set(folded.map((name) => name.replace(/[^a-z0-9]/g, '').slice(0, 6)));
  return (name) => {
    const plain = fold(name);
    if (folded.includes(plain)) return true;
    if (folded.includes('.env') && plain.startsWith('.env.') && !HARMLESS_ENV.test(plain)) return true;
    // The short name that Windows gives to a long or odd one.
    const short = /^([a-z0-9]{1,6})~\d$/.exec(plain)?.[1];
    return short !== undefined && shortNames.has(short);
  };
}

/** Throws ARTOO_WORKSPACE_ESCAPE when one of the names is protected. */
export function refuseProtected(names: readonly string[], isProtected: (name: string) => boolean): void {
  const found = names.find(isProtected);
  if (found !== undefined) throw refuse(names.join('/'), `goes through the protected name ${JSON.stringify(found)}`, 'Protected names hold version control, secrets or records and stay out of reach of tools.');
}

/** The form in which names are equal on some file system: case, width, invisible characters, streams, trailing dots. */
export function fold(name: string): string {
  const visible = name.normalize('NFKC').replace(IGNORED, '').toUpperCase().toLowerCase();
  return (visible.split(':', 1)[0] ?? '').replace(/[. ]+$/, '');
}

/** The refusal of a path. */
export function refuse(path: string, why: string, hint = 'Use a path relative to the workspace, such as "notes/a.txt".', cause?: unknown): ArtooError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new ArtooError('ARTOO_WORKSPACE_ESCAPE', `The path ${JSON.stringify(shown)} ${why}.`, { hint, details: { path: shown }, ...(cause === undefined ? {} : { cause }) });
}
