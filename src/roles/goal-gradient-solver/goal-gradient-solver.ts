import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import type { GradedVerdict } from '../../contracts/criterion.js';
import type { LawEvent, Megram, OutcomeSummary, PlanDirective, ReplanRequest, SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import type { StopReason } from '../../contracts/names.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import { initialState, type Decision, type GgsState, type Round } from '../../ggs/state.js';
import { accept, step } from '../../ggs/step.js';
import { templateMoves } from '../template-moves.js';
import { systemClock } from '../../signals/system-clock.js';
import { Role, type RoleOptions } from '../role.js';
import { buildResult } from './build-result.js';
import { lessonsOfEnd, lessonsOfRound } from './lessons.js';
import { reflectOn, type Reflect } from './reflect.js';

export interface GoalGradientSolverOptions extends RoleOptions {
  /** Where the host runs; part of the tags that memories are kept under. Default `local`. */
  readonly environment?: string;
  /** Writes the lesson of a task instead of the coded one. */
  readonly reflect?: Reflect | undefined;
  readonly clock?: Clock | undefined;
}

interface Ending { readonly elapsedMs: number; readonly decision: Decision; readonly round: ReplanRequest | OutcomeSummary | undefined; readonly because: string; readonly cause: Envelope }

interface State {
  ggs: GgsState;
  spec: TaskSpec | undefined;
  ended: boolean;
  /** Decided, and waiting for R2's next moves. */
  ending: Ending | undefined;
  rounds: number;
  readonly lawEvents: LawEvent[];
  readonly matched: Map<string, SubTaskOutcome>;
  lastFailed: readonly SubTaskOutcome[];
  /** Outcomes of all rounds, for what they say of the surroundings. */
  readonly history: Map<string, SubTaskOutcome>;
  lastDirective: PlanDirective | undefined;
}

/** Ends that leave room for one more model call: the others must be quick, or have nobody to ask. */
const ASK_FOR_MOVES: ReadonlySet<StopReason> = new Set(['omega', 'replan_budget', 'law2_divergence', 'no_admissible_plan']);

/**
 * R7: measures each round, decides by the table, and says it as the next plan's constraints or as the one FinalResult.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { GoalGradientSolver } from 'artoo/roles';
 * const bus = createBus();
 * new GoalGradientSolver().attach(rolePort(bus, 'R7'));
 */
export class GoalGradientSolver extends Role<State> {
  readonly id = 'R7';

  constructor(private readonly options: GoalGradientSolverOptions = {}) {
    super(options);
  }

  protected createState(): State {
    return {
      ggs: initialState(), spec: undefined, ended: false, ending: undefined, rounds: 0, lawEvents: [], matched: new Map(),
      lastFailed: [], history: new Map(), lastDirective: undefined,
    };
  }

  protected listen(port: RolePort): void {
    const on = <M extends Envelope>(handle: (task: TaskRuntime, state: State, message: M) => unknown) => (message: M): unknown => {
      const task = this.task(message.taskId);
      const state = task && this.stateOf(task);
      return task && state && !state.ended ? handle(task, state, message) : undefined;
    };
    port.subscribe('TaskSpec', on((_task, state, message: Envelope<'TaskSpec'>) => { state.spec = message.payload; }));
    port.subscribe('LawEvent', on((_task, state, message: Envelope<'LawEvent'>) => { state.lawEvents.push(message.payload); }));
    port.subscribe('OutcomeSummary', on((task, state, message: Envelope<'OutcomeSummary'>) => this.accept(task, state, message)));
    port.subscribe('ReplanRequest', on((task, state, message: Envelope<'ReplanRequest'>) => this.decide(task, state, message)));
    port.subscribe('PlanRejected', on((task, state, message: Envelope<'PlanRejected'>) => {
      const { code, message: why, taskSpec } = message.payload;
      state.spec ??= taskSpec;
      return code === 'rejected'
        ? this.conclude(task, state, message, { planRejected: true }, `no admissible plan could be made: ${why}`)
        : this.conclude(task, state, message, { stop: code === 'budget' ? 'budget_tokens' : 'role_failure' }, `the planner could not plan: ${why}`);
    }));
    port.subscribe('Stop', on((task, state, message: Envelope<'Stop'>) => {
      const { reason, message: why, outcomes } = message.payload;
      // Once the end is decided, a budget that the question for next moves used up is not its reason.
      if (state.ending && reason.startsWith('budget_')) return this.finish(task, state, this.movesByRule(state), message);
      return this.conclude(task, state, message, { stop: reason }, why, outcomes);
    }));
    port.subscribe('RoleFailure', on((task, state, message: Envelope<'RoleFailure'>) => {
      const { role, stage, code, message: why, outcomes, taskSpec } = message.payload;
      state.spec ??= taskSpec;
      // A failure while the next moves are thought of takes nothing from the end that was decided.
      if (state.ending) return this.finish(task, state, this.movesByRule(state), message);
      return this.conclude(task, state, message, { stop: 'role_failure' }, `${role} failed at ${stage} (${code}): ${why}`, outcomes);
    }));
    port.subscribe('NextMoves', on((task, state, message: Envelope<'NextMoves'>) => (
      state.ending ? this.finish(task, state, message.payload.moves, message) : undefined
    )));
  }

  private async accept(task: TaskRuntime, state: State, message: Envelope<'OutcomeSummary'>): Promise<void> {
    const round = message.payload;
    const elapsedMs = await task.elapsedMs('R7');
    if (state.ended || state.ending) return;
    this.learn(state, round);
    const next = accept(state.ggs, { elapsedMs }, task.hyperparameters);
    this.note(task, state, { elapsedMs }, next.decision);
    this.rememberRound(task, state, round, next.decision, message);
    state.ggs = next.state;
    state.ending = { elapsedMs, decision: next.decision, round, because: '', cause: message };
    return this.finish(task, state, [], message);
  }

  private decide(task: TaskRuntime, state: State, message: Envelope<'ReplanRequest'>): void | Promise<void> {
    const request = message.payload;
    state.rounds += 1;
    this.learn(state, request);
    const graded: GradedVerdict[] = request.taskVerdicts;
    const round: Round = {
      stage: request.stage, outcomes: request.outcomes, taskVerdicts: graded, elapsedMs: request.elapsedMs,
      recommendation: request.recommendation, tools: request.taskSpec.tools,
    };
    const { state: next, decision } = step(state.ggs, round, task.hyperparameters);
    this.note(task, state, round, decision);
    this.rememberRound(task, state, request, decision, message);
    state.ggs = next;
    if (decision.directive === 'success' || decision.directive === 'abandon' || decision.directive === 'accept') {
      return this.end(task, state, { elapsedMs: request.elapsedMs, decision, round: request, because: becauseOf(decision, request), cause: message });
    }
    const payload: PlanDirective = {
      taskId: task.taskId, round: request.round, taskSpec: request.taskSpec, directive: decision.directive, prevDirective: decision.prevDirective,
      loss: { D: decision.D, P: decision.P, Omega: decision.Omega, L: decision.L }, gradL: decision.gradL, gradGoal: decision.gradGoal,
      blockedTools: [...decision.blockedTools], blockedTargets: [...decision.blockedTargets], blockedPairs: [...decision.blockedPairs],
      failedCriterion: decision.failedCriterion ?? null, failureClass: decision.failureClass, budgetPressure: decision.Omega,
      urgency: decision.urgency, rationale: decision.rationale, hints: [...decision.hints], outcomes: request.outcomes,
    };
    state.lastDirective = payload;
    this.tell(task.taskId, decision.rationale);
    this.port.publish({ type: 'PlanDirective', taskId: task.taskId, causeId: message.id, payload });
  }

  /** Ends that no round brought: stops, failures, a plan that can't be made. */
  private async conclude(task: TaskRuntime, state: State, cause: Envelope, round: { readonly stop?: StopReason; readonly planRejected?: boolean }, because: string, outcomes: readonly SubTaskOutcome[] = []): Promise<void> {
    const elapsedMs = await task.elapsedMs('R7');
    if (state.ended) return;
    for (const outcome of outcomes) {
      state.history.set(outcome.subtaskId, outcome);
      if (outcome.status === 'matched') state.matched.set(outcome.subtaskId, outcome);
    }
    const failed = outcomes.filter(({ status }) => status === 'failed');
    if (failed.length > 0) state.lastFailed = failed;
    const measured: Round = { ...round, outcomes: [], elapsedMs };
    const { state: next, decision } = step(state.ggs, measured, task.hyperparameters);
    this.note(task, state, measured, decision);
    state.ggs = next;
    return this.end(task, state, { elapsedMs, decision, round: undefined, because, cause });
  }

  /** Asks R2 for next moves where there is time and money for it; a run that was stopped ends at once. */
  private end(task: TaskRuntime, state: State, ending: Ending): void | Promise<void> {
    state.ending = ending;
    const { decision, cause } = ending;
    if (decision.directive !== 'abandon') return this.finish(task, state, [], cause);
    const ask = decision.reason !== undefined && ASK_FOR_MOVES.has(decision.reason) && state.spec !== undefined
      && !task.signal.aborted && this.port.listens('NextMovesRequest');
    if (!ask) return this.finish(task, state, this.movesByRule(state), cause);
    this.port.publish({
      type: 'NextMovesRequest', taskId: task.taskId, causeId: cause.id,
      payload: { taskSpec: state.spec!, reason: ending.because, ...doneAndFailed(state) },
    });
  }

  private finish(task: TaskRuntime, state: State, nextMoves: readonly string[], cause: Envelope): void | Promise<void> {
    const { ending } = state;
    if (!ending || state.ended) return undefined;
    state.ended = true;
    const { decision, round, because } = ending;
    const result = buildResult({
      taskId: task.taskId, spec: state.spec, decision, replans: state.ggs.directives, round, matched: [...state.matched.values()],
      failed: state.lastFailed, lawEvents: state.lawEvents, nextMoves, because,
    });
    const outcomes = round?.outcomes ?? [...state.matched.values(), ...state.lastFailed];
    const { reflect, clock = systemClock } = this.options;
    const { spec } = state;
    const say = (reflection?: string): void => {
      if (spec) {
        this.remember(task, cause, lessonsOfEnd(this.where(task, cause), {
          spec, round: state.rounds, elapsedMs: ending.elapsedMs, result, outcomes, history: [...state.history.values()], lawEvents: state.lawEvents, reflection,
        }));
      }
      this.port.publish({ type: 'FinalResult', taskId: task.taskId, causeId: cause.id, payload: result });
    };
    if (!reflect || !spec) return say();
    return reflectOn(reflect, { result, outcomes, spec }, { task, clock }).then(say);
  }

  private movesByRule(state: State): string[] {
    return templateMoves({ ...doneAndFailed(state), reason: state.ending?.because ?? '' });
  }

  private learn(state: State, round: ReplanRequest | OutcomeSummary): void {
    state.spec ??= round.taskSpec;
    for (const outcome of round.outcomes) {
      state.history.set(outcome.subtaskId, outcome);
      if (outcome.status === 'matched') state.matched.set(outcome.subtaskId, outcome);
    }
    state.lastFailed = round.outcomes.filter(({ status }) => status === 'failed');
  }

  private rememberRound(task: TaskRuntime, state: State, round: ReplanRequest | OutcomeSummary, decision: Decision, cause: Envelope): void {
    this.remember(task, cause, lessonsOfRound(this.where(task, cause), round, decision, state.lastDirective?.directive));
  }

  private remember(task: TaskRuntime, cause: Envelope, megrams: readonly Megram[]): void {
    for (const megram of megrams) this.port.publish({ type: 'MegramWrite', taskId: task.taskId, causeId: cause.id, payload: { megram } });
  }

  private where(task: TaskRuntime, cause: Envelope): Parameters<typeof lessonsOfEnd>[0] {
    // Who reports a stop or a failure hands on what others found, and can't vouch for that.
    const relayed = (cause.type === 'Stop' || cause.type === 'RoleFailure') && (cause.payload.outcomes?.length ?? 0) > 0;
    return { environment: this.options.environment ?? 'local', date: task.date, integrity: relayed ? 'untrusted' : cause.integrity, influencedBy: task.influence('R7') };
  }

  private note(task: TaskRuntime, state: State, input: unknown, decision: Decision): void {
    task.record({ kind: 'ggs.decision', round: state.rounds, input, decision, hyperparameters: task.hyperparameters });
  }
}

function doneAndFailed(state: State): { done: string[]; failed: { what: string; why: string }[] } {
  return {
    done: [...state.matched.values()].map((outcome) => outcome.intent ?? 'a subtask'),
    failed: state.lastFailed.filter(({ skipped }) => skipped !== true).map((outcome) => ({ what: outcome.intent ?? 'a subtask', why: outcome.failureReason ?? 'failed' })),
  };
}

function becauseOf(decision: Decision, request: ReplanRequest): string {
  const why = {
    omega: 'the cost of going on is too high', replan_budget: 'the replans are spent', law2_divergence: 'the result kept getting worse',
    no_admissible_plan: 'no admissible plan is left',
  } as Partial<Record<StopReason, string>>;
  const reason = decision.reason === undefined ? '' : (why[decision.reason] ?? decision.reason);
  return `${reason}. ${request.gapSummary}`;
}
