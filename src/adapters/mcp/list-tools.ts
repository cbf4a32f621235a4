import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import { linkedController, runWithTimeout } from '../../signals/index.js';
import { wireTimeout, type McpServer } from './client.js';
import { readServerTool, type ServerTool, type Unusable } from './definition.js';
import { garbage, toFailure } from './failures.js';
import { isRecord } from './schemas.js';

const MOST_PAGES = 100;
const MOST_TOOLS = 1_000;

export interface Listing {
  readonly tools: readonly (ServerTool | Unusable)[];
  /** Why the list was not read to its end, if it wasn't. */
  readonly cut: string | undefined;
}

export interface ListToolsOptions { readonly server: McpServer; readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal }

const anything = z.unknown();

/** Reads a server's whole list, within `timeoutMs` in all. Rejects with an ArtooError that says what to do. */
export async function listServerTools({ server, clock, timeoutMs, signal }: ListToolsOptions): Promise<Listing> {
  const what = 'The reading of its tools';
  try {
    return await runWithTimeout({
      clock, signal, ms: timeoutMs,
      run: (inner) => readPages(server, { signal: inner, timeout: wireTimeout(timeoutMs) }),
      onTimeout: () => new ArtooError('ARTOO_TOOL_TIMEOUT', `The MCP server "${server.label}" did not list its tools within ${timeoutMs} ms.`, {
        hint: 'Give mcpTools a longer `timeoutMs`, or look why the server is slow.', details: { timeoutMs },
      }),
    });
  } catch (error) {
    throw toFailure(error, { server: server.label, what });
  }
}

async function readPages({ wire, label }: McpServer, { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number }): Promise<Listing> {
  const tools: (ServerTool | Unusable)[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const parameters = cursor === undefined ? {} : { cursor };
    // The SDK's own listTools fails as a whole for one malformed tool, and compiles code from the server's output schemas.
    // The SDK leaves its listener on the signal: each page gets one of its own.
    const { controller, unlink } = linkedController(signal);
    const options = { signal: controller.signal, timeout };
    let answer: unknown;
    try {
      answer = await (wire.request ? wire.request({ method: 'tools/list', params: parameters }, anything, options) : wire.listTools(parameters, options));
    } finally {
      unlink();
    }
    signal.throwIfAborted();
    const entries = isRecord(answer) ? answer['tools'] : undefined;
    if (!Array.isArray(entries)) throw garbage(label, 'The reading of its tools');
    for (const entry of entries.slice(0, MOST_TOOLS - tools.length)) tools.push(await readServerTool(entry));
    if (entries.length > 0 && tools.length >= MOST_TOOLS) return { tools, cut: `Only the first ${MOST_TOOLS} tools were read.` };
    const next = (answer as Readonly<Record<string, unknown>>)['nextCursor'];
    if (typeof next !== 'string' || next === '') return { tools, cut: undefined };
    if (cursors.has(next)) return { tools, cut: `The server's list leads back to page ${[...cursors].indexOf(next) + 2}.` };
    cursors.add(next);
    cursor = next;
  }
  return { tools, cut: `Only the first ${MOST_PAGES} pages of the list were read.` };
}
