import { ArtooError } from '../contracts/errors.js';
import type { Tool, ToolContext, Workspace } from '../contracts/tool.js';
import { findUnsafeInput } from './unsafe-input.js';
import { outputText } from './output-text.js';
import { effectOf } from './tool-call.js';

/** One thing that a tool must do. `skip` says why it can't be tried here; `run` then does nothing. */
export interface ToolConformanceCase {
  readonly name: string;
  readonly skip?: string;
  /** Rejects with ARTOO_CONFORMANCE, which says what was expected and what came. */
  run(): Promise<void>;
}

/** What {@link toolConformance} takes. */
export interface ToolConformanceOptions {
  /** A fresh tool for each case. */
  readonly create: () => Tool | Promise<Tool>;
  /** An input that the tool carries out. */
  readonly validInput: unknown;
  /** An input that its schema refuses. */
  readonly invalidInput: unknown;
  readonly workspace?: Workspace;
  /** False for tools that must not really run here; the cases that need it are then skipped. */
  readonly execute?: boolean;
  /** How long a call may take to settle, in ms; default 5,000. */
  readonly settleMs?: number;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * The suite that a tool must pass, for any test runner.
 *
 * @example
 * import { toolConformance } from 'artoo/testing';
 * for (const { name, skip, run } of toolConformance({ create: () => dice, validInput: { sides: 6 }, invalidInput: { sides: 'six' } })) {
 *   it.skipIf(skip !== undefined)(name, run);
 * }
 */
export function toolConformance(options: ToolConformanceOptions): ToolConformanceCase[] {
  return [...definitionCases(options), ...inputCases(options), ...executionCases(options)];
}

type Check = (tool: Tool, options: ToolConformanceOptions) => Promise<void> | void;

function toCase(options: ToolConformanceOptions, name: string, check: Check, skip?: string): ToolConformanceCase {
  return {
    name, ...(skip === undefined ? {} : { skip }),
    async run() {
      if (skip !== undefined) return;
      try {
        await check(await options.create(), options);
      } catch (cause) {
        if (ArtooError.is(cause, 'ARTOO_CONFORMANCE')) throw cause;
        throw failed(`threw ${cause instanceof Error ? cause.message : String(cause)}`, cause);
      }
    },
  };
}

function definitionCases(options: ToolConformanceOptions): ToolConformanceCase[] {
  return [
    toCase(options, 'has a name that a model can call and a description', (tool) => {
      expect(NAME.test(tool.name), `the name ${JSON.stringify(tool.name)} to be a letter and up to 63 letters, digits, "_" or "-"`);
      expect(typeof tool.description === 'string' && tool.description.trim() !== '', 'a description');
    }),
    toCase(options, 'describes its input as a JSON Schema of an object', (tool) => {
      const { inputSchema } = tool;
      expect(inputSchema['type'] === 'object', `a schema of type "object", not ${JSON.stringify(inputSchema['type'])}`);
      expect(JSON.stringify(inputSchema) === JSON.stringify(JSON.parse(JSON.stringify(inputSchema))), 'a schema that survives JSON');
    }),
    toCase(options, 'says what a valid call does to the world', async (tool, { workspace }) => {
      const input = await validated(tool, options.validInput);
      const answer: unknown = typeof tool.effect === 'function' ? await tool.effect(input as never, { signal: new AbortController().signal, workspace }) : tool.effect;
      expect(answer === 'read' || answer === 'write' || answer === 'irreversible', `the effect read, write or irreversible, not ${String(answer)}`);
      expect(answer === await effectOf(tool, input, { signal: new AbortController().signal, workspace }), 'the same effect when asked again');
    }),
    toCase(options, 'names the target of a valid call with a text', async (tool) => {
      const target: unknown = tool.target?.(await validated(tool, options.validInput) as never);
      expect(tool.target === undefined || typeof target === 'string', `a text as target, not ${typeof target}`);
    }),
  ];
}

function inputCases(options: ToolConformanceOptions): ToolConformanceCase[] {
  return [
    toCase(options, 'accepts the valid input, also frozen, and leaves it as it was', async (tool) => {
      const before = JSON.stringify(options.validInput);
      await validated(tool, deepFreeze(JSON.parse(before ?? '{}')));
      expect(JSON.stringify(options.validInput) === before, 'an input that validation leaves alone');
    }),
    toCase(options, 'refuses the invalid input with a reason', async (tool) => {
      const { issues } = await tool.validate(options.invalidInput);
      expect(issues !== undefined && issues.length > 0, 'issues for the invalid input');
      expect(issues?.every(({ message }) => typeof message === 'string' && message !== '') === true, 'a message in each issue');
    }),
    toCase(options, 'refuses garbage without throwing', async (tool) => {
      for (const garbage of [null, 0, 'text', [], [[]], true]) {
        const { issues } = await tool.validate(garbage);
        expect(issues !== undefined, `issues for ${JSON.stringify(garbage)}`);
      }
    }),
    toCase(options, 'hands no key "__proto__" on and leaves prototypes alone', async (tool) => {
      const result = await tool.validate({ ...(options.validInput as object), ...poisoned() });
      expect(result.issues !== undefined || findUnsafeInput(result.value) === undefined, 'no "__proto__" in what execute gets');
      expect(({} as { polluted?: unknown }).polluted === undefined, 'Object.prototype as it was');
    }),
  ];
}

function executionCases(options: ToolConformanceOptions): ToolConformanceCase[] {
  const skip = options.execute === false ? 'the tool must not run here (execute: false)' : undefined;
  return [
    toCase(options, 'carries out a valid call with an output that can be shown', async (tool) => {
      const value = await settled(tool, options, new AbortController());
      expect(value.ok, `a valid call to succeed, not to throw ${String(value.error)}`);
      expect(!outputText(value.value).text.startsWith('[the output could not be shown'), 'an output that can be shown as text');
    }, skip),
    toCase(options, 'settles when the signal is aborted before the call', async (tool) => {
      const controller = new AbortController();
      controller.abort(new Error('stopped before'));
      await settled(tool, options, controller);
    }, skip),
    toCase(options, 'settles when the signal aborts during the call, also twice', async (tool) => {
      const controller = new AbortController();
      const call = settled(tool, options, controller);
      controller.abort(new Error('stopped during'));
      controller.abort(new Error('stopped again'));
      await call;
    }, skip),
    toCase(options, 'settles two calls at once, at least one of them with success', async (tool) => {
      const both = await Promise.all([settled(tool, options, new AbortController()), settled(tool, options, new AbortController())]);
      expect(both.some(({ ok }) => ok), 'one of two calls at once to succeed');
    }, skip),
  ];
}

interface Settled { readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }

async function settled(tool: Tool, { validInput, workspace, settleMs = 5_000 }: ToolConformanceOptions, controller: AbortController): Promise<Settled> {
  const input = await validated(tool, validInput);
  const context: ToolContext = { signal: controller.signal, workspace: workspace ?? tool.workspace, intentId: 'conformance', taskId: 'conformance', log: () => undefined, disclose: () => undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`expected the call to settle within ${settleMs} ms`)), settleMs);
  });
  const call = (async (): Promise<Settled> => {
    try {
      return { ok: true, value: await tool.execute(input as never, context) };
    } catch (error) {
      return { ok: false, error };
    }
  })();
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function validated(tool: Tool, input: unknown): Promise<unknown> {
  const result = await tool.validate(input);
  if (result.issues) throw failed(`expected the valid input to be accepted, got: ${result.issues.map(({ message }) => message).join('; ')}`);
  return result.value;
}

/** As a model would send it: an own key of that name. */
function poisoned(): object {
  return JSON.parse('{"nested":{"__proto__":{"polluted":true}}}') as object;
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw failed(`expected ${what}`);
}

function failed(message: string, cause?: unknown): ArtooError {
  return new ArtooError('ARTOO_CONFORMANCE', `Tool conformance: ${message}.`, { hint: 'See docs/ports/tool.md for what a tool must do.', ...(cause === undefined ? {} : { cause }) });
}
