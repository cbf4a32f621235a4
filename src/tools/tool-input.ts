import * as z from 'zod/mini';
import type { JsonSchema, StandardResult, StandardSchema } from '../contracts/tool.js';
import { findUnsafeInput } from './unsafe-input.js';
import { jsonSchemaValidator } from './json-schema-validator.js';

/** How a tool's input is described to a model and checked. */
export interface ToolInputReader {
  readonly inputSchema: JsonSchema;
  readonly validate: (input: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>;
}

/** Says what is wrong with a definition; `defineTool` adds the tool's name. */
export interface InputProblem { readonly problem: string; readonly hint: string; readonly cause?: unknown }

const NO_JSON_SCHEMA = 'Hand the JSON Schema in as `inputSchema` (the given `input` still validates), or use it as `input` itself.';

/**
 * Reads `input`, a Standard Schema or a JSON Schema. `described` is the JSON Schema for the model where the library
 * behind a Standard Schema can't say it.
 */
export function readToolInput(input: unknown, described: JsonSchema | undefined): ToolInputReader | InputProblem {
  if (isStandardSchema(input)) {
    const schema = described ?? describe(input);
    if ('problem' in schema && typeof schema['hint'] === 'string') return schema as unknown as InputProblem;
    return finish(schema as JsonSchema, (value) => input['~standard'].validate(value));
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { problem: 'has no `input`', hint: 'Write `input` as a zod object (or another Standard Schema) or as a JSON Schema of type "object".' };
  }
  try {
    return finish(described ?? (input as JsonSchema), jsonSchemaValidator(asObjectSchema(input as JsonSchema)));
  } catch (cause) {
    return { problem: 'has an `input` that is no JSON Schema', hint: 'Check $ref, type and circular references in `input`.', cause };
  }
}

function finish(schema: JsonSchema, validate: ToolInputReader['validate']): ToolInputReader | InputProblem {
  const type = schema['type'];
  if (type !== undefined && type !== 'object') {
    return { problem: `has an input of type ${JSON.stringify(type)}`, hint: 'Models call tools with an object: wrap the input, e.g. { value: … }.' };
  }
  let inputSchema: JsonSchema;
  try {
    const { $schema: _dialect, ...rest } = JSON.parse(JSON.stringify(asObjectSchema(schema))) as Record<string, unknown>;
    inputSchema = Object.freeze(rest);
  } catch (cause) {
    return { problem: 'has an input schema that is no JSON', hint: 'A JSON Schema holds plain data only.', cause };
  }
  return { inputSchema, validate: (value) => guarded(value === undefined ? {} : value, validate) };
}

/** Refuses what could harm a validator, and turns a validator that throws into an issue. */
function guarded(value: unknown, validate: ToolInputReader['validate']): ReturnType<ToolInputReader['validate']> {
  const unsafe = findUnsafeInput(value);
  if (unsafe) return { issues: [{ message: unsafe }] };
  try {
    const result = validate(value);
    return result instanceof Promise ? result.catch(asIssue) : result;
  } catch (error) {
    return asIssue(error);
  }
}

function asIssue(error: unknown): StandardResult<unknown> {
  return { issues: [{ message: `the input could not be checked: ${error instanceof Error ? error.message : String(error)}` }] };
}

function asObjectSchema(schema: JsonSchema): JsonSchema {
  return schema['type'] === undefined ? { type: 'object', ...schema } : schema;
}

/** A schema of arktype is a function with properties. */
function isStandardSchema(input: unknown): input is StandardSchema {
  if ((typeof input !== 'object' && typeof input !== 'function') || input === null) return false;
  const standard = (input as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

type SchemaWriter = (options: { readonly target: string }) => JsonSchema;

/** What the library itself says, else zod's converter for every copy of zod 4. */
function describe(input: StandardSchema): JsonSchema | InputProblem {
  const standard = input['~standard'] as StandardSchema['~standard'] & { readonly jsonSchema?: { readonly input?: SchemaWriter } };
  try {
    if (typeof standard.jsonSchema?.input === 'function') return standard.jsonSchema.input({ target: 'draft-2020-12' });
    if ('_zod' in input) return z.toJSONSchema(input as unknown as z.ZodMiniType, { io: 'input' }) as JsonSchema;
  } catch (cause) {
    return { problem: 'has an input that JSON Schema cannot express', hint: NO_JSON_SCHEMA, cause };
  }
  return { problem: `has an input of "${standard.vendor}", which offers no JSON Schema for the model`, hint: NO_JSON_SCHEMA };
}
