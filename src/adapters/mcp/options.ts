import { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import type { McpClient } from './client.js';

/** Something about a server's tools that the host should know. */
export interface McpChange {
  /**
   * `left-out`: no tool was made of it. `changed`: it is not what it was; each call of it asks from now on. `vanished`: calls
   * of it fail. `returned`: it is there again. `added`: the server has a new tool, which the set at hand does not take in.
   */
  readonly kind: 'left-out' | 'changed' | 'vanished' | 'returned' | 'added';
  /** The server's own name for it, cleaned. */
  readonly tool: string;
  /** Its name in artoo, where it has one. */
  readonly name?: string;
  /** What happened, for people. May quote the server. */
  readonly message: string;
}

/** Options of `mcpTools`. */
export interface McpToolsOptions {
  /** The host trusts this server: what its tools say of their own effect counts. Default false: each call asks. */
  readonly trusted?: boolean;
  /** The host vouches for what the tools return: none of it was written by strangers. Default false. */
  readonly trustOutput?: boolean;
  /** Stands before each name, with `_` between: `files` makes `files_read_file`. A letter, then up to 23 letters, digits, `_`, `-`. */
  readonly prefix?: string;
  /** Only these tools, by the server's own names. */
  readonly include?: readonly string[];
  /** Not these, by the server's own names. */
  readonly exclude?: readonly string[];
  /** For one call, and for reading the list; in ms, default 60,000. */
  readonly timeoutMs?: number;
  /** The longest result of a call, in bytes of UTF-8; a longer one keeps its head and tail. Default 262,144. */
  readonly maxResultBytes?: number;
  /** `notified`: read the list again after the server said that it changed. `always`: before each call. Default `notified`. */
  readonly recheck?: 'notified' | 'always';
  /** Told of everything that the caller can't see in the tools. What it throws is ignored. */
  readonly onChange?: (change: McpChange) => void;
  /** Ends the reading of the list, and later the tools: once it has aborted, calls fail and nothing of them is left on the client. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
export const DEFAULT_RESULT_BYTES = 262_144;
const LEAST_RESULT_BYTES = 256;
const PREFIX = /^[A-Za-z][A-Za-z0-9_-]{0,23}$/;

/** Throws ARTOO_INVALID_ARGUMENT for what can't be a client or can't be meant. */
export function checkArguments(client: McpClient, options: McpToolsOptions): void {
  if (typeof client !== 'object' || client === null || typeof client.listTools !== 'function' || typeof client.callTool !== 'function') {
    throw invalid('The client has no listTools and callTool', 'Hand in a connected Client of @modelcontextprotocol/sdk.');
  }
  if (typeof options !== 'object' || options === null) throw invalid('The options are no object', 'Leave them out, or write { trusted: true }.');
  const { prefix, timeoutMs, maxResultBytes, recheck, onChange, signal } = options;
  for (const key of ['trusted', 'trustOutput'] as const) {
    if (options[key] !== undefined && typeof options[key] !== 'boolean') throw invalid(`\`${key}\` is neither true nor false`, 'Write true only for a server that you would let act unasked.');
  }
  if (prefix !== undefined && !(typeof prefix === 'string' && PREFIX.test(prefix))) {
    throw invalid('`prefix` cannot begin a tool name', 'Write a letter followed by up to 23 letters, digits, "_" or "-", such as "files".');
  }
  for (const key of ['include', 'exclude'] as const) {
    const names = options[key];
    if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string'))) throw invalid(`\`${key}\` is no list of names`, "Write the server's own names, such as ['read_file'].");
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && Number.isFinite(timeoutMs) && timeoutMs > 0)) throw invalid('`timeoutMs` is no time', 'Write a number of milliseconds above 0, or leave it out for 60,000.');
  if (maxResultBytes !== undefined && !(Number.isInteger(maxResultBytes) && maxResultBytes >= LEAST_RESULT_BYTES)) throw invalid('`maxResultBytes` is no size', `Write a whole number of at least ${LEAST_RESULT_BYTES}, or leave it out for 262,144.`);
  if (recheck !== undefined && recheck !== 'notified' && recheck !== 'always') throw invalid('`recheck` is unknown', "Write 'notified' or 'always'.");
  if (onChange !== undefined && typeof onChange !== 'function') throw invalid('`onChange` is no function', 'Write onChange: (change) => …, or leave it out.');
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalid('`signal` is no AbortSignal', 'Hand in the signal of an AbortController, or leave it out.');
}

function invalid(problem: string, hint: string): ArtooError {
  return new ArtooError('ARTOO_INVALID_ARGUMENT', `mcpTools: ${problem}.`, { hint });
}
