import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import { HOST_RULES } from '../../contracts/memory.js';
import type { LLMToolDescription } from '../../contracts/llm.js';
import type { MemoryReply, PlanDirective, PlanRejected, SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { describeIssues } from '../../text/describe-issues.js';
import { askStructured } from '../../llm/ask-structured.js';
import { environmentPlace, intentPlace, toolTag } from '../../mkct/tags.js';
import * as z from 'zod/mini';
import { BUILT_IN_CHECKS } from '../checks/check-names.js';
import { PLAN } from '../reply-schemas.js';
import { Role, type ModelRoleOptions } from '../role.js';
import { buildRound } from './build-round.js';
import { asWarnings, bansOf, distinctPairs, type MemoryBans } from './memory-bans.js';
import { experienceBehind, experienceOf, experienceSummary } from './experience.js';
import { suggestNextMoves } from './next-moves.js';
import { planSchema, type Plan } from '../plan-schema.js';
import { PLANNER_SYSTEM, plannerPrompt } from './prompt.js';
import { givesUp, validatePlan, type FailedShape, type Keepable, type PlanRules } from './validate-plan.js';

export interface PlannerOptions extends ModelRoleOptions {
  /** The run's tools as a model sees them; without it only the names in the TaskSpec are known. */
  readonly describeTools?: (names: readonly string[]) => readonly LLMToolDescription[];
  /** Checks beyond the built-in ones that a criterion may use. */
  readonly checks?: readonly string[];
  /** Where the host runs, for memory: megrams of another environment don't count. Default `local`. */
  readonly environment?: string;
  /** Is anyone there to confirm a call? Default yes. Where nobody is, caution can't take the last tools away. */
  readonly canConfirm?: () => boolean;
}

interface Waiting { readonly cause: Envelope; readonly directive: PlanDirective | undefined }

interface State {
  spec?: TaskSpec;
  round: number;
  waiting?: Waiting | undefined;
  /** Matched outcomes of all rounds, with the round they come from. */
  readonly matched: Map<string, { outcome: SubTaskOutcome; round: number }>;
  readonly failedRounds: FailedShape[][];
  readonly seen: Set<string>;
  lastShapes: Map<string, FailedShape>;
  /** Target → the newest round in which it was written to, and by which subtask. */
  readonly writes: Map<string, { round: number; subtaskId: string }>;
}

const NO_MEMORY: MemoryReply = { sops: [], potentials: [], constraints: [] };

/**
 * R2: turns the intent into criteria that can fail and into the fewest subtasks that meet them.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { Planner } from 'artoo/roles';
 * const bus = createBus();
 * new Planner({ llm }).attach(rolePort(bus, 'R2'));
 */
export class Planner extends Role<State> {
  readonly id = 'R2';
  private readonly knownChecks: ReadonlySet<string>;

  constructor(private readonly options: PlannerOptions) {
    super(options);
    this.knownChecks = new Set([...BUILT_IN_CHECKS, ...(options.checks ?? [])]);
  }

  protected createState(): State {
    return { round: 0, matched: new Map(), failedRounds: [], seen: new Set(), lastShapes: new Map(), writes: new Map() };
  }

  protected listen(port: RolePort): void {
    port.subscribe('TaskSpec', (message) => this.begin(message, message.payload, undefined));
    port.subscribe('PlanDirective', (message) => this.begin(message, message.payload.taskSpec, message.payload));
    port.subscribe('MemoryReply', (message) => this.hearMemory(message));
    port.subscribe('NextMovesRequest', async (message) => {
      const task = this.task(message.taskId);
      if (!task) return;
      const payload = await suggestNextMoves(this.options.llm, task, message.payload);
      port.publish({ type: 'NextMoves', taskId: message.taskId, causeId: message.id, payload });
    });
  }

  /** Calibration comes before every plan: memory is asked first, and costs no model call. */
  private begin(cause: Envelope, spec: TaskSpec, directive: PlanDirective | undefined): unknown {
    const task = this.task(cause.taskId);
    if (!task) return undefined;
    const state = this.stateOf(task);
    state.spec = spec;
    if (directive) this.learn(state, directive);
    state.round += 1;
    state.waiting = { cause, directive };
    if (!this.port.listens('MemoryQuery')) return this.plan(task, state, NO_MEMORY);
    const { environment = 'local' } = this.options;
    const tags = [intentPlace(spec.slug, environment), environmentPlace(environment, HOST_RULES), ...spec.tools.map(toolTag)];
    const tools = spec.tools.filter((tool) => !directive?.blockedTools.includes(tool));
    this.port.publish({ type: 'MemoryQuery', taskId: task.taskId, causeId: cause.id, payload: { tags, intent: spec.intent, tools } });
    return undefined;
  }

  private hearMemory(message: Envelope<'MemoryReply'>): unknown {
    const task = this.task(message.taskId);
    const state = task && this.stateOf(task);
    return task && state?.waiting ? this.plan(task, state, message.payload) : undefined;
  }

  private async plan(task: TaskRuntime, state: State, said: MemoryReply): Promise<void> {
    const { cause, directive } = state.waiting!;
    state.waiting = undefined;
    const spec = state.spec!;
    const usable = spec.tools.filter((tool) => !directive?.blockedTools.includes(tool));
    const bans = bansOf(said, usable);
    const memory = bans.lifted ? asWarnings(said) : said;
    const cautionTools = await this.cautionTools(task, bans, usable);
    const keepable = this.keepable(state);
    const rules: PlanRules = {
      spec,
      tools: spec.tools,
      blockedTools: union(directive?.blockedTools, bans.tools),
      blockedTargets: union(directive?.blockedTargets, bans.targets),
      blockedPairs: distinctPairs([...(directive?.blockedPairs ?? []), ...bans.pairs]),
      maxSubtasks: task.limits.subtasks,
      knownChecks: this.knownChecks,
      keepable,
      failedRounds: state.failedRounds,
    };
    this.tell(task.taskId, directive ? `Planning again: ${directive.directive}.` : 'Planning.');
    const plan = this.givenPlan(task, state, rules) ?? (await this.askForPlan(task, rules, memory, directive, cause));
    if (!plan) return;
    const experience = experienceBehind(experienceOf(memory), plan.memory ?? []);
    const { manifest, subtasks } = buildRound({
      plan, spec, round: state.round, dispatchedAt: task.date, keepable, constraints: memory.constraints, directive,
      blockedTools: rules.blockedTools, blockedTargets: rules.blockedTargets, blockedPairs: rules.blockedPairs ?? [], cautionTools,
    });
    state.lastShapes = new Map(subtasks.map((subtask) => [subtask.subtaskId, { intent: subtask.intent, tools: subtask.tools, targets: subtask.targets ?? [] }]));
    for (const piece of experience) this.tell(task.taskId, `By experience: ${experienceSummary(piece)}`);
    this.port.publish({ type: 'DispatchManifest', taskId: task.taskId, causeId: cause.id, payload: experience.length > 0 ? { ...manifest, experience: [...experience] } : manifest });
    for (const subtask of subtasks) this.port.publish({ type: 'SubTask', taskId: task.taskId, causeId: cause.id, payload: subtask });
  }

  /** Mixed experience has calls confirmed; where that would be a ban on every tool, since nobody confirms, it warns only. */
  private async cautionTools(task: TaskRuntime, { tools: banned, cautionTools, lifted }: MemoryBans, usable: readonly string[]): Promise<readonly string[]> {
    if (lifted) this.tell(task.taskId, `Experience speaks against every tool (${usable.join(', ')}); MUST NOT is weakened to CAUTION.`);
    const left = usable.filter((tool) => !banned.includes(tool));
    if (cautionTools.length === 0 || left.some((tool) => !cautionTools.includes(tool))) return cautionTools;
    // On record: a resumed run may find someone where the first had nobody.
    const confirmable = await task.effect({ role: 'R2', kind: 'host' }, 'canConfirm', () => this.options.canConfirm?.() ?? true);
    return confirmable ? cautionTools : [];
  }

  /** The host's own plan spares the first call; held to the same rules, and left to the model where it breaks them. */
  private givenPlan(task: TaskRuntime, state: State, rules: PlanRules): Plan | undefined {
    const { plan } = rules.spec;
    if (!plan || state.round > 1) return undefined;
    const parsed = z.safeParse(planSchema, plan);
    const problems = parsed.success ? validatePlan(parsed.data, rules) : [describeIssues(parsed.error.issues)];
    if (parsed.success && problems.length === 0) return parsed.data;
    this.tell(task.taskId, `The given plan is not admissible (${problems.join('; ')}); planning anew.`);
    return undefined;
  }

  private async askForPlan(task: TaskRuntime, rules: PlanRules, memory: MemoryReply, directive: PlanDirective | undefined, cause: Envelope): Promise<Plan | undefined> {
    const { spec } = rules;
    const usable = spec.tools.filter((tool) => !rules.blockedTools.includes(tool));
    const tools = this.options.describeTools?.(usable) ?? usable.map((name) => ({ name, description: '', inputSchema: {} }));
    const content = plannerPrompt({
      spec, tools, checks: [...this.knownChecks], experience: experienceOf(memory), date: task.date, nonce: task.nonce,
      maxSubtasks: rules.maxSubtasks, directive, keepable: rules.keepable,
    });
    try {
      const { value } = await askStructured(
        this.options.llm, PLAN,
        { role: 'R2', taskId: task.taskId, system: PLANNER_SYSTEM, messages: [{ role: 'user', content }] },
        { signal: task.signal, accept: (plan: Plan) => validatePlan(plan, rules).join('\n') || undefined },
      );
      if (!givesUp(value)) return value;
      this.reject(task, spec, cause, 'rejected', value.infeasible!.trim());
      return undefined;
    } catch (error) {
      if (task.signal.aborted || !ArtooError.is(error) || error.code.startsWith('ARTOO_LEDGER')) throw error;
      const code = error.code === 'ARTOO_STRUCTURED_OUTPUT' ? 'rejected' : error.code === 'ARTOO_BUDGET' ? 'budget' : 'infrastructure';
      this.reject(task, spec, cause, code, error.message);
      return undefined;
    }
  }

  private reject(task: TaskRuntime, taskSpec: TaskSpec, cause: Envelope, code: PlanRejected['code'], message: string): void {
    this.port.publish({ type: 'PlanRejected', taskId: task.taskId, causeId: cause.id, payload: { taskSpec, code, message, round: this.stateOf(task).round } });
  }

  private learn(state: State, directive: PlanDirective): void {
    const failed: FailedShape[] = [];
    for (const outcome of directive.outcomes) {
      if (outcome.status === 'matched') {
        if (!state.matched.has(outcome.subtaskId)) state.matched.set(outcome.subtaskId, { outcome, round: state.round });
      } else {
        const shape = state.lastShapes.get(outcome.subtaskId);
        if (shape) failed.push(shape);
      }
      // A kept outcome comes back in every later round; what it wrote, it wrote once.
      if (state.seen.has(outcome.subtaskId)) continue;
      state.seen.add(outcome.subtaskId);
      for (const call of outcome.toolCalls) {
        if (call.effect !== 'read' && call.ok) state.writes.set(call.target, { round: state.round, subtaskId: outcome.subtaskId });
      }
    }
    // A rejected merge failed as a whole: repeating the plan as it was would be no change.
    state.failedRounds.push(failed.length > 0 ? failed : [...state.lastShapes.values()]);
  }

  private keepable(state: State): Keepable[] {
    return [...state.matched.values()].map(({ outcome, round }) => ({
      outcome,
      writtenSince: outcome.toolCalls.some((call) => {
        const write = state.writes.get(call.target);
        return write !== undefined && write.round > round && write.subtaskId !== outcome.subtaskId;
      }),
    }));
  }
}

function union(left: readonly string[] | undefined, right: readonly string[]): string[] {
  return [...new Set([...(left ?? []), ...right])];
}
