import { expect, test } from 'vitest';
import { createBus } from 'artoo/bus';
import { createMemoryLedger } from 'artoo/ledger';
import { createFaults, ManualClock, ScriptedLLM, type Faults, type LLMFault, type ToolFault } from 'artoo/testing';
import type { Envelope } from '../../src/contracts/envelope.js';
import type { LLMClient, LLMRequest } from '../../src/contracts/llm.js';
import type { MemoryStore } from '../../src/contracts/memory.js';
import type { Tool } from '../../src/contracts/tool.js';
import { lawEvent } from '../../src/testing/conformance/ledger-parts.js';
import { sampleProgress } from '../../src/testing/conformance/sample-envelope.js';

const request: LLMRequest = { role: 'R1', taskId: 't', system: '', messages: [] };
const model = (): LLMClient => new ScriptedLLM([{ reply: { status: 'completed', output: 'fine' }, times: Number.POSITIVE_INFINITY }], { model: 'm', rank: 3 });
const tool = (executed: unknown[] = []): Tool => ({
  name: 'echo', description: '', inputSchema: {}, validate: (value) => ({ value }), effect: 'read',
  execute: (input) => { executed.push(input); return 'done'; },
});
const context = (signal = new AbortController().signal) => ({ signal, workspace: undefined, log: () => undefined, intentId: 'i', taskId: 't', disclose: () => undefined });

/** Calls a model and a tool some times and returns what came of each call, hangs excepted. */
async function runOnce(faults: Faults): Promise<unknown[]> {
  const quick = ['hang', 'ignore_abort', 'huge'];
  const llm = faults.faultyLLM(model(), { rate: 0.5, kinds: (['cut', 'truncated', 'empty', 'rate_limited', 'fenced', 'unknown_tool'] satisfies LLMFault[]) });
  const wrapped = faults.faultyTool(tool(), { rate: 0.5, kinds: (['throw', 'binary', 'empty'] satisfies ToolFault[]).filter((kind) => !quick.includes(kind)) });
  const outcomes: unknown[] = [];
  for (let call = 0; call < 30; call += 1) {
    outcomes.push(await llm.complete(request, { signal: context().signal }).catch((error: unknown) => String(error)));
    outcomes.push(await Promise.resolve(wrapped.execute({} as never, context())).catch((error: unknown) => String(error)));
  }
  return outcomes;
}

test('one seed is one run; another seed is another', async () => {
  const [first, again, other] = [createFaults(7), createFaults(7), createFaults(8)];
  expect(await runOnce(first)).toEqual(await runOnce(again));
  expect(first.injected).toEqual(again.injected);
  expect(first.injected.length).toBeGreaterThan(10);
  await runOnce(other);
  expect(other.injected).not.toEqual(first.injected);
});

test('rate 0 injects nothing, rate 1 always, most bounds it, kinds limit it', async () => {
  const faults = createFaults(1);
  const count = async (rate: number, most?: number): Promise<number> => {
    const before = faults.injected.length;
    const llm = faults.faultyLLM(model(), { rate, kinds: ['empty'], ...(most === undefined ? {} : { most }) });
    for (let call = 0; call < 20; call += 1) await llm.complete(request, { signal: context().signal });
    return faults.injected.length - before;
  };
  expect([await count(0), await count(1), await count(1, 3)]).toEqual([0, 20, 3]);
  expect(new Set(faults.injected.map(({ kind }) => kind))).toEqual(new Set(['empty']));
});

test('a report names seed, port, call and fault', async () => {
  const faults = createFaults(42);
  const llm = faults.faultyLLM(model(), { rate: 1, kinds: ['unavailable'] });
  await expect(llm.complete(request, { signal: context().signal })).rejects.toMatchObject({ status: 503 });
  expect(faults.describe()).toBe('seed 42, 1 fault(s)\nllm#1 call 1: unavailable');
});

test('a faulty model keeps name, rank and capabilities, and hangs until it is aborted', async () => {
  const llm = createFaults(1).faultyLLM(model(), { rate: 1, kinds: ['hang'] });
  expect(llm).toMatchObject({ model: 'm', rank: 3, capabilities: { tools: true, jsonSchema: true } });
  const controller = new AbortController();
  const pending = llm.complete(request, { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(pending).rejects.toThrow('stopped');
});

const spoiled: readonly [LLMFault, object][] = [
  ['truncated', { finishReason: 'length' }], ['fenced', { text: expect.stringContaining('```json') }], ['thinking', { text: expect.stringMatching(/^<think>/) }],
  ['two_objects', { text: expect.stringMatching(/}\n{/) }], ['empty', { text: ' \n ' }], ['wrong_schema', { text: '{"unexpected": [1, 2, 3]}' }],
  ['not_json', { text: expect.not.stringContaining('{') }], ['no_usage', { text: expect.any(String) }], ['negative_usage', { usage: { inputTokens: -5, outputTokens: Number.NaN } }],
  ['unknown_tool', { toolCalls: [{ name: 'no_such_tool' }] }], ['huge', { text: expect.stringMatching(/x{500000}$/) }],
];
test.each(spoiled)('a faulty model can answer: %s', async (kind, expected) => {
  const reply = await createFaults(1).faultyLLM(model(), { rate: 1, kinds: [kind] }).complete(request, { signal: context().signal });
  expect(reply).toMatchObject(expected);
  expect(reply).not.toEqual(await model().complete(request, { signal: context().signal }));
});

test.each([['rate_limited', { status: 429 }], ['rate_limited_for', { retryAfterMs: 50 }], ['rejected', { status: 400 }], ['network', { code: 'ECONNREFUSED' }], ['cut', { code: 'ECONNRESET' }]] as const)('a faulty model can refuse: %s', async (kind, expected) => {
  await expect(createFaults(1).faultyLLM(model(), { rate: 1, kinds: [kind] }).complete(request, { signal: context().signal })).rejects.toMatchObject(expected);
});

test('a faulty tool can lose the answer of what it did, or never answer', async () => {
  const executed: unknown[] = [];
  const lost = createFaults(1).faultyTool(tool(executed), { rate: 1, kinds: ['done_then_throw'] });
  await expect(Promise.resolve(lost.execute({} as never, context()))).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(executed).toHaveLength(1);
  const deaf = createFaults(1).faultyTool(tool(), { rate: 1, kinds: ['ignore_abort'] });
  const controller = new AbortController();
  let settled = false;
  void Promise.resolve(deaf.execute({} as never, context(controller.signal))).finally(() => { settled = true; });
  controller.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
});

test('a faulty bus delivers twice, late and garbage, and loses nothing', async () => {
  const faults = createFaults(3);
  const bus = faults.faultyBus(createBus(), { rate: 0.5 });
  const seen: string[] = [];
  const dead: unknown[] = [];
  bus.subscribe({}, (envelope: Envelope) => void seen.push(envelope.id));
  bus.tap({ message: () => undefined, report: (report) => void (report.kind === 'dead_letter' && dead.push(report)) });
  const sent = Array.from({ length: 100 }, (_, index) => sampleProgress(index));
  for (const envelope of sent) bus.publish(envelope);
  await bus.drain();
  expect(new Set(seen)).toEqual(new Set(sent.map(({ id }) => id)));
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).not.toEqual([...seen].sort((left, right) => Number(left.split('/')[1]) - Number(right.split('/')[1])));
  expect(dead.length).toBe(faults.injected.filter(({ kind }) => kind.endsWith('_before')).length);
});

test('after a faulty ledger failed, the task fails until it is acquired again; others go on', async () => {
  const inner = createMemoryLedger();
  const ledger = createFaults(1).faultyLedger(inner, { rate: 1, most: 1, kinds: ['full'] });
  expect(() => ledger.append(lawEvent('a', 1))).toThrowError(expect.objectContaining({ code: 'ARTOO_STORE_FULL' }));
  expect(() => ledger.append(lawEvent('a', 2))).toThrowError(expect.objectContaining({ code: 'ARTOO_STORE_FULL' }));
  ledger.append(lawEvent('b', 1));
  await ledger.acquire?.('a');
  ledger.append(lawEvent('a', 3));
  expect(await ledger.read('a')).toHaveLength(1);
});

test('a line that a faulty ledger kept although it said it did not is there', async () => {
  const inner = createMemoryLedger();
  const ledger = createFaults(1).faultyLedger(inner, { rate: 1, kinds: ['kept_then_failed'] });
  await expect(ledger.append(lawEvent('a', 1))).rejects.toMatchObject({ code: 'ARTOO_LEDGER_WRITE' });
  expect(await inner.read('a')).toHaveLength(1);
});

test('a faulty memory fails, poisons and floods what is read', async () => {
  const store = { list: async () => [], flush: async () => undefined } as unknown as MemoryStore;
  const faulty = (kind: 'fail' | 'poison' | 'flood' | 'wrong_types' | 'flush_fails') => createFaults(1).faultyMemory(store, { rate: 1, kinds: [kind] });
  await expect(faulty('fail').list()).rejects.toMatchObject({ code: 'EIO' });
  await expect(faulty('flush_fails').flush()).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await faulty('poison').list()).toMatchObject([{ origin: { integrity: 'untrusted' } }]);
  expect((await faulty('flood').list()).length).toBeGreaterThanOrEqual(1_000);
  expect((await faulty('wrong_types').list()).at(-1)).toBeNull();
});

test('a faulty clock jumps in wall time and never in running time; timers come early or late', async () => {
  const clock = new ManualClock();
  const jumping = createFaults(5).faultyClock(clock, { rate: 1 });
  expect(Math.abs(jumping.now() - clock.now())).toBeGreaterThan(0);
  expect(jumping.monotonic()).toBe(0);
  let fired = 0;
  for (let timer = 0; timer < 20; timer += 1) jumping.setTimeout(() => { fired += 1; }, 1_000);
  await clock.advance(999);
  const early = fired;
  await clock.advance(1_001);
  expect(early).toBeGreaterThan(0);
  expect([early < 20, fired]).toEqual([true, 20]);
});
