import { ArtooError } from '../contracts/errors.js';
import type { RecordedError } from '../contracts/ledger.js';

/** What a record keeps of a failure. */
export function toRecordedError(error: unknown): RecordedError {
  if (ArtooError.is(error)) return { code: error.code, message: error.message, ...(Object.keys(error.details).length > 0 ? { details: error.details } : {}) };
  return { code: 'ARTOO_ROLE_FAILED', message: error instanceof Error ? error.message : String(error) };
}

export function fromRecordedError(error: RecordedError): ArtooError {
  return new ArtooError(error.code as ArtooError['code'], error.message, { details: error.details ?? {} });
}
