import type { GradedVerdict } from '../contracts/criterion.js';
import type { DirectiveName, SubTaskOutcome, ToolTarget } from '../contracts/messages.js';
import type { MacroState, StopReason } from '../contracts/names.js';
import type { BlockedSets } from './blocked.js';
import type { Trend } from './decide.js';
import type { LossParts } from './loss.js';

/**
 * What the controller remembers of one run between two rounds: plain data that survives JSON. Frozen; keep it under
 * the run's own id, never under a name that a model made.
 */
export interface GgsState {
  /** Failing rounds measured so far. */
  readonly replans: number;
  /** Directives issued so far: what a final result reports as its replans. */
  readonly directives: number;
  /** The last measured round; null before the first. */
  readonly last: { readonly D: number; readonly P: number; readonly L: number } | null;
  /** Worsening rounds in a row, up to now. */
  readonly worseningRounds: number;
  readonly prevDirective: 'init' | DirectiveName;
  /** Tools used in failing subtasks, all rounds, in order of appearance. */
  readonly failedTools: readonly string[];
  /** Calls that failed or found nothing, all rounds, in order of appearance. */
  readonly failedPairs: readonly ToolTarget[];
}

/** One round as it reaches the controller. Never changed by it. */
export interface Round {
  /** What failed: a subtask (`gate`), or the merged result (`merge`). Absent on a stop. */
  readonly stage?: 'gate' | 'merge' | undefined;
  /** All outcomes of the round, kept ones included. */
  readonly outcomes: readonly SubTaskOutcome[];
  /** Verdicts over the merged result; D is measured on them at stage `merge`. */
  readonly taskVerdicts?: readonly GradedVerdict[] | undefined;
  /** Running time of the whole run so far, in ms. */
  readonly elapsedMs: number;
  /** What the validator thinks. Recorded; it decides nothing. */
  readonly recommendation?: 'replan' | 'abandon' | undefined;
  /** The planner found no plan that may be carried out. */
  readonly planRejected?: boolean | undefined;
  /** The run was stopped from outside. */
  readonly stop?: StopReason | undefined;
  /** All tools of the run; needed to see that blocking some would leave none. */
  readonly tools?: readonly string[] | undefined;
}

/** What the controller decided, and on which numbers. Frozen. */
export interface Decision extends LossParts, BlockedSets {
  readonly directive: MacroState | 'accept';
  /** Why the run is abandoned; absent otherwise. */
  readonly reason?: StopReason;
  readonly L: number;
  /** ∇L of the whole loss, as the paper has it. */
  readonly gradL: number;
  /** The same difference at the present cost: the movement of the goal alone. */
  readonly gradGoal: number;
  /** Of the gradient that decided. */
  readonly trend: Trend;
  readonly prevDirective: 'init' | DirectiveName;
  /** The heaviest failed criterion, the first on a tie; absent when nothing was measured or nothing failed. */
  readonly failedCriterion?: string;
  readonly failureClass: 'logical' | 'environmental' | 'mixed';
  readonly urgency: 'low' | 'normal' | 'high';
  /** The validator's word, as it came. */
  readonly recommendation?: 'replan' | 'abandon';
  /** The decision in words for people, with its numbers. */
  readonly rationale: string;
  /** Lines of tool output that point to another path; untrusted, five at most; only with change_path and refine. */
  readonly hints: readonly string[];
}

/**
 * The state of a run that hasn't failed yet. Frozen.
 *
 * @example
 * import { initialState } from 'artoo/ggs';
 * initialState().prevDirective; // 'init'
 */
export function initialState(): GgsState {
  return frozenState({
    replans: 0, directives: 0, last: null, worseningRounds: 0, prevDirective: 'init', failedTools: [], failedPairs: [],
  });
}

/** A frozen copy that shares nothing mutable with its source. */
export function frozenState(state: GgsState): GgsState {
  const { last } = state;
  return Object.freeze({
    replans: state.replans,
    directives: state.directives,
    last: last === null ? null : Object.freeze({ D: last.D, P: last.P, L: last.L }),
    worseningRounds: state.worseningRounds,
    prevDirective: state.prevDirective,
    failedTools: Object.freeze([...state.failedTools]),
    failedPairs: frozenPairs(state.failedPairs),
  });
}

/** A frozen copy that shares nothing mutable with its source. */
export function frozenPairs(pairs: readonly ToolTarget[]): readonly ToolTarget[] {
  return Object.freeze(pairs.map(({ tool, target }) => Object.freeze({ tool, target })));
}
