import { createArtoo } from 'artoo';
import { quantize } from 'artoo/memory';
import { ManualClock, ScriptedLLM } from 'artoo/testing';
import { describe, expect, test } from 'vitest';
import { calls, failAll, lookupTool, Model, passAll, planFor, play, settle, type Answer } from '../hostile/scene.js';

const merge = (pass: boolean): object => ({ summary: 'Looked it up.', mergedOutput: 'four letters', ...(pass ? passAll() : failAll()) });
/** Fails the first n subtasks' every attempt, then passes. */
const failing = (attempts: number, failureClass: 'logical' | 'environmental'): Answer => (_request, { number }) =>
  (number > attempts ? passAll() : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass }] });

describe('R7', () => {
  test('#43 #44 the controller runs on every cycle: with a direction after a failed round, with D = 0 after a good one', async () => {
    const { bus, result } = await play({ model: new Model({ R4a: failing(3, 'environmental') }) });
    expect(bus.ofType('PlanDirective')[0]!.payload).toMatchObject({ directive: 'change_path', prevDirective: 'init', rationale: expect.stringMatching(/\d/) });
    expect(result).toMatchObject({ directive: 'accept', loss: { D: 0, P: 0 }, replans: 1, prevDirective: 'change_path' });
  });

  test('#46 a good task of four minutes is not given up: Ω is measured against five, and against the host\'s own budget', async () => {
    const slow = (): Model => new Model({ R4a: failing(3, 'environmental') });
    for (const [timeMs, reason] of [[undefined, undefined], [240_000, 'deadline']] as const) {
      const clock = new ManualClock();
      const tool = lookupTool(() => new Promise((resolve) => { clock.setTimeout(() => resolve(undefined), 59_000); }));
      const { result } = await play({ clock, model: slow(), stepMs: 59_000, options: { tools: [tool] }, run: timeMs === undefined ? {} : { budget: { timeMs: 60_000 } } });
      expect(result!.reason).toBe(reason);
    }
  });

  test('#63 classes go from the validator to the controller as they are, not from keywords', async () => {
    for (const [failureClass, P] of [['logical', 1], ['environmental', 0]] as const) {
      const { bus } = await play({ model: new Model({ R4a: () => ({ verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass }], whatWasWrong: 'permission denied, not found, timeout, wrong logic' }) }) });
      expect(bus.ofType('PlanDirective')[0]!.payload.loss).toMatchObject({ D: 1, P });
    }
  });

  test('#73 what failed once is not tried again: targets add up over the rounds, and every subtask carries them', async () => {
    const broken = lookupTool((word) => { throw Object.assign(new Error(`ENOENT ${word}`), { code: 'ENOENT' }); });
    const { bus } = await play({ model: new Model({ R3: (request) => (request.messages.some(({ role }) => role === 'tool') ? { status: 'failed', output: 'gone' } : calls([{ name: 'lookup', input: { word: /Look up (\w+)/.exec(request.messages[0]!.content)![1] } }])) }), options: { tools: [broken], limits: { maxRetries: 0 } } });
    const blocked = bus.ofType('PlanDirective').map(({ payload }) => payload.blockedTargets);
    expect(blocked.slice(0, 2)).toEqual([['tree'], ['tree', 'lake']]);
    expect(bus.ofType('SubTask').filter(({ payload }) => payload.round === 2)[0]!.payload.blockedTargets).toEqual(['tree']);
  });

  test('#78 improving with a wrong approach is no refine, and a gap that is small enough is no replan', async () => {
    const plan = (words: readonly string[]): object => ({ taskCriteria: ['The answer states the number of letters'], subtasks: words.map((word) => ({ intent: `Look up ${word}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] })) });
    let plans = 0;
    const { bus, result } = await play({
      model: new Model({
        R2: (request) => (request.schema?.name === 'next_moves' ? { moves: ['x'] } : plan([['tree', 'lake', 'wind', 'moss'], ['dune', 'reef', 'hill', 'vale'], ['rock', 'sand', 'clay', 'loam']][plans++] ?? ['x'])),
        // Three of four fail, then two of four, then one of four.
        R4a: (request) => {
          const word = /Subtask: Look up (\w+)/.exec(request.messages[0]!.content)![1]!;
          return ['tree', 'lake', 'wind', 'dune', 'reef', 'rock'].includes(word) ? failAll() : passAll();
        },
      }),
      options: { limits: { maxRetries: 0 } },
    });
    expect(bus.ofType('PlanDirective').map(({ payload }) => payload.directive)).toEqual(['break_symmetry', 'change_approach']);
    expect(result).toMatchObject({ directive: 'success', replans: 2, loss: { D: 0.25 } });
    expect(result!.unmet.map(({ criterion }) => criterion)).toContain('The tool output names the number of letters');
  });

  test('#64 a run that gets worse round after round is stopped by Law 2', async () => {
    const sizes = [1, 2, 4];
    let plans = 0;
    const { result } = await play({
      model: new Model({
        R2: (request) => {
          if (request.schema?.name === 'next_moves') return { moves: ['x'] };
          const bad = sizes[plans++] ?? 4;
          return {
            taskCriteria: ['The answer states the number of letters'],
            subtasks: [0, 1, 2, 3].map((index) => ({ intent: `Look up ${index < bad ? 'bad' : 'good'}${plans}${index}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] })),
          };
        },
        R4a: (request) => (/Subtask: Look up bad/.test(request.messages[0]!.content) ? { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'environmental' }] } : passAll()),
      }),
      options: { limits: { maxRetries: 0 }, hyperparameters: { maxReplans: 10, delta: 0.1 } },
    });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'law2_divergence' });
  });

  test('a merged result that was rejected is no success, although every subtask matched', async () => {
    const { result, bus } = await play({ model: new Model({ R4b: () => merge(false) }) });
    expect(bus.ofType('SubTaskOutcome').every(({ payload }) => payload.status === 'matched')).toBe(true);
    expect(result).toMatchObject({ directive: 'abandon', output: null, loss: { D: 1 } });
    expect(bus.ofType('MegramWrite').at(-1)!.payload.megram.sigma).toBeLessThan(0);
  });

  test('a stuck task whose clock runs is seen as stuck, not as diverging', async () => {
    const clock = new ManualClock();
    const tool = lookupTool(() => new Promise((resolve) => { clock.setTimeout(() => resolve(undefined), 40_000); }));
    const { bus, result } = await play({ clock, model: new Model({ R4a: () => ({ verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'environmental' }] }) }), stepMs: 40_000, options: { tools: [tool], limits: { maxRetries: 0 } } });
    expect(bus.ofType('PlanDirective').map(({ payload }) => payload.directive)).not.toContain('refine');
    expect(result!.reason).not.toBe('law2_divergence');
  });

  test('break_symmetry remembers the tool that was stuck as bad, not as good', async () => {
    const { bus } = await play({ model: new Model({ R3: (request) => (request.messages.some(({ role }) => role === 'tool') ? { status: 'failed', output: 'no' } : calls([{ name: 'lookup', input: { word: 'tree' } }])) }), options: { tools: [lookupTool(() => { throw new Error('wrong'); })], limits: { maxRetries: 0 } } });
    expect(bus.ofType('PlanDirective')[0]!.payload.directive).toBe('break_symmetry');
    const about = bus.ofType('MegramWrite').map(({ payload }) => payload.megram).filter(({ space }) => space === 'tool:lookup');
    expect(about.length).toBeGreaterThan(0);
    for (const { sigma } of about) expect(sigma).toBeLessThanOrEqual(0);
    expect(quantize('break_symmetry').sigma).toBeGreaterThan(0);
  });
});

describe('models', () => {
  const answers: readonly (readonly [string, (json: string) => string])[] = [
    ['#31 a thinking block', (json) => `<think>{"draft": true} maybe</think>${json}`], ['#31 a thinking block without a beginning', (json) => `so I think that is it</think>${json}`],
    ['#61 fences', (json) => `\`\`\`json\n${json}\n\`\`\``], ['#80 #102 prose with brackets around', (json) => `As [1] says {see below}:\n${json}\nDone {really}.`],
    ['#84 a broken end', (json) => json.slice(0, -1)], ['#85 single quotes and comments', (json) => json.replace('{', '{ // here it is\n')],
  ];
  test.each(answers)('%s is read alike for every role', async (_name, spoil) => {
    const spoiled = (role: 'R1' | 'R2' | 'R4a' | 'R4b'): Answer => async (request, call) => spoil((await new Model().complete({ ...request, role }, call)).text);
    const { result } = await play({ model: new Model({ R1: spoiled('R1'), R2: spoiled('R2'), R4a: spoiled('R4a'), R4b: spoiled('R4b') }) });
    expect(result).toMatchObject({ directive: 'accept', usage: { calls: 6 } });
  });

  test('#45 each tier has its own model', () => {
    expect(() => createArtoo({ models: { brain: new ScriptedLLM([]) } as never })).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG' }));
  });

  test('#76 a missing model is named when artoo is made, not at the first call', () => {
    expect(() => createArtoo({ models: {} as never })).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG', message: expect.stringMatching(/brain|R1/) }));
  });

  test('#96 a slow answer is waited for as long as the limit says, and a dead one no longer', async () => {
    const clock = new ManualClock();
    const slow = new Model({ R2: () => new Promise((resolve) => { clock.setTimeout(() => resolve(planFor('tree')), 290_000); }) });
    expect((await play({ clock, model: slow, stepMs: 10_000 })).result!.directive).toBe('accept');
  });

  test('429, 5xx and network errors are tried again with a pause, others not', async () => {
    for (const [error, asked] of [[{ status: 429 }, 2], [{ status: 503 }, 2], [{ code: 'ECONNRESET' }, 2], [{ status: 401 }, 1]] as const) {
      const { model, result } = await play({ model: new Model({ R2: (_request, { number }) => { if (number === 1) throw Object.assign(new Error('no'), error); return planFor('tree'); } }) });
      expect([model.of('R2').length, result!.directive]).toEqual([asked, asked === 2 ? 'accept' : 'abandon']);
    }
  });

  test('two tasks of one artoo share nothing but their models', async () => {
    const clock = new ManualClock();
    const model = new Model({ R1: (request) => ({ intent: `Find out about ${request.messages[0]!.content.includes('moon') ? 'the moon' : 'the sun'}.` }) });
    const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
    const runs = ['the moon', 'the sun'].map((input) => artoo.run(input));
    for (const run of runs) expect((await settle(run, clock)).result!.directive).toBe('accept');
    for (const { messages } of model.of('R2')) expect(messages[0]!.content.includes('moon') && messages[0]!.content.includes('sun')).toBe(false);
    await artoo.close();
  });
});
