import * as z from 'zod/mini';
import { failureClassSchema } from './names.js';

/** A criterion that code decides. `type` is one of the built-in checks or one that the host registered. */
export const checkSchema = z.looseObject({ type: z.string() });
export type Check = z.infer<typeof checkSchema>;

/** How a criterion is judged: `verifiable` by a fact that can be shown, `plausible` by judgement. */
export const criterionModeSchema = z.enum(['verifiable', 'plausible']);
export type CriterionMode = z.infer<typeof criterionModeSchema>;

/**
 * One statement that must hold. `about: 'world'` is proved from tool output, `'result'` from the answer itself.
 * `weight` is its importance in D (default 1); a `required` one that fails is never a success.
 */
export const criterionSchema = z.object({
  criterion: z.string(),
  mode: criterionModeSchema,
  about: z.optional(z.enum(['world', 'result'])),
  weight: z.optional(z.number().check(z.positive())),
  check: z.optional(checkSchema),
  required: z.optional(z.boolean()),
});
export type Criterion = z.infer<typeof criterionSchema>;

/** What a model or a caller may write: a bare string is verifiable and about the world. */
export const criterionInputSchema = z.union([z.string(), z.object({
  criterion: z.string(),
  mode: z.optional(criterionModeSchema),
  about: z.optional(z.enum(['world', 'result'])),
  weight: z.optional(z.number().check(z.positive())),
  check: z.optional(checkSchema),
  required: z.optional(z.boolean()),
})]);
export type CriterionInput = z.infer<typeof criterionInputSchema>;

/** A judged criterion. `evidence` is the quote or the check's finding; `by` says who decided. */
export const criterionVerdictSchema = z.object({
  criterion: z.string(),
  mode: criterionModeSchema,
  verdict: z.enum(['pass', 'fail']),
  failureClass: z.optional(failureClassSchema),
  evidence: z.string(),
  weight: z.optional(z.number()),
  required: z.optional(z.boolean()),
  by: z.optional(z.enum(['check', 'model', 'kernel'])),
});
export type CriterionVerdict = z.infer<typeof criterionVerdictSchema>;

/** A verdict with its trajectory: failed on `failedAttempts` of `attempts` (the paper's k of N). */
export const gradedVerdictSchema = z.object({
  criterion: z.string(),
  mode: criterionModeSchema,
  verdict: z.enum(['pass', 'fail']),
  failureClass: z.optional(failureClassSchema),
  weight: z.optional(z.number()),
  required: z.optional(z.boolean()),
  failedAttempts: z.optional(z.number()),
  attempts: z.optional(z.number()),
});
export type GradedVerdict = z.infer<typeof gradedVerdictSchema>;
