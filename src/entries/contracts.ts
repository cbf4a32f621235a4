/** The shapes of everything that crosses a border: messages, ports, records, errors. */
export { ArtooError, type ArtooErrorCode, type ArtooErrorOptions } from '../contracts/errors.js';
export {
  effectSchema, failureClassSchema, integritySchema, macroStateSchema, roleIdSchema, stopReasonSchema,
  type Effect, type FailureClass, type Integrity, type MacroState, type RoleId, type StopReason,
} from '../contracts/names.js';
export {
  checkSchema, criterionInputSchema, criterionModeSchema, criterionSchema, criterionVerdictSchema, gradedVerdictSchema,
  type Check, type Criterion, type CriterionInput, type CriterionMode, type CriterionVerdict, type GradedVerdict,
} from '../contracts/criterion.js';
export { toolCallRecordSchema, type ToolCallRecord } from '../contracts/tool-call.js';
export {
  envelopeFrameSchema, isAddressedTo, MESSAGE_VERSION, messageTypes, payloadSchemas,
  type Envelope, type EnvelopeOf, type MessageType, type Payload, type Recipient,
} from '../contracts/envelope.js';
export type {
  ApprovalReply, ApprovalRequest, AuditQuery, AuditReport, Budget, ClarificationReply, ClarificationRequest, ContextTurn, CorrectionSignal,
  Delta, DirectiveName, DispatchManifest, DreamerAction, Evidence, ExecutionResult, Experience, FinalResult, GapAttempt, LawEvent, Limits, Loss, Megram,
  MegramWrite, MemoryAction, MemoryQuery, MemoryReply, MemoryTag, NextMoves, NextMovesRequest, OutcomeSummary, PlanConstraint, PlanDirective,
  PlanInput, PlanRejected, Progress, ReplanRequest, RoleFailure, StepFailure, Stop, SubTask, SubTaskOutcome, TaskRequest, TaskSpec, ToolTarget, Usage,
} from '../contracts/messages.js';
export { ROLE_CONTRACTS, roleContract } from '../contracts/role-contracts.js';
export { refuseToHear, refuseToSend, type RoleRoutes } from '../contracts/role-routes.js';
export type { RoleContract } from '../contracts/roles.js';
export { LAWS, LAWS_TEXT, PERSONA } from '../contracts/laws.js';
export type { Bus, BusFilter, BusObserver, BusReport, BusTap, Draft, RolePort } from '../contracts/bus.js';
export type {
  EffectAddress, EffectKind, Ledger, LedgerBody, LedgerEvent, LedgerKind, LedgerLine, LedgerTask, RecordedError,
} from '../contracts/ledger.js';
export type {
  LLMCallOptions, LLMClient, LLMMessage, LLMReply, LLMRequest, LLMToolCall, LLMToolDescription, LLMUsage,
} from '../contracts/llm.js';
export type {
  Distil, Dreamer, DreamerServices, DreamReport, Embed, MemoryCheck, MemoryFilter, MemoryStore, Potentials, RecallQuery,
} from '../contracts/memory.js';
export type { ApprovalDecision, ApprovalQuestion, Clarify, Confirm } from '../contracts/people.js';
export type { ActResult, Clock, Ids, Lane, RunLimits, Runtime, TaskRuntime, ToolIntent } from '../contracts/runtime.js';
export type {
  JsonSchema, ProbeAnswer, StandardResult, StandardSchema, Tool, ToolContext, ToolProbeContext, Workspace,
} from '../contracts/tool.js';
