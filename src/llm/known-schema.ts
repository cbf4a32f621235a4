import type * as z from 'zod/mini';

/** What a structured reply must be, for code (`schema`) and for the model (`jsonSchema`). */
export interface KnownSchema<T> {
  readonly name: string;
  readonly schema: z.core.$ZodType<T>;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}
