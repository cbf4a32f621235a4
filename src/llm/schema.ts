import * as z from 'zod/mini';

/** Any zod schema, of `zod` or `zod/mini`. */
export type AnySchema<T = unknown> = z.core.$ZodType<T>;

/** What a structured reply must be. */
export interface StructuredSchema<T> {
  /** For the provider: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly schema: AnySchema<T>;
  /** What the model is shown. Derived from `schema` when absent. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
}

/**
 * A schema whose JSON Schema is derived once, on first use. Make it once and keep it: a plain `{ name, schema }` works
 * too, but is converted at each call.
 *
 * @example
 * import * as z from 'zod/mini';
 * import { completeStructured, defineSchema } from 'artoo/llm';
 * const answer = defineSchema({ name: 'answer', schema: z.object({ city: z.string() }) });
 * const { value } = await completeStructured(client, answer, request);
 */
export function defineSchema<T>(definition: StructuredSchema<T>): StructuredSchema<T> & { readonly jsonSchema: Readonly<Record<string, unknown>> } {
  let derived = definition.jsonSchema;
  return {
    name: definition.name,
    schema: definition.schema,
    get jsonSchema(): Readonly<Record<string, unknown>> {
      derived ??= deriveJsonSchema(definition.schema);
      return derived;
    },
  };
}

/** The JSON Schema of what a model should write; what JSON Schema can't say becomes "anything". */
export function deriveJsonSchema(schema: AnySchema): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  return rest;
}

/** A bare zod schema is a StructuredSchema named `reply`. */
export function asStructuredSchema<T>(schema: StructuredSchema<T> | AnySchema<T>): StructuredSchema<T> {
  return '_zod' in schema ? { name: 'reply', schema } : schema;
}
