import { ArtooError } from '../../contracts/errors.js';
import { classifyToolError } from '../../tools/classify-error.js';
import { ToolError } from '../../tools/tool-error.js';
import { oneLine } from './client.js';

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;
const METHOD_NOT_FOUND = -32_601;
/** Invalid request, unknown method, invalid parameters. */
const WRONG_CALL: ReadonlySet<unknown> = new Set([-32_600, METHOD_NOT_FOUND, -32_602]);
const LONGEST_REASON = 500;
const RECONNECT = 'If it has ended, start it again; then connect a new client and call mcpTools again.';

/** What a request to a server was made for. */
export interface Asked { readonly server: string; readonly what: string }

/** Whatever a client rejected with, as an error that says what happened and what to do. Server and SDK words are quoted, short. */
export function toFailure(error: unknown, { server, what }: Asked): ArtooError {
  if (ArtooError.is(error)) return error;
  const code = read(error, 'code');
  const reason = oneLine(messageOf(error), LONGEST_REASON);
  if (isUnreachable(error)) {
    return ToolError.environmental(`The MCP server "${server}" cannot be reached: the connection is closed or broken.`, {
      cause: error, hint: neverSent(error) ? RECONNECT : `${RECONNECT} ${what} was under way: whether it was carried out is unknown.`,
    });
  }
  const status = isHttpStatus(code) ? code : read(error, 'name') === 'UnauthorizedError' || reason.startsWith('Unauthorized') ? 401 : undefined;
  if (status !== undefined) {
    return ToolError.environmental(`The MCP server "${server}" answered with HTTP status ${status}.`, {
      cause: error, hint: 'A server that was restarted has forgotten the session: connect a new client and call mcpTools again. For 401 and 403, look at the credentials of the transport.',
    });
  }
  if (code === REQUEST_TIMEOUT) return ToolError.environmental(`The MCP server "${server}" did not answer in time.`, { cause: error, hint: 'Ask for less at once, or give mcpTools a longer `timeoutMs`.' });
  if (isSchemaError(error)) return garbage(server, what, error);
  const words = `The MCP server "${server}" refused ${what.charAt(0).toLowerCase()}${what.slice(1)}: ${reason}`;
  return WRONG_CALL.has(code) || classifyToolError(error) === 'logical' ? ToolError.logical(words, { cause: error }) : ToolError.environmental(words, { cause: error });
}

/** The server answered with what its protocol doesn't know. */
export function garbage(server: string, what: string, cause?: unknown): ArtooError {
  return ToolError.environmental(`The MCP server "${server}" answered with something that MCP does not know.`, {
    ...(cause === undefined ? {} : { cause }), hint: `${what} may have been carried out all the same. The server is at fault: try another way, or another version of it.`,
  });
}

/** No connection, rather than a refusal by the server. */
export function isUnreachable(error: unknown): boolean {
  const code = read(error, 'code');
  const message = messageOf(error);
  if (message === 'Not connected') return true;
  if (code === CONNECTION_CLOSED) return message.endsWith('Connection closed');
  if (typeof code === 'number') return false;
  return (message.startsWith('fetch failed') || typeof code === 'string') && classifyToolError(error) === 'environmental';
}

/** The server knows no such method, so that asking again is idle. */
export function isUnknownMethod(error: unknown): boolean {
  return read(error, 'code') === METHOD_NOT_FOUND;
}

/** Nothing of the request can have left. */
function neverSent(error: unknown): boolean {
  return messageOf(error) === 'Not connected' || read(read(error, 'cause'), 'code') === 'ECONNREFUSED';
}

function isHttpStatus(code: unknown): code is number {
  return typeof code === 'number' && code >= 400 && code <= 599;
}

function isSchemaError(error: unknown): boolean {
  return Array.isArray(read(error, 'issues'));
}

function messageOf(error: unknown): string {
  const message = typeof error === 'string' ? error : read(error, 'message');
  return typeof message === 'string' && message !== '' ? message : 'no reason given';
}

/** What was thrown may be any object, also one with a getter that throws. */
function read(value: unknown, key: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}
