import * as z from 'zod/mini';
import { criterionInputSchema, type Criterion, type CriterionInput } from '../contracts/criterion.js';
import { toCriterion } from './to-criterion.js';

export const plannedSubtaskSchema = z.object({
  intent: z.string(),
  successCriteria: z.array(criterionInputSchema),
  context: z.optional(z.nullable(z.string())),
  sequence: z.number(),
  tools: z.array(z.string()),
  targets: z.optional(z.nullable(z.array(z.string()))),
});

/** R2's reply. Ids that a model writes are dropped with all other unknown keys. */
export const planSchema = z.object({
  taskCriteria: z.array(criterionInputSchema),
  subtasks: z.array(plannedSubtaskSchema),
  keep: z.optional(z.nullable(z.array(z.number()))),
  /** With no subtasks: why no plan is left that could be carried out. */
  infeasible: z.optional(z.nullable(z.string())),
  /** Numbers of the experience that changed the plan, as the prompt shows them. */
  memory: z.optional(z.nullable(z.array(z.number()))),
});
export type Plan = z.infer<typeof planSchema>;
export type PlannedSubtask = z.infer<typeof plannedSubtaskSchema>;

/** What a model may not claim for its own criteria. */
export function plannedCriterion(input: CriterionInput): Criterion {
  const { required: _required, ...criterion } = toCriterion(input);
  return criterion;
}
