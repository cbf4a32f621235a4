import * as z from 'zod/mini';

/** R1's reply. What else the model writes, criteria and ids among it, is dropped. */
export const perceptionSchema = z.object({
  slug: z.optional(z.nullable(z.string())),
  intent: z.string().check(z.minLength(1)),
  constraints: z.optional(z.nullable(z.object({ scope: z.optional(z.nullable(z.string())), deadline: z.optional(z.nullable(z.string())) }))),
  questions: z.optional(z.nullable(z.array(z.string()))),
});
export type Perception = z.infer<typeof perceptionSchema>;
