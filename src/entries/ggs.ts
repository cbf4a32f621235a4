/**
 * artoo/ggs: the controller as pure functions. No I/O, no clock, no randomness: decisions can be unit-tested alone.
 *
 * @example
 * import { decide } from 'artoo/ggs';
 * decide({ D: 0.6, P: 0, Omega: 0.2, gradL: -0.2 }); // 'refine'
 *
 * @packageDocumentation
 */
export { traceFailures } from '../ggs/blocked.js';
export type { BlockedSets, FailureTrace } from '../ggs/blocked.js';
export { decide, trend } from '../ggs/decide.js';
export type { Signal, Trend } from '../ggs/decide.js';
export { DECISION_TABLE } from '../ggs/decision-table.js';
export type { DecisionCell } from '../ggs/decision-table.js';
export { gradeOutcomes } from '../ggs/grade.js';
export { DEFAULT_HYPERPARAMETERS, resolveHyperparameters } from '../ggs/hyperparameters.js';
export type { HyperparameterOverrides, Hyperparameters } from '../ggs/hyperparameters.js';
export { distance, gradient, implausibility, loss, resourceCost } from '../ggs/loss.js';
export type { LossParts, ResourceUsage } from '../ggs/loss.js';
export { decideNaive, decideV07 } from '../ggs/policies.js';
export { initialState } from '../ggs/state.js';
export type { Decision, GgsState, Round } from '../ggs/state.js';
export { accept, step } from '../ggs/step.js';
export type { Step } from '../ggs/step.js';
export { strongestStop } from '../ggs/stops.js';
export type { CriterionVerdict, GradedVerdict } from '../contracts/criterion.js';
export type { DirectiveName, SubTaskOutcome, ToolTarget } from '../contracts/messages.js';
export type { MacroState, StopReason } from '../contracts/names.js';
