import type { SubTaskOutcome, TaskSpec, ToolTarget } from '../../contracts/messages.js';
import { headTail, tokenOverlap } from '../../text/index.js';
import { lintCriteria } from './lint-criteria.js';
import type { Plan, PlannedSubtask } from '../plan-schema.js';

/** A matched outcome of an earlier round that a plan may keep. */
export interface Keepable { readonly outcome: SubTaskOutcome; readonly writtenSince: boolean }
/** The shape of a subtask that failed, to recognise it by. */
export interface FailedShape { readonly intent: string; readonly tools: readonly string[]; readonly targets: readonly string[] }

/** What a plan is held against. */
export interface PlanRules {
  readonly spec: TaskSpec;
  readonly tools: readonly string[];
  readonly blockedTools: readonly string[];
  readonly blockedTargets: readonly string[];
  /** Blocked together only. */
  readonly blockedPairs?: readonly ToolTarget[];
  readonly maxSubtasks: number;
  readonly knownChecks: ReadonlySet<string>;
  readonly keepable: readonly Keepable[];
  /** One list for each failed round of this task. */
  readonly failedRounds: readonly (readonly FailedShape[])[];
}

/** Two intents that share so many words say the same. */
const SAME_INTENT = 0.8;
const MOST_PROBLEMS = 10;
/** Beyond these a plan is no plan: every one of its texts goes into several prompts. In characters, and in criteria. */
const LONGEST_TEXT = 4_000;
const LONGEST_CONTEXT = 50_000;
const MOST_CRITERIA = 64;

/** Why the plan is not admissible, as sentences for the model; empty when it is. */
export function validatePlan(plan: Plan, rules: PlanRules): string[] {
  const problems: string[] = [];
  const { subtasks } = plan;
  const keep = plan.keep ?? [];
  if (subtasks.length > rules.maxSubtasks) return [`${subtasks.length} subtasks are more than the ${rules.maxSubtasks} allowed: use the fewest that will do`];
  if (givesUp(plan)) return [];
  if (subtasks.length === 0 && keep.length === 0) problems.push('the plan has no subtasks');
  if (plan.taskCriteria.length > MOST_CRITERIA) problems.push(`taskCriteria: at most ${MOST_CRITERIA}`);
  if (plan.taskCriteria.length === 0 && rules.spec.callerCriteria.length === 0) problems.push('taskCriteria is empty');
  problems.push(...lintCriteria(plan.taskCriteria, rules.spec.intent, 'taskCriteria', rules.knownChecks));
  subtasks.forEach((subtask, index) => problems.push(...subtaskProblems(subtask, `subtask ${index}`, rules)));
  for (const index of keep) problems.push(...keepProblems(index, rules));
  if (problems.length === 0 && repeatsFailure(subtasks, rules)) {
    problems.push('the plan is nearly the same as one that failed: change tools, targets or method as the directive says');
  }
  return problems.slice(0, MOST_PROBLEMS);
}

/** An honest answer: nothing is left to try. */
export function givesUp(plan: Plan): boolean {
  return plan.subtasks.length === 0 && (plan.keep ?? []).length === 0 && (plan.infeasible ?? '').trim() !== '';
}

function subtaskProblems(subtask: PlannedSubtask, where: string, rules: PlanRules): string[] {
  const problems: string[] = [];
  if (subtask.intent.trim() === '') problems.push(`${where}: intent is empty`);
  if (subtask.intent.length > LONGEST_TEXT) problems.push(`${where}: intent is longer than ${LONGEST_TEXT} characters`);
  if ((subtask.context ?? '').length > LONGEST_CONTEXT) problems.push(`${where}: context is longer than ${LONGEST_CONTEXT} characters`);
  if (subtask.successCriteria.length > MOST_CRITERIA) problems.push(`${where}: at most ${MOST_CRITERIA} successCriteria`);
  if (!Number.isInteger(subtask.sequence) || subtask.sequence < 0) problems.push(`${where}: sequence must be a whole number from 0, not ${subtask.sequence}`);
  for (const tool of subtask.tools) {
    if (rules.blockedTools.includes(tool)) problems.push(`${where}: tool "${tool}" must not be used`);
    else if (!rules.tools.includes(tool)) problems.push(`${where}: there is no tool "${headTail(tool, { max: 80 })}"; there are: ${rules.tools.join(', ') || 'none'}`);
  }
  for (const target of subtask.targets ?? []) {
    if (rules.blockedTargets.includes(target)) problems.push(`${where}: target "${headTail(target, { max: 200 })}" failed before and must not be used`);
    else if (subtask.tools.length > 0 && subtask.tools.every((tool) => rules.blockedPairs?.some((pair) => pair.tool === tool && pair.target === target))) {
      problems.push(`${where}: ${subtask.tools.join(', ')} must not be used on "${headTail(target, { max: 200 })}": take another tool or another target`);
    }
  }
  if (subtask.successCriteria.length === 0) problems.push(`${where}: successCriteria is empty`);
  problems.push(...lintCriteria(subtask.successCriteria, subtask.intent, where, rules.knownChecks));
  return problems;
}

function keepProblems(index: number, rules: PlanRules): string[] {
  const known = rules.keepable[index];
  if (!known) return [`keep: there is no matched subtask ${index}`];
  return known.writtenSince ? [`keep: what subtask ${index} looked at was written to since; do it again`] : [];
}

/** True when every new subtask has its twin among those that failed in one and the same round. */
function repeatsFailure(subtasks: readonly PlannedSubtask[], rules: PlanRules): boolean {
  return subtasks.length > 0 && rules.failedRounds.some((failed) => subtasks.every((subtask) => failed.some((shape) => isTwin(subtask, shape))));
}

function isTwin(subtask: PlannedSubtask, shape: FailedShape): boolean {
  return sameSet(subtask.tools, shape.tools) && sameSet(subtask.targets ?? [], shape.targets) && tokenOverlap(subtask.intent, shape.intent) >= SAME_INTENT;
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  const set = new Set(left);
  return set.size === new Set(right).size && right.every((item) => set.has(item));
}
