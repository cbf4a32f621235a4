import type { Criterion } from '../../contracts/criterion.js';
import type { DispatchManifest, PlanConstraint, PlanDirective, SubTask, TaskSpec, ToolTarget } from '../../contracts/messages.js';
import { uuidV5 } from '../../text/index.js';
import { constraintLine } from './constraint-line.js';
import { plannedCriterion, type Plan } from '../plan-schema.js';
import type { Keepable } from './validate-plan.js';

export interface RoundInput {
  readonly plan: Plan;
  readonly spec: TaskSpec;
  readonly round: number;
  readonly dispatchedAt: string;
  readonly keepable: readonly Keepable[];
  readonly constraints: readonly PlanConstraint[];
  readonly directive: PlanDirective | undefined;
  readonly blockedTools: readonly string[];
  readonly blockedTargets: readonly string[];
  readonly blockedPairs: readonly ToolTarget[];
  readonly cautionTools: readonly string[];
}

/** Turns an admissible plan into the messages of a round. Ids are made here, the same ones on a resume. */
export function buildRound(input: RoundInput): { readonly manifest: DispatchManifest; readonly subtasks: readonly SubTask[] } {
  const { plan, spec, round } = input;
  const kept = [...new Set(plan.keep ?? [])].map((index) => input.keepable[index]!.outcome.subtaskId);
  const subtasks = plan.subtasks.map((planned, index): SubTask => ({
    subtaskId: uuidV5(`${spec.taskId}/${round}/${index}`),
    parentTaskId: spec.taskId,
    round,
    index: kept.length + index,
    intent: planned.intent.trim(),
    successCriteria: planned.successCriteria.map(plannedCriterion),
    context: contextOf(planned.context ?? '', input),
    deadline: spec.constraints.deadline,
    sequence: planned.sequence,
    tools: [...new Set(planned.tools)],
    ...(planned.targets && planned.targets.length > 0 ? { targets: planned.targets } : {}),
    blockedTools: [...input.blockedTools],
    blockedTargets: [...input.blockedTargets],
    blockedPairs: [...input.blockedPairs],
    cautionTools: [...input.cautionTools],
  }));
  return {
    manifest: {
      taskId: spec.taskId, round, subtaskIds: [...kept, ...subtasks.map((subtask) => subtask.subtaskId)], keptSubtaskIds: kept,
      taskSpec: spec, dispatchedAt: input.dispatchedAt, taskCriteria: taskCriteriaOf(plan, spec),
    },
    subtasks,
  };
}

/** The caller's criteria come first and are required; the model can neither drop nor weaken them. */
function taskCriteriaOf(plan: Plan, spec: TaskSpec): Criterion[] {
  const caller = spec.callerCriteria.map((criterion): Criterion => ({ ...criterion, required: true }));
  const known = new Set(caller.map(({ criterion }) => criterion));
  return [...caller, ...plan.taskCriteria.map(plannedCriterion).filter(({ criterion }) => !known.has(criterion))];
}

/** Effectors see no memory and no directive: what binds them is written into their context. */
function contextOf(context: string, input: RoundInput): string {
  // Names that come from memory alone stand in its constraints, quoted.
  const { directive } = input;
  const lines = [context.trim(), ...input.constraints.map(constraintLine)];
  if (input.blockedTools.length > 0) lines.push(`MUST NOT use: ${input.blockedTools.join(', ')}`);
  if (directive && directive.blockedTargets.length > 0) lines.push(`MUST NOT touch: ${directive.blockedTargets.join(', ')}`);
  for (const { tool, target } of directive?.blockedPairs ?? []) lines.push(`MUST NOT call ${tool} on ${target}`);
  return lines.filter((line) => line !== '').join('\n');
}
