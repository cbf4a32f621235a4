import * as mini from 'zod/mini';
import { z } from 'zod';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import type { StandardSchema, Tool } from '../../src/contracts/tool.js';
import { defineTool } from '../../src/tools/define-tool.js';
import { effectOf, targetOf } from '../../src/tools/tool-call.js';

const base = { name: 'echo', description: 'Says it again.', effect: 'read', execute: (input: unknown) => input } as const;
const objectSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;

function problem(definition: unknown): ArtooError {
  try {
    defineTool(definition as never);
  } catch (error) {
    if (ArtooError.is(error, 'ARTOO_TOOL_INVALID')) return error;
    throw error;
  }
  throw new Error('expected ARTOO_TOOL_INVALID');
}

/** A Standard Schema of some library; `written` is what it says as JSON Schema, if it can. */
function foreign(written?: Record<string, unknown>): StandardSchema<{ a: string }> {
  return {
    '~standard': {
      version: 1, vendor: 'other',
      validate: (value) => typeof (value as { a?: unknown })?.a === 'string' ? { value: value as { a: string } } : { issues: [{ message: 'a must be text' }] },
      ...(written && { jsonSchema: { input: ({ target }: { target: string }) => ({ ...written, $schema: target }) } }),
    },
  };
}

describe('what a definition must hold', () => {
  it.each([
    ['a name with a blank', { ...base, name: 'a b', input: objectSchema }, /"a b"/],
    ['an empty name', { ...base, name: '', input: objectSchema }, /""/],
    ['a name of 65 letters', { ...base, name: 'a'.repeat(65), input: objectSchema }, /aaa/],
    ['a name that begins with a digit', { ...base, name: '1a', input: objectSchema }, /"1a"/],
    ['a name __proto__', { ...base, name: '__proto__', input: objectSchema }, /__proto__/],
    ['no description', { ...base, description: '  ', input: objectSchema }, /"echo" has no description/],
    ['no effect', { ...base, effect: undefined, input: objectSchema }, /"echo" does not say what it does/],
    ['an unknown effect', { ...base, effect: 'delete', input: objectSchema }, /"delete"/],
    ['no execute', { ...base, execute: undefined, input: objectSchema }, /nothing to run/],
    ['a target that is no function', { ...base, target: 'path', input: objectSchema }, /`target`/],
    ['a timeout of 0', { ...base, timeoutMs: 0, input: objectSchema }, /timeout 0/],
    ['a timeout without end', { ...base, timeoutMs: Infinity, input: objectSchema }, /Infinity/],
    ['a concurrency of 1.5', { ...base, concurrency: 1.5, input: objectSchema }, /1\.5/],
    ['no input', { ...base }, /no `input`/],
    ['an input that is text', { ...base, input: 'string' }, /no `input`/],
    ['an input that is no object', { ...base, input: z.string() }, /"string"/],
    ['a JSON Schema with a reference to nowhere that is circular', { ...base, input: circular() }, /no JSON Schema/],
    ['a zod schema that JSON Schema cannot express', { ...base, input: z.object({ at: z.date() }) }, /cannot express/],
    ['a library without JSON Schema', { ...base, input: foreign() }, /"other", which offers no JSON Schema/],
  ])('refuses %s with the tool and what to write', (_, definition, message) => {
    const error = problem(definition);
    expect(error.message).toMatch(message);
    expect(error.hint?.length).toBeGreaterThan(20);
  });

  it('refuses no definition at all', () => expect(problem(undefined).message).toMatch(/no definition/));
});

function circular(): Record<string, unknown> {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['self'] = schema;
  return schema;
}

describe('the JSON Schema for the model', () => {
  it('comes from zod, with descriptions and without its dialect', () => {
    const tool = defineTool({ ...base, input: z.object({ a: z.string().describe('what to say'), b: z.number().optional() }) });
    expect(tool.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string', description: 'what to say' }, b: { type: 'number' } }, required: ['a'] });
  });
  it('comes from zod/mini', () => {
    expect(defineTool({ ...base, input: mini.object({ a: mini.string() }) }).inputSchema).toMatchObject({ properties: { a: { type: 'string' } } });
  });
  it('says what the model may write: a default is not required', () => {
    expect(defineTool({ ...base, input: z.object({ a: z.string().default('x') }) }).inputSchema['required']).toBeUndefined();
  });
  it('comes from any library that can write one', () => {
    expect(defineTool({ ...base, input: foreign({ type: 'object', title: 'own' }) }).inputSchema).toEqual({ type: 'object', title: 'own' });
  });
  it('can be handed in beside a library that cannot', async () => {
    const tool = defineTool({ ...base, input: foreign(), inputSchema: objectSchema });
    expect(tool.inputSchema).toEqual(objectSchema);
    expect((await tool.validate({ a: 1 })).issues?.[0]?.message).toBe('a must be text');
  });
  it('is a copy: what the host changes later changes nothing', () => {
    const input = { type: 'object', properties: { a: { type: 'string' } } };
    const tool = defineTool({ ...base, input });
    input.properties.a.type = 'number';
    expect(tool.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(Object.keys(input)).toEqual(['type', 'properties']);
  });
});

describe('validation', () => {
  it('parses with zod', async () => {
    const tool = defineTool({ ...base, input: z.object({ a: z.string().transform((text) => text.length) }) });
    expect(await tool.validate({ a: 'four' })).toEqual({ value: { a: 4 } });
    expect((await tool.validate({ a: 1 })).issues).toHaveLength(1);
  });

  it.each([
    [{ a: 'x' }, true], [{ a: 1 }, false], [{}, false], [null, false], ['text', false], [[], false], [undefined, false],
  ])('holds a plain JSON Schema: %j → %s', async (input, valid) => {
    const tool = defineTool({ ...base, input: objectSchema });
    const { issues } = await tool.validate(input);
    expect(issues === undefined).toBe(valid);
  });

  it('says where in a JSON Schema the input is wrong', async () => {
    const tool = defineTool({ ...base, input: { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } } } } });
    const { issues } = await tool.validate({ list: [{ n: 1 }, { n: 'two' }] });
    expect(issues).toEqual([{ message: expect.stringContaining('integer') as string, path: ['list', '1', 'n'] }]);
  });

  it('takes no input at all as an empty one', async () => {
    expect((await defineTool({ ...base, input: z.object({}) }).validate(undefined)).issues).toBeUndefined();
  });

  it.each([['{"__proto__":{"polluted":1},"a":"x"}'], ['{"a":"x","deep":[{"__proto__":{"polluted":1}}]}']])('refuses the key __proto__ wherever it stands: %s', async (json) => {
    for (const input of [objectSchema, z.looseObject({ a: z.string() })]) {
      const { issues } = await defineTool({ ...base, input }).validate(JSON.parse(json));
      expect(issues?.[0]?.message).toMatch(/__proto__/);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('refuses nesting that would exhaust the stack, without throwing', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as unknown;
    expect((await defineTool({ ...base, input: z.any().pipe(z.object({})) as never, inputSchema: { type: 'object' } }).validate(deep)).issues?.[0]?.message).toMatch(/deeper/);
  });

  it('turns a validator that throws or rejects into an issue', async () => {
    const throwing = (validate: () => never | Promise<never>): StandardSchema => ({ '~standard': { version: 1, vendor: 'x', validate } });
    for (const validate of [() => { throw new Error('boom'); }, () => Promise.reject(new Error('boom'))]) {
      const tool = defineTool({ ...base, input: throwing(validate), inputSchema: objectSchema });
      expect((await tool.validate({})).issues?.[0]?.message).toMatch(/boom/);
    }
  });
});

describe('what a tool says of a call', () => {
  const context = { signal: new AbortController().signal, workspace: undefined };
  it('counts an unknown answer of an effect function as irreversible', async () => {
    const tool = defineTool({ ...base, effect: () => 'harmless' as never, input: objectSchema });
    expect(await effectOf(tool, {}, context)).toBe('irreversible');
  });
  it('passes the refusal of an effect function on', async () => {
    const tool = defineTool({ ...base, effect: () => { throw new Error('outside'); }, input: objectSchema });
    await expect(effectOf(tool, {}, context)).rejects.toThrow('outside');
  });
  it('cleans a target and survives one that throws', () => {
    expect(targetOf(defineTool({ ...base, target: () => 'a\u202eb\u0000', input: objectSchema }), {})).toBe('ab');
    expect(targetOf(defineTool({ ...base, target: () => { throw new Error('no'); }, input: objectSchema }), {})).toBe('');
    expect(targetOf(defineTool({ ...base, input: objectSchema }), {})).toBe('');
  });
});

it('infers the input of execute, effect and target from the schema', () => {
  const tool = defineTool({
    name: 'typed', description: 'Typed.', input: z.object({ path: z.string(), count: z.coerce.number() }),
    effect: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ path: string; count: number }>();
      return 'read';
    },
    target: (input) => input.path,
    execute: (input, { signal }) => {
      expectTypeOf(input.count).toEqualTypeOf<number>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    },
  });
  defineTool({ ...base, input: objectSchema, execute: (input) => { expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(); } });
  expectTypeOf(tool).toEqualTypeOf<Tool>();
  expect(Object.isFrozen(tool)).toBe(true);
});
