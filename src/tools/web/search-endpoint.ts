import { ArtooError } from '../../contracts/errors.js';
import { readAddress } from './web-address.js';

/** The address of a search service as the host application gave it. Throws ARTOO_INVALID_ARGUMENT when it is none. */
export function endpointAddress(text: string, who: string, option: string): URL {
  try {
    return readAddress(String(text));
  } catch (cause) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `${who} can't use its \`${option}\`. ${cause instanceof Error ? cause.message : ''}`.trim(), {
      cause, hint: 'Write a whole address such as "https://search.example.org".',
    });
  }
}
