import * as z from 'zod/mini';
import type { KnownSchema } from '../llm/known-schema.js';
import { modelVerdictSchema } from './judging/verdict-schema.js';
import { perceptionSchema } from './perception-schema.js';
import { planSchema } from './plan-schema.js';

/**
 * The replies of the roles, with their JSON Schemas written out: deriving them takes more code than all roles together
 * and would weigh on the main door. A test holds each to what would be derived.
 */

type Json = Readonly<Record<string, unknown>>;
const TEXT: Json = { type: 'string' };
const TEXT_OR_NULL: Json = { type: ['string', 'null'] };
const TEXTS: Json = { type: 'array', items: TEXT };
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] });
const object = (properties: Json, required?: readonly string[]): Json => ({ type: 'object', properties, ...(required ? { required } : {}) });

const CRITERIA: Json = {
  type: 'array',
  items: {
    anyOf: [TEXT, object({
      criterion: TEXT,
      mode: { type: 'string', enum: ['verifiable', 'plausible'] },
      about: { type: 'string', enum: ['world', 'result'] },
      weight: { type: 'number', exclusiveMinimum: 0 },
      check: { ...object({ type: TEXT }, ['type']), additionalProperties: {} },
      required: { type: 'boolean' },
    }, ['criterion'])],
  },
};

export const PERCEPTION: KnownSchema<z.infer<typeof perceptionSchema>> = {
  name: 'perception', schema: perceptionSchema,
  jsonSchema: object({
    slug: TEXT_OR_NULL,
    intent: { type: 'string', minLength: 1 },
    constraints: orNull(object({ scope: TEXT_OR_NULL, deadline: TEXT_OR_NULL })),
    questions: orNull(TEXTS),
  }, ['intent']),
};

export const PLAN: KnownSchema<z.infer<typeof planSchema>> = {
  name: 'plan', schema: planSchema,
  jsonSchema: object({
    taskCriteria: CRITERIA,
    subtasks: {
      type: 'array',
      items: object({
        intent: TEXT, successCriteria: CRITERIA, context: TEXT_OR_NULL, sequence: { type: 'number' }, tools: TEXTS, targets: orNull(TEXTS),
      }, ['intent', 'successCriteria', 'sequence', 'tools']),
    },
    keep: orNull({ type: 'array', items: { type: 'number' } }),
    infeasible: TEXT_OR_NULL,
    memory: orNull({ type: 'array', items: { type: 'number' } }),
  }, ['taskCriteria', 'subtasks']),
};

const nextMovesSchema = z.object({ moves: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)) });
export const NEXT_MOVES: KnownSchema<z.infer<typeof nextMovesSchema>> = {
  name: 'next_moves', schema: nextMovesSchema,
  jsonSchema: object({ moves: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } } }, ['moves']),
};

const VERDICTS: Json = {
  type: 'array',
  items: object({
    index: { type: ['number', 'null'] }, criterion: TEXT_OR_NULL, verdict: { type: 'string', enum: ['pass', 'fail'] },
    evidence: TEXT_OR_NULL, failureClass: TEXT_OR_NULL,
  }, ['verdict']),
};

const judgementSchema = z.object({
  verdicts: z.array(modelVerdictSchema),
  whatWasWrong: z.optional(z.nullable(z.string())),
  whatToDo: z.optional(z.nullable(z.string())),
});
export const JUDGEMENT: KnownSchema<z.infer<typeof judgementSchema>> = {
  name: 'judgement', schema: judgementSchema,
  jsonSchema: object({ verdicts: VERDICTS, whatWasWrong: TEXT_OR_NULL, whatToDo: TEXT_OR_NULL }, ['verdicts']),
};

const mergeSchema = z.object({
  summary: z.string(),
  mergedOutput: z.unknown(),
  verdicts: z.optional(z.nullable(z.array(modelVerdictSchema))),
});
export type Merge = z.infer<typeof mergeSchema>;
export const MERGE: KnownSchema<Merge> = {
  name: 'merged_result', schema: mergeSchema,
  jsonSchema: object({ summary: TEXT, mergedOutput: {}, verdicts: orNull(VERDICTS) }, ['summary', 'mergedOutput']),
};
