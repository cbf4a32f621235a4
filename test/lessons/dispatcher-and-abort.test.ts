import { createArtoo } from 'artoo';
import { createMemory } from 'artoo/memory';
import { Dispatcher } from 'artoo/roles';
import { ManualClock } from 'artoo/testing';
import { expect, test } from 'vitest';
import { finals, lookupTool, Model, play } from '../hostile/scene.js';
import { failedOutcome, manifest, outcome, Stage, subtask } from '../roles/alone.js';

const staged = async (sequences: readonly number[]): Promise<{ stage: Stage; started: () => string[] }> => {
  const stage = new Stage();
  new Dispatcher().attach(stage.port('dispatcher'));
  const ids = sequences.map((_, index) => `s${index}`);
  await stage.say('R2', 'DispatchManifest', manifest(ids));
  for (const [index, sequence] of sequences.entries()) await stage.say('R2', 'SubTask', subtask({ subtaskId: `s${index}`, index, sequence }));
  return { stage, started: () => stage.said('SubTask').filter(({ from }) => from === 'dispatcher').map(({ payload }) => payload.subtaskId) };
};

test('#17 step 2 waits for step 1 and is given its output', async () => {
  const { stage, started } = await staged([1, 0]);
  expect(started()).toEqual(['s1']);
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 's1', output: 'what step one found' }));
  expect(started()).toEqual(['s1', 's0']);
  expect(stage.said('SubTask').at(-1)!.payload.context).toContain('what step one found');
});

test('#17 nothing starts before the manifest and all its subtasks are there', async () => {
  const stage = new Stage();
  new Dispatcher().attach(stage.port('dispatcher'));
  await stage.say('R2', 'SubTask', subtask({ subtaskId: 'a' }));
  await stage.say('R2', 'DispatchManifest', manifest(['a', 'b']));
  expect(stage.said('SubTask').filter(({ from }) => from === 'dispatcher')).toHaveLength(0);
  await stage.say('R2', 'SubTask', subtask({ subtaskId: 'b' }));
  expect(stage.said('SubTask').filter(({ from }) => from === 'dispatcher')).toHaveLength(2);
});

test.each([[[0, 0]], [[7, 7]], [[1_000_000]], [[5, 2, 9]]])('sequences %j are started, whatever number they begin with', async (sequences) => {
  const { stage, started } = await staged(sequences);
  for (let round = 0; round < sequences.length; round += 1) for (const id of started()) await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: id }));
  expect(started()).toHaveLength(sequences.length);
});

test('a failed step\'s output is not handed on as a fact, and what depends on it never runs', async () => {
  const { stage, started } = await staged([0, 0, 1, 2]);
  await stage.say('R4a', 'SubTaskOutcome', failedOutcome({ subtaskId: 's0', output: 'an invention' }));
  await stage.say('R4a', 'SubTaskOutcome', outcome({ subtaskId: 's1' }));
  expect(started()).toEqual(['s0', 's1']);
  const skipped = stage.said('SubTaskOutcome').filter(({ from }) => from === 'dispatcher').map(({ payload }) => payload);
  expect(skipped.map(({ subtaskId }) => subtaskId)).toEqual(['s2', 's3']);
  // Unclassified: they count in D, not in P.
  for (const { criteriaVerdicts } of skipped) expect(criteriaVerdicts.every(({ verdict, failureClass }) => verdict === 'fail' && failureClass === undefined)).toBe(true);
});

test('#11 #13 #92 #95 after an abort workers stop, and what they still say reaches nobody', async () => {
  let finish: (text: string) => void = () => undefined;
  const tool = lookupTool(() => new Promise<string>((resolve) => { finish = resolve; }));
  const { result, bus, clock } = await play({ options: { tools: [tool] }, onRun: (run) => setImmediate(() => run.abort()) });
  expect(result!.reason).toBe('aborted');
  const said = bus.messages.length;
  finish('tree: four letters');
  await clock.advance(1_000);
  expect(bus.messages.length).toBe(said);
  expect(finals(bus)).toHaveLength(1);
});

test('#11 the signal that a model call and a tool were given aborts with the run', async () => {
  const signals: AbortSignal[] = [];
  const model = new Model({ R3: (_request, { signal }) => { signals.push(signal); return new Promise(() => undefined); } });
  const { result } = await play({ model, onRun: (run) => setImmediate(() => run.abort()) });
  expect(result!.reason).toBe('aborted');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('#5 what was written to memory last is flushed before close returns', async () => {
  const store = createMemory();
  const order: string[] = [];
  const memory = Object.assign(Object.create(store) as typeof store, {
    append: (megram: Parameters<typeof store.append>[0]) => { order.push('append'); store.append(megram); },
    flush: async () => { await store.flush(); order.push('flush'); },
  });
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], memory, clock: new ManualClock() });
  await artoo.run('look up tree').result;
  await artoo.close();
  expect(order).toContain('append');
  expect(order.at(-1)).toBe('flush');
  expect((await store.list()).length).toBeGreaterThan(0);
  await store.close();
});

test('a task that is aborted leaves nothing behind for the next one under the same words', async () => {
  const model = new Model({ R4a: () => ({ verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'environmental' }] }) });
  const clock = new ManualClock();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, ids: { next: (kind) => `${kind}-always-the-same` } });
  const first = artoo.run('look up tree');
  for await (const { type } of first) if (type === 'PlanDirective') first.abort();
  expect((await first.result).reason).toBe('aborted');
  const second = artoo.run('look up tree');
  const directives: string[] = [];
  for await (const { type, payload } of second) {
    if (type === 'PlanDirective') directives.push((payload as { prevDirective: string }).prevDirective);
    if (directives.length === 1) second.abort();
  }
  expect(directives[0]).toBe('init');
  await artoo.close();
});
