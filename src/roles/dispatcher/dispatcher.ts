import type { RolePort } from '../../contracts/bus.js';
import type { DispatchManifest, SubTask, SubTaskOutcome } from '../../contracts/messages.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { fence, headTail, stringifyOutput } from '../../text/index.js';
import { failedVerdict } from '../judging/settle-verdicts.js';
import { Role } from '../role.js';

interface Arrived { readonly outcome: SubTaskOutcome; readonly messageId: string }

interface RoundState {
  readonly manifest: DispatchManifest;
  readonly manifestId: string;
  readonly subtasks: Map<string, SubTask>;
  started: boolean;
  /** Sequences not started yet, ascending. */
  groups: SubTask[][];
  waiting: SubTask[];
  running: number;
  current: readonly SubTask[];
  /** Messages whose content goes into the next group. */
  after: string[];
}

interface State { round: RoundState | undefined; readonly early: SubTask[]; readonly arrived: Map<string, Arrived> }

/** Characters of one earlier output in a context. */
const CONTEXT_CHARACTERS = 2_000;
const EARLIER_ROUNDS = 'kept from an earlier round';

/**
 * Starts subtasks: same sequence in parallel up to the limit, sequences in order, each group with the outputs of those
 * before it. What can't start because an earlier group failed is reported as failed, so that the fan-in is complete.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { Dispatcher } from 'artoo/roles';
 * const bus = createBus();
 * new Dispatcher().attach(rolePort(bus, 'dispatcher'));
 */
export class Dispatcher extends Role<State> {
  readonly id = 'dispatcher';

  protected createState(): State {
    return { round: undefined, early: [], arrived: new Map() };
  }

  protected listen(port: RolePort): void {
    port.subscribe('DispatchManifest', (message) => {
      const task = this.task(message.taskId);
      if (!task) return;
      const state = this.stateOf(task);
      const manifest = message.payload;
      if (manifest.round <= (state.round?.manifest.round ?? 0)) return;
      state.round = { manifest, manifestId: message.id, subtasks: new Map(), started: false, groups: [], waiting: [], running: 0, current: [], after: [] };
      for (const subtask of state.early.splice(0)) this.take(task, state, subtask);
      this.startWhenComplete(task, state);
    });
    port.subscribe('SubTask', (message) => {
      const task = this.task(message.taskId);
      if (!task) return;
      const state = this.stateOf(task);
      this.take(task, state, message.payload);
      this.startWhenComplete(task, state);
    });
    port.subscribe('SubTaskOutcome', (message) => {
      const task = this.task(message.taskId);
      const state = task && this.stateOf(task);
      const round = state?.round;
      if (!task || !state || !round || !round.subtasks.has(message.payload.subtaskId) || state.arrived.has(message.payload.subtaskId)) return;
      state.arrived.set(message.payload.subtaskId, { outcome: message.payload, messageId: message.id });
      round.running -= 1;
      this.advance(task, state, round);
    });
  }

  /** Only what the manifest names, once; what comes before its manifest waits for it. */
  private take(task: TaskRuntime, state: State, subtask: SubTask): void {
    const { round } = state;
    if (!round || subtask.round > round.manifest.round) {
      if (state.early.length < task.limits.subtasks) state.early.push(subtask);
    } else if (round.manifest.subtaskIds.includes(subtask.subtaskId) && !round.started) round.subtasks.set(subtask.subtaskId, subtask);
  }

  private startWhenComplete(task: TaskRuntime, state: State): void {
    const { round } = state;
    if (!round || round.started) return;
    const { subtaskIds, keptSubtaskIds } = round.manifest;
    if (round.subtasks.size < subtaskIds.length - keptSubtaskIds.length) return;
    round.started = true;
    const ordered = subtaskIds.flatMap((id) => round.subtasks.get(id) ?? []);
    const sequences = [...new Set(ordered.map(({ sequence }) => sequence))].sort((left, right) => left - right);
    round.groups = sequences.map((sequence) => ordered.filter((subtask) => subtask.sequence === sequence));
    this.advance(task, state, round);
  }

  private advance(task: TaskRuntime, state: State, round: RoundState): void {
    if (round.waiting.length === 0 && round.running === 0) this.nextGroup(task, state, round);
    while (round.waiting.length > 0 && round.running < task.limits.parallel) {
      const subtask = round.waiting.shift()!;
      round.running += 1;
      this.port.publish({ type: 'SubTask', taskId: task.taskId, causeId: round.manifestId, after: round.after, payload: subtask });
    }
  }

  private nextGroup(task: TaskRuntime, state: State, round: RoundState): void {
    const failed = round.current.map(({ subtaskId }) => state.arrived.get(subtaskId)!.outcome).find(({ status }) => status === 'failed');
    if (failed) return this.skipRest(task, round, failed);
    const group = round.groups.shift();
    if (!group) return;
    const known = earlierOutputs(state, round);
    round.after = known.map(({ messageId }) => messageId);
    round.current = group;
    round.waiting = group.map((subtask) => withEarlierOutputs(subtask, known, round, task.nonce));
  }

  private skipRest(task: TaskRuntime, round: RoundState, failed: SubTaskOutcome): void {
    const reason = `prerequisite failed: ${failed.intent ?? 'an earlier subtask'}`;
    for (const subtask of round.groups.splice(0).flat()) {
      this.port.publish({
        type: 'SubTaskOutcome', taskId: task.taskId, causeId: round.manifestId,
        payload: {
          subtaskId: subtask.subtaskId, parentTaskId: subtask.parentTaskId, status: 'failed', output: null, failureReason: reason, skipped: true,
          criteriaVerdicts: subtask.successCriteria.map((criterion) => failedVerdict(criterion, reason, undefined, 'kernel')),
          gapTrajectory: [], toolCalls: [], intent: subtask.intent,
        },
      });
    }
  }
}

/** Matched outputs that a group may build on: what was kept, and the groups before it, by manifest index. */
function earlierOutputs(state: State, round: RoundState): Arrived[] {
  return round.manifest.subtaskIds.flatMap((id) => {
    const arrived = state.arrived.get(id);
    return arrived && arrived.outcome.status === 'matched' ? [arrived] : [];
  });
}

function withEarlierOutputs(subtask: SubTask, known: readonly Arrived[], round: RoundState, nonce: string): SubTask {
  if (known.length === 0) return subtask;
  const blocks = known.map(({ outcome }) => {
    const from = round.subtasks.has(outcome.subtaskId) ? 'done before' : EARLIER_ROUNDS;
    return `Output of "${headTail(outcome.intent ?? 'a subtask', { max: 200 })}" (${from}):\n` +
      fence({ label: 'earlier output', text: headTail(stringifyOutput(outcome.output), { max: CONTEXT_CHARACTERS }), nonce, address: `${subtask.subtaskId} ${outcome.subtaskId}` });
  });
  return { ...subtask, context: [subtask.context, ...blocks].filter((part) => part !== '').join('\n\n') };
}
