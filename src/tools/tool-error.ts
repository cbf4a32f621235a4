import { ArtooError } from '../contracts/errors.js';
import type { FailureClass } from '../contracts/names.js';

/** Options of {@link ToolError}'s functions. */
export interface ToolErrorOptions {
  /** What was caught. */
  readonly cause?: unknown;
  /** What to do about it, as one sentence. */
  readonly hint?: string;
  /** What the tool had to show before it failed, e.g. the output of a command that exited with 1. */
  readonly output?: string;
}

/**
 * Errors that say whose fault a failed call was. Throw what these functions return.
 *
 * `environmental`: the surroundings stood in the way (no access, no network, nothing there), another path may work.
 * `logical`: the call itself was wrong, another way of doing it is needed.
 *
 * @example
 * import { defineTool } from 'artoo';
 * import { ToolError } from 'artoo/tools';
 * defineTool({
 *   name: 'stock', description: 'Units of an article in stock.', effect: 'read',
 *   input: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
 *   execute: async ({ article }, { signal }) => {
 *     const response = await fetch(`https://shop.example/stock/${String(article)}`, { signal });
 *     if (!response.ok) throw ToolError.environmental(`the shop answered ${response.status}`);
 *     return response.json();
 *   },
 * });
 */
export const ToolError = {
  environmental: (message: string, options: ToolErrorOptions = {}): ArtooError => make('environmental', message, options),
  logical: (message: string, options: ToolErrorOptions = {}): ArtooError => make('logical', message, options),
} as const;

function make(failureClass: FailureClass, message: string, { cause, hint, output }: ToolErrorOptions): ArtooError {
  return new ArtooError('ARTOO_TOOL_FAILED', message, {
    ...(cause === undefined ? {} : { cause }),
    ...(hint === undefined ? {} : { hint }),
    details: { failureClass, ...(output === undefined ? {} : { output }) },
  });
}
