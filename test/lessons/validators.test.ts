import { defineTool } from 'artoo';
import { AgentValidator, MetaValidator } from 'artoo/roles';
import { ScriptedLLM } from 'artoo/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { finals, Model, passAll, play } from '../hostile/scene.js';
import { call, criterion, failedOutcome, manifest, outcome, Stage, subtask } from '../roles/alone.js';
import type { CriterionVerdict, ExecutionResult, SubTask, SubTaskOutcome } from 'artoo/contracts';

interface Judged { readonly outcome: SubTaskOutcome; readonly verdicts: readonly CriterionVerdict[]; readonly llm: ScriptedLLM }

/** One attempt before R4a, with no retries left. */
async function judge(result: Partial<ExecutionResult>, replies: readonly unknown[], change: Partial<SubTask> = {}): Promise<Judged> {
  const stage = new Stage();
  const llm = new ScriptedLLM(replies.map((reply) => ({ role: 'R4a' as const, reply })));
  new AgentValidator({ llm }).attach(stage.port('R4a'));
  await stage.say('dispatcher', 'SubTask', subtask(change));
  await stage.say('R3', 'ExecutionResult', { subtaskId: 's1', attempt: 3, status: 'completed', output: 'tree has four letters', toolCalls: [call()], ...result });
  llm.assertComplete();
  const { payload } = stage.said('SubTaskOutcome')[0]!;
  return { outcome: payload, verdicts: payload.criteriaVerdicts, llm };
}
const pass = (evidence: string, index = 0): object => ({ index, verdict: 'pass', evidence });

describe('R4a', () => {
  test('#30 something "found" in an empty output is not found, whatever score or word the model adds', async () => {
    const { outcome: found } = await judge({ toolCalls: [call({ output: '', evidence: '', empty: true })], output: 'Found the 27-inch monitor' },
      [{ verdicts: [pass('27-inch monitor')], status: 'matched', score: 0.95 }, { verdicts: [pass('27-inch monitor')], overall: 'pass' }]);
    expect(found).toMatchObject({ status: 'failed', criteriaVerdicts: [{ verdict: 'fail', failureClass: 'logical' }] });
  });

  test('#30 each criterion counts alone: one without a verdict fails the subtask', async () => {
    const criteria = [criterion('The letters are counted'), criterion('The word is named')];
    const { outcome: half } = await judge({}, [{ verdicts: [pass('four letters')] }, { verdicts: [pass('four letters')] }], { successCriteria: criteria });
    expect(half.status).toBe('failed');
    expect(half.criteriaVerdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
  });

  test('#9 a right answer is not rejected because of an unrelated permission error', async () => {
    const { outcome: right } = await judge({ toolCalls: [call(), call({ id: 'c2', ok: false, failureClass: 'environmental', output: 'EACCES: permission denied, /root' })] }, [{ verdicts: [pass('four letters')] }]);
    expect(right.status).toBe('matched');
  });

  test('#9 an empty search is a result where it really ran, and none where nothing ran', async () => {
    const ran = await judge({ toolCalls: [call({ output: '(no matches in src)', empty: true })], output: 'no matches' }, [{ verdicts: [pass('no matches in src')] }]);
    expect(ran.outcome.status).toBe('matched');
    const refused = await judge({ toolCalls: [call({ output: '(no matches in src)', empty: true, ran: false })], output: 'no matches' }, [{ verdicts: [pass('no matches in src')] }, { verdicts: [pass('no matches in src')] }]);
    expect(refused.outcome.status).toBe('failed');
  });

  test('#83 an execution that failed is never matched: no model is asked', async () => {
    const { outcome: failed, llm } = await judge({ status: 'failed', output: 'tree: four letters' }, []);
    expect(failed.status).toBe('failed');
    expect(llm.requests).toHaveLength(0);
  });

  test('#89 an old file is no fresh download: a claim and a later look prove nothing where the action itself failed', async () => {
    const calls = [call({ tool: 'download', target: 'a.zip', ok: false, failureClass: 'environmental', output: 'HTTP 503' }), call({ tool: 'list', target: '.', output: 'a.zip 2019-01-01' })];
    const { verdicts } = await judge({ output: 'Downloaded a.zip', toolCalls: calls }, [], { successCriteria: [criterion('a.zip was downloaded', { check: { type: 'toolSucceeded', tool: 'download', target: 'a.zip' } })] });
    expect(verdicts).toMatchObject([{ verdict: 'fail', failureClass: 'environmental', by: 'check' }]);
    const claim = await judge({ output: 'Downloaded a.zip just now', toolCalls: calls }, [{ verdicts: [pass('Downloaded a.zip just now')] }, { verdicts: [pass('Downloaded a.zip just now')] }]);
    expect(claim.outcome.status).toBe('failed');
  });

  test('#68 a permission error is environmental by what the tool said, not by what the model calls it', async () => {
    const denied = call({ ok: false, failureClass: 'environmental', output: 'EACCES: permission denied, open secret.txt' });
    const { verdicts } = await judge({ toolCalls: [denied] }, [{ verdicts: [{ index: 0, verdict: 'fail', evidence: 'EACCES: permission denied', failureClass: 'logical' }] }]);
    expect(verdicts).toMatchObject([{ verdict: 'fail', failureClass: 'environmental' }]);
    const failed = await judge({ status: 'failed', output: 'could not read', toolCalls: [denied] }, []);
    expect(failed.verdicts[0]!.failureClass).toBe('environmental');
  });

  test('"not found" in prose makes no failure environmental, and one snippet reclassifies nothing else', async () => {
    const { verdicts } = await judge({ output: 'the answer was not found', toolCalls: [call({ output: 'Operation not permitted, they said; page not found in the index' })] },
      [{ verdicts: [{ index: 0, verdict: 'fail', evidence: 'page not found in the index', failureClass: 'logical' }, { index: 1, verdict: 'fail', evidence: '', failureClass: 'logical' }] }],
      { successCriteria: [criterion('The letters are counted'), criterion('The word is named')] });
    expect(verdicts.map(({ failureClass }) => failureClass)).toEqual(['logical', 'logical']);
  });

  test('a failure without a class is asked for once, then classified by code', async () => {
    const bare = { verdicts: [{ index: 0, verdict: 'fail', evidence: '' }] };
    const { verdicts, llm } = await judge({ toolCalls: [call({ ok: false, failureClass: 'environmental', output: 'ECONNRESET' })] }, [bare, bare]);
    expect(llm.requests[1]!.messages.at(-1)!.content).toContain('failureClass');
    expect(verdicts).toMatchObject([{ failureClass: 'environmental' }]);
  });

  test('#61 what could not be judged is not judged as failed work: environmental, and no correction is spent on it', async () => {
    const { outcome: unjudged } = await judge({ attempt: 1 }, ['nonsense', 'nonsense', 'nonsense']);
    expect(unjudged).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('could not be judged'), criteriaVerdicts: [{ failureClass: 'environmental', by: 'kernel' }] });
  });

  test('[LAW1] in a result is no success', async () => {
    const { outcome: blocked } = await judge({ output: '[LAW1] rm was denied', toolCalls: [call({ ok: false, ran: false, failureClass: 'environmental', output: '[LAW1] rm was denied' })] }, [{ verdicts: [pass('[LAW1] rm was denied')] }, { verdicts: [pass('[LAW1] rm was denied')] }]);
    expect(blocked.status).toBe('failed');
  });
});

const merged = { summary: 'Looked it up.', mergedOutput: 'four letters', verdicts: [pass('four letters')] };
async function merge(outcomes: readonly SubTaskOutcome[], replies: readonly unknown[]): Promise<Stage> {
  const stage = new Stage();
  const llm = new ScriptedLLM(replies.map((reply) => ({ role: 'R4b' as const, reply })));
  new MetaValidator({ llm }).attach(stage.port('R4b'));
  await stage.say('R2', 'DispatchManifest', manifest(outcomes.map(({ subtaskId }) => subtaskId)));
  for (const each of outcomes) await stage.say('R4a', 'SubTaskOutcome', each);
  llm.assertComplete();
  return stage;
}

describe('R4b', () => {
  test('#28 one matched and one failed subtask: never accepted, and no model is asked', async () => {
    const stage = await merge([outcome({ subtaskId: 'a' }), failedOutcome({ subtaskId: 'b' })], []);
    expect(stage.said('OutcomeSummary')).toHaveLength(0);
    expect(stage.said('ReplanRequest').map(({ payload }) => [payload.stage, payload.failedSubtasks])).toEqual([['gate', ['b']]]);
  });

  test('#47 what went wrong is said in words, not in ids', async () => {
    const id = '0f4f2c3e-2f3b-5c0b-9d7e-2f6f0a7c4b11';
    const stage = await merge([failedOutcome({ subtaskId: id, intent: 'Fetch the page' })], []);
    const { gapSummary } = stage.said('ReplanRequest')[0]!.payload;
    expect(gapSummary).toContain('Fetch the page: the page was not there');
    expect(gapSummary).not.toContain(id);
    const { result } = await play({ model: new Model({ R4a: () => ({ verdicts: [{ index: 0, verdict: 'fail', evidence: 'no letters', failureClass: 'logical' }] }) }) });
    expect(`${result!.summary} ${JSON.stringify([result!.unmet, result!.nextMoves])}`).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  test.each<[string, readonly unknown[]]>([
    ['an unescaped quote', ['{"summary": "the "word" tree", "mergedOutput": "four letters", "verdicts": [{"index": 0, "verdict": "pass", "evidence": "four letters"}]}']],
    ['prose', ['fine', 'fine', 'fine']], ['an unknown verdict word', Array(3).fill({ ...merged, verdicts: [{ index: 0, verdict: 'partly', evidence: 'four letters' }] })],
    ['an HTTP error', [Object.assign(new Error('server'), { status: 500 })]], ['a good merge', [merged]], ['a fail', [{ ...merged, verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }] }]],
  ])('#80 with %s exactly one word goes to R7', async (name, replies) => {
    const stage = new Stage();
    const llm = new ScriptedLLM(replies.map((reply) => ({ role: 'R4b' as const, reply })));
    new MetaValidator({ llm }).attach(stage.port('R4b'));
    await stage.say('R2', 'DispatchManifest', manifest(['s1']));
    await stage.say('R4a', 'SubTaskOutcome', outcome());
    const words = stage.said('OutcomeSummary').length + stage.said('ReplanRequest').length;
    // A role on its own has a client of its own; an error that is none of artoo's is a failure of the role.
    expect(words + stage.said('RoleFailure').length, name).toBe(1);
  });

  test('#67 #79 #105 every end comes from R7 alone, and an abandoned task says so with its cost', async () => {
    const { result, bus } = await play({ model: new Model({ R4b: () => ({ ...merged, verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }] }) }) });
    expect(finals(bus).map(({ from }) => from)).toEqual(['R7']);
    expect(result).toMatchObject({ directive: 'abandon', output: null });
    expect(result!.loss.Omega).toBeGreaterThan(0);
    expect(result!.reason).toBeDefined();
  });

  test('#3 every way to end writes a memory, failures too', async () => {
    for (const R4b of [(): unknown => merged, (): unknown => 'nonsense']) {
      const { bus, result } = await play({ model: new Model({ R4b }) });
      const last = bus.ofType('MegramWrite').at(-1)!.payload.megram;
      expect(last.state).toBe(result!.directive);
      expect(Math.sign(last.sigma)).toBe(result!.directive === 'accept' ? 1 : -1);
    }
    const stopped = await play({ run: { budget: { calls: 3 } } });
    expect(stopped.bus.ofType('MegramWrite').at(-1)!.payload.megram.state).toBe('abandon');
  });

  test('R4b is at least as able as R2, and on the brain tier unless told otherwise', async () => {
    const { createArtoo } = await import('artoo');
    const ranked = (rank: number): ScriptedLLM => new ScriptedLLM([], { rank });
    expect(() => createArtoo({ models: { brain: ranked(5), tool: ranked(1), R4b: ranked(4) } })).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG' }));
    const [brain, tool] = [new Model(), new Model()];
    const own = await play({ model: brain, options: { models: { brain, tool } } });
    expect(own.result!.directive).toBe('accept');
    expect(new Set(brain.requests.map(({ role }) => role))).toEqual(new Set(['R1', 'R2', 'R4b']));
    expect(new Set(tool.requests.map(({ role }) => role))).toEqual(new Set(['R3', 'R4a']));
  });

  test('a kept subtask is merged and judged again, and what was written to since can\'t be kept', async () => {
    const files = new Map([['a', 'tree: four letters']]);
    const read = defineTool({ name: 'lookup', description: 'Reads.', input: z.object({ word: z.string() }), effect: 'read', target: ({ word }) => word, execute: ({ word }) => files.get(word) ?? 'nothing' });
    const write = defineTool({ name: 'write', description: 'Writes.', input: z.object({ word: z.string() }), effect: 'write', target: ({ word }) => word, execute: ({ word }) => { files.set(word, 'changed'); return 'tree: four letters written'; } });
    const part = (intent: string, tools: string[], sequence: number): object => ({ intent, successCriteria: ['The tool output names the number of letters'], sequence, tools });
    let plans = 0;
    const { model } = await play({
      options: { tools: [read, write] },
      model: new Model({
        R2: (request) => {
          if (request.schema?.name === 'next_moves') return { moves: ['x'] };
          plans += 1;
          const taskCriteria = ['The answer states the number of letters'];
          if (plans === 1) return { taskCriteria, subtasks: [part('Look up a', ['lookup'], 0), part('Look up gone', ['lookup'], 1)] };
          if (plans === 2) return { taskCriteria, keep: [0], subtasks: [part('Write over a', ['write'], 0), part('Look up missing', ['lookup'], 1)] };
          return plans === 3 ? { taskCriteria, keep: [0], subtasks: [part('Read something new', ['lookup'], 0)] } : { taskCriteria, subtasks: [part('Look up a again', ['lookup'], 0)] };
        },
        R3: (request) => {
          if (request.messages.some(({ role }) => role === 'tool')) return { status: 'completed', output: 'done' };
          const prompt = request.messages[0]!.content;
          const word = /(gone|missing|new)/.exec(/Subtask: (.*)/.exec(prompt)![1]!)?.[1] ?? 'a';
          return { raw: { text: '', toolCalls: [{ id: '', name: prompt.includes('Subtask: Write') ? 'write' : 'lookup', input: { word } }], finishReason: 'tool_calls' } };
        },
        R4a: (request) => (request.messages[0]!.content.includes('four letters') ? passAll() : { verdicts: [{ index: 0, verdict: 'fail', evidence: 'nothing', failureClass: 'environmental' }] }),
      }),
    });
    const refusals = model.of('R2').map(({ messages }) => messages.at(-1)!.content).filter((content) => content.includes('was written to since'));
    expect(refusals.length).toBeGreaterThan(0);
  });
});
