import type { RolePort } from '../../contracts/bus.js';
import type { Criterion, CriterionVerdict } from '../../contracts/criterion.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import type { LLMClient } from '../../contracts/llm.js';
import type { CorrectionSignal, ExecutionResult, GapAttempt, SubTask, SubTaskOutcome } from '../../contracts/messages.js';
import type { FailureClass } from '../../contracts/names.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { askStructured } from '../../llm/ask-structured.js';
import { headTail, stringifyOutput } from '../../text/index.js';
import { runCheck, type Checks } from '../checks/run-check.js';
import { classByCalls, corporaOf, failedVerdict, findUnsupported, passedVerdict, settleVerdicts } from '../judging/settle-verdicts.js';
import { JUDGEMENT } from '../reply-schemas.js';
import { Role, type ModelRoleOptions } from '../role.js';
import { AGENT_VALIDATOR_SYSTEM, agentValidatorPrompt } from './prompt.js';

export interface AgentValidatorOptions extends ModelRoleOptions {
  /** Checks of the host, by type; a built-in of the same name is replaced. */
  readonly checks?: Checks | undefined;
}

interface Rubric { readonly subtask: SubTask; readonly trajectory: GapAttempt[]; attempt: number }
interface State { readonly rubrics: Map<string, Rubric> }
interface Judgement { readonly verdicts: readonly CriterionVerdict[]; readonly whatWasWrong?: string | undefined; readonly whatToDo?: string | undefined }

/**
 * R4a: judges each criterion of a subtask alone, by code where it can, on quoted evidence where it can't, and sends
 * corrections until all pass or the retries are spent.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { AgentValidator } from 'artoo/roles';
 * const bus = createBus();
 * new AgentValidator({ llm }).attach(rolePort(bus, 'R4a'));
 */
export class AgentValidator extends Role<State> {
  readonly id = 'R4a';

  constructor(private readonly options: AgentValidatorOptions) {
    super(options);
  }

  protected createState(): State {
    return { rubrics: new Map() };
  }

  protected listen(port: RolePort): void {
    port.subscribe('SubTask', (message) => {
      const task = this.task(message.taskId);
      const rubrics = task && this.stateOf(task).rubrics;
      // A rubric that comes twice must not forget the attempts made so far.
      if (rubrics && !rubrics.has(message.payload.subtaskId)) rubrics.set(message.payload.subtaskId, { subtask: message.payload, trajectory: [], attempt: 0 });
    });
    port.subscribe('ExecutionResult', (message) => this.judge(message));
  }

  private async judge(message: Envelope<'ExecutionResult'>): Promise<void> {
    const task = this.task(message.taskId);
    const result = message.payload;
    const rubric = task && this.stateOf(task).rubrics.get(result.subtaskId);
    // A result of another attempt than the one awaited is late or foreign: the newest attempt is the one that counts.
    if (!task || !rubric || result.attempt <= rubric.attempt) return;
    rubric.attempt = result.attempt;
    const { subtask } = rubric;
    if (result.failure?.infrastructure) {
      return this.end(task, rubric, result, message, failAll(subtask, `not carried out: ${result.failure.code}`, 'environmental'), `the step could not be carried out (${result.failure.code})`);
    }
    let judgement: Judgement;
    try {
      judgement = result.status === 'failed' ? this.failedExecution(subtask, result) : await judgeAll(this.options, task, subtask, result);
    } catch (error) {
      if (task.signal.aborted || !ArtooError.is(error) || error.code.startsWith('ARTOO_LEDGER') || error.code === 'ARTOO_BUDGET') throw error;
      return this.end(task, rubric, result, message, failAll(subtask, `could not be judged: ${error.code}`, 'environmental'), `the result could not be judged (${error.code})`);
    }
    task.record({ kind: 'verdicts', role: 'R4a', subtaskId: subtask.subtaskId, attempt: result.attempt, verdicts: judgement.verdicts });
    const failed = judgement.verdicts.filter(({ verdict }) => verdict === 'fail');
    rubric.trajectory.push({
      attempt: result.attempt,
      failedCriteria: failed.map(({ criterion, failureClass }) => ({ criterion, ...(failureClass ? { failureClass } : {}) })),
    });
    if (failed.length === 0) return this.publishOutcome(task, rubric, result, message, 'matched', judgement.verdicts, null);
    if (result.infeasible || result.attempt > task.limits.maxRetries) {
      const why = result.infeasible ? `infeasible: ${headTail(stringifyOutput(result.output), { max: 300 })}` : describeFailures(failed);
      return this.publishOutcome(task, rubric, result, message, 'failed', judgement.verdicts, why);
    }
    this.correct(task, result, message, failed, judgement);
  }

  /** A failed execution is judged by code: no model may talk it into a success. */
  private failedExecution(subtask: SubTask, result: ExecutionResult): Judgement {
    const failureClass = classByCalls(result.toolCalls);
    const said = headTail(stringifyOutput(result.output), { max: 300 });
    return {
      verdicts: subtask.successCriteria.map((criterion) => failedVerdict(criterion, `the execution failed: ${said}`, failureClass, 'kernel')),
      whatWasWrong: `The execution ended as failed: ${said}`,
      whatToDo: 'Reach the subtask by another call or input; say infeasible if there is none.',
    };
  }

  private correct(task: TaskRuntime, result: ExecutionResult, cause: Envelope, failed: readonly CriterionVerdict[], judgement: Judgement): void {
    const worst = heaviest(failed);
    const payload: CorrectionSignal = {
      subtaskId: result.subtaskId, attemptNumber: result.attempt, failedCriterion: worst.criterion, failureClass: worst.failureClass ?? 'logical',
      whatWasWrong: judgement.whatWasWrong?.trim() || `"${worst.criterion}" failed: ${worst.evidence || 'no evidence that it holds'}`,
      whatToDo: judgement.whatToDo?.trim() || 'Do what the criterion asks and show it by tool output.',
    };
    this.tell(task.taskId, `Correction ${result.attempt}: ${worst.criterion}`, result.subtaskId);
    this.port.publish({ type: 'CorrectionSignal', taskId: task.taskId, causeId: cause.id, payload });
  }

  /** Ends a subtask that was not judged: no correction could help. */
  private end(task: TaskRuntime, rubric: Rubric, result: ExecutionResult, cause: Envelope, verdicts: readonly CriterionVerdict[], reason: string): void {
    rubric.trajectory.push({ attempt: result.attempt, failedCriteria: verdicts.map(({ criterion, failureClass }) => ({ criterion, ...(failureClass ? { failureClass } : {}) })) });
    this.publishOutcome(task, rubric, result, cause, 'failed', verdicts, reason);
  }

  private publishOutcome(task: TaskRuntime, rubric: Rubric, result: ExecutionResult, cause: Envelope, status: SubTaskOutcome['status'], verdicts: readonly CriterionVerdict[], failureReason: string | null): void {
    const { subtask, trajectory } = rubric;
    this.stateOf(task).rubrics.delete(subtask.subtaskId);
    const payload: SubTaskOutcome = {
      subtaskId: subtask.subtaskId, parentTaskId: subtask.parentTaskId, status, output: result.output, failureReason,
      criteriaVerdicts: [...verdicts], gapTrajectory: trajectory, toolCalls: result.toolCalls, intent: subtask.intent,
    };
    this.port.publish({ type: 'SubTaskOutcome', taskId: task.taskId, causeId: cause.id, payload });
  }
}

/** Checks decide what they can; one model call decides the rest, and only on evidence that is there. */
async function judgeAll(options: { readonly llm: LLMClient; readonly checks?: Checks | undefined }, task: TaskRuntime, subtask: SubTask, result: ExecutionResult): Promise<Judgement> {
  const verdicts: (CriterionVerdict | undefined)[] = [];
  for (const criterion of subtask.successCriteria) verdicts.push(criterion.check ? await checked(criterion, options.checks, task, subtask, result) : undefined);
  const open = subtask.successCriteria.map((criterion, index) => [index, criterion] as const).filter(([index]) => !verdicts[index]);
  if (open.length === 0) return { verdicts: verdicts as CriterionVerdict[] };
  const corpora = corporaOf(result.toolCalls, stringifyOutput(result.output));
  let asked = false;
  const { value } = await askStructured(options.llm, JUDGEMENT, {
    role: 'R4a', taskId: task.taskId, subtaskId: subtask.subtaskId, system: AGENT_VALIDATOR_SYSTEM,
    messages: [{ role: 'user', content: agentValidatorPrompt(subtask, open, result, task.date, task.nonce) }],
  }, {
    signal: task.signal,
    accept: (reply) => {
      if (asked) return undefined;
      const problem = findUnsupported(open, reply.verdicts, corpora);
      asked = problem !== undefined;
      return problem;
    },
  });
  settleVerdicts(open, value.verdicts, corpora).forEach((verdict, place) => { verdicts[open[place]![0]] = verdict; });
  return { verdicts: verdicts as CriterionVerdict[], whatWasWrong: value.whatWasWrong ?? undefined, whatToDo: value.whatToDo ?? undefined };
}

async function checked(criterion: Criterion, own: Checks | undefined, task: TaskRuntime, subtask: SubTask, result: ExecutionResult): Promise<CriterionVerdict> {
  const found = await runCheck(criterion.check!, { output: result.output, toolCalls: result.toolCalls, workspace: task.workspace }, { task, role: 'R4a', subtaskId: subtask.subtaskId, own });
  return found.pass ? passedVerdict(criterion, found.evidence, 'check') : failedVerdict(criterion, found.evidence, found.failureClass ?? 'logical', 'check');
}

function failAll(subtask: SubTask, evidence: string, failureClass: FailureClass): CriterionVerdict[] {
  return subtask.successCriteria.map((criterion) => failedVerdict(criterion, evidence, failureClass, 'kernel'));
}

function heaviest(verdicts: readonly CriterionVerdict[]): CriterionVerdict {
  return verdicts.reduce((worst, verdict) => ((verdict.weight ?? 1) > (worst.weight ?? 1) ? verdict : worst));
}

function describeFailures(failed: readonly CriterionVerdict[]): string {
  return failed.map(({ criterion, evidence }) => `${criterion} (${headTail(evidence || 'no evidence', { max: 160 })})`).join('; ');
}
