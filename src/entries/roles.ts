/** The roles as classes: each works alone on a bus, and each can be replaced by `createArtoo({ roles })`. */
export { AgentValidator, type AgentValidatorOptions } from '../roles/agent-validator/agent-validator.js';
export { Dispatcher } from '../roles/dispatcher/dispatcher.js';
export { Executor, type ExecutorOptions } from '../roles/executor/executor.js';
export { GoalGradientSolver, type GoalGradientSolverOptions } from '../roles/goal-gradient-solver/goal-gradient-solver.js';
export { MetaValidator, type MetaValidatorOptions } from '../roles/meta-validator/meta-validator.js';
export { Perceiver, type PerceiverOptions } from '../roles/perceiver/perceiver.js';
export { Planner, type PlannerOptions } from '../roles/planner/planner.js';
export { SharedMemory, type SharedMemoryOptions } from '../roles/shared-memory/shared-memory.js';
export { Role, type AttachableRole, type ModelRoleOptions, type RoleOptions } from '../roles/role.js';
export { standaloneRuntime } from '../roles/standalone-runtime.js';
export type { CheckContext, CheckFunction, CheckResult, Checks } from '../roles/checks/run-check.js';
