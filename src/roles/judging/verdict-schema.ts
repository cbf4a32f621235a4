import * as z from 'zod/mini';

/** A verdict as a model writes it. Criteria are named by index or by their text. */
export const modelVerdictSchema = z.object({
  index: z.optional(z.nullable(z.number())),
  criterion: z.optional(z.nullable(z.string())),
  verdict: z.enum(['pass', 'fail']),
  evidence: z.optional(z.nullable(z.string())),
  failureClass: z.optional(z.nullable(z.string())),
});
export type ModelVerdict = z.infer<typeof modelVerdictSchema>;
