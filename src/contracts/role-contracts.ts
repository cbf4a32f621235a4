import type { MessageType } from './envelope.js';
import type { RoleId } from './names.js';
import type { RoleContract } from './roles.js';

const outside = 'outside both loops';

/**
 * Who may say what. The single source of the ports' types, the runtime check, the Auditor's rule and docs/roles.md.
 * Progress and RoleFailure are open to every role: a failure must always find its way to R7.
 */
export const ROLE_CONTRACTS = {
  R1: {
    name: 'Perceiver', livesIn: 'entry point', loopPosition: 'reference signal',
    mission: 'Carry what the user wants into the system faithfully: receive it, never resolve it.',
    receives: { TaskRequest: ['user'], ClarificationReply: ['user'], Stop: ['kernel', 'host'] },
    produces: { TaskSpec: ['R2', 'R7'], ClarificationRequest: ['user'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'] },
    doesNot: ['resolve ambiguity', 'write criteria', 'read memory'],
    accountableFor: "the user's intent not reaching the TaskSpec",
  },
  R2: {
    name: 'Planner', livesIn: 'metaagent', loopPosition: 'actuator of the medium loop',
    mission: 'Interpret the intent as criteria that can fail, and own the path to meeting them.',
    receives: { TaskSpec: ['R1'], PlanDirective: ['R7'], NextMovesRequest: ['R7'], MemoryReply: ['R5'], Stop: ['kernel', 'host'] },
    produces: {
      DispatchManifest: ['dispatcher', 'R4b'], SubTask: ['dispatcher'], MemoryQuery: ['R5'], PlanRejected: ['R7'],
      NextMoves: ['R7'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
    doesNot: ['carry out actions', 'judge output', 'compute the loss', 'answer break_symmetry with a near-identical plan'],
    accountableFor: 'a goal missed although the execution was valid; criteria that mistake the intent',
  },
  R3: {
    name: 'Executor', livesIn: 'effector agent', loopPosition: 'plant of the fast loop',
    mission: 'Carry out exactly one subtask with the tools it was given and say truthfully what came of it.',
    receives: {
      SubTask: ['dispatcher'], CorrectionSignal: ['R4a'], ApprovalReply: ['host'], SubTaskOutcome: ['R4a'], Stop: ['kernel', 'host'],
    },
    produces: {
      ExecutionResult: ['R4a'], ApprovalRequest: ['host'], LawEvent: ['all'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
    doesNot: ['see another subtask', 'read memory', 'use a tool outside its allow-list', 'judge its own result'],
    accountableFor: 'a feasible subtask not carried out correctly',
  },
  R4a: {
    name: 'Agent-Validator', livesIn: 'effector agent', loopPosition: 'sensor and controller of the fast loop',
    mission: "Judge each criterion alone on quoted evidence and close the gap between the output and the subtask's goal.",
    receives: { SubTask: ['dispatcher'], ExecutionResult: ['R3'], Stop: ['kernel', 'host'] },
    produces: {
      CorrectionSignal: ['R3'], SubTaskOutcome: ['R4b', 'dispatcher', 'R3'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
    doesNot: ['carry out actions', 'see another subtask', 'take a claim for evidence'],
    accountableFor: 'a gap between output and goal that goes unreported',
  },
  R4b: {
    name: 'Meta-Validator', livesIn: 'metaagent', loopPosition: 'sensor of the medium loop',
    mission: 'Let nothing through that failed, merge what passed, and verify the whole against the criteria and the intent.',
    receives: { DispatchManifest: ['R2'], SubTaskOutcome: ['R4a', 'dispatcher'], Stop: ['kernel', 'host'] },
    produces: { ReplanRequest: ['R7'], OutcomeSummary: ['R7'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'] },
    doesNot: ['compute loss or gradient', 'talk to R2', 'override the gate'],
    accountableFor: 'a failed subtask or a result outside the intent that was accepted',
  },
  R5: {
    name: 'Shared Memory', livesIn: 'infrastructure', loopPosition: 'state store',
    mission: 'Keep experience truthfully and give it back at constant cost.',
    receives: { MemoryQuery: ['R2'], MegramWrite: ['R7', 'dreamer'] },
    produces: { MemoryReply: ['R2'], RoleFailure: ['R7'] },
    doesNot: ['decide anything', 'answer anyone but R2', 'take writes from anyone but R7 and the Dreamer'],
    accountableFor: 'experience lost or wrongly returned',
  },
  R6: {
    name: 'Auditor', livesIn: 'infrastructure', loopPosition: outside,
    mission: 'Watch every message and report to the human operator alone.',
    receives: { AuditQuery: ['operator'], DreamerAction: ['dreamer'] },
    produces: { AuditReport: ['operator'] },
    doesNot: ['speak to any agent', 'take instructions from any agent'],
    accountableFor: 'systematic failures that the operator never hears of',
  },
  R7: {
    name: 'Goal Gradient Solver', livesIn: 'metaagent', loopPosition: 'controller of the medium loop',
    mission: 'Turn verdicts into a loss, its movement into a macro-state, and that into the constraints of the next plan.',
    receives: {
      TaskSpec: ['R1'], ReplanRequest: ['R4b'], OutcomeSummary: ['R4b'], PlanRejected: ['R2'], NextMoves: ['R2'], LawEvent: ['R3'],
      Stop: ['kernel', 'host'], RoleFailure: ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'dispatcher', 'kernel', 'host', 'user', 'R7'],
    },
    produces: {
      PlanDirective: ['R2'], NextMovesRequest: ['R2'], FinalResult: ['user'], MegramWrite: ['R5'], RoleFailure: ['R7'], Progress: ['user'],
    },
    doesNot: ['plan', 'watch single tool calls', 'merge or verify outputs', 'override the gate'],
    accountableFor: 'a replanning direction that is wrong, or a local minimum that is not left',
  },
  dreamer: {
    name: 'Dreamer', livesIn: 'infrastructure', loopPosition: 'slow loop',
    mission: 'Turn many experiences into few rules, and forget what no longer counts.',
    receives: {},
    produces: { MegramWrite: ['R5'], DreamerAction: ['R6'] },
    doesNot: ['touch a running task'],
    accountableFor: 'rules that reality contradicts',
  },
  dispatcher: {
    name: 'Dispatcher', livesIn: 'metaagent', loopPosition: 'between actuator and plant',
    mission: 'Start subtasks in their order, in parallel where they may, and feed each group what the one before found.',
    receives: { DispatchManifest: ['R2'], SubTask: ['R2'], SubTaskOutcome: ['R4a'], Stop: ['kernel', 'host'] },
    produces: { SubTask: ['R3', 'R4a'], SubTaskOutcome: ['R4b'], RoleFailure: ['R7'], Progress: ['user'] },
    doesNot: ['change a subtask but for its context', 'judge'],
    accountableFor: 'a fan-in that never completes',
  },
  host: {
    name: 'Host', livesIn: 'outside', loopPosition: outside,
    mission: 'The program that embeds artoo: answers approvals, may stop a task.',
    receives: { ApprovalRequest: ['R3'], LawEvent: ['R3'] },
    produces: { ApprovalReply: ['R3'], Stop: ['all'], RoleFailure: ['R7'] },
    doesNot: [], accountableFor: 'authorizing what cannot be undone',
  },
  user: {
    name: 'User', livesIn: 'outside', loopPosition: outside,
    mission: 'Asks, answers questions, receives the result.',
    receives: {
      ClarificationRequest: ['R1'], FinalResult: ['R7'],
      Progress: ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R7', 'dispatcher'], Delta: ['R1', 'R2', 'R3', 'R4a', 'R4b'],
    },
    produces: { TaskRequest: ['R1'], ClarificationReply: ['R1'], RoleFailure: ['R7'] },
    doesNot: [], accountableFor: 'wanting something',
  },
  kernel: {
    name: 'Kernel', livesIn: 'infrastructure', loopPosition: outside,
    mission: 'Begins, stops and ends runs; records; grants budgets.',
    receives: {}, produces: { Stop: ['all'], RoleFailure: ['R7'] },
    doesNot: ['decide about a result'], accountableFor: 'a run that hangs or ends twice',
  },
  operator: {
    name: 'Operator', livesIn: 'outside', loopPosition: outside,
    mission: 'The human the Auditor answers to.',
    receives: { AuditReport: ['R6'] }, produces: { AuditQuery: ['R6'] },
    doesNot: [], accountableFor: 'reading the report',
  },
} as const satisfies Record<RoleId, RoleContract>;

/** The contract of a role, under its general type. */
export function roleContract(role: RoleId): RoleContract {
  return ROLE_CONTRACTS[role];
}

/** May `role` send this type, and to that recipient? Undefined when it may; else a sentence that says why not. */
export function refuseToSend(role: RoleId, type: MessageType, to?: RoleId | 'all'): string | undefined {
  const recipients = roleContract(role).produces[type];
  if (!recipients) return `${role} may not send ${type}`;
  if (to !== undefined && !recipients.includes(to) && !recipients.includes('all')) return `${role} may not send ${type} to ${to}`;
  return undefined;
}

/** May `role` hear this type (from that sender)? Undefined when it may; else a sentence that says why not. */
export function refuseToHear(role: RoleId, type: MessageType, from?: RoleId): string | undefined {
  const senders = roleContract(role).receives[type];
  if (!senders) return `${role} may not receive ${type}`;
  if (from !== undefined && !senders.includes(from)) return `${role} may not receive ${type} from ${from}`;
  return undefined;
}
