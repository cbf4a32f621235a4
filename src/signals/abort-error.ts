import { ArtooError } from '../contracts/errors.js';

/** The error of an aborted signal: ARTOO_ABORTED, with the signal's reason kept as its cause. */
export function abortError(signal: { readonly reason: unknown }): Error {
  const { reason } = signal;
  if (ArtooError.is(reason, 'ARTOO_ABORTED')) return reason;
  return new ArtooError('ARTOO_ABORTED', 'The operation was aborted.', {
    cause: reason,
    hint: 'The signal that was handed in, run.abort() or close() stopped it; the cause says why.',
  });
}
