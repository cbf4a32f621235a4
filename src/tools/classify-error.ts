import { ArtooError, type ArtooErrorCode } from '../contracts/errors.js';
import type { FailureClass } from '../contracts/names.js';

/** How deep a chain of causes is followed. */
const LONGEST_CHAIN = 6;
/** How much of a message is looked at: what stands at the end is often quoted text, not the error's own words. */
const MESSAGE_CHARACTERS = 500;

const ENVIRONMENTAL_CODES: ReadonlySet<ArtooErrorCode> = new Set<ArtooErrorCode>([
  'ARTOO_ABORTED', 'ARTOO_DEADLINE', 'ARTOO_BUDGET', 'ARTOO_CLOSED', 'ARTOO_LLM_TIMEOUT', 'ARTOO_LLM_RATE_LIMITED',
  'ARTOO_LLM_UNAVAILABLE', 'ARTOO_LLM_NETWORK', 'ARTOO_TOOL_TIMEOUT', 'ARTOO_WORKSPACE_ESCAPE', 'ARTOO_WORKSPACE_CHANGED',
  'ARTOO_LEDGER_WRITE', 'ARTOO_LEDGER_LOCKED', 'ARTOO_STORE_FULL', 'ARTOO_MEMORY_LOCKED',
]);

/** System codes that say the caller passed nonsense; every other `E…` code is the surroundings' doing. */
const LOGICAL_SYSTEM_CODES: ReadonlySet<string> = new Set(['EINVAL', 'EBADF', 'EFAULT', 'EDOM', 'ERANGE', 'E2BIG', 'ENOSYS', 'EASSERTION']);
const SYSTEM_CODE = /^E[A-Z][A-Z0-9_]{1,14}$/;
/** Codes of libraries: undici, Node's TLS and HTTP, providers' own words for limits and timeouts. */
const LIBRARY_CODE = /^(UND_ERR_(?!INVALID|NOT_SUPPORTED)|ERR_(TLS|SSL|HTTP2|SOCKET|STREAM_PREMATURE)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|rate.?limit|too.?many|time.?d?.?out|timeout|unavailable|quota/i;

/** Words of an error thrown without any code. Only ever tried on what was thrown, never on output. */
const MESSAGE_SIGNS: readonly RegExp[] = [
  /\bE(PERM|ACCES|NOENT|CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE|BUSY|MFILE|NFILE|ROFS|NOSPC|DQUOT|IO|XDEV|LOOP|NOTDIR|ISDIR)\b/,
  /\boperation not permitted\b/i, /\bpermission denied\b/i, /\baccess (is )?denied\b/i,
  /\brate.?limit/i, /\btoo many requests\b/i, /\btimed? ?-?out\b/i, /\bdeadline exceeded\b/i,
  /\bsocket hang ?up\b/i, /\bfetch failed\b/i, /\bnetwork (error|is unreachable)\b/i, /\bconnection (refused|reset|closed|aborted)\b/i,
  /\bread-only file system\b/i, /\bno space left on device\b/i, /\bservice unavailable\b/i,
  /\b(http|status)(\s+(error|status|code|response))*\s*:?\s*[45]\d\d\b/i,
];

/**
 * Whose fault a thrown error is. What the tool says of itself (`ToolError`) holds; then I/O codes, HTTP statuses, rate
 * limits, timeouts and aborts count as `environmental`; all else is `logical`. Looks at causes too. Never throws.
 *
 * @example
 * import { classifyToolError } from 'artoo/tools';
 * classifyToolError(Object.assign(new Error('no'), { code: 'EACCES' })); // 'environmental'
 * classifyToolError(new TypeError('x is not a function')); // 'logical'
 */
export function classifyToolError(error: unknown): FailureClass {
  return classify(error, 0) ?? 'logical';
}

/** The error as an ArtooError, if it is one. Whatever was thrown may be an object that throws when it is looked at. */
export function asArtooError(error: unknown): ArtooError | undefined {
  try {
    return ArtooError.is(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

function classify(error: unknown, depth: number): FailureClass | undefined {
  if (depth > LONGEST_CHAIN || error === null || error === undefined) return undefined;
  if (typeof error === 'string') return saysEnvironment(error) ? 'environmental' : undefined;
  if (typeof error !== 'object' && typeof error !== 'function') return undefined;
  const own = ownWord(error);
  if (own) return own;
  if (hasEnvironmentalCode(error) || hasHttpStatus(error)) return 'environmental';
  const name = read(error, 'name');
  if (name === 'AbortError' || name === 'TimeoutError') return 'environmental';
  const nested = classify(read(error, 'cause'), depth + 1);
  if (nested) return nested;
  const several = read(error, 'errors');
  if (Array.isArray(several)) {
    for (const one of several.slice(0, 20)) if (classify(one, depth + 1) === 'environmental') return 'environmental';
  }
  const message = read(error, 'message');
  return typeof message === 'string' && saysEnvironment(message) ? 'environmental' : undefined;
}

/** An ArtooError's class: stated in its details or fixed by its code. */
function ownWord(error: object): FailureClass | undefined {
  const known = asArtooError(error);
  if (!known) return undefined;
  const { failureClass } = known.details;
  if (failureClass === 'environmental' || failureClass === 'logical') return failureClass;
  if (ENVIRONMENTAL_CODES.has(known.code)) return 'environmental';
  return known.code === 'ARTOO_TOOL_FAILED' ? undefined : 'logical';
}

function hasEnvironmentalCode(error: object): boolean {
  const code = read(error, 'code');
  if (typeof code === 'number') return isHttpFailure(code);
  if (typeof code !== 'string') return false;
  if (LOGICAL_SYSTEM_CODES.has(code)) return false;
  if (SYSTEM_CODE.test(code) && !code.startsWith('ERR_')) return true;
  return LIBRARY_CODE.test(code);
}

function hasHttpStatus(error: object): boolean {
  const response = read(error, 'response');
  const statuses = [read(error, 'status'), read(error, 'statusCode')];
  if (typeof response === 'object' && response !== null) statuses.push(read(response, 'status'), read(response, 'statusCode'));
  return statuses.some((status) => isHttpFailure(typeof status === 'string' ? Number(status) : status));
}

function isHttpFailure(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status <= 599;
}

function saysEnvironment(message: string): boolean {
  const start = message.slice(0, MESSAGE_CHARACTERS);
  return MESSAGE_SIGNS.some((sign) => sign.test(start));
}

/** An error may be any object, also one with a getter that throws. */
function read(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
