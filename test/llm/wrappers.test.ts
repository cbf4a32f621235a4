import { getEventListeners } from 'node:events';
import { encode } from 'gpt-tokenizer';
import { describe, expect, test } from 'vitest';
import type { LLMClient, LLMReply } from '../../src/contracts/llm.js';
import { createLimiter, estimateTokens, resolveModels, withCache, withFallback, withLimits, withRetry, type WithRetryOptions } from '../../src/entries/llm.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { failure, live, request, scripted, settle, text } from './builders.js';

const http = (status: number, headers: Record<string, string> = {}): Error => Object.assign(new Error(`HTTP ${status}`), { status, headers });

/** A client whose calls end when the test says so. */
function held(): LLMClient & { readonly calls: { resolve: (reply: LLMReply) => void; reject: (error: unknown) => void; content: string }[] } {
  const calls: { resolve: (reply: LLMReply) => void; reject: (error: unknown) => void; content: string }[] = [];
  return { model: 'held', calls, complete: (given) => new Promise((resolve, reject) => calls.push({ resolve, reject, content: given.messages[0]!.content })) };
}

describe('withRetry', () => {
  function setting(client: LLMClient, options: WithRetryOptions = {}): { clock: ManualClock; retrying: LLMClient; waits: number[]; ask: (signal?: AbortSignal) => Promise<LLMReply> } {
    const clock = new ManualClock();
    const waits: number[] = [];
    const retrying = withRetry(client, { clock, random: () => 1, onRetry: ({ waitMs }) => waits.push(waitMs), ...options });
    return { clock, retrying, waits, ask: (signal = live()) => retrying.complete(request(), { signal }) };
  }

  test('tries again with growing waits until it works', async () => {
    const client = scripted([http(500), http(503), Object.assign(new Error('x'), { code: 'ECONNRESET' }), text('ok')]);
    const { clock, ask, waits } = setting(client);
    const call = ask();
    await clock.advance(10_000);
    expect([(await call).text, waits, client.requests.length, clock.pending]).toEqual(['ok', [500, 1_000, 2_000], 4, 0]);
  });

  test.each([400, 401, 403, 404, 422])('%i is not tried again', async (status) => {
    const client = scripted([http(status)]);
    expect((await failure(setting(client).ask())).code).toBe('ARTOO_LLM_REJECTED');
    expect(client.requests).toHaveLength(1);
  });

  test('ends with the last error when the tries are spent', async () => {
    const client = scripted([http(500), http(500), http(503)]);
    const { clock, ask } = setting(client, { retries: 2 });
    const call = failure(ask());
    await clock.advance(10_000);
    expect([(await call).details['status'], client.requests.length]).toEqual([503, 3]);
  });

  test('a try that does not end is given up and tried again', async () => {
    let signal: AbortSignal | undefined;
    const client = scripted([(_request, options) => { signal = options.signal; return new Promise(() => {}); }, text('ok')]);
    const { clock, ask } = setting(client, { timeoutMs: 1_000 });
    const call = ask();
    await clock.advance(1_000);
    expect(signal!.aborted).toBe(true);
    await clock.advance(500);
    expect((await call).text).toBe('ok');
  });

  test.each([['seconds', '2'], ['a date', new Date(1_700_000_002_000).toUTCString()]])('a retry-after in %s holds back every call of the wrapper', async (_form, value) => {
    const client = scripted([http(429, { 'retry-after': value }), text('b'), text('a')]);
    const { clock, ask } = setting(client, { random: () => 0 });
    const first = ask();
    await settle();
    const second = ask();
    await clock.advance(1_999);
    expect(client.requests).toHaveLength(1);
    await clock.advance(1);
    expect([(await first).text, (await second).text].sort()).toEqual(['a', 'b']);
    expect(clock.pending).toBe(0);
  });

  test('an abort ends the wait at once and leaves nothing', async () => {
    const controller = new AbortController();
    const { clock, ask } = setting(scripted([http(429, { 'retry-after': '50' })]));
    const call = failure(ask(controller.signal));
    await settle();
    await settle();
    controller.abort('no more');
    expect((await call).code).toBe('ARTOO_ABORTED');
    expect([clock.pending, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
  });

  test('the circuit opens after failures in a row, lets one probe in, and closes when it works', async () => {
    const client = held();
    const { clock, ask } = setting(client, { retries: 0, circuit: { failures: 2, cooldownMs: 5_000 } });
    for (let index = 0; index < 2; index += 1) {
      const call = failure(ask());
      await settle();
      client.calls[index]!.reject(http(500));
      expect((await call).details['status']).toBe(500);
    }
    expect((await failure(ask())).details['circuit']).toBe('open');
    await clock.advance(5_000);
    const probe = failure(ask());
    expect((await failure(ask())).details['circuit']).toBe('open');
    client.calls[2]!.reject(http(500));
    expect((await probe).details['status']).toBe(500);
    expect((await failure(ask())).details['circuit']).toBe('open');
    await clock.advance(5_000);
    const works = ask();
    await settle();
    client.calls[3]!.resolve(text('back'));
    expect((await works).text).toBe('back');
    const more = [ask(), ask()];
    await settle();
    for (const call of client.calls.slice(4)) call.resolve(text('fine'));
    expect((await Promise.all(more)).map((reply) => reply.text)).toEqual(['fine', 'fine']);
    expect(client.calls).toHaveLength(6);
  });

  test('a probe that is aborted frees the way for the next', async () => {
    const client = held();
    const { clock, ask } = setting(client, { retries: 0, circuit: { failures: 1, cooldownMs: 1_000 } });
    const first = failure(ask());
    await settle();
    client.calls[0]!.reject(http(500));
    await first;
    await clock.advance(1_000);
    const controller = new AbortController();
    const probe = failure(ask(controller.signal));
    await settle();
    controller.abort();
    await probe;
    const next = ask();
    await settle();
    client.calls[2]!.resolve(text('ok'));
    expect((await next).text).toBe('ok');
  });

  test('known costs of failed tries are added to the usage', async () => {
    const broken = Object.assign(new Error('x'), { status: 500 });
    const { ArtooError } = await import('../../src/contracts/errors.js');
    const client = scripted([new ArtooError('ARTOO_LLM_NETWORK', 'cut', { cause: broken, details: { usage: { inputTokens: 5, outputTokens: 1 } } }), text('ok')]);
    const { clock, ask } = setting(client);
    const call = ask();
    await clock.advance(1_000);
    expect((await call).usage).toEqual({ inputTokens: 15, outputTokens: 3 });
  });
});

describe('withLimits', () => {
  const open = (client: LLMClient, content: string, signal = live()): Promise<LLMReply> => client.complete(request(content), { signal });

  test('no more calls at once than allowed, in the order they came', async () => {
    const client = held();
    const limited = withLimits(client, { concurrency: 2, clock: new ManualClock() });
    const calls = ['a', 'b', 'c', 'd'].map((content) => open(limited, content));
    await settle();
    expect(client.calls.map(({ content }) => content)).toEqual(['a', 'b']);
    client.calls[1]!.reject(new Error('no'));
    await failure(calls[1]!);
    await settle();
    client.calls[0]!.resolve(text('x'));
    await settle();
    expect(client.calls.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
    for (const call of client.calls) call.resolve(text('x'));
    await Promise.allSettled(calls);
  });

  test('a call that is aborted while it waits leaves the queue', async () => {
    const client = held();
    const limiter = createLimiter({ concurrency: 1, clock: new ManualClock() });
    const limited = withLimits(client, { limiter });
    const controller = new AbortController();
    const first = open(limited, 'a');
    const second = failure(open(limited, 'b', controller.signal));
    const third = open(limited, 'c');
    controller.abort();
    expect((await second).code).toBe('ARTOO_ABORTED');
    expect([limiter.waiting, getEventListeners(controller.signal, 'abort').length]).toEqual([1, 0]);
    client.calls[0]!.resolve(text('x'));
    await first;
    await settle();
    client.calls[1]!.resolve(text('x'));
    await third;
    expect(client.calls.map(({ content }) => content)).toEqual(['a', 'c']);
  });

  test('calls per minute are counted over any sixty seconds', async () => {
    const clock = new ManualClock();
    const client = scripted(Array.from({ length: 5 }, () => text('x')));
    const limited = withLimits(client, { requestsPerMinute: 2, clock });
    const calls = [1, 2, 3, 4, 5].map(() => open(limited, 'q'));
    await clock.advance(59_999);
    expect(client.requests).toHaveLength(2);
    await clock.advance(1);
    expect(client.requests).toHaveLength(4);
    await clock.advance(60_000);
    await Promise.all(calls);
    expect([client.requests.length, clock.pending]).toEqual([5, 0]);
  });

  test('tokens per minute are estimated, then corrected; one call above the limit waits for an empty minute', async () => {
    const clock = new ManualClock();
    const client = scripted([text('x', { usage: { inputTokens: 900, outputTokens: 50 } }), text('x'), text('x')]);
    const limited = withLimits(client, { tokensPerMinute: 1_000, clock });
    await open(limited, 'short');
    const large = open(limited, 'y'.repeat(8_000));
    const small = open(limited, 'short');
    await clock.advance(59_999);
    expect(client.requests).toHaveLength(1);
    await clock.advance(1);
    await large;
    await small.catch(() => {});
    expect(client.requests).toHaveLength(3);
  });

  test('limits below one are refused', () => expect(() => withLimits(held(), { concurrency: 0 })).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG' })));
});

describe('withFallback', () => {
  test('the next client answers, and the reply and the host are told', async () => {
    const told: unknown[] = [];
    const client = withFallback([scripted([http(500)], { model: 'a' }), scripted([text('ok')], { model: 'b' })], { onFallback: ({ from, to, error }) => told.push([from, to, error.code]) });
    expect(await client.complete(request(), { signal: live() })).toMatchObject({ text: 'ok', answeredBy: 'b' });
    expect(told).toEqual([['a', 'b', 'ARTOO_LLM_UNAVAILABLE']]);
  });

  test('when all fail the last error stands, with all that was tried', async () => {
    const error = await failure(withFallback([scripted([http(401)], { model: 'a' }), scripted([http(503)], { model: 'b' })]).complete(request(), { signal: live() }));
    expect([error.code, (error.details['tried'] as { model: string; code: string }[]).map(({ model, code }) => [model, code])]).toEqual(['ARTOO_LLM_UNAVAILABLE', [['a', 'ARTOO_LLM_REJECTED'], ['b', 'ARTOO_LLM_UNAVAILABLE']]]);
  });

  test('after an abort nobody else is asked', async () => {
    const controller = new AbortController();
    const second = scripted([]);
    const client = withFallback([scripted([() => { controller.abort(); throw new DOMException('x', 'AbortError'); }]), second]);
    expect((await failure(client.complete(request(), { signal: controller.signal }))).code).toBe('ARTOO_ABORTED');
    expect(second.requests).toHaveLength(0);
  });

  test('a chain is as able as its weakest link', () => {
    const able = withFallback([scripted([], { model: 'a', rank: 3, capabilities: { tools: true, jsonSchema: true } }), scripted([], { rank: 2, capabilities: { tools: true } })]);
    expect([able.model, able.rank, able.capabilities]).toEqual(['a', 2, { tools: true, jsonSchema: false }]);
    expect(withFallback([scripted([], { rank: 3 }), scripted([])]).rank).toBeUndefined();
    expect(() => withFallback([])).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG' }));
  });
});

describe('withCache', () => {
  test('the same question is asked once, for any task, and costs nothing then', async () => {
    const inner = scripted([text('ok', { toolCalls: [{ id: '1', name: 't', input: { a: 1 } }] }), text('other')]);
    const client = withCache(inner);
    const first = await client.complete(request('q', { taskId: 'one' }), { signal: live() });
    (first.toolCalls![0]!.input as { a: number }).a = 99;
    const deltas: string[] = [];
    const again = await client.complete(request('q', { taskId: 'two', subtaskId: 's' }), { signal: live(), onDelta: (piece) => deltas.push(piece) });
    expect(again).toEqual({ text: 'ok', finishReason: 'stop', toolCalls: [{ id: '1', name: 't', input: { a: 1 } }], usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }, fromCache: true });
    expect(deltas).toEqual(['ok']);
    expect((await client.complete(request('q', { temperature: 1 }), { signal: live() })).text).toBe('other');
    expect(inner.requests).toHaveLength(2);
  });

  test('failures, cut, filtered and empty replies are not kept', async () => {
    const inner = scripted([http(500), text('x', { finishReason: 'length' }), text('x', { finishReason: 'content_filter' }), text('  '), text('good')]);
    const client = withCache(inner);
    await failure(client.complete(request(), { signal: live() }));
    for (let index = 0; index < 5; index += 1) await client.complete(request(), { signal: live() });
    expect(inner.requests).toHaveLength(5);
  });

  test('the least recently used goes first, and a broken store harms nobody', async () => {
    const inner = scripted(Array.from({ length: 6 }, () => text('x')));
    const client = withCache(inner, { maxEntries: 2 });
    for (const question of ['a', 'b', 'a', 'c', 'a', 'b']) await client.complete(request(question), { signal: live() });
    expect(inner.requests.map(({ messages }) => messages[0]!.content)).toEqual(['a', 'b', 'c', 'b']);
    const store = { get: () => { throw new Error('no'); }, set: async () => { throw new Error('no'); } };
    expect((await withCache(scripted([text('ok')]), { store }).complete(request(), { signal: live() })).text).toBe('ok');
  });
});

test('wrappers keep model, rank and capabilities', () => {
  const inner = scripted([], { model: 'm', rank: 4, capabilities: { tools: true } });
  for (const wrapped of [withRetry(inner), withLimits(inner, { concurrency: 1 }), withCache(inner), withFallback([inner])]) {
    expect([wrapped.model, wrapped.rank, wrapped.capabilities?.tools]).toEqual(['m', 4, true]);
  }
});

describe('resolveModels', () => {
  const client = (model: string, rank?: number): LLMClient => scripted([], { model, ...(rank === undefined ? {} : { rank }) });
  const names = (models: Parameters<typeof resolveModels>[0]): Record<string, string> => Object.fromEntries(Object.entries(resolveModels(models)).map(([role, { model }]) => [role, model]));
  const problem = (models: unknown): string => {
    try {
      resolveModels(models as never);
      return '';
    } catch (error) {
      return `${(error as Error).message} ${(error as { hint: string }).hint}`;
    }
  };

  test('a role has its own client before its tier\'s', () => {
    expect(names({ brain: client('big'), tool: client('small'), R4a: client('judge') })).toEqual({ R1: 'big', R2: 'big', R3: 'small', R4a: 'judge', R4b: 'big', dreamer: 'small' });
  });

  test('what is missing is named', () => {
    expect(problem({})).toMatch(/"brain" \(R1, R2, R4b\) and "tool" \(R3, R4a, dreamer\)/);
    expect(problem({ brain: client('b') })).toContain('"tool"');
    expect(problem({ brain: client('b'), tool: {} })).toContain('models.tool');
    expect(problem(undefined)).toContain('models');
  });

  test('who judges the whole is not weaker than who plans it', () => {
    const tool = client('t');
    expect(problem({ brain: client('b', 5), tool, R4b: client('v', 4) })).toContain('rank 4');
    expect(problem({ brain: client('b', 5), tool, R4b: client('v') })).toContain('R4b uses "v"');
    expect(problem({ brain: client('b'), tool, R4b: client('v', 1) })).toContain('R2 uses "b"');
    expect(problem({ brain: client('b', Number.NaN), tool, R4b: client('v', 1) })).not.toBe('');
    for (const [planner, validator] of [[5, 5], [5, 6], [undefined, undefined]]) expect(problem({ brain: client('b', planner), tool, R4b: client('v', validator) })).toBe('');
    expect(problem({ brain: client('b', 1), tool })).toBe('');
  });
});

describe('estimateTokens', () => {
  test.each([
    ['English', 'The quick brown fox jumps over the lazy dog and then rests for a while in the shade. '.repeat(20)],
    ['code', 'export function sum(values: readonly number[]): number {\n  return values.reduce((a, b) => a + b, 0);\n}\n'.repeat(20)],
    ['German', 'Die Größenordnung lässt sich ohne Weiteres überschlägig abschätzen, wenn man möchte. '.repeat(20)],
    ['Chinese', '请统计所有日志文件的数量并写出报告。'.repeat(20)],
  ])('is within a factor of two for %s', (_what, sample) => {
    const ratio = estimateTokens(sample) / encode(sample).length;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('a request costs its texts, tools and schema', () => {
    const bare = estimateTokens(request('x'));
    expect(estimateTokens(request('x', { tools: [{ name: 'a', description: 'b'.repeat(400), inputSchema: {} }] })) - bare).toBeGreaterThan(90);
    expect(estimateTokens(request('x', { schema: { name: 'a', jsonSchema: { x: 'b'.repeat(400) } } })) - bare).toBeGreaterThan(90);
    expect(estimateTokens('')).toBe(0);
  });
});
