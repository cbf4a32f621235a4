/**
 * Freezes a message in place, nested values first, and counts its text on the way.
 *
 * What is frozen already was counted when it was frozen, so shared parts cost nothing again.
 * Returns the number of characters met; stops early, with Infinity, once it is over `limit`.
 */
export function deepFreeze(value: unknown, limit = Infinity): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return 8;
  // Frozen before its parts: a circular value then ends at the second meeting.
  Object.freeze(value);
  let size = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= limit; index++) size += sizeOf(value[index], limit - size);
  } else {
    for (const key in value) {
      size += sizeOf((value as Record<string, unknown>)[key], limit - size);
      if (size > limit) break;
    }
  }
  return size > limit ? Infinity : size;
}

/** Most parts are texts and numbers: those need no further call. */
function sizeOf(part: unknown, limit: number): number {
  return typeof part === 'string' ? part.length : typeof part === 'object' && part !== null ? deepFreeze(part, limit) : 8;
}
