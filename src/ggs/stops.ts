import type { StopReason } from '../contracts/names.js';

const ORDER: readonly StopReason[] = Object.freeze([
  'aborted', 'deadline', 'budget_tokens', 'budget_calls', 'budget_money', 'role_failure',
]);

/**
 * Of several reasons to stop that hold at once, the one to report: `aborted`, then `deadline`, then a budget, then
 * `role_failure`, then the first of the others. Undefined for an empty list.
 *
 * @example
 * import { strongestStop } from 'artoo/ggs';
 * strongestStop(['role_failure', 'aborted']); // 'aborted'
 */
export function strongestStop(reasons: readonly StopReason[]): StopReason | undefined {
  return ORDER.find((reason) => reasons.includes(reason)) ?? reasons[0];
}
