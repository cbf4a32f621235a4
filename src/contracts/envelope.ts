import * as z from 'zod/mini';
import * as m from './messages.js';
import { integritySchema, roleIdSchema, type Integrity, type RoleId } from './names.js';

/** The schema of each message's payload, by type. */
export const payloadSchemas = {
  TaskRequest: m.taskRequestSchema,
  TaskSpec: m.taskSpecSchema,
  ClarificationRequest: m.clarificationRequestSchema,
  ClarificationReply: m.clarificationReplySchema,
  MemoryQuery: m.memoryQuerySchema,
  MemoryReply: m.memoryReplySchema,
  SubTask: m.subTaskSchema,
  DispatchManifest: m.dispatchManifestSchema,
  PlanRejected: m.planRejectedSchema,
  Stop: m.stopSchema,
  RoleFailure: m.roleFailureSchema,
  ApprovalRequest: m.approvalRequestSchema,
  ApprovalReply: m.approvalReplySchema,
  NextMovesRequest: m.nextMovesRequestSchema,
  NextMoves: m.nextMovesSchema,
  ExecutionResult: m.executionResultSchema,
  CorrectionSignal: m.correctionSignalSchema,
  SubTaskOutcome: m.subTaskOutcomeSchema,
  ReplanRequest: m.replanRequestSchema,
  OutcomeSummary: m.outcomeSummarySchema,
  PlanDirective: m.planDirectiveSchema,
  FinalResult: m.finalResultSchema,
  MegramWrite: m.megramWriteSchema,
  DreamerAction: m.dreamerActionSchema,
  LawEvent: m.lawEventSchema,
  Progress: m.progressSchema,
  Delta: m.deltaSchema,
  AuditQuery: m.auditQuerySchema,
  AuditReport: m.auditReportSchema,
} as const;

export type MessageType = keyof typeof payloadSchemas;
/** The payload of a message type. */
export type Payload<T extends MessageType> = z.infer<(typeof payloadSchemas)[T]>;
export const messageTypes = Object.keys(payloadSchemas) as readonly MessageType[];

/** One role, several, or everyone. */
export type Recipient = RoleId | 'all' | readonly RoleId[];

/** The version of envelopes and payloads that this library writes. */
export const MESSAGE_VERSION = 1;

/**
 * What travels on the bus. `seq` is per task and gapless (Progress and Delta carry none), `at` is in epoch ms,
 * `causeId` is the message that this one answers, `integrity` is set by the kernel. Frozen, never shared mutable.
 */
export interface EnvelopeOf<T extends MessageType> {
  readonly v: number;
  readonly id: string;
  readonly type: T;
  readonly from: RoleId;
  readonly to: Recipient;
  readonly taskId: string;
  readonly seq?: number;
  readonly at: number;
  readonly causeId?: string;
  readonly integrity: Integrity;
  readonly replayed?: boolean;
  readonly payload: Payload<T>;
}
/** Any message: a union on `type`. */
export type Envelope<T extends MessageType = MessageType> = { [K in T]: EnvelopeOf<K> }[T];

/** The frame of an envelope; the payload is checked with the schema of its type. */
export const envelopeFrameSchema = z.object({
  v: z.number(),
  id: z.string(),
  type: z.string(),
  from: roleIdSchema,
  to: z.union([roleIdSchema, z.literal('all'), z.array(roleIdSchema)]),
  taskId: z.string(),
  seq: z.optional(z.number()),
  at: z.number(),
  causeId: z.optional(z.string()),
  integrity: integritySchema,
  replayed: z.optional(z.boolean()),
  payload: z.unknown(),
});

/** True when the envelope is meant for that role. */
export function isAddressedTo(envelope: { readonly to: Recipient }, role: RoleId): boolean {
  const { to } = envelope;
  return to === role || to === 'all' || (typeof to === 'object' && to.includes(role));
}
