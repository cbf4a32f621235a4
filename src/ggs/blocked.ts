import type { DirectiveName, SubTaskOutcome, ToolTarget } from '../contracts/messages.js';
import type { ToolCallRecord } from '../contracts/tool-call.js';
import type { Trend } from './decide.js';
import { isFailed } from './grade.js';

/** What the failing subtasks of a round did, in the order they did it, each thing once. */
export interface FailureTrace {
  /** Tools that ran, whether the call went well or not. */
  readonly tools: readonly string[];
  /** Calls that failed or found nothing. */
  readonly pairs: readonly ToolTarget[];
  /** The target of each failing subtask's latest such call. */
  readonly latestTargets: readonly string[];
}

/** What the next plan must not use. */
export interface BlockedSets {
  readonly blockedTools: readonly string[];
  readonly blockedTargets: readonly string[];
  /** Tools blocked together with a target only, where blocking the tools would leave the run none. */
  readonly blockedPairs: readonly ToolTarget[];
}

/** Nothing is blocked. */
export const NOTHING_BLOCKED: BlockedSets = Object.freeze({
  blockedTools: Object.freeze([]), blockedTargets: Object.freeze([]), blockedPairs: Object.freeze([]),
});

/**
 * Reads the tool calls of the failing subtasks. A call that never ran (refused, denied, answered from the record)
 * shows nothing about its tool or target. A target that the same tool reached later in the same subtask isn't a dead
 * end, and neither is one without a name.
 *
 * @example
 * import { traceFailures } from 'artoo/ggs';
 * traceFailures([]).pairs; // []
 */
export function traceFailures(outcomes: readonly SubTaskOutcome[]): FailureTrace {
  const tools: string[] = [];
  const pairs: ToolTarget[] = [];
  const latestTargets: string[] = [];
  for (const outcome of outcomes) {
    if (!isFailed(outcome)) continue;
    const deadEnds = new Map<string, ToolTarget>();
    for (const call of outcome.toolCalls ?? []) {
      if (call.ran === false) continue;
      tools.push(call.tool);
      const key = keyOf(call);
      // Taken out first: a repeated failure moves to the end, so that the last entry is the latest.
      deadEnds.delete(key);
      if (call.target !== '' && isDeadEnd(call)) deadEnds.set(key, { tool: call.tool, target: call.target });
    }
    const found = [...deadEnds.values()];
    pairs.push(...found);
    latestTargets.push(...found.slice(-1).map(({ target }) => target));
  }
  return { tools: [...new Set(tools)], pairs: uniquePairs(pairs), latestTargets: [...new Set(latestTargets)] };
}

/** Lays a round's trace over what failed before; the order of first appearance stays. */
export function accumulate(
  before: { readonly failedTools: readonly string[]; readonly failedPairs: readonly ToolTarget[] }, trace: FailureTrace,
): { readonly failedTools: readonly string[]; readonly failedPairs: readonly ToolTarget[] } {
  return {
    failedTools: [...new Set([...before.failedTools, ...trace.tools])],
    failedPairs: uniquePairs([...before.failedPairs, ...trace.pairs]),
  };
}

/** What a directive blocks: the table of docs/ggs.md. `soFar` holds all rounds, the one at hand included. */
export function blockedBy(directive: DirectiveName, options: {
  readonly trend: Trend;
  readonly round: FailureTrace;
  readonly soFar: { readonly failedTools: readonly string[]; readonly failedPairs: readonly ToolTarget[] };
  readonly runTools: readonly string[] | undefined;
}): BlockedSets {
  const { trend, round, soFar, runTools } = options;
  switch (directive) {
    case 'break_symmetry':
      return blockTools(soFar.failedTools, soFar.failedPairs, runTools);
    case 'change_approach':
      return trend === 'improving'
        ? blockTools(round.tools, round.pairs, runTools)
        : blockTools(soFar.failedTools, soFar.failedPairs, runTools);
    case 'change_path':
      return blockTargets(soFar.failedPairs.map(({ target }) => target));
    case 'refine':
      return blockTargets(trend === 'improving' ? round.latestTargets : soFar.failedPairs.map(({ target }) => target));
  }
}

function blockTargets(targets: readonly string[]): BlockedSets {
  return { ...NOTHING_BLOCKED, blockedTargets: [...new Set(targets)] };
}

function blockTools(tools: readonly string[], pairs: readonly ToolTarget[], runTools: readonly string[] | undefined): BlockedSets {
  const leavesNone = runTools !== undefined && runTools.every((tool) => tools.includes(tool));
  return leavesNone ? { ...NOTHING_BLOCKED, blockedPairs: [...pairs] } : { ...NOTHING_BLOCKED, blockedTools: [...tools] };
}

function isDeadEnd(call: ToolCallRecord): boolean {
  return !call.ok || cameBackEmpty(call);
}

// The runtime says so; a record without its word is judged by a read's output.
function cameBackEmpty({ empty, effect, output }: ToolCallRecord): boolean {
  return empty ?? (effect === 'read' && typeof output === 'string' && /^\s*(\[\s*\]|\{\s*\}|null|"")?\s*$/.test(output));
}

function uniquePairs(pairs: readonly ToolTarget[]): ToolTarget[] {
  return [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()];
}

function keyOf({ tool, target }: { readonly tool: string; readonly target: string }): string {
  return JSON.stringify([tool, target]);
}
