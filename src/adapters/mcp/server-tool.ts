import { createHash } from 'node:crypto';
import type { Clock } from '../../contracts/runtime.js';
import type { StandardSchema, Tool } from '../../contracts/tool.js';
import { canonicalJson, cleanText, headTail, stringifyOutput } from '../../text/index.js';
import { defineTool } from '../../tools/define-tool.js';
import { callServerTool } from './call-tool.js';
import type { McpServer } from './client.js';
import { describeServerTool, effectOfServerTool, isOpenWorld, shownName } from './definition.js';
import { outwardTexts } from './outward-texts.js';
import type { Pin, PinnedTools } from './pinned-tools.js';
import { looseValidator, shownSchema } from './schemas.js';

export interface ServerToolOptions {
  readonly server: McpServer;
  readonly pins: PinnedTools;
  readonly clock: Clock;
  readonly trusted: boolean;
  readonly trustOutput: boolean;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  readonly recheck: 'notified' | 'always';
}

/** How much of the version stands in a target: enough that no server finds a second one. */
const SHOWN_VERSION = 32;
/** A target is cut at 1,000 characters. */
const LONGEST_PLAIN_TARGET = 900;
const SHOWN_OF_LONG_TARGET = 800;

/**
 * One tool of a server as a tool of artoo.
 *
 * The runtime asks for target, effect, preview and execution in this order, with one input object. Each may come after a
 * change that the one before did not know of: what was judged by an older description is refused, never carried out.
 */
export function makeServerTool(pin: Pin, options: ServerToolOptions): Tool {
  const { server, pins, clock, trusted, trustOutput, timeoutMs, maxResultBytes, recheck } = options;
  const { pinned, name } = pin;
  const effectThen = effectOfServerTool(pinned, trusted);
  const named = new WeakMap<object, string>();
  const judged = new WeakMap<object, string>();
  const input: StandardSchema<Readonly<Record<string, unknown>>> = {
    '~standard': { version: 1, vendor: 'mcp', validate: looseValidator(pinned.inputSchema) as StandardSchema<Readonly<Record<string, unknown>>>['~standard']['validate'] },
  };
  return defineTool({
    name, input, timeoutMs,
    description: describeServerTool(pinned, server.label),
    inputSchema: shownSchema(pinned.inputSchema),
    ...(trustOutput && { trusted: true }),
    // A standing permission holds for targets that begin alike: none that was given before a change covers what came after.
    target: (given) => {
      named.set(given, pin.version);
      return pin.changed === undefined ? targetText(given) : `changed on the server, version ${pin.version.slice(0, SHOWN_VERSION)}: ${targetText(given)}`;
    },
    outward: (given) => (pin.changed !== undefined || isOpenWorld(pinned, trusted) ? outwardTexts(given, pinned.inputSchema) : undefined),
    effect: async (given, { signal }) => {
      await pins.upToDate(signal, recheck === 'always');
      pins.mustExist(pin);
      const known = named.get(given);
      const covered = known === undefined || known === pin.version || (known === pinned.version && effectThen !== 'irreversible');
      if (!covered) throw pins.changedMeanwhile(pin);
      judged.set(given, pin.version);
      return pin.changed === undefined ? effectThen : 'irreversible';
    },
    preview: (given) => [
      `${shownName(pinned.original)}, a tool of the MCP server "${server.label}"`,
      ...(pin.changed === undefined ? [] : [`THIS TOOL CHANGED since it was taken in. ${pin.changed}`]),
      stringifyOutput(given),
    ].join('\n'),
    execute: async (given, context) => {
      await pins.upToDate(context.signal, recheck === 'always' && !judged.has(given));
      pins.mustExist(pin);
      if ((judged.get(given) ?? pinned.version) !== pin.version) throw pins.changedMeanwhile(pin);
      const outputSchema = pin.current && 'outputSchema' in pin.current ? pin.current.outputSchema : undefined;
      return callServerTool({ server, original: pinned.original, outputSchema, input: given, context, clock, timeoutMs, maxResultBytes });
    },
  });
}

/** The whole input, or its beginning and a hash: no two inputs have one target, so that leave for one is no leave for another. */
function targetText(input: unknown): string {
  const text = wholeJson(input);
  if (text.length <= LONGEST_PLAIN_TARGET && cleanText(text) === text) return text;
  return `${headTail(cleanText(text.slice(0, SHOWN_OF_LONG_TARGET)), { max: SHOWN_OF_LONG_TARGET })}… SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}

/** Canonical JSON says "[too deep]" of what lies below its limit, and two inputs would look alike. */
function wholeJson(input: unknown): string {
  const text = canonicalJson(input);
  return text.includes('"[too deep]"') ? JSON.stringify(input) : text;
}
