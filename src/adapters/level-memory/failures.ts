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
  if ((doing === 'written' || doing === 'changed') && !isCorrupt(codes, error)) {
    return new ArtooError('ARTOO_MEMORY_WRITE', `The memory could not be ${doing}: ${textOf(error)}`, {
      cause: error,
      hint: 'See the cause and mend the disk. What waits in the queue is written with the next flush.',
      details,
    });
  }
  const corrupt = isCorrupt(codes, error);
  return new ArtooError('ARTOO_MEMORY_INVALID', `The memory could not be ${doing}: ${textOf(error)}`, {
    cause: error,
    hint: corrupt
      ? 'The database is damaged. Keep a copy, then open it once with { repair: true }, or start with an empty folder and import an export.'
      : 'See the cause. A path must be a folder that this process may write to, and the database must be open.',
    details,
  });
}

/** Entries are gone for good: what flush and close reject with. `cause` is what the disk said last, if it said anything. */
export function lostEntries(lost: number, { cause, waiting, closing }: { readonly cause?: unknown; readonly waiting: number; readonly closing: boolean }): ArtooError {
  const entries = lost === 1 ? '1 entry' : `${lost} entries`;
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  return new ArtooError('ARTOO_MEMORY_WRITE', closing ? `The memory was closed and lost ${entries} that the disk did not take${said}` : `The memory lost ${entries}: the disk kept failing and the queue was full${said}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: 'Mend the disk or free some space. What was lost is not written again; everything before it is there.',
    details: { dropped: lost, waiting },
  });
}

function isCorrupt(codes: readonly string[], error: unknown): boolean {
  return codes.includes('LEVEL_CORRUPTION') || /corrupt/i.test(textOf(error));
}
