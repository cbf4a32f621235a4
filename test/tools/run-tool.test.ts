import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext } from '../../src/contracts/tool.js';
import { defineTool } from '../../src/tools/define-tool.js';
import { runTool } from '../../src/tools/run-tool.js';
import { ToolError } from '../../src/tools/tool-error.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { call } from './support.js';

type Execute = (input: Record<string, unknown>, context: ToolContext) => unknown;
const make = (execute: Execute, options: { readonly timeoutMs?: number; readonly concurrency?: number } = {}) =>
  defineTool({ name: 'probe', description: 'Tries.', input: { type: 'object' }, effect: 'read', execute, ...options });
const never = (): Promise<never> => new Promise(() => undefined);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('a call that succeeds', () => {
  it.each<[string, unknown, string, boolean]>([
    ['text', 'found it', 'found it', false], ['empty text', '', '', true], ['empty list', [], '[]', true], ['empty object', {}, '{}', true], ['null', null, '', true],
    ['a list', ['a'], '["a"]', false], ['a field of its own that is empty', { matches: [] }, '{"matches":[]}', false], ['0', 0, '0', false], ['false', false, 'false', false],
    ['undefined', undefined, '', false], ['a big integer', 10n, '"10n"', false],
    ['bytes that are text', new TextEncoder().encode('grüße'), 'grüße', false], ['no bytes', new Uint8Array(), '', true],
    ['bytes', new Uint8Array([0x89, 0x50, 0, 1]), '[binary, 4 bytes, begins with 89 50 00 01]', false],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0xfe, 0x41]), '[binary, 3 bytes, begins with ff fe 41]', false],
    ['terminal sequences and direction marks', 'a\u001b[31mb\u202ec\u0000', 'abc', false],
  ])('shows %s and says whether it found nothing', async (_, value, text, empty) => {
    expect(await call(make(() => value), {})).toMatchObject({ ok: true, text, empty });
  });

  it('shows a circular object, and one whose getter throws', async () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle['self'] = circle;
    expect((await call(make(() => circle), {})).text).toContain('circular');
    const trap = Object.defineProperty({}, 'x', { enumerable: true, get() { throw new Error('no'); } });
    expect(await call(make(() => trap), {})).toMatchObject({ ok: true });
    const proxy = new Proxy({}, { ownKeys() { throw new Error('no keys'); } });
    expect((await call(make(() => ({ proxy })), {})).ok).toBe(true);
  });

  it('keeps head and tail of 100 MB and says how much it was', async () => {
    const huge = `BEGIN${'ä'.repeat(50 * 1024 * 1024)}END`;
    const { text, totalBytes } = await call(make(() => huge), {});
    expect(text.length).toBeLessThanOrEqual(1_048_576);
    expect([text.startsWith('BEGINä'), text.endsWith('äEND'), text.includes('left out')]).toEqual([true, true, true]);
    expect(totalBytes).toBe(100 * 1024 * 1024 + 8);
  });

  it('counts the bytes of characters outside the basic plane, also across its own seams', async () => {
    expect((await call(make(() => `${'a'.repeat(1_048_575)}${'😀'.repeat(3)}`), {})).totalBytes).toBe(1_048_575 + 12);
  });

  it('hands value, intent and log lines on', async () => {
    const lines: string[] = [];
    const value = { a: 1 };
    const tool = make((_, { log, intentId }) => {
      log(`one\u0007\ntwo ${intentId}`);
      return value;
    });
    const result = await call(tool, {}, { log: (line) => lines.push(line) });
    expect(result.value).toBe(value);
    expect(lines).toEqual(['one two call-1']);
  });

  it('survives a log listener that throws', async () => {
    expect(await call(make((_, { log }) => { log('x'); return 'done'; }), {}, { log: () => { throw new Error('full'); } })).toMatchObject({ ok: true, text: 'done' });
  });
});

describe('a call that fails', () => {
  it.each<[string, unknown, string, string]>([
    ['an error', new Error('broken'), 'logical', 'broken'], ['a text', 'just text', 'logical', 'just text'], ['undefined', undefined, 'logical', 'The tool threw undefined.'],
    ['null', null, 'logical', 'The tool threw null.'], ['a number', 7, 'logical', 'The tool threw 7.'], ['an object', { a: 1 }, 'logical', 'The tool threw an object without a message.'],
    ['a symbol', Symbol('s'), 'logical', 'The tool threw Symbol(s).'],
    ['an I/O error', Object.assign(new Error('no entry'), { code: 'EACCES' }), 'environmental', 'no entry'],
    ['its own word', ToolError.environmental('down', { hint: 'Try later.' }), 'environmental', 'down Try later.'],
  ])('reports a throw of %s', async (_, thrown, failureClass, message) => {
    for (const execute of [() => { throw thrown; }, () => Promise.reject(thrown), async () => { await turn(); throw thrown; }]) {
      expect(await call(make(execute), {})).toMatchObject({ ok: false, code: 'ARTOO_TOOL_FAILED', failureClass, message, text: '', empty: false });
    }
  });

  it('survives an error that throws when it is looked at', async () => {
    const hostile = new Proxy({}, { get() { throw new Error('gotcha'); } });
    expect(await call(make(() => { throw hostile; }), {})).toMatchObject({ ok: false, failureClass: 'logical' });
    const thenable = { get then(): never { throw new Error('trap'); } };
    expect(await call(make(() => thenable), {})).toMatchObject({ ok: false, message: 'trap' });
  });

  it('keeps the output that the error brings along', async () => {
    const result = await call(make(() => { throw ToolError.logical('exit 1', { output: 'three tests failed' }); }), {});
    expect(result).toMatchObject({ ok: false, text: 'three tests failed', totalBytes: 18 });
  });

  it('ignores what a tool throws after it has resolved', async () => {
    const execute = (): Promise<string> => new Promise((resolve) => {
      resolve('first');
      throw new Error('second');
    });
    expect(await call(make(execute), {})).toMatchObject({ ok: true, text: 'first' });
  });

  it('shortens an endless message', async () => {
    expect((await call(make(() => { throw new Error('x'.repeat(1_000_000)); }), {})).message?.length).toBeLessThanOrEqual(2_000);
  });
});

describe('timeout and abort', () => {
  it('ends a tool that hangs, tells it, and says that it was left behind', async () => {
    const clock = new ManualClock();
    let told: AbortSignal | undefined;
    const running = call(make((_, { signal }) => { told = signal; return never(); }, { timeoutMs: 500 }), {}, { clock });
    await clock.advance(600);
    expect(await running).toMatchObject({ ok: false, code: 'ARTOO_TOOL_TIMEOUT', failureClass: 'environmental', leftBehind: true });
    expect([told?.aborted, clock.pending]).toEqual([true, 0]);
  });

  it('uses 60 s where the tool names no time', async () => {
    const clock = new ManualClock();
    let done = false;
    const running = call(make(never), {}, { clock }).finally(() => { done = true; });
    await clock.advance(59_999);
    expect(done).toBe(false);
    await clock.advance(2);
    expect(await running).toMatchObject({ code: 'ARTOO_TOOL_TIMEOUT' });
  });

  it('drops late results, late rejections and late log lines of a tool left behind', async () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    for (const settle of ['resolve', 'reject'] as const) {
      let finish!: () => void;
      const execute: Execute = (_, { log }) => new Promise((resolve, reject) => {
        finish = () => {
          log('late');
          if (settle === 'resolve') resolve('late'); else reject(new Error('late'));
        };
      });
      const running = call(make(execute, { timeoutMs: 10 }), {}, { clock, log: (line) => lines.push(line) });
      await clock.advance(20);
      const result = await running;
      finish();
      await turn();
      expect(result).toMatchObject({ ok: false, code: 'ARTOO_TOOL_TIMEOUT' });
    }
    expect(lines).toEqual([]);
  });

  it('does not start a tool when the task has stopped before', async () => {
    let started = false;
    const result = await call(make(() => { started = true; }), {}, { signal: AbortSignal.abort() });
    expect([started, result.code, result.leftBehind]).toEqual([false, 'ARTOO_ABORTED', undefined]);
  });

  it('ends at once on abort, also twice, also when the tool ignores it', async () => {
    const controller = new AbortController();
    const running = call(make(never), {}, { signal: controller.signal });
    await turn();
    controller.abort(new Error('enough'));
    controller.abort(new Error('again'));
    expect(await running).toMatchObject({ ok: false, code: 'ARTOO_ABORTED', failureClass: 'environmental', leftBehind: true });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('ends when the tool itself stops the task from inside', async () => {
    const controller = new AbortController();
    expect(await call(make(() => { controller.abort(); return 'done anyway'; }), {}, { signal: controller.signal })).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
  });

  it('keeps a result that came before the abort', async () => {
    const controller = new AbortController();
    const result = await call(make(() => 'done'), {}, { signal: controller.signal });
    controller.abort();
    expect(result).toMatchObject({ ok: true, text: 'done' });
  });

  it('leaves no listener on a long-lived signal after 1,000 calls', async () => {
    const { signal } = new AbortController();
    const tool = make(() => 'x', { concurrency: 2 });
    for (let round = 0; round < 200; round += 1) await Promise.all(Array.from({ length: 5 }, () => call(tool, {}, { signal })));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('concurrency', () => {
  it('runs so many calls at once, over all tasks, the others in the order they came', async () => {
    const running: number[] = [];
    const finishers: (() => void)[] = [];
    const tool = make(({ n }) => new Promise<void>((resolve) => { running.push(n as number); finishers.push(resolve); }), { concurrency: 2 });
    const calls = [1, 2, 3, 4].map((n) => call(tool, { n }, { signal: new AbortController().signal }));
    await turn();
    expect(running).toEqual([1, 2]);
    finishers[1]?.();
    await turn();
    expect(running).toEqual([1, 2, 3]);
    finishers[0]?.();
    finishers[2]?.();
    await turn();
    finishers[3]?.();
    expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  });

  it('does not count waiting as running time', async () => {
    const clock = new ManualClock();
    const finishers: (() => void)[] = [];
    const tool = make(() => new Promise<void>((resolve) => finishers.push(resolve)), { concurrency: 1, timeoutMs: 100 });
    const first = call(tool, {}, { clock });
    const second = call(tool, {}, { clock });
    await clock.advance(90);
    finishers[0]?.();
    await first;
    await clock.advance(90);
    finishers[1]?.();
    expect(await second).toMatchObject({ ok: true, durationMs: 90 });
  });

  it('leaves the queue on abort without running and without taking a place', async () => {
    const finishers: (() => void)[] = [];
    let runs = 0;
    const tool = make(() => new Promise<void>((resolve) => { runs += 1; finishers.push(resolve); }), { concurrency: 1 });
    const controller = new AbortController();
    const first = call(tool, {});
    const waiting = call(tool, {}, { signal: controller.signal });
    const last = call(tool, {});
    await turn();
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    finishers[0]?.();
    await first;
    await turn();
    expect(runs).toBe(2);
    finishers[1]?.();
    expect((await last).ok).toBe(true);
  });

  it('gives the place back after a throw and after a timeout', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const tool = make(() => {
      runs += 1;
      if (runs === 1) throw new Error('x');
      return runs === 2 ? never() : 'third';
    }, { concurrency: 1, timeoutMs: 50 });
    await call(tool, {}, { clock });
    const stuck = call(tool, {}, { clock });
    await clock.advance(60);
    await stuck;
    expect(await call(tool, {}, { clock })).toMatchObject({ ok: true, text: 'third' });
  });
});

it('never rejects, even when the clock is broken', async () => {
  let asked = 0;
  const brokenAfter = (readings: number) => ({ now: () => 0, monotonic: () => { if (asked++ >= readings) throw new Error('no time'); return 0; }, setTimeout: () => { throw new Error('no timer'); } });
  for (const readings of [0, 1]) {
    asked = 0;
    const result = await runTool({ tool: make(() => 'x'), input: {}, intentId: '1', signal: new AbortController().signal, clock: brokenAfter(readings) });
    expect(result).toMatchObject({ ok: false, durationMs: 0 });
  }
});
