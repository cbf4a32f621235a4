import { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import type { Tool } from '../../contracts/tool.js';
import { runWithTimeout } from '../../signals/index.js';
import { DEFAULT_TOOL_TIMEOUT_MS } from '../../tools/run-tool.js';

/** Asks one of a tool's own functions under the tool's time limit: what never answers is a failed call, not a hung run. */
export function inTime<T>(tool: Tool, what: string, within: { readonly clock: Clock; readonly signal: AbortSignal }, ask: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const ms = tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS;
  return runWithTimeout({
    ...within, ms, run: ask,
    onTimeout: () => new ArtooError('ARTOO_TOOL_TIMEOUT', `The ${what} of "${tool.name}" did not answer within ${ms} ms.`, { details: { timeoutMs: ms } }),
  });
}
