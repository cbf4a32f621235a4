import { ArtooError } from '../contracts/errors.js';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it does not exist'], ['EACCES', 'permission denied'], ['EPERM', 'operation not permitted'], ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the device'], ['EDQUOT', 'the disk quota is used up'], ['EMFILE', 'too many files are open'], ['ENFILE', 'too many files are open'],
  ['EISDIR', 'it is a folder'], ['ENOTDIR', 'a part of the path is no folder'], ['ENAMETOOLONG', 'the name is too long'], ['EIO', 'the device failed'],
  ['EBUSY', 'it is in use'], ['ENOTEMPTY', 'the folder is not empty'], ['EEXIST', 'it exists already'], ['ETXTBSY', 'the program is running'],
]);

/** The system's code of a caught error, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (ArtooError.is(error)) {
    const { errno } = error.details;
    return typeof errno === 'string' ? errno : undefined;
  }
  const code = typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * An error of the system in words, without the descriptor paths that the system's own message would name. An ArtooError
 * is returned as it is. Always environmental.
 */
export function systemError(cause: unknown, what: string): ArtooError {
  if (ArtooError.is(cause)) return cause;
  const errno = errnoOf(cause);
  const reason = errno === undefined ? (cause instanceof Error ? cause.message : String(cause)) : `${WORDS.get(errno) ?? 'the system refused'} (${errno})`;
  return new ArtooError('ARTOO_TOOL_FAILED', `${what}: ${reason}.`, { cause, details: { failureClass: 'environmental', ...(errno === undefined ? {} : { errno }) } });
}
