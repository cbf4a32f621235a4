import * as z from 'zod/mini';

/** Who can stand at either end of a message. R1 to R7 are the paper's roles. */
export const roleIdSchema = z.enum([
  'R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'R6', 'R7', 'dreamer', 'dispatcher', 'host', 'user', 'kernel', 'operator',
]);
export type RoleId = z.infer<typeof roleIdSchema>;

/** Why a run was stopped other than by its own result. */
export const stopReasonSchema = z.enum([
  'omega', 'replan_budget', 'law2_divergence', 'no_admissible_plan', 'budget_tokens', 'budget_calls', 'budget_money',
  'deadline', 'aborted', 'role_failure',
]);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** The six states of the decision table (paper §5.3). */
export const macroStateSchema = z.enum([
  'abandon', 'success', 'break_symmetry', 'change_approach', 'change_path', 'refine',
]);
export type MacroState = z.infer<typeof macroStateSchema>;

/** What a failure says about its cause: the approach was wrong, or the surroundings stood in the way. */
export const failureClassSchema = z.enum(['logical', 'environmental']);
export type FailureClass = z.infer<typeof failureClassSchema>;

/** What a tool call does to the world (Law 1). */
export const effectSchema = z.enum(['read', 'write', 'irreversible']);
export type Effect = z.infer<typeof effectSchema>;

/** Set by the kernel alone: has text that nobody vouched for had a part in this? */
export const integritySchema = z.enum(['trusted', 'untrusted']);
export type Integrity = z.infer<typeof integritySchema>;
