import { describe, expect, test } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import { assertLLMReply, backoffMs, classifyLLMError, toLLMError } from '../../src/entries/llm.js';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

describe('classifyLLMError', () => {
  test.each<[string, unknown, string, boolean]>([
    ['400', { status: 400 }, 'ARTOO_LLM_REJECTED', false], ['401', { statusCode: 401 }, 'ARTOO_LLM_REJECTED', false], ['404', { response: { status: 404 } }, 'ARTOO_LLM_REJECTED', false],
    ['422', { status: 422 }, 'ARTOO_LLM_REJECTED', false], ['408', { status: 408 }, 'ARTOO_LLM_TIMEOUT', true], ['409', { status: 409 }, 'ARTOO_LLM_UNAVAILABLE', true],
    ['429', { status: 429 }, 'ARTOO_LLM_RATE_LIMITED', true], ['429 of an empty account', { status: 429, error: { code: 'insufficient_quota' } }, 'ARTOO_LLM_REJECTED', false],
    ['501', { status: 501 }, 'ARTOO_LLM_REJECTED', false], ['529', { status: 529 }, 'ARTOO_LLM_UNAVAILABLE', true], ['a numeric code', { code: 502 }, 'ARTOO_LLM_UNAVAILABLE', true], ['a status in a cause', { cause: { status: 500 } }, 'ARTOO_LLM_UNAVAILABLE', true],
    ['a long context', { status: 400, message: "This model's maximum context length is 8192 tokens" }, 'ARTOO_LLM_CONTEXT_TOO_LONG', false],
    ['a filter', { status: 400, code: 'content_filter' }, 'ARTOO_LLM_CONTENT_FILTER', false],
    ['a refused connection', Object.assign(new TypeError('fetch failed'), { cause: withCode('ECONNREFUSED') }), 'ARTOO_LLM_NETWORK', true],
    ['one of several addresses', { cause: { errors: [withCode('ECONNREFUSED')] } }, 'ARTOO_LLM_NETWORK', true],
    ['a cut connection', new TypeError('terminated'), 'ARTOO_LLM_NETWORK', true], ['a bad certificate', withCode('SELF_SIGNED_CERT_IN_CHAIN'), 'ARTOO_LLM_NETWORK', false],
    ['a connect limit', withCode('UND_ERR_CONNECT_TIMEOUT'), 'ARTOO_LLM_TIMEOUT', true], ['a TimeoutError', new DOMException('x', 'TimeoutError'), 'ARTOO_LLM_TIMEOUT', true],
    ['an abort', new DOMException('x', 'AbortError'), 'ARTOO_ABORTED', false], ['bad JSON', new SyntaxError('x'), 'ARTOO_LLM_BAD_RESPONSE', true],
    ['a TypeError of a buggy client', new TypeError('x is not a function'), 'ARTOO_LLM_FAILED', false], ['a string', 'boom', 'ARTOO_LLM_FAILED', false], ['nothing', undefined, 'ARTOO_LLM_FAILED', false],
    ['our own, retryable', new ArtooError('ARTOO_LLM_TIMEOUT', 'x'), 'ARTOO_LLM_TIMEOUT', true], ['our own, final', new ArtooError('ARTOO_STRUCTURED_OUTPUT', 'x'), 'ARTOO_STRUCTURED_OUTPUT', false],
    ['a wish alone', { retryAfterMs: 5 }, 'ARTOO_LLM_RATE_LIMITED', true],
  ])('%s', (_what, error, code, retryable) => expect(classifyLLMError(error)).toMatchObject({ code, retryable }));

  test.each<[Record<string, unknown>, number]>([
    [{ headers: { 'Retry-After': '3' } }, 3_000], [{ headers: new Headers({ 'retry-after-ms': '250', 'retry-after': '3' }) }, 250], [{ retryAfterMs: 40 }, 40],
    [{ headers: { 'retry-after': 'Thu, 01 Jan 1970 00:01:40 GMT' } }, 90_000], [{ headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' } }, 0], [{ response: { headers: { 'retry-after': 7 } } }, 7_000],
  ])('retry-after of %o is %i ms', (extra, expected) => expect(classifyLLMError({ status: 429, ...extra }, { now: 10_000 }).retryAfterMs).toBe(expected));

  test('nonsense in retry-after counts as none', () => {
    for (const value of ['soon', '', '-5', 'NaN']) expect(classifyLLMError({ status: 429, headers: { 'retry-after': value } }).retryAfterMs).toBeUndefined();
  });

  test('hostile objects do no harm', () => {
    const circular: Record<string, unknown> = { status: 'x' };
    circular['cause'] = circular;
    const trap = new Proxy({}, { get: () => { throw new Error('no'); } });
    for (const error of [circular, trap, { get status(): number { throw new Error('no'); } }, { headers: trap }]) expect(classifyLLMError(error).code).toBe('ARTOO_LLM_FAILED');
  });
});

describe('toLLMError', () => {
  test('keeps cause, status and wish, and takes keys out of the words', () => {
    const cause = { status: 429, message: 'Slow down, sk-abcdef123456. Bearer abcdef123456', headers: { 'retry-after': '2' } };
    const error = toLLMError(cause);
    expect([error.code, error.cause, error.details['status'], error.details['retryAfterMs']]).toEqual(['ARTOO_LLM_RATE_LIMITED', cause, 429, 2_000]);
    expect(error.message).toContain('Slow down');
    expect(error.message).not.toContain('abcdef');
    expect(classifyLLMError(error)).toEqual({ code: 'ARTOO_LLM_RATE_LIMITED', retryable: true, retryAfterMs: 2_000 });
  });

  test('classifies the same before and after', () => {
    for (const error of [{ status: 429, code: 'insufficient_quota' }, withCode('SELF_SIGNED_CERT_IN_CHAIN'), { status: 500 }, new Error('x')]) {
      expect(classifyLLMError(toLLMError(error))).toEqual(classifyLLMError(error));
    }
  });

  test('our own errors stay themselves', () => {
    const own = new ArtooError('ARTOO_BUDGET', 'x');
    expect(toLLMError(own)).toBe(own);
  });
});

describe('backoffMs', () => {
  const at = (attempt: number, random: number, extra = {}): number => backoffMs(attempt, { random: () => random, ...extra });
  test('is random between nothing and a doubling limit that ends', () => {
    expect([1, 2, 3, 4].map((attempt) => at(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
    expect([at(3, 0), at(3, 0.5), at(50, 1), at(10_000, 1)]).toEqual([0, 1_000, 30_000, 30_000]);
  });
  test("follows the provider's wish, never shorter, a little longer, not without end", () => {
    expect([at(1, 0, { retryAfterMs: 2_000 }), at(1, 1, { retryAfterMs: 2_000 }), at(1, 0, { retryAfterMs: 1e9 })]).toEqual([2_000, 2_200, 60_000]);
    expect(at(2, 1, { retryAfterMs: 0 })).toBe(1_000);
  });
});

describe('assertLLMReply', () => {
  test('a good reply is handed back as it is', () => {
    const reply = { text: 'x', finishReason: 'stop' as const, usage: { inputTokens: 1, outputTokens: 1 }, toolCalls: [{ id: '', name: 'a', input: 1 }] };
    expect(assertLLMReply(reply)).toBe(reply);
  });
  test('bad usage counts as missing, unknown ends are read from what is there', () => {
    for (const usage of [{ inputTokens: -1, outputTokens: 1 }, { inputTokens: Number.NaN, outputTokens: 1 }, 'x', null, {}]) expect(assertLLMReply({ text: 'x', finishReason: 'stop', usage }).usage).toBeUndefined();
    expect(assertLLMReply({ text: 'x', usage: { inputTokens: 1, outputTokens: 1, cachedTokens: -1 } })).toEqual({ text: 'x', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } });
    expect(assertLLMReply({ toolCalls: [{ name: 'a', input: {} }] })).toEqual({ text: '', finishReason: 'tool_calls', toolCalls: [{ id: '', name: 'a', input: {} }] });
  });
  test.each([null, undefined, 'text', 3, {}, { text: 5 }, { text: undefined, toolCalls: [] }, { text: 'x', toolCalls: [{ input: 1 }] }, { text: 'x', toolCalls: [null] }])('%o is no reply', (reply) => {
    expect(() => assertLLMReply(reply)).toThrow(expect.objectContaining({ code: 'ARTOO_LLM_BAD_RESPONSE' }));
  });
});
