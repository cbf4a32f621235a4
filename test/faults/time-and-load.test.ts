import { ArtooError, createArtoo, type Clock } from 'artoo';
import { createMemoryLedger } from 'artoo/ledger';
import { ManualClock } from 'artoo/testing';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/signals/system-clock.js';
import { lookupTool, Model, never, play, settle } from '../hostile/scene.js';

const DAY = 86_400_000;

test.each([DAY, -DAY, 3_600_000, -3_600_000, -1])('F33 a wall clock that jumps by %i ms shortens no deadline, ages no duration and ends no run', async (jump) => {
  const clock = new ManualClock();
  const model = new Model({ R3: (request) => { clock.jump(jump); return new Model().complete(request, { signal: new AbortController().signal }).then((reply) => ({ raw: reply })); } });
  const { result } = await play({ model, clock, run: { budget: { timeMs: 60_000 } }, stepMs: 1 });
  expect(result).toMatchObject({ directive: 'accept' });
  expect(result!.usage.elapsedMs).toBeLessThan(1_000);
});

test('F33 a clock that runs backwards for ever does no harm', async () => {
  let now = 1_700_000_000_000;
  const manual = new ManualClock();
  const clock: Clock = { now: () => (now -= DAY), monotonic: () => manual.monotonic(), setTimeout: (callback, ms) => manual.setTimeout(callback, ms) };
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
  const { result } = await settle(artoo.run('look up tree'), manual);
  expect(result!.directive).toBe('accept');
  await artoo.close();
});

test('F34 limits beyond the longest timer of the platform fire when they are due, not at once', async () => {
  const days = 40 * DAY;
  const { result } = await play({ model: new Model({ R3: never }), run: { budget: { timeMs: 2 * days }, limits: { callTimeoutMs: days, callRetries: 0 } }, options: { limits: { stallMs: 100 * DAY } }, stepMs: 10 * DAY, most: 30 });
  expect(result).toMatchObject({ directive: 'abandon' });
  expect(result!.usage.elapsedMs).toBeGreaterThanOrEqual(days);
  let fired = false;
  const cancel = systemClock.setTimeout(() => { fired = true; }, 2 ** 31);
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()] });
  expect((await artoo.run({ input: 'look up tree', budget: { timeMs: 2 ** 33 }, limits: { callTimeoutMs: 2 ** 32 } }).result).directive).toBe('accept');
  expect(fired).toBe(false);
  cancel();
  await artoo.close();
});

test('F35 a blocked event loop makes no timeout of an answer that was there', async () => {
  const model = new Model({
    R2: (request) => new Promise((resolve) => {
      // Both the answer and the limit fall due while the loop is blocked.
      setTimeout(() => resolve({ raw: new Model().complete(request, { signal: new AbortController().signal }) }), 25);
      setTimeout(() => { for (const until = performance.now() + 120; performance.now() < until;); }, 1);
    }).then(async (value) => ({ raw: await (value as { raw: Promise<unknown> }).raw })),
  });
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], limits: { callTimeoutMs: 60, callRetries: 0 } });
  expect(await artoo.run('look up tree').result).toMatchObject({ directive: 'accept' });
  await artoo.close();
});

test('F45 close during a hundred running tasks lets them rest after the grace, twice is once, and nothing can be begun after', async () => {
  const clock = new ManualClock();
  const ledger = createMemoryLedger();
  const model = new Model({ R3: never });
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, ledger });
  const runs = Array.from({ length: 100 }, () => artoo.run('look up tree'));
  const ends = Promise.allSettled(runs.map((run) => run.result));
  await clock.advance(0);
  const closing = artoo.close();
  expect(artoo.close()).toBe(closing);
  await clock.advance(4_999);
  let ended = false;
  void ends.then(() => { ended = true; });
  await clock.advance(0);
  expect(ended).toBe(false);
  await clock.advance(1);
  await closing;
  for (const end of await ends) expect(end.status === 'rejected' && ArtooError.is(end.reason, 'ARTOO_CLOSED')).toBe(true);
  expect(clock.pending).toBe(0);
  await expect(artoo.run('look up tree').result).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
  await expect(artoo.run('look up tree').accepted).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
  await expect(artoo.resume(runs[0]!.taskId).result).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
  // The ledger still has them, and another artoo goes on with them.
  const other = createArtoo({ models: { brain: new Model(), tool: new Model() }, tools: [lookupTool()], clock, ledger });
  expect(await other.pending()).toHaveLength(100);
  expect((await settle(other.resume(runs[0]!.taskId), clock)).result!.directive).toBe('accept');
  await other.close();
});

test('F45 close waits for tasks that end within the grace', async () => {
  const clock = new ManualClock();
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
  const run = artoo.run('look up tree');
  await run.accepted;
  await artoo.close();
  expect((await run.result).directive).toBe('accept');
  expect(clock.pending).toBe(0);
});

test.each<[string, boolean]>([['in RAM', false], ['that takes its time', true]])('F45 close right after run, with a ledger %s: the run ends or says that artoo is closed', async (_name, slow) => {
  const clock = new ManualClock();
  const model = new Model();
  const inner = createMemoryLedger();
  const ledger = slow ? { ...inner, acquire: () => new Promise<void>((resolve) => { setImmediate(resolve); }) } : inner;
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, ledger, limits: { stallMs: 10_000 } });
  const run = artoo.run('look up tree');
  await artoo.close();
  const { result, error } = await settle(run, clock, { stepMs: 5_000, most: 20 });
  expect(result?.directive === 'accept' || ArtooError.is(error, 'ARTOO_CLOSED')).toBe(true);
  expect(clock.pending).toBe(0);
});

test('F46 a thousand tasks at once all end, fairly, and leave nothing', async () => {
  const clock = new ManualClock();
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock });
  const order: number[] = [];
  const runs = Array.from({ length: 1_000 }, (_, index) => {
    const run = artoo.run('look up tree');
    void run.result.then(() => order.push(index));
    return run;
  });
  for (const { directive } of await Promise.all(runs.map((run) => run.result))) expect(directive).toBe('accept');
  // None had to wait for the others: who came first is among the first to end.
  expect(order.indexOf(0)).toBeLessThan(500);
  await artoo.close();
  expect(clock.pending).toBe(0);
});

test('F46 tasks that hang do not hold up those that don\'t', async () => {
  const clock = new ManualClock();
  const model = new Model({ R3: (request, call) => (Number(request.taskId) % 10 === 0 ? never() : new Model().complete(request, call).then((reply) => ({ raw: reply }))) });
  let count = 0;
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, ids: { next: () => String(count++) } });
  const runs = Array.from({ length: 200 }, () => artoo.run('look up tree'));
  let done = 0;
  for (const run of runs) void run.result.then(({ directive }) => { if (directive === 'accept') done += 1; });
  for (let turn = 0; turn < 20; turn += 1) await clock.advance(0);
  expect(done).toBe(runs.filter(({ taskId }) => Number(taskId) % 10 !== 0).length);
  for (const run of runs) run.abort();
  await Promise.all(runs.map((run) => run.result));
  await artoo.close();
  expect(clock.pending).toBe(0);
});

test.each<[string, unknown, string]>([
  ['no task', '', 'ARTOO_INVALID_ARGUMENT'], ['blank words', '  \n', 'ARTOO_INVALID_ARGUMENT'], ['undefined', undefined, 'ARTOO_INVALID_ARGUMENT'], ['a number', 7, 'ARTOO_INVALID_ARGUMENT'],
  ['a budget below nothing', { input: 'x', budget: { calls: -1 } }, 'ARTOO_INVALID_ARGUMENT'], ['a budget that is no number', { input: 'x', budget: { timeMs: Number.NaN } }, 'ARTOO_INVALID_ARGUMENT'],
  ['an unknown option', { input: 'x', bugdet: {} }, 'ARTOO_INVALID_ARGUMENT'], ['an unknown tool', { input: 'x', tools: ['teleport'] }, 'ARTOO_INVALID_ARGUMENT'],
  ['a bad hyperparameter', { input: 'x', hyperparameters: { delta: 7 } }, 'ARTOO_GGS_INVALID_HYPERPARAMETER'],
])('misuse (%s) rejects the run with a code and a hint, and throws nothing', async (_name, asked, code) => {
  const artoo = createArtoo({ models: { brain: new Model(), tool: new Model() }, clock: new ManualClock() });
  const run = artoo.run(asked as string);
  await expect(run.result).rejects.toMatchObject({ code, hint: expect.stringMatching(/\S/) });
  await expect(run.accepted).rejects.toMatchObject({ code });
  await artoo.close();
});
