import type { MessageType } from './envelope.js';
import type { RoleId } from './names.js';

/** Which messages a role may hear and from whom, and which it may send and to whom. */
export interface RoleRoutes {
  readonly receives: Partial<Record<MessageType, readonly RoleId[]>>;
  /** `all` stands for everyone. */
  readonly produces: Partial<Record<MessageType, readonly (RoleId | 'all')[]>>;
}

/**
 * Who may say what: the part of {@link ROLE_CONTRACTS} that every message is held against, without its prose.
 * Progress and RoleFailure are open to every working role: a failure must always find its way to R7.
 */
export const ROLE_ROUTES = {
  R1: {
    receives: { TaskRequest: ['user'], ClarificationReply: ['user'], Stop: ['kernel', 'host'] },
    produces: { TaskSpec: ['R2', 'R7'], ClarificationRequest: ['user'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'] },
  },
  R2: {
    receives: { TaskSpec: ['R1'], PlanDirective: ['R7'], NextMovesRequest: ['R7'], MemoryReply: ['R5'], Stop: ['kernel', 'host'] },
    produces: {
      DispatchManifest: ['dispatcher', 'R4b'], SubTask: ['dispatcher'], MemoryQuery: ['R5'], PlanRejected: ['R7'],
      NextMoves: ['R7'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
  },
  R3: {
    receives: {
      SubTask: ['dispatcher'], CorrectionSignal: ['R4a'], ApprovalReply: ['host'], SubTaskOutcome: ['R4a'], Stop: ['kernel', 'host'],
    },
    produces: {
      ExecutionResult: ['R4a'], ApprovalRequest: ['host'], LawEvent: ['all'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
  },
  R4a: {
    receives: { SubTask: ['dispatcher'], ExecutionResult: ['R3'], Stop: ['kernel', 'host'] },
    produces: {
      CorrectionSignal: ['R3'], SubTaskOutcome: ['R4b', 'dispatcher', 'R3'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'],
    },
  },
  R4b: {
    receives: { DispatchManifest: ['R2'], SubTaskOutcome: ['R4a', 'dispatcher'], Stop: ['kernel', 'host'] },
    produces: { ReplanRequest: ['R7'], OutcomeSummary: ['R7'], RoleFailure: ['R7'], Progress: ['user'], Delta: ['user'] },
  },
  R5: {
    receives: { MemoryQuery: ['R2'], MegramWrite: ['R7', 'dreamer'] },
    produces: { MemoryReply: ['R2'], RoleFailure: ['R7'] },
  },
  R6: {
    receives: { AuditQuery: ['operator'], DreamerAction: ['dreamer'] },
    produces: { AuditReport: ['operator'] },
  },
  R7: {
    receives: {
      TaskSpec: ['R1'], ReplanRequest: ['R4b'], OutcomeSummary: ['R4b'], PlanRejected: ['R2'], NextMoves: ['R2'], LawEvent: ['R3'],
      Stop: ['kernel', 'host'], RoleFailure: ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'dispatcher', 'kernel', 'host', 'user', 'R7'],
    },
    produces: {
      PlanDirective: ['R2'], NextMovesRequest: ['R2'], FinalResult: ['user'], MegramWrite: ['R5'], RoleFailure: ['R7'], Progress: ['user'],
    },
  },
  dreamer: {
    receives: {},
    produces: { MegramWrite: ['R5'], DreamerAction: ['R6'] },
  },
  dispatcher: {
    receives: { DispatchManifest: ['R2'], SubTask: ['R2'], SubTaskOutcome: ['R4a'], Stop: ['kernel', 'host'] },
    produces: { SubTask: ['R3', 'R4a'], SubTaskOutcome: ['R4b'], RoleFailure: ['R7'], Progress: ['user'] },
  },
  host: {
    receives: { ApprovalRequest: ['R3'], LawEvent: ['R3'] },
    produces: { ApprovalReply: ['R3'], Stop: ['all'], RoleFailure: ['R7'] },
  },
  user: {
    receives: {
      ClarificationRequest: ['R1'], FinalResult: ['R7'],
      Progress: ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R7', 'dispatcher'], Delta: ['R1', 'R2', 'R3', 'R4a', 'R4b'],
    },
    produces: { TaskRequest: ['R1'], ClarificationReply: ['R1'], RoleFailure: ['R7'] },
  },
  kernel: {
    receives: {},
    produces: { Stop: ['all'], RoleFailure: ['R7'] },
  },
  operator: {
    receives: { AuditReport: ['R6'] },
    produces: { AuditQuery: ['R6'] },
  },
} as const satisfies Record<RoleId, RoleRoutes>;

/** The routes of a role, under their general type. */
export function routesOf(role: RoleId): RoleRoutes {
  return ROLE_ROUTES[role];
}

/** May `role` send this type, and to that recipient? Undefined when it may; else a sentence that says why not. */
export function refuseToSend(role: RoleId, type: MessageType, to?: RoleId | 'all'): string | undefined {
  const recipients = routesOf(role).produces[type];
  if (!recipients) return `${role} may not send ${type}`;
  if (to !== undefined && !recipients.includes(to) && !recipients.includes('all')) return `${role} may not send ${type} to ${to}`;
  return undefined;
}

/** May `role` hear this type (from that sender)? Undefined when it may; else a sentence that says why not. */
export function refuseToHear(role: RoleId, type: MessageType, from?: RoleId): string | undefined {
  const senders = routesOf(role).receives[type];
  if (!senders) return `${role} may not receive ${type}`;
  if (from !== undefined && !senders.includes(from)) return `${role} may not receive ${type} from ${from}`;
  return undefined;
}
