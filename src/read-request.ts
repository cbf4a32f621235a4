import * as z from 'zod/mini';
import { criterionInputSchema } from './contracts/criterion.js';
import { ArtooError } from './contracts/errors.js';
import { describeIssues } from './text/describe-issues.js';
import { budgetSchema, contextTurnSchema, limitsSchema, planInputSchema, type TaskRequest } from './contracts/messages.js';
import { toCriterion } from './roles/to-criterion.js';

/** A task's words, in characters. No model takes more, and every message of the run would carry them. */
const LONGEST_INPUT = 1_000_000;

const requestSchema = z.strictObject({
  input: z.string().check(
    z.refine((text) => text.trim() !== '', 'is empty: say what is to be done'),
    z.refine((text) => text.length <= LONGEST_INPUT, `is longer than ${LONGEST_INPUT} characters: put long material into a file and name it`),
  ),
  intent: z.optional(z.string().check(z.minLength(1))),
  slug: z.optional(z.string()),
  plan: z.optional(planInputSchema),
  context: z.optional(z.array(contextTurnSchema)),
  criteria: z.optional(z.array(criterionInputSchema)),
  tools: z.optional(z.array(z.unknown())),
  budget: z.optional(z.strictObject(budgetSchema.shape)),
  limits: z.optional(z.strictObject(limitsSchema.shape)),
  signal: z.optional(z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal')),
  hyperparameters: z.optional(z.record(z.string(), z.unknown())),
  stream: z.optional(z.boolean()),
});

/** Checks what a host hands to `run`; throws ARTOO_INVALID_ARGUMENT that names each field that is wrong. */
export function readRequest(taskId: string, options: unknown, tools: readonly string[]): TaskRequest {
  if (isBareTask(options)) return { taskId, input: options.input, context: [], criteria: [], tools: [...tools], budget: {}, limits: {} };
  const parsed = z.safeParse(requestSchema, options);
  if (!parsed.success) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `run() was called with something it can't use.\n${describeIssues(parsed.error.issues)}`, {
      cause: parsed.error, hint: "Call run('what to do') or run({ input: 'what to do', … }).",
    });
  }
  const { input, intent, slug, plan, context, criteria, budget, limits } = parsed.data;
  return {
    taskId, input,
    ...(intent === undefined ? {} : { intent }), ...(slug === undefined ? {} : { slug }), ...(plan === undefined ? {} : { plan }),
    context: context ?? [],
    criteria: (criteria ?? []).map((criterion) => ({ ...toCriterion(criterion), required: true })),
    tools: [...tools],
    budget: defined(budget ?? {}),
    limits: defined(limits ?? {}),
  };
}

/** Nothing but words: the common case, and nothing to check beyond that. */
function isBareTask(options: unknown): options is { readonly input: string } {
  if (typeof options !== 'object' || options === null) return false;
  const { input } = options as { readonly input?: unknown };
  return typeof input === 'string' && input.trim() !== '' && input.length <= LONGEST_INPUT && Object.keys(options).length === 1;
}

/** The object without keys whose value is undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
