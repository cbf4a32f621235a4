import type { Tool } from '../contracts/tool.js';
import { onAbort } from '../signals/index.js';
import { systemClock } from '../signals/system-clock.js';
import { offersTools, serverOf, type McpClient } from './mcp/client.js';
import { shownName } from './mcp/definition.js';
import { listServerTools, type Listing } from './mcp/list-tools.js';
import { toolNameOf } from './mcp/names.js';
import { onToolsChanged } from './mcp/notices.js';
import { checkArguments, DEFAULT_RESULT_BYTES, DEFAULT_TIMEOUT_MS, type McpChange, type McpToolsOptions } from './mcp/options.js';
import { PinnedTools } from './mcp/pinned-tools.js';
import { makeServerTool } from './mcp/server-tool.js';

export type { McpClient } from './mcp/client.js';
export type { McpChange, McpToolsOptions } from './mcp/options.js';

/** The tools of a server, and in `problems` what none could be made of, each with its reason. */
export type McpTools = Tool[] & { readonly problems: readonly McpChange[] };

/**
 * The tools of an MCP server, each as a tool of artoo. Takes a connected client of `@modelcontextprotocol/sdk`, which it
 * uses and never closes.
 *
 * Every call asks, unless the host trusts the server: then `readOnlyHint` makes a tool `read`, `destructiveHint: false`
 * makes it `write`. Each tool is pinned as it is now: one that the server changes later asks on every call, and the
 * question shows what changed; one that vanishes fails; a new one is reported to `onChange`.
 *
 * Rejects with ARTOO_INVALID_ARGUMENT for wrong arguments, ARTOO_TOOL_FAILED or ARTOO_TOOL_TIMEOUT when the list can't be
 * read, ARTOO_ABORTED when `signal` aborts. A tool that can't be used doesn't: it stands in `problems`.
 *
 * @example
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
 * import { mcpTools } from 'artoo/tools';
 * const client = new Client({ name: 'my-host', version: '1.0.0' });
 * await client.connect(new StdioClientTransport({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', './notes'] }));
 * const tools = await mcpTools(client, { trusted: true, prefix: 'notes' });
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<McpTools> {
  checkArguments(client, options);
  const {
    trusted = false, trustOutput = false, prefix, include, exclude = [], recheck = 'notified', onChange,
    timeoutMs = DEFAULT_TIMEOUT_MS, maxResultBytes = DEFAULT_RESULT_BYTES, clock = systemClock, signal = new AbortController().signal,
  } = options;
  // First the listener: a change while the list is read must not be missed.
  const listening = onToolsChanged(client, () => pins.notice());
  const server = serverOf(client, listening.generation);
  const problems: McpChange[] = [];
  const report = (change: McpChange): void => {
    try {
      const answer: unknown = onChange?.(change);
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // The listener's failure is its own.
    }
  };
  const isWanted = (original: string): boolean => (include === undefined || include.includes(original)) && !exclude.includes(original);
  const list = (): Promise<Listing> => listServerTools({ server, clock, timeoutMs, signal });
  const pins = new PinnedTools({ server, clock, list, isWanted, report, signal });
  const leaveOut = (original: string, reason: string): void => {
    const problem: McpChange = { kind: 'left-out', tool: shownName(original), message: `No tool was made of "${shownName(original)}" of the MCP server "${server.label}": ${reason}.` };
    pins.leaveOut(original);
    problems.push(problem);
    report(problem);
  };

  const stopWaiting = onAbort(signal, listening.stop);
  let listing: Listing;
  try {
    listing = offersTools(client) ? await list() : { tools: [], cut: 'The server offers no tools.' };
  } catch (error) {
    stopWaiting();
    listening.stop();
    throw error;
  }

  const tools: Tool[] = [];
  const names = new Set<string>();
  const seen = new Set<string>();
  for (const tool of listing.tools) {
    if (!isWanted(tool.original)) continue;
    if (seen.has(tool.original)) {
      leaveOut(tool.original, 'the server has two of this name, and the first one counts');
      continue;
    }
    seen.add(tool.original);
    if ('unusable' in tool) {
      leaveOut(tool.original, tool.unusable);
      continue;
    }
    const name = toolNameOf(tool.original, prefix);
    if (names.has(name)) {
      leaveOut(tool.original, `another of its tools is named "${name}" already`);
      continue;
    }
    names.add(name);
    tools.push(makeServerTool(pins.pin(name, tool), { server, pins, clock, trusted, trustOutput, timeoutMs, maxResultBytes, recheck }));
  }
  for (const missing of include ?? []) if (!seen.has(missing) && isWanted(missing)) leaveOut(missing, 'the server has no tool of this name');
  if (listing.cut !== undefined) {
    const problem: McpChange = { kind: 'left-out', tool: '', message: listing.cut };
    problems.push(problem);
    report(problem);
  }
  pins.complete();
  return Object.assign(tools, { problems: Object.freeze(problems) as readonly McpChange[] });
}
