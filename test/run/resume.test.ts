import { ArtooError, createArtoo, defineTool, type ArtooOptions, type Ledger, type Tool } from 'artoo';
import type { LedgerEvent } from 'artoo/contracts';
import { createMemoryLedger } from 'artoo/ledger';
import { CountingIds, ManualClock, ScriptedLLM } from 'artoo/testing';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { KillableLedger } from './killable-ledger.js';
import { scenarioModel, scenarioOptions, World } from './scenario.js';

const plan = (tool: string): object => ({
  taskCriteria: [{ criterion: 'It was erased', mode: 'verifiable', check: { type: 'toolSucceeded', tool } }],
  subtasks: [{ intent: 'Erase the old file', successCriteria: [{ criterion: 'erased', mode: 'verifiable', check: { type: 'toolSucceeded', tool } }], sequence: 0, tools: [tool] }],
});

function eraseModel(tool = 'erase'): ScriptedLLM {
  return new ScriptedLLM([
    { role: 'R1', times: Infinity, reply: { slug: 'erase', intent: 'Erase the old file.' } },
    { role: 'R2', times: Infinity, reply: plan(tool) },
    {
      role: 'R3', times: Infinity, reply: (request: { messages: readonly { role: string; content: string }[] }) =>
        request.messages.some(({ role }) => role === 'tool') ? { status: 'completed', output: request.messages.at(-1)!.content.includes('Outcome unknown') ? 'unknown' : 'erased' } : { toolCalls: [{ name: tool, input: { path: 'old.txt' } }] },
    },
    { role: 'R4b', times: Infinity, reply: { summary: 'Erased.', mergedOutput: 'erased', verdicts: [] } },
  ]);
}

function eraser(done: string[], extra: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name: 'erase', description: 'Erases a file.', input: z.object({ path: z.string() }), effect: 'irreversible', target: ({ path }) => path,
      execute: ({ path }) => { done.push(path); return `erased ${path}`; },
    }),
    ...extra,
  };
}

function options(llm: ScriptedLLM, tools: Tool[], more: Partial<ArtooOptions> = {}): ArtooOptions {
  return { models: { brain: llm, tool: llm }, tools, ids: new CountingIds(), clock: new ManualClock(), ...more };
}

/** A ledger that fails for good once an event is met. */
function dyingAt(ledger: Ledger, isLast: (event: LedgerEvent) => boolean): Ledger {
  let dead = false;
  return {
    append(event, how) {
      if (dead) throw new Error('dead');
      const kept = ledger.append(event, how);
      dead = isLast(event);
      if (dead) throw new Error('died right after the append');
      return kept;
    },
    read: (taskId) => ledger.read(taskId), list: () => ledger.list(),
  };
}

test('K14: an irreversible call whose outcome was lost is never run again by itself, and the result says so', async () => {
  const done: string[] = [];
  const ledger = createMemoryLedger();
  // The process dies with the intent on record: whether the file was erased, nobody knows.
  const first = createArtoo(options(eraseModel(), [eraser(done)], { confirm: () => 'allow', ledger: dyingAt(ledger, (event) => event.kind === 'tool.intent') }));
  const run = first.run('erase the old file');
  await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  let questions = 0;
  const second = createArtoo(options(eraseModel(), [eraser(done)], { confirm: () => { questions += 1; return 'deny'; }, ledger }));
  expect(await second.pending()).toMatchObject([{ taskId: run.taskId, status: 'running' }]);
  const result = await second.resume(run.taskId).result;
  expect(done).toEqual([]);
  expect(questions).toBeLessThanOrEqual(1);
  expect(result.directive).toBe('abandon');
  expect(JSON.stringify(result)).toContain('Outcome unknown');
});

test.each([['done', 'done-before', 0], ['not done', 'runs', 1]] as const)('P4: a tool that can tell (%s) settles the doubt', async (answer, _what, runs) => {
  const done: string[] = [];
  const ledger = createMemoryLedger();
  const first = createArtoo(options(eraseModel(), [eraser(done)], { confirm: () => 'allow', ledger: dyingAt(ledger, (event) => event.kind === 'tool.intent') }));
  const run = first.run('erase the old file');
  await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  const second = createArtoo(options(eraseModel(), [eraser(done, { probe: () => answer })], { confirm: () => 'allow', ledger }));
  expect((await second.resume(run.taskId).result).directive).toBe('accept');
  expect(done).toHaveLength(runs);
});

test('K11: an approval that was given and recorded is not asked for again', async () => {
  const done: string[] = [];
  const ledger = createMemoryLedger();
  let questions = 0;
  const confirm = (): 'allow' => { questions += 1; return 'allow'; };
  const isDecision = (event: LedgerEvent): boolean => event.kind === 'effect' && event.address.kind === 'gate' && JSON.stringify(event.value ?? '').includes('"allow"');
  const first = createArtoo(options(eraseModel(), [eraser(done)], { confirm, ledger: dyingAt(ledger, isDecision) }));
  const run = first.run('erase the old file');
  await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  expect(questions).toBe(1);
  const second = createArtoo(options(eraseModel(), [eraser(done)], { confirm, ledger }));
  expect((await second.resume(run.taskId).result).directive).toBe('accept');
  expect(questions).toBe(1);
  expect(done).toEqual(['old.txt']);
});

test('K21: a stop that was recorded is delivered again, and the run ends as it would have', async () => {
  const world = new World();
  const ledger = new KillableLedger();
  const artoo = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born(undefined) });
  const run = artoo.run('sum the files');
  for await (const event of run) if (event.type === 'CorrectionSignal') run.abort('enough');
  const stopped = await run.result;
  expect(stopped).toMatchObject({ directive: 'abandon', reason: 'aborted', partial: [{ output: 'alpha 3' }] });
  // The same task again, dying right after the stop was kept.
  const lines = await ledger.lines(run.taskId);
  const stopAt = lines.findIndex((line) => line.kind === 'stop') + 1;
  const again = new KillableLedger();
  const dying = createArtoo({ ...scenarioOptions(new World(), scenarioModel()), ledger: again.born({ append: stopAt, when: 'after' }) });
  const second = dying.run('sum the files');
  void (async () => { for await (const event of second) if (event.type === 'CorrectionSignal') second.abort('enough'); })();
  await expect(second.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  const revived = createArtoo({ ...scenarioOptions(new World(), scenarioModel()), ledger: again.born(undefined) });
  expect(await revived.resume(second.taskId).result).toMatchObject({ directive: 'abandon', reason: 'aborted', summary: stopped.summary });
});

test('P8: a changed prompt with a recorded write ahead parks the task; without one it goes on', async () => {
  const world = new World();
  const ledger = new KillableLedger();
  const whole = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born(undefined) });
  await whole.run('sum the files').result;
  const lines = await ledger.lines('task-1');
  const firstWrite = lines.findIndex((line) => line.kind === 'tool.outcome' && line.effect === 'write');
  const upTo = async (count: number): Promise<Ledger> => {
    const part = createMemoryLedger();
    for (const { line: _line, ...event } of lines.slice(0, count)) void part.append(JSON.parse(JSON.stringify(event)) as LedgerEvent);
    return part;
  };
  // A tool with another description is another prompt for the planner.
  const changed = (w: World): Tool[] => w.tools().map((tool) => ({ ...tool, description: `${tool.description} (new)` }));
  const after = new World();
  const parked = createArtoo({ ...scenarioOptions(after, scenarioModel()), tools: changed(after), ledger: await upTo(firstWrite + 1) });
  const error: unknown = await parked.resume('task-1').result.catch((caught: unknown) => caught);
  expect(ArtooError.is(error, 'ARTOO_LEDGER_DIVERGED')).toBe(true);
  expect(after.writes).toEqual([]);
  const before = new World();
  const writeIntent = lines.findIndex((line) => line.kind === 'tool.intent' && line.effect === 'write');
  const free = createArtoo({ ...scenarioOptions(before, scenarioModel()), tools: changed(before), ledger: await upTo(writeIntent) });
  expect((await free.resume('task-1').result).directive).toBe('accept');
});

test('P12: a task that brought its host down at the same record again and again is parked', async () => {
  const ledger = createMemoryLedger();
  const model = eraseModel();
  const artoo = createArtoo(options(model, [eraser([])], { confirm: () => 'allow', ledger: dyingAt(ledger, (event) => event.kind === 'task.begin') }));
  const run = artoo.run('erase the old file');
  await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  for (let time = 0; time < 10; time++) {
    const next = createArtoo(options(eraseModel(), [eraser([])], { ledger: dyingAt(ledger, (event) => event.kind === 'task.resume') }));
    await expect(next.resume(run.taskId).result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  }
  const last = createArtoo(options(eraseModel(), [eraser([])], { ledger }));
  await expect(last.resume(run.taskId).result).rejects.toMatchObject({ code: 'ARTOO_TASK_POISONED' });
});

test('K23: a finished task gives its recorded result and does nothing again', async () => {
  const world = new World();
  const ledger = createMemoryLedger();
  const artoo = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger });
  const result = await artoo.run('sum the files').result;
  const silent = new ScriptedLLM([]);
  const later = createArtoo({ ...scenarioOptions(world, silent), ledger });
  expect(await later.resume('task-1').result).toEqual(result);
  expect(silent.requests).toHaveLength(0);
  expect(await later.pending()).toEqual([]);
  await expect(later.resume('nobody').result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_NOT_FOUND' });
});

test('ids, numbers and times of messages are the same after a resume', async () => {
  const world = new World();
  const ledger = new KillableLedger();
  const dying = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born({ append: 60, when: 'after' }) });
  const run = dying.run('sum the files');
  await expect(run.result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  const recorded = (await ledger.lines(run.taskId)).flatMap((line) => (line.kind === 'message' ? [line.envelope] : []));
  const revived = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born(undefined) });
  const again = revived.resume(run.taskId);
  const events = [];
  for await (const event of again) if (event.seq !== undefined) events.push(event);
  for (const old of recorded) {
    const now = events.find(({ id }) => id === old.id);
    expect(now).toMatchObject({ seq: old.seq!, at: old.at, replayed: true });
  }
  const seqs = events.map(({ seq }) => seq!).sort((left, right) => left - right);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  const lines = (await ledger.lines(run.taskId)).flatMap((line) => (line.kind === 'message' ? [line.envelope.id] : []));
  expect(new Set(lines).size).toBe(lines.length);
});

test('resumeOnStart goes on with what the ledger holds unfinished', async () => {
  const world = new World();
  const ledger = new KillableLedger();
  const dying = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born({ append: 40, when: 'after' }) });
  await expect(dying.run('sum the files').result).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  const ends: string[] = [];
  const revived = createArtoo({
    ...scenarioOptions(world, scenarioModel()), ledger: ledger.born(undefined), resumeOnStart: true,
    onEvent: (event) => { if (event.type === 'FinalResult') ends.push(event.taskId); },
  });
  while ((await revived.pending()).length > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toEqual(['task-1']);
  expect(world.writes).toEqual(['c.txt', 'sum.txt']);
});

test('a subscriber that never settles does not keep close from ending', async () => {
  const clock = new ManualClock();
  const { createBus } = await import('artoo/bus');
  const bus = createBus();
  bus.subscribe({ type: 'TaskRequest' }, () => new Promise(() => undefined));
  const world = new World();
  const artoo = createArtoo({ ...scenarioOptions(world, scenarioModel(), clock), bus });
  await artoo.run('sum the files').result;
  let closed = false;
  const closing = artoo.close().then(() => { closed = true; });
  await clock.advance(60_000);
  await closing;
  expect(closed).toBe(true);
});
