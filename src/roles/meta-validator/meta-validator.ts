import type { RolePort } from '../../contracts/bus.js';
import type { Criterion, CriterionVerdict } from '../../contracts/criterion.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import type { DispatchManifest, SubTaskOutcome } from '../../contracts/messages.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { askStructured } from '../../llm/ask-structured.js';
import { headTail, stringifyOutput } from '../../text/index.js';
import { callsOf } from '../calls-of.js';
import { runCheck, type Checks } from '../checks/run-check.js';
import { corporaOf, failedVerdict, findUnsupported, passedVerdict, settleVerdicts, type Corpora } from '../judging/settle-verdicts.js';
import { MERGE, type Merge } from '../reply-schemas.js';
import { Role, type ModelRoleOptions } from '../role.js';
import { META_VALIDATOR_SYSTEM, metaValidatorPrompt } from './prompt.js';

export interface MetaValidatorOptions extends ModelRoleOptions {
  readonly checks?: Checks | undefined;
}

interface State {
  manifest?: DispatchManifest | undefined;
  /** Outcomes that came, by id; those of earlier rounds stay, for a plan may keep them. */
  readonly outcomes: Map<string, SubTaskOutcome>;
  /** The round that was settled last: what comes for it now is late. */
  settledRound: number;
  /** Outcomes that came between two rounds. */
  early: number;
}

/**
 * R4b: collects the outcomes of a round, lets nothing pass that failed, merges what matched and verifies the whole.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { MetaValidator } from 'artoo/roles';
 * const bus = createBus();
 * new MetaValidator({ llm }).attach(rolePort(bus, 'R4b'));
 */
export class MetaValidator extends Role<State> {
  readonly id = 'R4b';

  constructor(private readonly options: MetaValidatorOptions) {
    super(options);
  }

  protected createState(): State {
    return { outcomes: new Map(), settledRound: 0, early: 0 };
  }

  protected listen(port: RolePort): void {
    port.subscribe('DispatchManifest', (message) => {
      const task = this.task(message.taskId);
      if (!task) return undefined;
      const state = this.stateOf(task);
      // A manifest of a round that is over, or under way already, changes nothing.
      if (message.payload.round <= (state.manifest?.round ?? 0)) return undefined;
      state.manifest = message.payload;
      state.early = 0;
      return this.settleWhenComplete(task, state, message);
    });
    port.subscribe('SubTaskOutcome', (message) => {
      const task = this.task(message.taskId);
      if (!task) return undefined;
      const state = this.stateOf(task);
      const { manifest } = state;
      const { subtaskId } = message.payload;
      // Once each: the first word of a subtask holds.
      if (state.outcomes.has(subtaskId)) return undefined;
      if (manifest && state.settledRound < manifest.round) {
        // Only what the manifest names.
        if (!manifest.subtaskIds.includes(subtaskId)) return undefined;
      } else if (++state.early > task.limits.subtasks) return undefined;
      // Between two rounds an outcome may have come before its manifest, which then decides whether it counts.
      state.outcomes.set(subtaskId, message.payload);
      return this.settleWhenComplete(task, state, message);
    });
  }

  private async settleWhenComplete(task: TaskRuntime, state: State, cause: Envelope): Promise<void> {
    const { manifest } = state;
    if (!manifest || state.settledRound >= manifest.round) return;
    const outcomes: SubTaskOutcome[] = [];
    for (const id of manifest.subtaskIds) {
      const outcome = state.outcomes.get(id);
      if (!outcome) return;
      outcomes.push(outcome);
    }
    state.settledRound = manifest.round;
    if (outcomes.some(({ status }) => status === 'failed')) return this.requestReplan(task, manifest, outcomes, cause, { stage: 'gate', taskVerdicts: [] });
    await this.merge(task, manifest, outcomes, cause);
  }

  private async merge(task: TaskRuntime, manifest: DispatchManifest, outcomes: readonly SubTaskOutcome[], cause: Envelope): Promise<void> {
    this.tell(task.taskId, 'Merging and verifying.');
    const criteria = manifest.taskCriteria.map((criterion, index) => [index, criterion] as const);
    const open = criteria.filter(([, criterion]) => !criterion.check);
    let merge: Merge;
    let corpora: Corpora;
    try {
      ({ merge, corpora } = await this.askForMerge(task, manifest, open, outcomes));
    } catch (error) {
      if (task.signal.aborted || !ArtooError.is(error) || error.code.startsWith('ARTOO_LEDGER') || error.code === 'ARTOO_BUDGET') throw error;
      // What nobody could verify is not verified: every criterion fails, for want of a judge.
      const taskVerdicts = manifest.taskCriteria.map((criterion) => failedVerdict(criterion, `could not be verified: ${error.code}`, 'environmental', 'kernel'));
      return this.requestReplan(task, manifest, outcomes, cause, { stage: 'merge', taskVerdicts });
    }
    const calls = callsOf(outcomes);
    const judged = settleVerdicts(open, merge.verdicts ?? [], corpora);
    const taskVerdicts: CriterionVerdict[] = [];
    for (const [index, criterion] of criteria) {
      const place = open.findIndex(([other]) => other === index);
      taskVerdicts.push(place >= 0 ? judged[place]! : await this.checked(criterion, task, merge.mergedOutput, calls));
    }
    task.record({ kind: 'verdicts', role: 'R4b', verdicts: taskVerdicts });
    if (taskVerdicts.some(({ verdict }) => verdict === 'fail')) {
      return this.requestReplan(task, manifest, outcomes, cause, { stage: 'merge', taskVerdicts, mergedOutput: merge.mergedOutput });
    }
    this.port.publish({
      type: 'OutcomeSummary', taskId: task.taskId, causeId: cause.id,
      payload: {
        taskId: task.taskId, round: manifest.round, taskSpec: manifest.taskSpec, summary: merge.summary, mergedOutput: merge.mergedOutput,
        taskVerdicts, taskCriteria: manifest.taskCriteria, outcomes: [...outcomes], elapsedMs: await task.elapsedMs('R4b'),
      },
    });
  }

  private async askForMerge(task: TaskRuntime, manifest: DispatchManifest, open: readonly (readonly [number, Criterion])[], outcomes: readonly SubTaskOutcome[]): Promise<{ merge: Merge; corpora: Corpora }> {
    const calls = callsOf(outcomes);
    let asked = false;
    let corpora: Corpora | undefined;
    const { value } = await askStructured(this.options.llm, MERGE, {
      role: 'R4b', taskId: task.taskId, system: META_VALIDATOR_SYSTEM,
      messages: [{ role: 'user', content: metaValidatorPrompt(manifest.taskSpec, open, outcomes, task.date, task.nonce, manifest.round) }],
    }, {
      signal: task.signal,
      accept: (reply: Merge) => {
        if (reply.mergedOutput === undefined || reply.mergedOutput === null) return '"mergedOutput" is missing';
        corpora = corporaOf(calls, stringifyOutput(reply.mergedOutput));
        if (asked) return undefined;
        const problem = findUnsupported(open, reply.verdicts ?? [], corpora);
        asked = problem !== undefined;
        return problem;
      },
    });
    return { merge: value, corpora: corpora! };
  }

  private async checked(criterion: Criterion, task: TaskRuntime, output: unknown, toolCalls: SubTaskOutcome['toolCalls']): Promise<CriterionVerdict> {
    const found = await runCheck(criterion.check!, { output, toolCalls, workspace: task.workspace }, { task, role: 'R4b', own: this.options.checks });
    return found.pass ? passedVerdict(criterion, found.evidence, 'check') : failedVerdict(criterion, found.evidence, found.failureClass ?? 'logical', 'check');
  }

  private async requestReplan(task: TaskRuntime, manifest: DispatchManifest, outcomes: readonly SubTaskOutcome[], cause: Envelope, found: { readonly stage: 'gate' | 'merge'; readonly taskVerdicts: CriterionVerdict[]; readonly mergedOutput?: unknown }): Promise<void> {
    const failed = outcomes.filter(({ status }) => status === 'failed');
    const gaps = found.stage === 'gate'
      ? failed.map((outcome) => `${outcome.intent ?? 'subtask'}: ${outcome.failureReason ?? 'failed'}`)
      : found.taskVerdicts.filter(({ verdict }) => verdict === 'fail').map(({ criterion, evidence }) => `${criterion}: ${evidence || 'no evidence'}`);
    this.port.publish({
      type: 'ReplanRequest', taskId: task.taskId, causeId: cause.id,
      payload: {
        taskId: task.taskId, round: manifest.round, taskSpec: manifest.taskSpec, stage: found.stage,
        ...(found.mergedOutput === undefined ? {} : { mergedOutput: found.mergedOutput }),
        taskVerdicts: found.taskVerdicts, taskCriteria: manifest.taskCriteria, outcomes: [...outcomes], elapsedMs: await task.elapsedMs('R4b'),
        gapSummary: headTail(gaps.join('; '), { max: 2_000 }), failedSubtasks: failed.map(({ subtaskId }) => subtaskId),
        correctionCount: outcomes.reduce((sum, { gapTrajectory }) => sum + Math.max(0, gapTrajectory.length - 1), 0),
        // Where every failed subtask called itself impossible, another plan has little to try; R7 decides all the same.
        recommendation: failed.length > 0 && failed.every(({ failureReason }) => failureReason?.startsWith('infeasible') === true) ? 'abandon' : 'replan',
      },
    });
  }
}
