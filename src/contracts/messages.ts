import * as z from 'zod/mini';
import { experienceSchema, toolTargetsSchema } from './memory-messages.js';
import { criterionSchema, criterionVerdictSchema, gradedVerdictSchema } from './criterion.js';
import { effectSchema, failureClassSchema, roleIdSchema, stopReasonSchema } from './names.js';
import { toolCallRecordSchema } from './tool-call.js';

const text = z.string();
const texts = z.array(z.string());
const count = z.number();

/** Hard limits of one run. `timeMs` is a deadline and Ω's denominator; `money` is in the unit of the host's prices. */
export const budgetSchema = z.object({
  timeMs: z.optional(z.number().check(z.positive())),
  tokens: z.optional(z.number().check(z.positive())),
  calls: z.optional(z.number().check(z.positive())),
  money: z.optional(z.number().check(z.positive())),
});
export type Budget = z.infer<typeof budgetSchema>;

/**
 * Caps of one run: subtasks at once, subtasks in a plan, tool calls in an attempt, corrections of a subtask; how long
 * one model call may take and how often it is tried again; after how long of nothing at all a run counts as stalled; how
 * long a question for permission can be answered.
 */
export const limitsSchema = z.object({
  parallel: z.optional(z.int().check(z.positive())),
  subtasks: z.optional(z.int().check(z.positive())),
  toolCalls: z.optional(z.int().check(z.positive())),
  maxRetries: z.optional(z.int().check(z.nonnegative())),
  callTimeoutMs: z.optional(z.number().check(z.positive())),
  callRetries: z.optional(z.int().check(z.nonnegative())),
  stallMs: z.optional(z.number().check(z.positive())),
  approvalMs: z.optional(z.number().check(z.positive())),
});
export type Limits = z.infer<typeof limitsSchema>;

/** An earlier exchange that a follow-up may refer to. */
export const contextTurnSchema = z.union([text, z.object({ input: text, output: z.optional(z.unknown()) })]);
export type ContextTurn = z.infer<typeof contextTurnSchema>;

/** A plan as a host may hand it in and as R2's model writes it. */
export const planInputSchema = z.object({
  taskCriteria: z.array(z.unknown()),
  subtasks: z.array(z.unknown()),
});
export type PlanInput = z.infer<typeof planInputSchema>;

export const taskRequestSchema = z.object({
  taskId: text,
  input: text,
  intent: z.optional(text),
  slug: z.optional(text),
  plan: z.optional(planInputSchema),
  context: z.array(contextTurnSchema),
  criteria: z.array(criterionSchema),
  tools: texts,
  budget: budgetSchema,
  limits: limitsSchema,
});
export type TaskRequest = z.infer<typeof taskRequestSchema>;

export const taskSpecSchema = z.object({
  taskId: text,
  slug: text,
  intent: text,
  constraints: z.object({ scope: z.nullable(text), deadline: z.nullable(text) }),
  /** The user's words, set by code whatever a model wrote. */
  rawInput: text,
  /** Who worded the intent: the model, the host, or code because the model's reading was unusable. */
  readBy: z.optional(z.enum(['model', 'host', 'code'])),
  callerCriteria: z.array(criterionSchema),
  /** Earlier turns, as the host handed them in: what they say counts as given. */
  context: z.optional(z.array(contextTurnSchema)),
  /** A plan that the host handed in: spares the planner's call on the first round. */
  plan: z.optional(planInputSchema),
  tools: texts,
  budget: budgetSchema,
});
export type TaskSpec = z.infer<typeof taskSpecSchema>;

export const clarificationRequestSchema = z.object({ questions: texts, round: count });
export type ClarificationRequest = z.infer<typeof clarificationRequestSchema>;
/** `answers[i]` answers `questions[i]`; an empty list or text means: go on as you understand it. */
export const clarificationReplySchema = z.object({ answers: texts, round: count });
export type ClarificationReply = z.infer<typeof clarificationReplySchema>;

export const subTaskSchema = z.object({
  subtaskId: text,
  parentTaskId: text,
  round: count,
  /** Place in the manifest: whatever comes from parallel work is ordered by it. */
  index: count,
  intent: text,
  successCriteria: z.array(criterionSchema),
  context: text,
  deadline: z.nullable(text),
  sequence: z.int(),
  /** The allow-list. */
  tools: texts,
  targets: z.optional(texts),
  blockedTools: texts,
  blockedTargets: texts,
  /** Blocked together only: where blocking the tool would leave the run without one. */
  blockedPairs: toolTargetsSchema,
  cautionTools: texts,
});
export type SubTask = z.infer<typeof subTaskSchema>;

export const dispatchManifestSchema = z.object({
  taskId: text,
  round: count,
  subtaskIds: texts,
  keptSubtaskIds: texts,
  taskSpec: taskSpecSchema,
  dispatchedAt: text,
  taskCriteria: z.array(criterionSchema),
  /** What of memory the plan goes by. Absent: nothing. */
  experience: z.optional(z.array(experienceSchema)),
});
export type DispatchManifest = z.infer<typeof dispatchManifestSchema>;

export const planRejectedSchema = z.object({
  taskSpec: taskSpecSchema,
  code: z.enum(['rejected', 'infrastructure', 'budget']),
  message: text,
  round: count,
});
export type PlanRejected = z.infer<typeof planRejectedSchema>;



export const approvalRequestSchema = z.object({
  approvalId: text,
  fingerprint: text,
  subtaskId: text,
  tool: text,
  input: z.unknown(),
  effect: effectSchema,
  target: text,
  reason: text,
  preview: text,
  /** Where untrusted text came from that may have led to this call: tools and their targets. */
  influencedBy: z.optional(texts),
  /** Epoch ms; an answer after that is refused, and the question put again. */
  expiresAt: z.optional(count),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;
export const approvalReplySchema = z.object({
  approvalId: text,
  fingerprint: text,
  decision: z.enum(['allow', 'deny', 'allow-for-task', 'later']),
  reason: z.optional(text),
});
export type ApprovalReply = z.infer<typeof approvalReplySchema>;

export const toolFailureSchema = z.object({
  code: text,
  class: failureClassSchema,
  /** True when the step could not be carried out at all: it ends the subtask without spending corrections. */
  infrastructure: z.boolean(),
});
export type StepFailure = z.infer<typeof toolFailureSchema>;

export const executionResultSchema = z.object({
  subtaskId: text,
  attempt: count,
  status: z.enum(['completed', 'failed']),
  output: z.unknown(),
  toolCalls: z.array(toolCallRecordSchema),
  failure: z.optional(toolFailureSchema),
  infeasible: z.optional(z.boolean()),
});
export type ExecutionResult = z.infer<typeof executionResultSchema>;

export const correctionSignalSchema = z.object({
  subtaskId: text,
  attemptNumber: count,
  failedCriterion: text,
  failureClass: failureClassSchema,
  whatWasWrong: text,
  whatToDo: text,
});
export type CorrectionSignal = z.infer<typeof correctionSignalSchema>;

export const gapAttemptSchema = z.object({
  attempt: count,
  failedCriteria: z.array(z.object({ criterion: text, failureClass: z.optional(failureClassSchema) })),
});
export type GapAttempt = z.infer<typeof gapAttemptSchema>;

export const subTaskOutcomeSchema = z.object({
  subtaskId: text,
  parentTaskId: text,
  status: z.enum(['matched', 'failed']),
  output: z.unknown(),
  failureReason: z.nullable(text),
  criteriaVerdicts: z.array(criterionVerdictSchema),
  gapTrajectory: z.array(gapAttemptSchema),
  toolCalls: z.array(toolCallRecordSchema),
  /** What was asked for, so that reports need no id. */
  intent: z.optional(text),
  /** True for a subtask that never started because an earlier group failed. */
  skipped: z.optional(z.boolean()),
});
export type SubTaskOutcome = z.infer<typeof subTaskOutcomeSchema>;

/** `outcomes`: what had been achieved when the stop came, so that it is not lost. The kernel adds it. */
export const stopSchema = z.object({ reason: stopReasonSchema, message: text, outcomes: z.optional(z.array(subTaskOutcomeSchema)) });
export type Stop = z.infer<typeof stopSchema>;

export const roleFailureSchema = z.object({
  taskSpec: z.optional(taskSpecSchema),
  role: roleIdSchema,
  stage: text,
  code: text,
  message: text,
  outcomes: z.optional(z.array(subTaskOutcomeSchema)),
});
export type RoleFailure = z.infer<typeof roleFailureSchema>;

const roundResult = {
  taskId: text,
  round: count,
  taskSpec: taskSpecSchema,
  mergedOutput: z.optional(z.unknown()),
  taskVerdicts: z.array(criterionVerdictSchema),
  /** Every task criterion of the manifest, judged or not. */
  taskCriteria: z.array(criterionSchema),
  outcomes: z.array(subTaskOutcomeSchema),
  elapsedMs: count,
};
export const replanRequestSchema = z.object({
  ...roundResult,
  stage: z.enum(['gate', 'merge']),
  gapSummary: text,
  failedSubtasks: texts,
  correctionCount: count,
  recommendation: z.enum(['replan', 'abandon']),
});
export type ReplanRequest = z.infer<typeof replanRequestSchema>;
export const outcomeSummarySchema = z.object({ ...roundResult, summary: text });
export type OutcomeSummary = z.infer<typeof outcomeSummarySchema>;

export const lossSchema = z.object({ D: count, P: count, Omega: count, L: count });
export type Loss = z.infer<typeof lossSchema>;

const directiveName = z.enum(['break_symmetry', 'change_approach', 'change_path', 'refine']);
const previousDirective = z.enum(['init', 'break_symmetry', 'change_approach', 'change_path', 'refine']);
export type DirectiveName = z.infer<typeof directiveName>;

export const planDirectiveSchema = z.object({
  taskId: text,
  round: count,
  taskSpec: taskSpecSchema,
  directive: directiveName,
  prevDirective: previousDirective,
  loss: lossSchema,
  gradL: count,
  gradGoal: count,
  blockedTools: texts,
  blockedTargets: texts,
  blockedPairs: toolTargetsSchema,
  failedCriterion: z.nullable(text),
  failureClass: z.enum(['logical', 'environmental', 'mixed']),
  budgetPressure: count,
  urgency: z.enum(['low', 'normal', 'high']),
  rationale: text,
  /** Facts that may help to find another path: siblings listed, "did you mean". */
  hints: texts,
  /** The outcomes of the failed round: matched ones may be kept, failed ones must not be repeated. */
  outcomes: z.array(subTaskOutcomeSchema),
});
export type PlanDirective = z.infer<typeof planDirectiveSchema>;

export const nextMovesRequestSchema = z.object({
  taskSpec: taskSpecSchema,
  reason: text,
  done: texts,
  failed: z.array(z.object({ what: text, why: text })),
});
export type NextMovesRequest = z.infer<typeof nextMovesRequestSchema>;
/** `from` says who wrote the moves: the model, or a template because the model couldn't be asked. */
export const nextMovesSchema = z.object({ moves: texts, from: z.enum(['model', 'template']) });
export type NextMoves = z.infer<typeof nextMovesSchema>;

export const lawEventSchema = z.object({
  law: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  what: text,
  decision: text,
  tool: z.optional(text),
  target: z.optional(text),
});
export type LawEvent = z.infer<typeof lawEventSchema>;

const roleUsage = z.object({ calls: count, inputTokens: count, outputTokens: count, cachedTokens: count });
/**
 * What a run cost. `sequentialDepth`: model calls on the longest chain of calls that waited for each other.
 * `estimated`: true when a client reported no usage and tokens were estimated from text length.
 */
export const usageSchema = z.object({
  calls: count,
  sequentialDepth: count,
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  estimated: z.boolean(),
  toolCalls: count,
  elapsedMs: count,
  money: z.optional(count),
  perRole: z.record(z.string(), roleUsage),
});
export type Usage = z.infer<typeof usageSchema>;

export const evidenceSchema = z.object({ criterion: text, evidence: text, by: z.optional(text) });
export type Evidence = z.infer<typeof evidenceSchema>;

/** The one message that ends a run. R7 emits it; the kernel stamps `usage`. */
export const finalResultSchema = z.object({
  taskId: text,
  directive: z.enum(['accept', 'success', 'abandon']),
  reason: z.optional(stopReasonSchema),
  summary: text,
  /** Null on abandon. */
  output: z.unknown(),
  unmet: z.array(z.object({ criterion: text, why: text })),
  /** On abandon: what the matched subtasks did achieve. */
  partial: z.optional(z.array(z.object({ intent: text, output: z.unknown() }))),
  nextMoves: texts,
  loss: lossSchema,
  gradL: count,
  /** Directives issued. */
  replans: count,
  prevDirective: previousDirective,
  evidence: z.array(evidenceSchema),
  /** Numbers, paths, URLs and quotations of the output that no tool, input or caller showed. */
  ungrounded: texts,
  usage: usageSchema,
  lawEvents: z.array(lawEventSchema),
});
export type FinalResult = z.infer<typeof finalResultSchema>;

export const megramSchema = z.object({
  id: text,
  level: z.enum(['M', 'K', 'C', 'T']),
  createdAt: count,
  lastRecalledAt: z.nullable(count),
  space: text,
  entity: text,
  content: text,
  state: text,
  f: count.check(z.minimum(0), z.maximum(1)),
  sigma: count.check(z.minimum(-1), z.maximum(1)),
  k: count.check(z.minimum(0)),
  /**
   * `influencedBy`: what stands behind it beside its writer. For an untrusted entry where the text came from, tools with
   * their targets, also by way of other memories; for a rule whose entries it was made of.
   */
  origin: z.object({ taskId: text, integrity: z.enum(['trusted', 'untrusted']), source: text, influencedBy: z.optional(texts) }),
});
/** One memory (paper §6.2). Times in epoch ms, `k` per day. */
export type Megram = z.infer<typeof megramSchema>;
export const megramWriteSchema = z.object({ megram: megramSchema });
export type MegramWrite = z.infer<typeof megramWriteSchema>;

const changedMegram = z.array(z.object({ id: text, why: text }));
export const dreamerActionSchema = z.object({ forgotten: changedMegram, demoted: changedMegram, promoted: changedMegram });
export type DreamerAction = z.infer<typeof dreamerActionSchema>;

/** One line for people. */
export const progressSchema = z.object({ text: text, subtaskId: z.optional(text) });
export type Progress = z.infer<typeof progressSchema>;
/** Streamed model text. */
export const deltaSchema = z.object({ text: text, subtaskId: z.optional(text) });
export type Delta = z.infer<typeof deltaSchema>;
export const auditQuerySchema = z.object({ window: z.optional(text) });
export type AuditQuery = z.infer<typeof auditQuerySchema>;
export const auditReportSchema = z.looseObject({ window: text });
export type AuditReport = z.infer<typeof auditReportSchema>;

export {
  experienceSchema, memoryActionSchema, memoryQuerySchema, memoryReplySchema, memoryTagSchema, planConstraintSchema,
  type Experience, type MemoryAction, type MemoryQuery, type MemoryReply, type MemoryTag, type PlanConstraint, type ToolTarget,
} from './memory-messages.js';
export type { GradedVerdict } from './criterion.js';
export { gradedVerdictSchema };
