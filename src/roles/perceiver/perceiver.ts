import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import type { TaskRequest, TaskSpec } from '../../contracts/messages.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { askStructured } from '../../llm/ask-structured.js';
import { slugFor } from '../../mkct/slug.js';
import type { Perception } from '../perception-schema.js';
import { PERCEPTION } from '../reply-schemas.js';
import { Role, type ModelRoleOptions } from '../role.js';
import { PERCEIVER_SYSTEM, perceiverPrompt } from './prompt.js';

export interface PerceiverOptions extends ModelRoleOptions {
  /** Is there anyone to answer questions? Without one R1 never asks. */
  readonly canAsk?: boolean;
}

/** A perception, and whose it is. */
type Reading = Perception & Pick<TaskSpec, 'readBy'>;

interface State {
  readonly answers: { question: string; answer: string }[];
  request?: TaskRequest;
  asked: readonly string[];
  rounds: number;
}

/** Rounds of questions; all questions of a round go together. */
const MOST_ROUNDS = 2;
/** In characters: what is longer restates nothing. */
const LONGEST_INTENT = 4_000;

/**
 * R1: writes the user's intent down, faithfully, and passes it on.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { Perceiver } from 'artoo/roles';
 * const bus = createBus();
 * new Perceiver({ llm }).attach(rolePort(bus, 'R1'));
 */
export class Perceiver extends Role<State> {
  readonly id = 'R1';

  constructor(private readonly options: PerceiverOptions) {
    super(options);
  }

  protected createState(): State {
    return { answers: [], asked: [], rounds: 0 };
  }

  protected listen(port: RolePort): void {
    port.subscribe('TaskRequest', (message) => this.perceive(message.taskId, message.payload, message));
    port.subscribe('ClarificationReply', (message) => this.hearAnswer(message));
  }

  private async perceive(taskId: string, request: TaskRequest, cause: Envelope): Promise<void> {
    const task = this.task(taskId);
    if (!task) return;
    const state = this.stateOf(task);
    state.request = request;
    if (request.intent !== undefined) return this.commit(task, state, { intent: request.intent, slug: request.slug ?? null, readBy: 'host' }, cause);
    this.tell(taskId, 'Reading the task.');
    const mayAsk = this.options.canAsk === true && state.rounds < MOST_ROUNDS;
    const perception = await this.ask(task, state, !mayAsk && state.rounds > 0);
    const questions = (perception.questions ?? []).filter((question) => question.trim() !== '');
    if (questions.length === 0 || !mayAsk) return this.commit(task, state, perception, cause);
    state.asked = questions;
    state.rounds += 1;
    this.port.publish({ type: 'ClarificationRequest', taskId, causeId: cause.id, payload: { questions, round: state.rounds } });
  }

  private async hearAnswer(message: Envelope<'ClarificationReply'>): Promise<void> {
    const task = this.task(message.taskId);
    const state = task && this.stateOf(task);
    if (!task || !state?.request || message.payload.round !== state.rounds || state.asked.length === 0) return;
    const { answers } = message.payload;
    state.asked.forEach((question, index) => state.answers.push({ question, answer: (answers[index] ?? '').trim() }));
    state.asked = [];
    // An empty answer means: go on. Asking again would only repeat the question.
    if (answers.every((answer) => answer.trim() === '')) state.rounds = MOST_ROUNDS;
    await this.perceive(message.taskId, state.request, message);
  }

  /** When the model gives no usable reading, the words themselves are the intent: nothing is lost by that. */
  private async ask(task: TaskRuntime, state: State, mustCommit: boolean): Promise<Reading> {
    const request = state.request!;
    try {
      const { value } = await askStructured(this.options.llm, PERCEPTION, {
        role: 'R1', taskId: task.taskId, system: PERCEIVER_SYSTEM,
        messages: [{ role: 'user', content: perceiverPrompt(request, task.nonce, state.answers, mustCommit) }],
      }, { signal: task.signal, accept: ({ intent }) => (intent.length > LONGEST_INTENT ? `"intent" must be one sentence of at most ${LONGEST_INTENT} characters` : undefined) });
      return { readBy: 'model', ...value };
    } catch (error) {
      if (!ArtooError.is(error, 'ARTOO_STRUCTURED_OUTPUT')) throw error;
      this.tell(task.taskId, "The model's reading was unusable; the user's words stand as the intent.");
      return { intent: request.input, readBy: 'code' };
    }
  }

  private commit(task: TaskRuntime, state: State, perception: Reading, cause: Envelope): void {
    const request = state.request!;
    const intent = perception.intent.trim() === '' ? request.input : perception.intent.trim();
    const deadline = perception.constraints?.deadline ?? null;
    const spec: TaskSpec = {
      taskId: task.taskId,
      slug: slugFor(perception.slug ?? request.slug, intent),
      intent,
      constraints: { scope: perception.constraints?.scope ?? null, deadline: deadline !== null && Number.isFinite(Date.parse(deadline)) ? deadline : null },
      rawInput: request.input,
      readBy: perception.readBy,
      callerCriteria: request.criteria,
      ...(request.context.length > 0 ? { context: request.context } : {}),
      ...(request.plan ? { plan: request.plan } : {}),
      tools: request.tools,
      budget: request.budget,
    };
    this.port.publish({ type: 'TaskSpec', taskId: task.taskId, causeId: cause.id, payload: spec });
  }
}
