import { getEventListeners, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import { systemClock } from '../../src/signals/system-clock.js';
import { abortError } from '../../src/signals/abort-error.js';
import { delay } from '../../src/signals/delay.js';
import { linkedController } from '../../src/signals/linked-controller.js';
import { runWithTimeout, runWithTimeScope, type TimeScope } from '../../src/signals/run-with-timeout.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const timeout = (): Error => new ArtooError('ARTOO_LLM_TIMEOUT', 'too late');
const never = (): Promise<never> => new Promise(() => {});
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

function setting(): { clock: ManualClock; controller: AbortController; base: { clock: ManualClock; ms: number; signal: AbortSignal; onTimeout: () => Error } } {
  const clock = new ManualClock();
  const controller = new AbortController();
  return { clock, controller, base: { clock, ms: 100, signal: controller.signal, onTimeout: timeout } };
}

describe('runWithTimeout', () => {
  test.each<[string, () => unknown, unknown]>([
    ['a promise', async () => 7, 7], ['a plain value', () => 7, 7],
    ['a rejection', async () => { throw new Error('no'); }, new Error('no')], ['a throw', () => { throw new Error('no'); }, new Error('no')],
  ])('settles with %s and leaves nothing behind', async (_what, run, expected) => {
    const { clock, controller, base } = setting();
    expect(await outcome(runWithTimeout({ ...base, run }))).toEqual(expected);
    expect([clock.pending, listeners(controller.signal)]).toEqual([0, 0]);
  });

  test('rejects at the limit though run ignores its signal, and aborts that signal', async () => {
    const { clock, controller, base } = setting();
    let inner: AbortSignal | undefined;
    const call = outcome(runWithTimeout({ ...base, run: (signal) => { inner = signal; return never(); } }));
    await clock.advance(99);
    expect(inner!.aborted).toBe(false);
    await clock.advance(1);
    expect(ArtooError.is(await call, 'ARTOO_LLM_TIMEOUT')).toBe(true);
    expect([inner!.aborted, clock.pending, listeners(controller.signal)]).toEqual([true, 0, 0]);
  });

  test('an outer abort rejects at once with its reason as cause', async () => {
    const { clock, controller, base } = setting();
    let inner: AbortSignal | undefined;
    const call = outcome(runWithTimeout({ ...base, run: (signal) => { inner = signal; return never(); } }));
    controller.abort('stop it');
    const error = (await call) as ArtooError;
    expect([error.code, error.cause, inner!.aborted, clock.pending, listeners(controller.signal)]).toEqual(['ARTOO_ABORTED', 'stop it', true, 0, 0]);
  });

  test('a signal that was aborted before keeps run from starting', async () => {
    const { base } = setting();
    let started = false;
    const error = await outcome(runWithTimeout({ ...base, signal: AbortSignal.abort('early'), run: () => { started = true; } }));
    expect([ArtooError.is(error, 'ARTOO_ABORTED'), started]).toEqual([true, false]);
  });

  test('late results and late rejections are swallowed', async () => {
    const { controller, base } = setting();
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    let resolve!: (value: number) => void;
    let reject!: (error: Error) => void;
    const calls = [
      outcome(runWithTimeout({ ...base, run: () => new Promise<number>((r) => { resolve = r; }) })),
      outcome(runWithTimeout({ ...base, run: () => new Promise<number>((_r, r) => { reject = r; }) })),
    ];
    controller.abort();
    const settled = await Promise.all(calls);
    resolve(1);
    reject(new Error('late'));
    await new Promise((done) => setImmediate(done));
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', listen);
    expect([settled.every((error) => ArtooError.is(error, 'ARTOO_ABORTED')), unhandled]).toEqual([true, []]);
  });

  test('no limit sets no timer and still hears the abort', async () => {
    const { clock, controller, base } = setting();
    const call = outcome(runWithTimeout({ ...base, ms: Infinity, run: never }));
    expect(clock.pending).toBe(0);
    controller.abort();
    expect(ArtooError.is(await call, 'ARTOO_ABORTED')).toBe(true);
    expect(listeners(controller.signal)).toBe(0);
  });

  test('an answer that waited behind a blocked event loop is no timeout', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      "const { parentPort, workerData } = require('node:worker_threads'); parentPort.once('message', () => { parentPort.postMessage('in time'); Atomics.store(workerData, 0, 1); Atomics.notify(workerData, 0); });",
      { eval: true, workerData: flag },
    );
    await once(worker, 'online');
    // From here the loop comes to its timers first, and only then to messages.
    await new Promise((resolve) => setImmediate(resolve));
    const call = runWithTimeout({
      clock: systemClock, ms: 20, signal: new AbortController().signal, onTimeout: timeout,
      run: () => new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('go');
        // The loop stands still until the answer is there and the limit is over: the timer is then the first to run.
        Atomics.wait(flag, 0, 0);
        const end = performance.now() + 25;
        while (performance.now() < end);
      }),
    });
    expect(await outcome(call)).toBe('in time');
    await worker.terminate();
  });

  test('the limit may be longer than the platform\'s timers', async () => {
    const { clock, base } = setting();
    const call = outcome(runWithTimeout({ ...base, ms: 2 ** 32, run: never }));
    await clock.advance(2 ** 31);
    expect(clock.pending).toBe(1);
    await clock.advance(2 ** 31);
    expect(ArtooError.is(await call, 'ARTOO_LLM_TIMEOUT')).toBe(true);
  });

  test('what is no number is refused, and an onTimeout that throws decides the error', async () => {
    const { clock, base } = setting();
    expect(ArtooError.is(await outcome(runWithTimeout({ ...base, ms: Number.NaN, run: never })), 'ARTOO_INVALID_ARGUMENT')).toBe(true);
    const call = outcome(runWithTimeout({ ...base, run: never, onTimeout: () => { throw new Error('odd'); } }));
    await clock.advance(100);
    expect(await call).toEqual(new Error('odd'));
  });

  test('a thousand runs on one signal leave it as it was', async () => {
    const { clock, controller, base } = setting();
    let most = 0;
    for (let index = 0; index < 1_000; index += 1) {
      const call = outcome(runWithTimeout({ ...base, run: index % 3 === 0 ? never : async () => index }));
      most = Math.max(most, listeners(controller.signal));
      if (index % 3 === 0) await clock.advance(100);
      await call;
    }
    expect([most, listeners(controller.signal), clock.pending]).toEqual([1, 0, 0]);
  });
});

describe('runWithTimeScope', () => {
  test('a signal that is first read after the limit has been aborted by it', async () => {
    const { clock, base } = setting();
    let held: TimeScope | undefined;
    const call = outcome(runWithTimeScope({ ...base, run: (scope) => { held = scope; return never(); } }));
    await clock.advance(100);
    const error = await call;
    expect([held!.signal.aborted, held!.signal.reason === error, held!.signal === held!.signal]).toEqual([true, true, true]);
  });

  test('a signal that is read early aborts with the outer one; without a limit it is the outer one', async () => {
    const { controller, base } = setting();
    let early: AbortSignal | undefined;
    const calls = [
      outcome(runWithTimeScope({ ...base, run: (scope) => { early = scope.signal; return never(); } })),
      outcome(runWithTimeScope({ ...base, ms: Infinity, run: (scope) => { expect(scope.signal).toBe(controller.signal); return never(); } })),
    ];
    controller.abort();
    await Promise.all(calls);
    expect(early!.aborted).toBe(true);
  });
});

describe('delay', () => {
  test('resolves when due', async () => {
    const { clock, controller } = setting();
    let done = false;
    const wait = delay({ clock, ms: 50, signal: controller.signal }).then(() => { done = true; });
    await clock.advance(49);
    expect(done).toBe(false);
    await clock.advance(1);
    await wait;
    expect([clock.pending, listeners(controller.signal)]).toEqual([0, 0]);
  });

  test('an abort ends it at once, before or after its start', async () => {
    const { clock, controller } = setting();
    const wait = outcome(delay({ clock, ms: 50, signal: controller.signal }));
    controller.abort('no');
    expect(ArtooError.is(await wait, 'ARTOO_ABORTED')).toBe(true);
    expect([clock.pending, listeners(controller.signal)]).toEqual([0, 0]);
    expect(ArtooError.is(await outcome(delay({ clock, ms: 50, signal: controller.signal })), 'ARTOO_ABORTED')).toBe(true);
  });
});

describe('linkedController and abortError', () => {
  test('follows the outer signal until unlinked', () => {
    const outer = new AbortController();
    const linked = linkedController(outer.signal);
    const loose = linkedController(outer.signal);
    loose.unlink();
    outer.abort('why');
    expect([linked.controller.signal.reason, loose.controller.signal.aborted]).toEqual(['why', false]);
    expect(linkedController(outer.signal).controller.signal.reason).toBe('why');
  });

  test('an abort error as reason is not wrapped again; another error is kept as cause', () => {
    const own = new ArtooError('ARTOO_ABORTED', 'x');
    const deadline = new ArtooError('ARTOO_DEADLINE', 'x');
    expect(abortError({ reason: own })).toBe(own);
    expect(abortError({ reason: deadline }).cause).toBe(deadline);
  });
});
