import type { RoleId } from './names.js';
import { ROLE_ROUTES } from './role-routes.js';
import type { RoleContract } from './roles.js';

const outside = 'outside both loops';

/**
 * Who may say what. The single source of the ports' types, the runtime check, the Auditor's rule and docs/roles.md.
 * Progress and RoleFailure are open to every role: a failure must always find its way to R7.
 */
export const ROLE_CONTRACTS = {
  R1: {
    ...ROLE_ROUTES.R1,
    name: 'Perceiver', livesIn: 'entry point', loopPosition: 'reference signal',
    mission: 'Carry what the user wants into the system faithfully: receive it, never resolve it.',
    doesNot: ['resolve ambiguity', 'write criteria', 'read memory'],
    accountableFor: "the user's intent not reaching the TaskSpec",
  },
  R2: {
    ...ROLE_ROUTES.R2,
    name: 'Planner', livesIn: 'metaagent', loopPosition: 'actuator of the medium loop',
    mission: 'Interpret the intent as criteria that can fail, and own the path to meeting them.',
    doesNot: ['carry out actions', 'judge output', 'compute the loss', 'answer break_symmetry with a near-identical plan'],
    accountableFor: 'a goal missed although the execution was valid; criteria that mistake the intent',
  },
  R3: {
    ...ROLE_ROUTES.R3,
    name: 'Executor', livesIn: 'effector agent', loopPosition: 'plant of the fast loop',
    mission: 'Carry out exactly one subtask with the tools it was given and say truthfully what came of it.',
    doesNot: ['see another subtask', 'read memory', 'use a tool outside its allow-list', 'judge its own result'],
    accountableFor: 'a feasible subtask not carried out correctly',
  },
  R4a: {
    ...ROLE_ROUTES.R4a,
    name: 'Agent-Validator', livesIn: 'effector agent', loopPosition: 'sensor and controller of the fast loop',
    mission: "Judge each criterion alone on quoted evidence and close the gap between the output and the subtask's goal.",
    doesNot: ['carry out actions', 'see another subtask', 'take a claim for evidence'],
    accountableFor: 'a gap between output and goal that goes unreported',
  },
  R4b: {
    ...ROLE_ROUTES.R4b,
    name: 'Meta-Validator', livesIn: 'metaagent', loopPosition: 'sensor of the medium loop',
    mission: 'Let nothing through that failed, merge what passed, and verify the whole against the criteria and the intent.',
    doesNot: ['compute loss or gradient', 'talk to R2', 'override the gate'],
    accountableFor: 'a failed subtask or a result outside the intent that was accepted',
  },
  R5: {
    ...ROLE_ROUTES.R5,
    name: 'Shared Memory', livesIn: 'infrastructure', loopPosition: 'state store',
    mission: 'Keep experience truthfully and give it back at constant cost.',
    doesNot: ['decide anything', 'answer anyone but R2', 'take writes from anyone but R7 and the Dreamer'],
    accountableFor: 'experience lost or wrongly returned',
  },
  R6: {
    ...ROLE_ROUTES.R6,
    name: 'Auditor', livesIn: 'infrastructure', loopPosition: outside,
    mission: 'Watch every message and report to the human operator alone.',
    doesNot: ['speak to any agent', 'take instructions from any agent'],
    accountableFor: 'systematic failures that the operator never hears of',
  },
  R7: {
    ...ROLE_ROUTES.R7,
    name: 'Goal Gradient Solver', livesIn: 'metaagent', loopPosition: 'controller of the medium loop',
    mission: 'Turn verdicts into a loss, its movement into a macro-state, and that into the constraints of the next plan.',
    doesNot: ['plan', 'watch single tool calls', 'merge or verify outputs', 'override the gate'],
    accountableFor: 'a replanning direction that is wrong, or a local minimum that is not left',
  },
  dreamer: {
    ...ROLE_ROUTES.dreamer,
    name: 'Dreamer', livesIn: 'infrastructure', loopPosition: 'slow loop',
    mission: 'Turn many experiences into few rules, and forget what no longer counts.',
    doesNot: ['touch a running task'],
    accountableFor: 'rules that reality contradicts',
  },
  dispatcher: {
    ...ROLE_ROUTES.dispatcher,
    name: 'Dispatcher', livesIn: 'metaagent', loopPosition: 'between actuator and plant',
    mission: 'Start subtasks in their order, in parallel where they may, and feed each group what the one before found.',
    doesNot: ['change a subtask but for its context', 'judge'],
    accountableFor: 'a fan-in that never completes',
  },
  host: {
    ...ROLE_ROUTES.host,
    name: 'Host', livesIn: 'outside', loopPosition: outside,
    mission: 'The program that embeds artoo: answers approvals, may stop a task.',
    doesNot: [], accountableFor: 'authorizing what cannot be undone',
  },
  user: {
    ...ROLE_ROUTES.user,
    name: 'User', livesIn: 'outside', loopPosition: outside,
    mission: 'Asks, answers questions, receives the result.',
    doesNot: [], accountableFor: 'wanting something',
  },
  kernel: {
    ...ROLE_ROUTES.kernel,
    name: 'Kernel', livesIn: 'infrastructure', loopPosition: outside,
    mission: 'Begins, stops and ends runs; records; grants budgets.',
    doesNot: ['decide about a result'], accountableFor: 'a run that hangs or ends twice',
  },
  operator: {
    ...ROLE_ROUTES.operator,
    name: 'Operator', livesIn: 'outside', loopPosition: outside,
    mission: 'The human the Auditor answers to.',
    doesNot: [], accountableFor: 'reading the report',
  },
} as const satisfies Record<RoleId, RoleContract>;


/** The contract of a role, under its general type. */
export function roleContract(role: RoleId): RoleContract {
  return ROLE_CONTRACTS[role];
}
