import { ArtooError } from '../contracts/errors.js';
import type { Effect, JsonSchema, ProbeAnswer, StandardSchema, Tool, ToolContext, ToolProbeContext, Workspace } from '../contracts/tool.js';
import { createSemaphore, type Semaphore } from './semaphore.js';
import { readToolInput } from './tool-input.js';

const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const EFFECTS: ReadonlySet<unknown> = new Set<Effect>(['read', 'write', 'irreversible']);

/** Where a tool keeps the places of its `concurrency`, so that they count over all tasks. */
export const PLACES: unique symbol = Symbol('artoo.tool.places');
/** A tool with its places. */
export interface PlacedTool extends Tool { readonly [PLACES]?: Semaphore }

/** What a tool's functions get: the schema's output, or a plain record for a JSON Schema. */
export type ToolInput<Schema> = Schema extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
  ? Output
  : Record<string, unknown>;

/** What {@link defineTool} takes. */
export interface ToolDefinition<Schema extends StandardSchema | JsonSchema> {
  /** A letter, then up to 63 letters, digits, `_` or `-`. */
  readonly name: string;
  /** What it does, when to use it, what comes back: the model reads this and nothing else. */
  readonly description: string;
  /** A Standard Schema (zod, valibot, arktype …) or a JSON Schema, of an object. */
  readonly input: Schema;
  /** The JSON Schema for the model, where the library behind `input` can't write one. */
  readonly inputSchema?: JsonSchema;
  /** What a call does to the world. No default: who writes a tool must say it. May look at the input and the folder. */
  readonly effect: Effect | ((input: ToolInput<Schema>, context: ToolProbeContext) => Effect | Promise<Effect>);
  /** What the call is about, e.g. a path or a host: failures block it, approvals name it. */
  readonly target?: (input: ToolInput<Schema>) => string;
  /** What the approval question shows beyond the input, e.g. a diff. */
  readonly preview?: (input: ToolInput<Schema>, context: ToolProbeContext) => string | Promise<string>;
  /** In ms; default 60,000. */
  readonly timeoutMs?: number;
  /** Calls at once over all tasks; default unlimited. */
  readonly concurrency?: number;
  /** Whether an interrupted call was carried out. */
  readonly probe?: (intentId: string) => ProbeAnswer | Promise<ProbeAnswer>;
  /** The folder the tool is bound to. */
  readonly workspace?: Workspace;
  /** The host vouches for the output: none of it was written by strangers. Default false; see docs/guides/memory.md. */
  readonly trusted?: boolean;
  /** The texts that leave the machine with a call, such as an address or a query; see docs/safety.md. */
  readonly outward?: (input: ToolInput<Schema>) => readonly string[] | undefined;
  /** Does the work. May return anything; may throw, best a `ToolError`. */
  readonly execute: (input: ToolInput<Schema>, context: ToolContext) => unknown;
}

/**
 * Makes a tool. Throws ARTOO_TOOL_INVALID for a definition that can't work, with the tool's name and what to write.
 *
 * @example
 * import { defineTool } from 'artoo';
 * import { z } from 'zod';
 * const dice = defineTool({
 *   name: 'dice',
 *   description: 'Rolls a die and returns the number.',
 *   input: z.object({ sides: z.number().int().min(2) }),
 *   effect: 'read',
 *   execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
 * });
 */
export function defineTool<const Schema extends StandardSchema | JsonSchema>(definition: ToolDefinition<Schema>): Tool {
  if (typeof definition !== 'object' || definition === null) throw invalid('A tool', 'has no definition', 'Call defineTool({ name, description, input, effect, execute }).');
  const { name, description, input, inputSchema, effect, target, preview, timeoutMs, concurrency, probe, workspace, trusted, outward, execute } = definition;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw invalid(`A tool with the name ${shown(name)}`, 'cannot be called by a model', 'Write `name` as a letter followed by up to 63 letters, digits, "_" or "-".');
  }
  const who = `The tool "${name}"`;
  if (typeof description !== 'string' || description.trim() === '') throw invalid(who, 'has no description', 'Write `description`: what it does, when to use it, what comes back.');
  if (effect === undefined) throw invalid(who, 'does not say what it does to the world', "Write `effect: 'read'`, `'write'` or `'irreversible'`, or a function that returns one of them.");
  if (typeof effect !== 'function' && !EFFECTS.has(effect)) throw invalid(who, `has the unknown effect ${shown(effect)}`, "Write `effect: 'read'`, `'write'` or `'irreversible'`, or a function that returns one of them.");
  if (typeof execute !== 'function') throw invalid(who, 'has nothing to run', 'Write `execute: async (input, { signal }) => …`.');
  for (const [key, value] of Object.entries({ target, preview, probe, outward })) {
    if (value !== undefined && typeof value !== 'function') throw invalid(who, `has a \`${key}\` that is no function`, `Write \`${key}\` as a function or leave it out.`);
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw invalid(who, `has the timeout ${shown(timeoutMs)}`, 'Write `timeoutMs` as a number of milliseconds above 0, or leave it out for 60,000.');
  }
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw invalid(who, `has the concurrency ${shown(concurrency)}`, 'Write `concurrency` as a whole number above 0, or leave it out.');
  }
  if (trusted !== undefined && typeof trusted !== 'boolean') throw invalid(who, `has a \`trusted\` that is ${shown(trusted)}`, 'Write `trusted: true` to vouch for its output, or leave it out.');
  const reader = readToolInput(input, inputSchema);
  if ('problem' in reader) throw invalid(who, reader.problem, reader.hint, reader.cause);
  const tool: PlacedTool = {
    name, description, effect, execute,
    inputSchema: reader.inputSchema,
    validate: reader.validate,
    ...(target && { target }),
    ...(preview && { preview }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(concurrency !== undefined && { concurrency, [PLACES]: createSemaphore(concurrency) }),
    ...(probe && { probe }),
    ...(workspace && { workspace }),
    ...(trusted !== undefined && { trusted }),
    ...(outward && { outward }),
  };
  return Object.freeze(tool);
}

function invalid(who: string, problem: string, hint: string, cause?: unknown): ArtooError {
  return new ArtooError('ARTOO_TOOL_INVALID', `${who} ${problem}.`, { hint, ...(cause === undefined ? {} : { cause }) });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
}
