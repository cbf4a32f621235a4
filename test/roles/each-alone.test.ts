import { Dispatcher, AgentValidator, Executor, GoalGradientSolver, MetaValidator, Perceiver, Planner } from 'artoo/roles';
import { defineTool } from 'artoo';
import { ScriptedLLM } from 'artoo/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, criterion, failedOutcome, manifest, outcome, spec, Stage, subtask } from './alone.js';

const lookup = defineTool({ name: 'lookup', description: 'Looks a word up.', input: z.object({ word: z.string() }), effect: 'read', target: ({ word }) => word, execute: ({ word }) => `${word}: four letters` });
const request = { taskId: 't1', input: 'look up tree', context: [], criteria: [], tools: ['lookup'], budget: {}, limits: {} };

test('R1 turns a request into one TaskSpec for R2 and R7, its words verbatim', async () => {
  const stage = new Stage();
  new Perceiver({ llm: new ScriptedLLM([{ role: 'R1', reply: { slug: 'look_up', intent: 'Find out about a word.' } }]) }).attach(stage.port('R1'));
  await stage.say('user', 'TaskRequest', request);
  expect(stage.bus.trace({ except: ['Progress'] })).toEqual(['user→R1 TaskRequest', 'R1→R2,R7 TaskSpec']);
  expect(stage.said('TaskSpec')[0]).toMatchObject({ causeId: stage.said('TaskRequest')[0]!.id, payload: { rawInput: 'look up tree', intent: 'Find out about a word.', slug: 'look_up' } });
});

test('R1 spares its call where the host words the intent', async () => {
  const stage = new Stage();
  const llm = new ScriptedLLM([]);
  new Perceiver({ llm }).attach(stage.port('R1'));
  await stage.say('user', 'TaskRequest', { ...request, intent: 'Look a word up', slug: 'host_slug' });
  expect(stage.said('TaskSpec')[0]!.payload).toMatchObject({ intent: 'Look a word up', slug: 'host_slug', readBy: 'host' });
  llm.assertComplete();
});

const planReply = (word: string): object => ({ taskCriteria: ['The answer states the number of letters'], subtasks: [{ intent: `Look up ${word}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'], targets: [word] }] });

test('R2 sends the manifest before its subtasks, with ids that come out the same again', async () => {
  const once = async (): Promise<readonly string[]> => {
    const stage = new Stage();
    new Planner({ llm: new ScriptedLLM([{ role: 'R2', reply: planReply('tree') }]) }).attach(stage.port('R2'));
    await stage.say('R1', 'TaskSpec', spec);
    expect(stage.bus.trace({ except: ['Progress'] })).toEqual(['R1→R2,R7 TaskSpec', 'R2→dispatcher,R4b DispatchManifest', 'R2→dispatcher SubTask']);
    expect(stage.said('SubTask').map(({ payload }) => payload.subtaskId)).toEqual(stage.said('DispatchManifest')[0]!.payload.subtaskIds);
    return stage.said('DispatchManifest')[0]!.payload.subtaskIds;
  };
  expect(await once()).toEqual(await once());
});

test('the dispatcher starts a group at once, the next with the outputs of the one before, and reports what can\'t start', async () => {
  const stage = new Stage();
  new Dispatcher().attach(stage.port('dispatcher'));
  const ids = ['a', 'b', 'c', 'd'];
  const started = (): string[] => stage.said('SubTask').filter(({ from }) => from === 'dispatcher').map(({ payload }) => payload.subtaskId);
  await stage.say('R2', 'DispatchManifest', manifest(ids));
  for (const [index, subtaskId] of ids.entries()) await stage.say('R2', 'SubTask', subtask({ subtaskId, intent: `Do ${subtaskId}`, sequence: index < 2 ? 0 : index }));
  expect(started()).toEqual(['a', 'b']);
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'a', intent: 'Do a', output: 'output of a' }));
  expect(started()).toEqual(['a', 'b']);
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'b', intent: 'Do b', output: 'output of b' }));
  expect(started()).toEqual(['a', 'b', 'c']);
  const { context } = stage.said('SubTask').at(-1)!.payload;
  expect(context).toMatch(/Output of "Do a"[^]*output of a[^]*Output of "Do b"[^]*output of b/);
  await stage.say('R4a', 'SubTaskOutcome', failedOutcome({ subtaskId: 'c', intent: 'Do c' }));
  expect(started()).toEqual(['a', 'b', 'c']);
  expect(stage.said('SubTaskOutcome').filter(({ from }) => from === 'dispatcher').map(({ payload }) => payload)).toMatchObject([{ subtaskId: 'd', status: 'failed', skipped: true, failureReason: 'prerequisite failed: Do c' }]);
});

test('the dispatcher starts no more at once than the limit, and the order of arrival does not matter', async () => {
  const stage = new Stage();
  new Dispatcher().attach(stage.port('dispatcher'));
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
  for (const [index, subtaskId] of [...ids.entries()].reverse()) await stage.say('R2', 'SubTask', subtask({ subtaskId, index }));
  await stage.say('R2', 'DispatchManifest', manifest(ids));
  const started = (): string[] => stage.said('SubTask').filter(({ from }) => from === 'dispatcher').map(({ payload }) => payload.subtaskId);
  expect(started()).toEqual(ids.slice(0, 8));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 's3' }));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 's3' }));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'nobody' }));
  expect(started()).toEqual(ids.slice(0, 9));
});

test('R3 carries one subtask out and reports the calls that really ran', async () => {
  const stage = new Stage();
  new Executor({ llm: new ScriptedLLM([{ role: 'R3', reply: { tool: 'lookup', input: { word: 'tree' } } }, { role: 'R3', reply: { status: 'completed', output: 'four' } }]), tools: [lookup] }).attach(stage.port('R3'));
  await stage.say('dispatcher', 'SubTask', subtask());
  expect(stage.said('ExecutionResult').map(({ payload }) => payload)).toMatchObject([{ subtaskId: 's1', attempt: 1, status: 'completed', output: 'four', toolCalls: [{ tool: 'lookup', target: 'tree', ok: true, output: 'tree: four letters' }] }]);
});

test('R3 begins a subtask once, and a correction of an attempt that is not the last one is late', async () => {
  const stage = new Stage();
  const llm = new ScriptedLLM([{ role: 'R3', reply: { status: 'completed', output: 'one' } }, { role: 'R3', reply: { status: 'completed', output: 'two' } }]);
  new Executor({ llm, tools: [lookup] }).attach(stage.port('R3'));
  await stage.say('dispatcher', 'SubTask', subtask());
  await stage.say('dispatcher', 'SubTask', subtask());
  const correction = { subtaskId: 's1', attemptNumber: 1, failedCriterion: 'x', failureClass: 'logical' as const, whatWasWrong: 'x', whatToDo: 'y' };
  await stage.say('R4a', 'CorrectionSignal', correction);
  await stage.say('R4a', 'CorrectionSignal', correction);
  await stage.say('R4a', 'CorrectionSignal', { ...correction, subtaskId: 'nobody' });
  expect(stage.said('ExecutionResult').map(({ payload }) => [payload.attempt, payload.output])).toEqual([[1, 'one'], [2, 'two']]);
  llm.assertComplete();
});

test('R3: an input that can\'t be recorded is refused and stands as text', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const stage = new Stage();
  new Executor({ llm: new ScriptedLLM([{ role: 'R3', reply: { text: '', toolCalls: [{ id: '', name: 'lookup', input: { toJSON: undefined, word: 1n } }] } }, { role: 'R3', reply: { status: 'failed', output: 'no' } }]), tools: [lookup] }).attach(stage.port('R3'));
  await stage.say('dispatcher', 'SubTask', subtask());
  const [record] = stage.said('ExecutionResult')[0]!.payload.toolCalls;
  expect(record).toMatchObject({ ok: false, ran: false, output: expect.stringMatching(/Invalid input for lookup/) });
  expect(typeof record!.input).toBe('string');
});

test('R4a judges by code where it can, asks once for the rest, and says matched to R4b, dispatcher and R3', async () => {
  const stage = new Stage();
  const llm = new ScriptedLLM([{ role: 'R4a', reply: { verdicts: [{ index: 1, verdict: 'pass', evidence: 'four letters' }] } }]);
  new AgentValidator({ llm }).attach(stage.port('R4a'));
  await stage.say('dispatcher', 'SubTask', subtask({ successCriteria: [criterion('The lookup ran', { check: { type: 'toolSucceeded', tool: 'lookup' } }), criterion('The letters are counted')] }));
  await stage.say('R3', 'ExecutionResult', { subtaskId: 's1', attempt: 1, status: 'completed', output: 'four', toolCalls: [call()] });
  expect(stage.bus.trace({ except: ['Progress'] }).at(-1)).toBe('R4a→R4b,dispatcher,R3 SubTaskOutcome');
  expect(stage.said('SubTaskOutcome')[0]!.payload).toMatchObject({ status: 'matched', criteriaVerdicts: [{ verdict: 'pass', by: 'check' }, { verdict: 'pass', by: 'model' }] });
  expect(llm.requests[0]!.messages[0]!.content).not.toContain('The lookup ran');
  llm.assertComplete();
});

test('R4a judges an attempt once, ignores strangers, and keeps the trajectory when the rubric comes again', async () => {
  const stage = new Stage();
  const fail = { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }], whatWasWrong: 'w', whatToDo: 'd' };
  const llm = new ScriptedLLM([{ role: 'R4a', times: 2, reply: fail }]);
  new AgentValidator({ llm }).attach(stage.port('R4a'));
  const result = { subtaskId: 's1', attempt: 1, status: 'completed' as const, output: 'x', toolCalls: [call()] };
  await stage.say('dispatcher', 'SubTask', subtask());
  await stage.say('R3', 'ExecutionResult', result);
  await stage.say('R3', 'ExecutionResult', result);
  await stage.say('R3', 'ExecutionResult', { ...result, subtaskId: 'nobody' });
  await stage.say('dispatcher', 'SubTask', subtask());
  await stage.say('R3', 'ExecutionResult', { ...result, attempt: 2 });
  await stage.say('R3', 'ExecutionResult', { ...result, attempt: 3, status: 'failed', output: 'gave up' });
  expect(stage.said('CorrectionSignal').map(({ payload }) => payload.attemptNumber)).toEqual([1, 2]);
  expect(stage.said('SubTaskOutcome').map(({ payload }) => payload.gapTrajectory.map(({ attempt }) => attempt))).toEqual([[1, 2, 3]]);
  llm.assertComplete();
});

const merged = { summary: 'Looked it up.', mergedOutput: 'four letters', verdicts: [{ index: 0, verdict: 'pass', evidence: 'four letters' }] };

test('R4b waits for exactly the ids of the manifest, in any order, before or after it, once each', async () => {
  const stage = new Stage();
  const llm = new ScriptedLLM([{ role: 'R4b', reply: merged }]);
  new MetaValidator({ llm }).attach(stage.port('R4b'));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'b', output: 'second' }));
  await stage.say('R2', 'DispatchManifest', manifest(['a', 'b']));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'stranger' }));
  await stage.say('R4a', 'SubTaskOutcome', failedOutcome({ subtaskId: 'b' }));
  expect(stage.said('OutcomeSummary')).toHaveLength(0);
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'a', output: 'first' }));
  await stage.say('R4a', 'SubTaskOutcome', failedOutcome({ subtaskId: 'a' }));
  expect(stage.said('OutcomeSummary').map(({ payload }) => payload.outcomes.map(({ output }) => output))).toEqual([['first', 'second']]);
  expect(stage.said('ReplanRequest')).toHaveLength(0);
  llm.assertComplete();
});

test('R4b: an outcome of the next round that comes before its manifest is not lost', async () => {
  const stage = new Stage();
  new MetaValidator({ llm: new ScriptedLLM([{ role: 'R4b', reply: merged }]) }).attach(stage.port('R4b'));
  await stage.say('R2', 'DispatchManifest', manifest(['a']));
  await stage.say('R4a', 'SubTaskOutcome', failedOutcome({ subtaskId: 'a' }));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 'b' }));
  await stage.say('R2', 'DispatchManifest', manifest(['b'], { round: 2 }));
  expect([stage.said('ReplanRequest').length, stage.said('OutcomeSummary').length]).toEqual([1, 1]);
});

test('R7 answers a failed round with one directive for R2, and an accepted one with one FinalResult for the user', async () => {
  const stage = new Stage();
  new GoalGradientSolver().attach(stage.port('R7'));
  await stage.say('R1', 'TaskSpec', spec);
  const round = { taskId: 't1', round: 1, taskSpec: spec, taskVerdicts: [], taskCriteria: [], elapsedMs: 1_000 };
  await stage.say('R4b', 'ReplanRequest', { ...round, stage: 'gate', outcomes: [failedOutcome()], gapSummary: 'x', failedSubtasks: ['s1'], correctionCount: 0, recommendation: 'replan' });
  expect(stage.said('PlanDirective').map(({ to, payload }) => [to, payload.directive, payload.blockedTargets])).toEqual([['R2', 'change_path', ['tree']]]);
  await stage.say('R4b', 'OutcomeSummary', { ...round, round: 2, outcomes: [outcome()], summary: 'Done.', mergedOutput: 'four letters' });
  await stage.say('R4b', 'OutcomeSummary', { ...round, round: 2, outcomes: [outcome()], summary: 'Done again.', mergedOutput: 'four letters' });
  expect(stage.said('FinalResult').map(({ to, payload }) => [to, payload.directive, payload.summary, payload.replans])).toEqual([['user', 'accept', 'Done.', 1]]);
});

test('each role alone keeps two tasks apart', async () => {
  const stage = new Stage();
  new GoalGradientSolver().attach(stage.port('R7'));
  for (const taskId of ['t1', 't2']) await stage.say('R1', 'TaskSpec', { ...spec, taskId }, taskId);
  const round = { taskId: 't1', round: 1, taskSpec: spec, taskVerdicts: [], taskCriteria: [], elapsedMs: 1_000, stage: 'gate' as const, outcomes: [failedOutcome()], gapSummary: 'x', failedSubtasks: ['s1'], correctionCount: 0, recommendation: 'replan' as const };
  for (let count = 0; count < 4; count += 1) await stage.say('R4b', 'ReplanRequest', { ...round, round: count + 1 }, 't1');
  await stage.say('R4b', 'ReplanRequest', { ...round, taskId: 't2' }, 't2');
  expect(stage.said('FinalResult').map(({ taskId }) => taskId)).toEqual(['t1']);
  expect(stage.said('PlanDirective').filter(({ taskId }) => taskId === 't2').map(({ payload }) => payload.prevDirective)).toEqual(['init']);
});
