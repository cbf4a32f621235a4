import { createArtoo } from 'artoo';
import { Planner, Executor } from 'artoo/roles';
import { ManualClock, ScriptedLLM } from 'artoo/testing';
import { describe, expect, test } from 'vitest';
import { calls, finals, lookupTool, Model, planFor, play } from '../hostile/scene.js';
import { spec, Stage, subtask } from '../roles/alone.js';

const today = '2031-05-06';
const at = (): ManualClock => new ManualClock(Date.parse(`${today}T10:00:00Z`));

describe('R1', () => {
  const turn = (index: number): { input: string; output: string } => ({ input: `request ${index}`, output: `result ${index} ${'word '.repeat(59)}end of ${index}` });

  test('#7 #101 "wrong" or "in Chinese please" is read with the five turns before it, each with at least 300 characters of its result', async () => {
    const { model } = await play({ run: { input: 'wrong', context: Array.from({ length: 8 }, (_, index) => turn(index)) } });
    const { messages } = model.of('R1')[0]!;
    for (const index of [3, 4, 5, 6, 7]) {
      expect(messages[0]!.content).toContain(`request ${index}`);
      expect(messages[0]!.content).toContain(turn(index).output.slice(0, 300));
    }
    expect(messages[0]!.content).not.toContain('request 2');
  });

  test('#23 the same question is asked at most twice; an empty answer means go on', async () => {
    const asking = new Model({ R1: () => ({ intent: 'Find out about a word.', questions: ['Which one?'] }) });
    let asked = 0;
    const stubborn = await play({ model: asking, options: { clarify: () => { asked += 1; return ['this one']; } } });
    expect([asked, stubborn.result!.directive]).toEqual([2, 'accept']);
    asked = 0;
    const silent = await play({ model: asking, options: { clarify: () => { asked += 1; return ''; } } });
    expect([asked, silent.result!.directive]).toEqual([1, 'accept']);
    const alone = await play({ model: asking });
    expect([alone.bus.ofType('ClarificationRequest').length, alone.result!.directive]).toEqual([0, 'accept']);
  });

  test('#55 #37 criteria that R1 writes go nowhere; those of R2 travel in the manifest and in every outcome', async () => {
    const { bus } = await play({ model: new Model({ R1: () => ({ intent: 'Find out about a word.', successCriteria: ['R1 was here'], criteria: ['R1 was here'] }) }) });
    expect(JSON.stringify(bus.messages)).not.toContain('R1 was here');
    expect(bus.ofType('DispatchManifest')[0]!.payload.taskCriteria).toMatchObject([{ criterion: 'The answer states the number of letters' }]);
    expect(bus.ofType('SubTaskOutcome')[0]!.payload.criteriaVerdicts).toMatchObject([{ criterion: 'The tool output names the number of letters' }]);
  });

  test('#50 #57 words of time stay as they are, and who plans and judges is told today\'s date', async () => {
    const { model, bus } = await play({ clock: at(), model: new Model({ R1: () => ({ intent: 'Find out about a word this year.' }) }) });
    expect(bus.ofType('TaskSpec')[0]!.payload.intent).toContain('this year');
    for (const role of ['R2', 'R4a', 'R4b'] as const) expect(model.of(role)[0]!.messages[0]!.content).toContain(`Today: ${today}`);
    expect(model.of('R1')[0]!.messages[0]!.content).not.toContain(today);
  });

  test('#93 intents in other scripts each get a slug of their own, never an empty one', async () => {
    const slugs: string[] = [];
    for (const intent of ['统计文件', '删除文件', 'Посчитай файлы', '🎈', '🎉']) {
      const { bus } = await play({ model: new Model({ R1: () => ({ slug: intent, intent }) }) });
      slugs.push(bus.ofType('TaskSpec')[0]!.payload.slug);
    }
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9][a-z0-9_]*$/);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test.each(['how much disk space is left', 'what time is it', 'is the server up', 'who are you', 'what is a checksum'])('#106 %j takes no short cut past the tools and the validators', async (input) => {
    const { model } = await play({ run: { input } });
    expect(new Set(model.requests.map(({ role }) => role))).toEqual(new Set(['R1', 'R2', 'R3', 'R4a', 'R4b']));
  });
});

describe('R2', () => {
  test('#2 a trivial request can\'t be taken apart without end', async () => {
    const { model, result } = await play({
      model: new Model({ R2: (request) => (request.schema?.name === 'next_moves' ? { moves: ['x'] } : { ...planFor('tree'), subtasks: Array.from({ length: 40 }, (_, index) => ({ intent: `Part ${index}`, successCriteria: ['It is shown'], sequence: index, tools: [] })) }) }),
      options: { limits: { subtasks: 5 } },
    });
    expect(model.of('R2')[1]!.messages.at(-1)!.content).toContain('more than the 5 allowed');
    expect(result!.reason).toBe('no_admissible_plan');
  });

  test('#2 every correction carries the attempts before it', async () => {
    const { model } = await play({ model: new Model({ R4a: (_request, { number }) => (number > 2 ? { verdicts: [{ index: 0, verdict: 'pass', evidence: 'four letters' }] } : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }], whatWasWrong: `wrong ${number}`, whatToDo: `try ${number}` }) }) });
    const last = model.of('R3').at(-1)!.messages.map(({ content }) => content).join('\n');
    for (const said of ['wrong 1', 'wrong 2', 'try 2', 'four letters']) expect(last).toContain(said);
  });

  test('#27 an id that the model invents is used for nothing, so that no result reaches another task', async () => {
    const model = new Model({ R2: () => planFor('tree', { subtaskId: 'b2c7', id: 'b2c7' }) });
    const clock = new ManualClock();
    const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
    const runs = [artoo.run('look up tree'), artoo.run('look up tree')];
    const ids: string[] = [];
    for (const run of runs) for await (const { type, payload } of run) if (type === 'DispatchManifest') ids.push(...(payload as { subtaskIds: string[] }).subtaskIds);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('b2c7');
    await artoo.close();
  });

  test('#29 #33 a lesson is not advice: the plan that breaks it is refused', async () => {
    const stage = new Stage();
    const memory = { sops: [], potentials: [], constraints: [{ kind: 'must_not' as const, text: 'search did badly', tool: 'search' }, { kind: 'must_not' as const, text: 'that page is gone', target: 'old.html' }] };
    stage.port('R5').subscribe('MemoryQuery', ({ taskId }) => stage.port('R5').publish({ type: 'MemoryReply', taskId, payload: memory }));
    const plan = (tools: string[], targets: string[]): object => planFor('tree', { tools, targets });
    const llm = new ScriptedLLM([{ role: 'R2', reply: plan(['search'], []) }, { role: 'R2', reply: plan(['lookup'], ['old.html']) }, { role: 'R2', reply: plan(['lookup'], ['tree']) }]);
    new Planner({ llm }).attach(stage.port('R2'));
    await stage.say('R1', 'TaskSpec', spec);
    expect(llm.requests[1]!.messages.at(-1)!.content).toMatch(/"search" must not be used/);
    expect(llm.requests[2]!.messages.at(-1)!.content).toMatch(/"old.html" failed before/);
    expect(stage.said('SubTask')[0]!.payload).toMatchObject({ tools: ['lookup'], blockedTools: ['search'], blockedTargets: ['old.html'], context: expect.stringMatching(/MUST NOT[^]*search did badly/) });
    llm.assertComplete();
  });

  test('#29 #33 and where a call is made it is enforced again', async () => {
    const words: string[] = [];
    const stage = new Stage();
    const llm = new ScriptedLLM([
      { role: 'R3', reply: calls([{ name: 'lookup', input: { word: 'old' } }, { name: 'lookup', input: { word: 'pair' } }, { name: 'search', input: {} }, { name: 'lookup', input: { word: 'new' } }]).raw },
      { role: 'R3', reply: { status: 'completed', output: 'x' } },
    ]);
    new Executor({ llm, tools: [lookupTool((word) => { words.push(word); })] }).attach(stage.port('R3'));
    await stage.say('dispatcher', 'SubTask', subtask({ tools: ['lookup', 'search'], blockedTools: ['search'], blockedTargets: ['old'], blockedPairs: [{ tool: 'lookup', target: 'pair' }] }));
    expect(words).toEqual(['new']);
    expect(llm.requests[0]!.tools!.map(({ name }) => name)).toEqual(['lookup']);
  });

  test.each(['Find out about a word', 'Is the word found out about?', 'The task is done', 'Everything works correctly', 'done'])('#38 the criterion %j names nothing that can fail and is sent back', async (criterion) => {
    const { model, result } = await play({ model: new Model({ R2: (_request, { number }) => (number === 1 ? { ...planFor('tree'), taskCriteria: [criterion] } : planFor('tree')) }) });
    expect(model.of('R2')).toHaveLength(2);
    expect(result!.directive).toBe('accept');
  });

  test('#86 the model is given the real tools, and a plan on others is refused', async () => {
    const { model } = await play({ model: new Model({ R2: (_request, { number }) => (number === 1 ? planFor('tree', { tools: ['ripgrep'] }) : planFor('tree')) }) });
    expect(model.of('R2')[0]!.messages[0]!.content).toContain('- lookup(word): Looks a word up.');
    expect(model.of('R2')[1]!.messages.at(-1)!.content).toMatch(/no tool "ripgrep"; there are: lookup/);
  });

  test('#98 a planner whose model fails ends the run for who waits', async () => {
    const { result, bus } = await play({ model: new Model({ R2: () => { throw Object.assign(new Error('bad request'), { status: 400 }); } }) });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
    expect(result!.summary).toContain('could not plan');
    expect(finals(bus)).toHaveLength(1);
  });

  test('#102 prose, brackets and fences around the plan do no harm', async () => {
    const { result, model } = await play({ model: new Model({ R2: () => `Sure [as you wish] {I think}:\n\`\`\`json\n${JSON.stringify(planFor('tree'))}\n\`\`\`\nShall I go on?` }) });
    expect(result!.directive).toBe('accept');
    expect(model.of('R2')).toHaveLength(1);
  });

  test('a nearly identical plan after a failed round is refused, a changed one is not', async () => {
    const again = planFor('tree', { targets: ['tree'] });
    let plans = 0;
    const { model } = await play({
      model: new Model({
        R2: (request) => (request.schema?.name === 'next_moves' ? { moves: ['x'] } : ++plans < 3 ? again : planFor('lake', { targets: ['lake'] })),
        R4a: (_request, { number }) => (number > 3 ? { verdicts: [{ index: 0, verdict: 'pass', evidence: 'four letters' }] } : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'environmental' }] }),
      }),
    });
    expect(model.of('R2')[2]!.messages.at(-1)!.content).toMatch(/nearly the same as one that failed/);
  });
});
