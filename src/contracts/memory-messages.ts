import * as z from 'zod/mini';

const text = z.string();
const texts = z.array(z.string());
const count = z.number();

export const memoryTagSchema = z.object({ space: text, entity: z.optional(text) });
export type MemoryTag = z.infer<typeof memoryTagSchema>;
/** `intent` is the text whose relatives are looked up as well; `tools` are those that the plan may still use. */
export const memoryQuerySchema = z.object({ tags: z.array(memoryTagSchema), intent: z.optional(text), tools: z.optional(texts) });
export type MemoryQuery = z.infer<typeof memoryQuerySchema>;
export const memoryActionSchema = z.enum(['ignore', 'exploit', 'avoid', 'caution']);
export type MemoryAction = z.infer<typeof memoryActionSchema>;
export const planConstraintSchema = z.object({
  kind: z.enum(['prefer', 'must_not', 'caution']),
  text: text,
  tool: z.optional(text),
  target: z.optional(text),
  source: z.optional(text),
  /** The entries that speak for it most: a few, strongest first. */
  megramIds: z.optional(texts),
});
export type PlanConstraint = z.infer<typeof planConstraintSchema>;

export const toolTargetsSchema = z.array(z.object({ tool: text, target: text }));
export type ToolTarget = z.infer<typeof toolTargetsSchema>[number];

export const memoryRuleSchema = z.object({ tag: memoryTagSchema, content: text, sigma: count });
export const memoryPotentialSchema = z.object({ tag: memoryTagSchema, attention: count, decision: count, action: memoryActionSchema });
export const memoryBansSchema = z.object({ tools: texts, targets: texts, pairs: toolTargetsSchema });
export const memoryReplySchema = z.object({
  sops: z.array(memoryRuleSchema),
  potentials: z.array(memoryPotentialSchema),
  /** At most ten, the weightiest. A MUST NOT with a tool and a target forbids the two together. */
  constraints: z.array(planConstraintSchema),
  /** All that code refuses, also what found no place among the constraints. */
  mustNot: z.optional(memoryBansSchema),
  /** What earlier tasks left behind: data, never instructions. */
  lessons: z.optional(texts),
  /** `lessonIds[i]` names the entry that `lessons[i]` tells. */
  lessonIds: z.optional(texts),
  /** Conflicts and what became of them; why memory could not be asked. */
  log: z.optional(texts),
  /** True when some of it comes from text that nobody vouched for. */
  untrusted: z.optional(z.boolean()),
  /** Where that text came from, as far as it is known. */
  influencedBy: z.optional(texts),
});
export type MemoryReply = z.infer<typeof memoryReplySchema>;

/**
 * A piece of experience that a plan goes by: a MUST NOT or CAUTION that code holds every plan to, or a recommendation or
 * lesson that the plan names as a reason. `text` is what the planner was shown.
 */
export const experienceSchema = z.object({ kind: z.enum(['prefer', 'must_not', 'caution', 'lesson']), text: text, megramIds: texts });
export type Experience = z.infer<typeof experienceSchema>;
