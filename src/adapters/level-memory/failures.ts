import { ArtooError } from '../../contracts/errors.js';

/** The `code` of an error or of one of its causes, the deepest first. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let current: unknown = error;
  // Causes may form a circle.
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === 'string') codes.unshift(code);
    current = cause;
  }
  return codes;
}

function textOf(error: unknown): string {
  const texts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    texts.push(current.message);
    current = current.cause;
  }
  return texts.join(': ');
}

/** What went wrong with a database, as the error a caller can act on. `doing` completes "The memory could not be …". */
export function storeError(error: unknown, doing: string): ArtooError {
  if (ArtooError.is(error)) return error;
  const codes = codesOf(error);
  const details = { codes };
  if (codes.includes('LEVEL_LOCKED')) {
    return new ArtooError('ARTOO_MEMORY_LOCKED', `The memory is in use: ${textOf(error)}`, {
      cause: error,
      hint: 'Another process, or another opening in this one, holds the memory. Close that one first, or give each process its own path.',
      details,
    });
  }
  if (/ENOSPC|no space left/i.test(`${codes.join(' ')} ${textOf(error)}`)) {
    return new ArtooError('ARTOO_STORE_FULL', `The memory could not be ${doing}: the disk is full.`, {
      cause: error,
      hint: 'Free some space. What waits in the queue is written with the next flush.',
      details,
    });
  }
  const corrupt = codes.includes('LEVEL_CORRUPTION') || /corrupt/i.test(textOf(error));
  return new ArtooError('ARTOO_MEMORY_INVALID', `The memory could not be ${doing}: ${textOf(error)}`, {
    cause: error,
    hint: corrupt
      ? 'The database is damaged. Keep a copy, then open it once with { repair: true }, or start with an empty folder and import an export.'
      : 'See the cause. A path must be a folder that this process may write to, and the database must be open.',
    details,
  });
}
