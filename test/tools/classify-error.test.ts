import { describe, expect, it } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import { classifyToolError } from '../../src/tools/classify-error.js';
import { ToolError } from '../../src/tools/tool-error.js';

const withCode = (code: unknown): Error => Object.assign(new Error('x'), { code });

describe('whose fault a thrown error is', () => {
  it.each<[string, unknown]>([
    ...['EACCES', 'EPERM', 'ENOENT', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOSPC', 'EROFS', 'EMFILE', 'EIO', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, unknown] => [code, withCode(code)]),
    ...[400, 401, 403, 404, 408, 409, 429, 500, 502, 503].map((status): [string, unknown] => [`HTTP ${status}`, Object.assign(new Error('x'), { status })]),
    ['statusCode as text', Object.assign(new Error('x'), { statusCode: '503' })],
    ['status of a response', Object.assign(new Error('x'), { response: { status: 404 } })],
    ['rate limit by code', withCode('rate_limit_exceeded')],
    ['undici timeout', withCode('UND_ERR_CONNECT_TIMEOUT')],
    ['fetch failed with a cause', new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') })],
    ['a cause three levels down', new Error('a', { cause: new Error('b', { cause: withCode('EACCES') }) })],
    ['several errors at once', new AggregateError([new Error('x'), withCode('ECONNREFUSED')], 'all failed')],
    ['AbortError', Object.assign(new Error('x'), { name: 'AbortError' })],
    ['TimeoutError', new DOMException('x', 'TimeoutError')],
    ['words: Operation not permitted', new Error('cp: Operation not permitted')],
    ['words: an I/O code in the message', new Error("EACCES: permission denied, open '/x'")],
    ['words: socket hang up', new Error('socket hang up')],
    ['words: Too Many Requests', new Error('429 Too Many Requests')],
    ['words: HTTP status', new Error('HTTP error 404')],
    ['a thrown text', 'connection reset by peer'],
    ['ToolError.environmental', ToolError.environmental('anything')],
    ['escape from the workspace', new ArtooError('ARTOO_WORKSPACE_ESCAPE', 'x')],
    ['tool timeout', new ArtooError('ARTOO_TOOL_TIMEOUT', 'x')],
  ])('environmental: %s', (_, error) => expect(classifyToolError(error)).toBe('environmental'));

  it.each<[string, unknown]>([
    ['TypeError', new TypeError('x is not a function')],
    ['nothing found in prose', new Error('the word "needle" was not found; it does not exist in the list')],
    ['an error of arguments', withCode('ERR_INVALID_ARG_TYPE')],
    ['EINVAL', withCode('EINVAL')],
    ['ToolError.logical, whatever its cause', ToolError.logical('wrong', { cause: withCode('ECONNRESET') })],
    ['HTTP 200', Object.assign(new Error('x'), { status: 200 })],
    ['undefined', undefined], ['null', null], ['a number', 42], ['an empty object', {}],
    ['words beyond the beginning of a message', new Error(`${'x'.repeat(600)} permission denied`)],
    ['structured output', new ArtooError('ARTOO_STRUCTURED_OUTPUT', 'permission denied')],
  ])('logical: %s', (_, error) => expect(classifyToolError(error)).toBe('logical'));

  it('survives hostile errors: getters that throw, circles, proxies', () => {
    const circle = new Error('a');
    (circle as { cause?: unknown }).cause = circle;
    const getter = Object.defineProperty({}, 'code', { get() { throw new Error('gotcha'); } });
    const proxy = new Proxy({}, { get() { throw new Error('gotcha'); } });
    expect([circle, getter, proxy].map(classifyToolError)).toEqual(['logical', 'logical', 'logical']);
  });
});
