import { createBus, rolePort, type Bus } from 'artoo/bus';
import type { Criterion, DispatchManifest, Envelope, MessageType, Payload, RoleId, SubTask, SubTaskOutcome, TaskSpec, ToolCallRecord } from 'artoo/contracts';
import { RecordingBus } from 'artoo/testing';

export const spec: TaskSpec = {
  taskId: 't1', slug: 'look_up', intent: 'Find out about a word.', constraints: { scope: null, deadline: null }, rawInput: 'look up tree', callerCriteria: [],
  tools: ['lookup', 'search'], budget: {},
};
export const criterion = (text: string, change: Partial<Criterion> = {}): Criterion => ({ criterion: text, mode: 'verifiable', about: 'world', ...change });
export const subtask = (change: Partial<SubTask> = {}): SubTask => ({
  subtaskId: 's1', parentTaskId: 't1', round: 1, index: 0, intent: 'Look up tree', successCriteria: [criterion('The tool output names the number of letters')], context: '',
  deadline: null, sequence: 0, tools: ['lookup'], blockedTools: [], blockedTargets: [], blockedPairs: [], cautionTools: [], ...change,
});
export const manifest = (ids: readonly string[], change: Partial<DispatchManifest> = {}): DispatchManifest => ({
  taskId: 't1', round: 1, subtaskIds: [...ids], keptSubtaskIds: [], taskSpec: spec, dispatchedAt: '2026-01-02T03:04:05.000Z', taskCriteria: [criterion('The answer states the number of letters')], ...change,
});
export const call = (change: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  id: 'c1', tool: 'lookup', input: { word: 'tree' }, target: 'tree', effect: 'read', ok: true, evidence: 'tree: four letters', output: 'tree: four letters', startedAt: 0, durationMs: 1, ...change,
});
export const outcome = (change: Partial<SubTaskOutcome> = {}): SubTaskOutcome => ({
  subtaskId: 's1', parentTaskId: 't1', status: 'matched', output: 'tree has four letters', failureReason: null,
  criteriaVerdicts: [{ criterion: 'The tool output names the number of letters', mode: 'verifiable', verdict: 'pass', evidence: 'four letters' }],
  gapTrajectory: [{ attempt: 1, failedCriteria: [] }], toolCalls: [call()], intent: 'Look up tree', ...change,
});
export const failedOutcome = (change: Partial<SubTaskOutcome> = {}): SubTaskOutcome => outcome({
  status: 'failed', failureReason: 'the page was not there',
  criteriaVerdicts: [{ criterion: 'The tool output names the number of letters', mode: 'verifiable', verdict: 'fail', evidence: '', failureClass: 'environmental' }],
  gapTrajectory: [{ attempt: 1, failedCriteria: [{ criterion: 'The tool output names the number of letters', failureClass: 'environmental' }] }],
  toolCalls: [call({ ok: false, failureClass: 'environmental', output: 'ENOENT', evidence: 'ENOENT' })], ...change,
});

/** A bus with one role under test on it; everybody else is played by the test. */
export class Stage {
  readonly bus: RecordingBus = new RecordingBus(createBus());
  private readonly ports = new Map<RoleId, ReturnType<typeof rolePort>>();

  port(role: RoleId): ReturnType<typeof rolePort> {
    let port = this.ports.get(role);
    if (!port) this.ports.set(role, (port = rolePort(this.bus as Bus, role)));
    return port;
  }

  /** Says something in another role's name and waits until everything that follows from it is over. */
  async say<T extends MessageType>(from: RoleId, type: T, payload: Payload<T>, taskId = 't1'): Promise<void> {
    this.port(from).publish({ type, taskId, payload });
    await this.settled();
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await this.bus.drain();
      await new Promise<void>((resolve) => { setImmediate(resolve); });
    }
    await this.bus.drain();
  }

  said<T extends MessageType>(type: T): readonly Envelope<T>[] {
    return this.bus.ofType(type);
  }
}
