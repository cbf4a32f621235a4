import * as z from 'zod/mini';
import { ArtooError } from '../contracts/errors.js';
import { megramSchema, type Megram } from '../contracts/messages.js';

/**
 * A copy of a megram that has been checked, free of any tie to the object it came from.
 *
 * @throws ARTOO_MEMORY_INVALID naming the field.
 */
export function validMegram(value: unknown): Megram {
  const parsed = z.safeParse(megramSchema, value);
  if (parsed.success) return parsed.data;
  throw new ArtooError('ARTOO_MEMORY_INVALID', `This is no megram: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
    hint: 'Build entries with the helpers of artoo/memory; docs/ports/memory.md lists the fields.',
  });
}
