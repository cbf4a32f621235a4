import { createArtoo, defineTool, type FinalResult } from 'artoo';
import { createBus } from 'artoo/bus';
import type { Envelope, Ledger } from 'artoo/contracts';
import { createMemoryLedger } from 'artoo/ledger';
import { ManualClock, RecordingBus } from 'artoo/testing';
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { finals, lookupTool, Model, never, play, settle } from '../hostile/scene.js';
import { scenarioModel, scenarioOptions, World } from '../run/scenario.js';

/** What may still be said after a stop. */
const ENDING = new Set(['Stop', 'RoleFailure', 'MegramWrite', 'FinalResult']);

interface Aborted { readonly result: FinalResult; readonly bus: RecordingBus; readonly reached: boolean; readonly world: World }

/** Runs the scenario and aborts at its n-th message, as a host that listens would. */
async function abortAt(n: number, how: 'signal' | 'handle' | 'both'): Promise<Aborted> {
  const world = new World();
  const bus = new RecordingBus(createBus());
  const controller = new AbortController();
  let count = 0;
  let reached = false;
  const artoo = createArtoo({
    ...scenarioOptions(world, scenarioModel()), bus,
    onEvent: ({ type }: Envelope) => {
      if (type === 'Progress') return;
      if (++count !== n) return;
      reached = true;
      if (how !== 'handle') controller.abort();
      if (how !== 'signal') run.abort('enough');
      if (how === 'both') run.abort('again');
    },
  });
  const run = artoo.run({ input: 'sum the files', signal: controller.signal });
  const { result } = await settle(run, new ManualClock());
  await artoo.close();
  expect(getEventListeners(controller.signal, 'abort'), `listeners after an abort at message ${n}`).toHaveLength(0);
  return { result: result!, bus, reached, world };
}

for (const how of ['signal', 'handle', 'both'] as const) {
  test(`F20 an abort by ${how} at any message of a run ends it once, as aborted or with the finished work, and nothing is said after it`, async () => {
    let aborted = 0;
    for (let n = 1; ; n += 1) {
      const { result, bus, reached } = await abortAt(n, how);
      expect(finals(bus), `aborted at ${n}`).toHaveLength(1);
      const types = bus.types({ except: ['Progress'] });
      expect(types.at(-1)).toBe('FinalResult');
      if (!reached) break;
      if (result.directive === 'abandon') {
        aborted += 1;
        expect(result, `aborted at ${n}`).toMatchObject({ reason: 'aborted', output: null });
        const after = types.slice(types.indexOf('Stop'));
        expect(after.filter((type) => !ENDING.has(type)), `said after an abort at ${n}`).toEqual([]);
      } else expect(result.directive).toBe('accept');
    }
    expect(aborted).toBeGreaterThan(20);
  });
}

test('F20 an abort at any line of the record, calls and tool intents among them, ends the run once', async () => {
  const world = new World();
  for (let n = 1, reached = true; reached; n += 1) {
    reached = false;
    let count = 0;
    let abort = (): void => undefined;
    const inner = createMemoryLedger();
    const ledger: Ledger = {
      ...inner,
      append: (event, options) => {
        const kept = inner.append(event, options);
        if (++count === n) {
          reached = true;
          abort();
        }
        return kept;
      },
    };
    const bus = new RecordingBus(createBus());
    const clock = new ManualClock();
    const artoo = createArtoo({ ...scenarioOptions(world, scenarioModel(), clock), bus, ledger });
    const run = artoo.run('sum the files');
    abort = () => run.abort();
    const { result } = await settle(run, clock);
    expect(finals(bus), `aborted at line ${n}`).toHaveLength(1);
    expect(bus.types({ except: ['Progress'] }).at(-1)).toBe('FinalResult');
    // The first line is written before the run is open to an abort.
    if (reached && result!.directive !== 'accept') expect(result, `aborted at line ${n}`).toMatchObject({ directive: 'abandon', reason: 'aborted' });
    await artoo.close();
    expect(clock.pending).toBe(0);
  }
  expect(world.writes.length).toBeGreaterThan(0);
});

test('F20 an abort at once, before anything has begun, is not lost', async () => {
  const { result, model } = await play({ onRun: (run) => run.abort('changed my mind') });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect(result!.summary).toContain('changed my mind');
  expect(model.requests).toHaveLength(0);
});

test('F20 a signal that had aborted before: no call is made, and the run says why it ended', async () => {
  const { result, model, bus } = await play({ run: { signal: AbortSignal.abort(new Error('too late')) } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect([model.requests.length, finals(bus).length]).toEqual([0, 1]);
});

test('F20 an abort after the end changes nothing', async () => {
  const { result, run, bus } = await play();
  run.abort();
  run.abort();
  expect(await run.result).toBe(result);
  expect(result!.directive).toBe('accept');
  expect(finals(bus)).toHaveLength(1);
});

test('F20 an abort from inside of a tool ends the run, and the tool is told by its signal', async () => {
  let told = false;
  let abort = (): void => undefined;
  const tool = defineTool({
    name: 'lookup', description: 'Looks up.', input: z.object({ word: z.string() }), effect: 'read',
    execute: async (_input, { signal }) => {
      signal.addEventListener('abort', () => { told = true; }, { once: true });
      abort();
      return 'tree: four letters';
    },
  });
  const { result, bus } = await play({ options: { tools: [tool] }, onRun: (run) => { abort = () => run.abort('the tool said so'); } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect(told).toBe(true);
  expect(finals(bus)).toHaveLength(1);
});

test('F20 an action under way when the run is aborted is reported as in doubt, never as cancelled', async () => {
  let abort = (): void => undefined;
  const send = defineTool({
    name: 'lookup', description: 'Sends.', input: z.object({ word: z.string() }), effect: 'irreversible',
    execute: async () => { abort(); await never(); },
  });
  const { result } = await play({ options: { tools: [send], confirm: () => 'allow' }, onRun: (run) => { abort = () => run.abort(); } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect(result!.lawEvents).toContainEqual(expect.objectContaining({ decision: 'in doubt', tool: 'lookup' }));
});

test('F20 an abort while a person is asked ends the run without an answer', async () => {
  let abort = (): void => undefined;
  const send = defineTool({ name: 'lookup', description: 'Sends.', input: z.object({ word: z.string() }), effect: 'irreversible', execute: () => 'sent' });
  const { result } = await play({ options: { tools: [send], confirm: () => { abort(); return never(); } }, onRun: (run) => { abort = () => run.abort(); } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect(result!.usage.toolCalls).toBe(0);
});

test('F20 an abort during a wait before a retry ends the run at once', async () => {
  const clock = new ManualClock();
  let abort = (): void => undefined;
  const model = new Model({ R2: () => { queueMicrotask(() => setImmediate(abort)); throw Object.assign(new Error('busy'), { status: 429, retryAfterMs: 50_000 }); } });
  const { result } = await play({ model, clock, stepMs: 1, most: 5, onRun: (run) => { abort = () => run.abort(); } });
  expect(result).toMatchObject({ reason: 'aborted' });
  expect(clock.pending).toBe(0);
});

test('F20 what had been achieved before an abort is not lost', async () => {
  let abort = (): void => undefined;
  const plan = { taskCriteria: ['The answer states the number of letters'], subtasks: [0, 1].map((sequence) => ({ intent: `Look up ${sequence === 0 ? 'tree' : 'lake'}`, successCriteria: ['The tool output names the number of letters'], sequence, tools: ['lookup'] })) };
  const { result } = await play({
    model: new Model({ R2: () => plan }), options: { tools: [lookupTool((word) => (word === 'lake' ? (abort(), never()) : undefined))] }, onRun: (run) => { abort = () => run.abort(); },
  });
  expect(result).toMatchObject({ reason: 'aborted', partial: [{ intent: 'Look up tree', output: 'tree has four letters' }] });
});

test('F20 a thousand runs on one signal leave it as it was', async () => {
  const controller = new AbortController();
  const clock = new ManualClock();
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
  let most = 0;
  for (let batch = 0; batch < 50; batch += 1) {
    const runs = Array.from({ length: 20 }, () => artoo.run({ input: 'look up tree', signal: controller.signal }));
    const results = await Promise.all(runs.map((run) => run.result));
    for (const { directive } of results) expect(directive).toBe('accept');
    model.requests.length = 0;
    most = Math.max(most, getEventListeners(controller.signal, 'abort').length);
  }
  expect(most).toBe(0);
  await artoo.close();
  expect(clock.pending).toBe(0);
});

test('F20 aborting a batch on one signal ends all of it, each once', async () => {
  const controller = new AbortController();
  const bus = new RecordingBus(createBus());
  const clock = new ManualClock();
  const model = new Model({ R3: never });
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, bus });
  const runs = Array.from({ length: 50 }, () => artoo.run({ input: 'look up tree', signal: controller.signal }));
  await clock.advance(0);
  controller.abort();
  for (const result of await Promise.all(runs.map((run) => run.result))) expect(result.reason).toBe('aborted');
  expect(finals(bus)).toHaveLength(50);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  await artoo.close();
  expect(clock.pending).toBe(0);
});

test('F13 F20 a budget that runs out in one of several parallel subtasks ends all of them once, with its reason and what was done', async () => {
  const plan = { taskCriteria: ['The answer states the number of letters'], subtasks: ['tree', 'lake', 'wind'].map((word) => ({ intent: `Look up ${word}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] })) };
  const { result, bus, model } = await play({ model: new Model({ R2: () => plan }), run: { budget: { calls: 7 } } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'budget_calls' });
  expect(model.requests).toHaveLength(7);
  expect(finals(bus)).toHaveLength(1);
  const sequential = await play({ model: new Model({ R2: () => ({ ...plan, subtasks: plan.subtasks.map((subtask, sequence) => ({ ...subtask, sequence })) }) }), run: { budget: { calls: 6 } } });
  expect(sequential.result).toMatchObject({ reason: 'budget_calls', partial: [{ intent: 'Look up tree' }] });
});

test('F13 tokens and money bind like calls, before a call is made', async () => {
  const tokens = await play({ run: { budget: { tokens: 1_500 } } });
  expect(tokens.result).toMatchObject({ directive: 'abandon', reason: 'budget_tokens' });
  expect(tokens.result!.usage.inputTokens + tokens.result!.usage.outputTokens).toBeLessThanOrEqual(1_500);
  const money = await play({ run: { budget: { money: 0.002 } }, options: { prices: { played: { input: 1, output: 2 } } } });
  expect(money.result).toMatchObject({ directive: 'abandon', reason: 'budget_money' });
  expect(money.result!.usage.money).toBeLessThanOrEqual(0.002);
});

test('F13 the deadline ends a run at whatever waits, with its reason', async () => {
  for (const role of ['R1', 'R2', 'R3', 'R4a', 'R4b'] as const) {
    const { result, bus, clock, artoo } = await play({ model: new Model({ [role]: never }), run: { budget: { timeMs: 5_000 } }, stepMs: 1_000, most: 10 });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'deadline' });
    expect(result!.usage.elapsedMs).toBe(5_000);
    expect(finals(bus)).toHaveLength(1);
    await artoo.close();
    expect(clock.pending).toBe(0);
  }
});
