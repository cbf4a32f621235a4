import { ArtooError } from '../contracts/errors.js';
import { cleanText } from '../text/index.js';
import { ToolError } from '../tools/tool-error.js';
import { errnoOf } from './node-system-error.js';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'the name is not known'], ['ENODATA', 'the name has no address'], ['EAI_AGAIN', 'the name service did not answer'], ['EAI_FAIL', 'the name service failed'],
  ['ECONNREFUSED', 'the connection was refused'], ['ECONNRESET', 'the connection was cut'], ['ERR_STREAM_PREMATURE_CLOSE', 'the connection was cut'], ['EPIPE', 'the connection was cut'],
  ['ETIMEDOUT', 'there was no answer'], ['EHOSTUNREACH', 'the host can\'t be reached'], ['ENETUNREACH', 'the network can\'t be reached'], ['EADDRNOTAVAIL', 'the network can\'t be reached'],
  ['HPE_HEADER_OVERFLOW', 'the header of the answer is too large'], ['Z_DATA_ERROR', 'the packed answer is damaged'], ['Z_BUF_ERROR', 'the packed answer ends too early'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'], ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate belongs to another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate was signed by itself'], ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate was signed by nobody known'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate was signed by nobody known'], ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate was signed by nobody known'],
]);
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'what it answered is no valid HTTP'], [/^(?:ERR_SSL_|ERR_TLS_|EPROTO|CERT_)/, 'no secure connection came about'], [/^(?:ERR__?|Z_|ERR_BROTLI)/, 'the packed answer is damaged'],
];

/** What went wrong on the network, in words and always environmental. An ArtooError is returned as it is. */
export function networkFailure(cause: unknown, host: string): ArtooError {
  if (ArtooError.is(cause)) return cause;
  const code = errnoOf(cause);
  const words = code === undefined ? undefined : WORDS.get(code) ?? KINDS.find(([pattern]) => pattern.test(code))?.[1];
  const reason = words ?? cleanText(cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
  return ToolError.environmental(`${host} could not be read: ${reason}${code === undefined ? '' : ` (${code})`}.`, { cause, hint: 'Try it once more, or use another source.' });
}
