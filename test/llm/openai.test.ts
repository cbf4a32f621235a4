import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpenAIClient, type OpenAIClientOptions } from '../../src/entries/openai.js';
import type { LLMClient, LLMReply } from '../../src/contracts/llm.js';
import { callOnce } from '../../src/adapters/openai/call.js';
import { probeConnection } from '../../src/adapters/openai/connect-probe.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { failure, live, request, settle, until } from './builders.js';
import { begin, completion, delta, json, OpenAIServer, refusal, says, stream, type Answer } from './openai-server.js';

const KEY = 'super-secret-value-123';
const servers: OpenAIServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...answers: Answer[]): Promise<OpenAIServer> {
  const server = await OpenAIServer.start(...answers);
  servers.push(server);
  return server;
}
function clientOf(server: OpenAIServer, options: Partial<OpenAIClientOptions> = {}): LLMClient {
  return createOpenAIClient({ model: 'm', apiKey: KEY, baseURL: server.baseURL, ...options });
}
async function ask(answer: Answer, options: Partial<OpenAIClientOptions> = {}): Promise<LLMReply> {
  return clientOf(await serve(answer), options).complete(request(), { signal: live() });
}

describe('replies', () => {
  test('a stream becomes one reply, with deltas on the way and usage with cached tokens', async () => {
    const server = await serve(stream(
      delta({ role: 'assistant', content: 'Hel' }), delta({ content: 'lo' }), delta({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 5 } } },
    ));
    const deltas: string[] = [];
    const reply = await clientOf(server).complete(request('hi', { maxOutputTokens: 9 }), { signal: live(), onDelta: (piece) => deltas.push(piece) });
    expect(reply).toEqual({ text: 'Hello', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 2, cachedTokens: 5 } });
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(server.requests[0]!.body).toEqual({
      model: 'm', stream: true, stream_options: { include_usage: true }, max_tokens: 9,
      messages: [{ role: 'system', content: 'Be exact.' }, { role: 'user', content: 'hi' }],
    });
    expect(server.requests[0]!.headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  test('a completion in one piece is read the same', async () => {
    expect(await ask(completion({ content: 'Hello' }), { streaming: false })).toEqual({ text: 'Hello', finishReason: 'stop' });
  });

  test.each([['stop', 'stop'], ['length', 'length'], ['content_filter', 'content_filter'], ['eos', 'stop']])('finish reason %s is %s', async (given, expected) => {
    expect((await ask(says('x', given))).finishReason).toBe(expected);
  });

  test('reasoning fields are no part of the text, and <think> is left to the reader', async () => {
    const reply = await ask(stream(delta({ reasoning_content: 'hmm' }), delta({ reasoning: 'aha' }), delta({ content: '<think>x</think>42' }), delta({}, 'stop')));
    expect(reply.text).toBe('<think>x</think>42');
  });

  test('a throwing onDelta harms nobody', async () => {
    const client = clientOf(await serve(says('fine')));
    const reply = await client.complete(request(), { signal: live(), onDelta: () => { throw new Error('host'); } });
    expect(reply.text).toBe('fine');
  });

  test('negative usage counts as missing', async () => {
    expect((await ask(stream(delta({ content: 'x' }, 'stop'), { choices: [], usage: { prompt_tokens: -1, completion_tokens: 2 } }))).usage).toBeUndefined();
  });
});

describe('tool calls', () => {
  const piece = (index: number | undefined, extra: Record<string, unknown>): unknown => delta({ tool_calls: [{ ...(index === undefined ? {} : { index }), ...extra }] });

  test('argument fragments are joined by index, interleaved or not', async () => {
    const reply = await ask(stream(
      piece(0, { id: 'a', function: { name: 'read', arguments: '{"pa' } }), piece(1, { id: 'b', function: { name: 'list', arguments: '' } }),
      piece(0, { function: { arguments: 'th":"x"}' } }), delta({}, 'tool_calls'),
    ));
    expect(reply.toolCalls).toEqual([{ id: 'a', name: 'read', input: { path: 'x' } }, { id: 'b', name: 'list', input: {} }]);
    expect(reply.finishReason).toBe('tool_calls');
  });

  test('missing ids are made up, doubled ids told apart, calls numbered 0 by different ids kept apart', async () => {
    const missing = await ask(completion({ content: null, tool_calls: [{ function: { name: 'a', arguments: '{}' } }, { id: 'x', function: { name: 'b', arguments: '{}' } }, { id: 'x', function: { name: 'c', arguments: '{}' } }] }), { streaming: false });
    expect(missing.toolCalls?.map((call) => call.id)).toEqual(['call_1', 'x', 'x_2']);
    const zero = await ask(stream(piece(0, { id: 'p', function: { name: 'a', arguments: '{"n":1}' } }), piece(0, { id: 'q', function: { name: 'a', arguments: '{"n":2}' } }), delta({}, 'stop')));
    expect(zero.toolCalls).toEqual([{ id: 'p', name: 'a', input: { n: 1 } }, { id: 'q', name: 'a', input: { n: 2 } }]);
    expect(zero.finishReason).toBe('tool_calls');
  });

  test('pieces without an index belong to the last call until another id comes', async () => {
    const reply = await ask(stream(piece(undefined, { id: 'p', function: { name: 'a', arguments: '{"n"' } }), piece(undefined, { function: { arguments: ':1}' } }), piece(undefined, { id: 'q', function: { name: 'b', arguments: '{}' } }), delta({}, 'tool_calls')));
    expect(reply.toolCalls).toEqual([{ id: 'p', name: 'a', input: { n: 1 } }, { id: 'q', name: 'b', input: {} }]);
  });

  test('arguments as an object are taken, broken ones stay text, prototype keys vanish', async () => {
    const reply = await ask(completion({ tool_calls: [
      { id: '1', function: { name: 'a', arguments: { n: 1 } } }, { id: '2', function: { name: 'a', arguments: '{"n": 1' } },
      { id: '3', function: { name: 'a', arguments: '{"__proto__":{"evil":1},"n":2}' } },
    ] }), { streaming: false });
    expect(reply.toolCalls?.map((call) => call.input)).toEqual([{ n: 1 }, '{"n": 1', { n: 2 }]);
    expect(Object.hasOwn(reply.toolCalls![2]!.input as object, '__proto__')).toBe(false);
  });

  test('tool turns go back in the form of the protocol', async () => {
    const server = await serve(says('ok'));
    await clientOf(server).complete(request('go', {
      tools: [{ name: 't', description: 'd', inputSchema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'go' }, { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 't', input: { n: 1 } }, { id: 'b', name: 't', input: '{"n' }] }, { role: 'tool', content: 'out', toolCallId: 'a' }],
    }), { signal: live() });
    const { body } = server.requests[0]!;
    expect(body['tools']).toEqual([{ type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } }]);
    expect((body['messages'] as unknown[]).slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: '{"n":1}' } }, { id: 'b', type: 'function', function: { name: 't', arguments: '{"invalid":"{\\"n"}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'out' },
    ]);
  });
});

describe('what a server does not know', () => {
  const schema = { name: 'my answer', jsonSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false } };

  test('json_schema falls back to json_object and to the prompt, once per client', async () => {
    const server = await serve(refusal('response_format json_schema is not supported'), refusal("'response_format.type' must be text"), says('{"a":"1"}'));
    const client = clientOf(server);
    await client.complete(request('q', { schema }), { signal: live() });
    await client.complete(request('q', { schema }), { signal: live() });
    expect(server.requests.map(({ body }) => body['response_format'])).toEqual([
      { type: 'json_schema', json_schema: { name: 'my_answer', schema: schema.jsonSchema, strict: true } }, { type: 'json_object' }, undefined, undefined,
    ]);
    for (const { body } of server.requests.slice(1)) expect(JSON.stringify(body['messages'])).toContain('JSON Schema');
    expect(JSON.stringify(server.requests[0]!.body['messages'])).not.toContain('JSON Schema');
  });

  test.each<[string, string, Partial<OpenAIClientOptions>, string, (body: Record<string, unknown>) => unknown]>([
    ['the name of the token limit', "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", { maxOutputTokens: 5 }, 'max_tokens', (body) => body['max_completion_tokens'] === 5],
    ['temperature', "Unsupported value: 'temperature' does not support 0.2 with this model.", { temperature: 0.2 }, 'temperature', (body) => !('temperature' in body)],
    ['usage in streams', 'Unknown field stream_options', {}, 'stream_options', (body) => !('stream_options' in body)],
    ['the reasoning effort', 'Unknown name "reasoning_effort"', { reasoning: 'low' }, 'reasoning_effort', (body) => !('reasoning_effort' in body)],
  ])('%s is learned from the refusal', async (_what, message, options, field, holds) => {
    const server = await serve(refusal(message), says('ok'));
    const client = clientOf(server, options);
    await client.complete(request(), { signal: live() });
    await client.complete(request(), { signal: live() });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]!.body).toHaveProperty(field);
    expect(server.requests.slice(1).every(({ body }) => holds(body))).toBe(true);
  });

  test('two refused names of the token limit end in a refusal, not in a loop', async () => {
    const server = await serve(({ body, response }) => refusal(`unknown parameter ${'max_tokens' in body ? 'max_tokens' : 'max_completion_tokens'}`)({ body, response, headers: {}, url: '' }));
    expect((await failure(clientOf(server, { maxOutputTokens: 5 }).complete(request(), { signal: live() }))).code).toBe('ARTOO_LLM_REJECTED');
    expect(server.requests).toHaveLength(2);
  });

  test('two calls at once learn the same thing only once', async () => {
    const server = await serve(refusal('no json_schema here'), refusal('no json_schema here'), says('{}'));
    const client = clientOf(server);
    await Promise.all([1, 2].map(() => client.complete(request('q', { schema }), { signal: live() })));
    expect((server.requests.at(-1)!.body['response_format'] as { type: string }).type).toBe('json_object');
  });

  test('two calls at once that learn different things both keep what they learned', async () => {
    const server = await serve(refusal('unknown field stream_options'), refusal("unsupported value: 'temperature'"), says('ok'));
    const client = clientOf(server, { temperature: 0.5 });
    await Promise.all([1, 2].map(() => client.complete(request(), { signal: live() })));
    await client.complete(request(), { signal: live() });
    expect([server.requests[0]!, server.requests.at(-1)!].map(({ body }) => ['stream_options' in body, 'temperature' in body])).toEqual([[true, true], [false, false]]);
  });

  test('a server that sends no stream is asked without one the next time', async () => {
    const server = await serve(completion({ content: 'whole' }));
    const client = clientOf(server);
    expect((await failure(client.complete(request(), { signal: live() }))).code).toBe('ARTOO_LLM_NETWORK');
    expect((await client.complete(request(), { signal: live() })).text).toBe('whole');
  });
});

describe('failures', () => {
  const codeOf = async (answer: Answer, options: Partial<OpenAIClientOptions> = {}): Promise<string> => (await failure(ask(answer, options))).code;

  test.each([
    [400, {}, 'ARTOO_LLM_REJECTED'], [401, {}, 'ARTOO_LLM_REJECTED'], [403, {}, 'ARTOO_LLM_REJECTED'], [404, {}, 'ARTOO_LLM_REJECTED'],
    [400, { code: 'context_length_exceeded' }, 'ARTOO_LLM_CONTEXT_TOO_LONG'], [400, { code: 'content_filter' }, 'ARTOO_LLM_CONTENT_FILTER'],
    [429, {}, 'ARTOO_LLM_RATE_LIMITED'], [429, { code: 'insufficient_quota' }, 'ARTOO_LLM_REJECTED'], [500, {}, 'ARTOO_LLM_UNAVAILABLE'], [503, {}, 'ARTOO_LLM_UNAVAILABLE'],
  ])('HTTP %i %o is %s, after a single request', async (status, extra, code) => {
    const server = await serve(json(status, { error: { message: 'no', ...extra } }));
    expect((await failure(clientOf(server).complete(request(), { signal: live() }))).code).toBe(code);
    expect(server.requests).toHaveLength(1);
  });

  test('retry-after is read in seconds, in milliseconds and as a date', async () => {
    const clock = new ManualClock(Date.UTC(2025, 0, 1));
    const after = async (headers: Record<string, string>): Promise<unknown> => (await failure(ask(json(429, {}, headers), { clock }))).details['retryAfterMs'];
    expect(await after({ 'retry-after': '2' })).toBe(2_000);
    expect(await after({ 'retry-after-ms': '150' })).toBe(150);
    expect(await after({ 'retry-after': 'Wed, 01 Jan 2025 00:00:30 GMT' })).toBe(30_000);
  });

  test('the key stands in no message, hint, detail or cause', async () => {
    const error = await failure(ask(json(401, { error: { message: `Incorrect API key provided: ${KEY}. Authorization: Bearer ${KEY}` } })));
    const everything = [error.message, error.hint, error.stack, JSON.stringify(error.details), (error.cause as Error).message, JSON.stringify(error.cause)].join();
    expect(everything).toContain('Incorrect API key');
    expect(everything).not.toContain(KEY);
  });

  test('half a stream is a network failure with what it cost, whether cut or ended early', async () => {
    const cut: Answer = ({ response }) => {
      begin(response, delta({ content: 'The answer is' }));
      response.socket?.end();
    };
    const destroyed: Answer = async ({ response }) => {
      begin(response, delta({ content: 'The answer is' }));
      await settle();
      response.destroy();
    };
    for (const answer of [cut, destroyed, stream(delta({ content: 'The answer is' }))]) {
      const error = await failure(ask(answer));
      expect(error.code).toBe('ARTOO_LLM_NETWORK');
      expect((error.details['usage'] as { outputTokens: number }).outputTokens).toBeGreaterThan(0);
    }
  });

  test('a connection that breaks after the model has finished loses nothing', async () => {
    const reply = await ask(({ response }) => {
      begin(response, delta({ content: 'done' }, 'stop'));
      setImmediate(() => response.destroy());
    });
    expect(reply.text).toBe('done');
  });

  test('broken JSON in a stream is a bad response, and none of it stands in the error', async () => {
    const error = await failure(ask(stream('{"choices": [SECRET_TEXT')));
    expect(error.code).toBe('ARTOO_LLM_BAD_RESPONSE');
    expect(error.message).not.toContain('SECRET_TEXT');
  });

  test('no choice is a bad response, streamed or not', async () => {
    expect(await codeOf(json(200, { choices: [] }), { streaming: false })).toBe('ARTOO_LLM_BAD_RESPONSE');
    expect(await codeOf(stream({ choices: [] }))).toBe('ARTOO_LLM_BAD_RESPONSE');
  });

  test('an error inside of a stream is classified by its code', async () => {
    expect(await codeOf(stream(delta({ content: 'x' }), { error: { message: 'overloaded', code: 'server_error' } }))).toBe('ARTOO_LLM_UNAVAILABLE');
  });

  test('a page instead of an API is no reply', async () => {
    expect(await codeOf(({ response }) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end('<html>'); }, { streaming: false })).toBe('ARTOO_LLM_BAD_RESPONSE');
  });

  test('a refused connection is a network failure', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const client = createOpenAIClient({ model: 'm', baseURL: `http://127.0.0.1:${port}/v1` });
    expect((await failure(client.complete(request(), { signal: live() }))).code).toBe('ARTOO_LLM_NETWORK');
  });
});

describe('time', () => {
  const hang: Answer = () => {};

  test('a server that never answers is given up at the whole limit, and not before', async () => {
    const clock = new ManualClock();
    const server = await serve(hang);
    let settled = false;
    const call = failure(clientOf(server, { clock, timeoutMs: 60_000 }).complete(request(), { signal: live() })).finally(() => { settled = true; });
    await server.arrived(1);
    await clock.advance(59_999);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect((await call).code).toBe('ARTOO_LLM_TIMEOUT');
    expect(clock.pending).toBe(0);
  });

  test('a call that ends before the limit on connecting takes its timer along', async () => {
    const clock = new ManualClock();
    const server = await serve(hang);
    const controller = new AbortController();
    const call = failure(clientOf(server, { clock }).complete(request(), { signal: controller.signal }));
    await server.arrived(1);
    expect(clock.pending).toBe(2);
    controller.abort();
    await call;
    await until(() => clock.pending === 0);
  });

  test('a slow first byte is waited for, whatever the limits on connecting and on silence', async () => {
    const clock = new ManualClock();
    let answer = (): void => {};
    const server = await serve((exchange) => { answer = () => void says('late')(exchange); });
    const call = clientOf(server, { clock, connectTimeoutMs: 1_000, idleTimeoutMs: 1_000, timeoutMs: 600_000 }).complete(request(), { signal: live() });
    await server.arrived(1);
    await clock.advance(300_000);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    answer();
    expect((await call).text).toBe('late');
    expect(clock.pending).toBe(0);
  });

  test('a server that takes no connection is given up after the limit on connecting', async () => {
    const clock = new ManualClock();
    const never = { chat: { completions: { create: (_body: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))) } } };
    const probed: number[] = [];
    const call = (reachable: boolean): Promise<LLMReply> => callOnce({
      sdk: never as never, body: {}, request: request(), signal: live(), clock, timeoutMs: 60_000, idleTimeoutMs: 60_000, connectTimeoutMs: 2_000,
      probe: async (ms) => { probed.push(ms); return reachable; }, onDelta: undefined, onNoStream: () => {},
    });
    const unreachable = failure(call(false));
    let waited = true;
    void call(true).finally(() => { waited = false; });
    await clock.advance(2_000);
    expect((await unreachable).message).toContain('could not be reached within 2000 ms');
    expect([waited, probed]).toEqual([true, [2_000, 2_000]]);
  });

  test('the probe tells an open port from a closed one', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await probeConnection(`http://127.0.0.1:${port}/v1`, 5_000)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await probeConnection(`http://127.0.0.1:${port}/v1`, 5_000)).toBe(false);
  });

  test('silence in mid-stream ends the call', async () => {
    const clock = new ManualClock();
    const server = await serve(({ response }) => begin(response, delta({ content: 'a' })));
    let seen = '';
    const call = failure(clientOf(server, { clock, idleTimeoutMs: 5_000 }).complete(request(), { signal: live(), onDelta: (piece) => { seen += piece; } }));
    await until(() => seen === 'a');
    await clock.advance(5_000);
    const error = await call;
    expect(error.code).toBe('ARTOO_LLM_TIMEOUT');
    expect(error.message).toContain('5000');
    expect(clock.pending).toBe(0);
  });

  test('an abort ends the call at once, before and in mid-stream, with its reason', async () => {
    for (const answer of [hang, ((exchange) => begin(exchange.response, delta({ content: 'a' }))) as Answer]) {
      const server = await serve(answer);
      const controller = new AbortController();
      const call = failure(clientOf(server).complete(request(), { signal: controller.signal }));
      await server.arrived(1);
      controller.abort('enough');
      const error = await call;
      expect([error.code, error.cause]).toEqual(['ARTOO_ABORTED', 'enough']);
    }
  });
});

describe('construction', () => {
  const problem = (options: Partial<OpenAIClientOptions>): string => {
    try {
      createOpenAIClient(options as OpenAIClientOptions);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('everything missing is named at once', () => {
    expect(problem({})).toContain('model and apiKey');
    expect(problem({ model: 'm' })).toContain('apiKey');
    expect(problem({ model: 'm', baseURL: 'nonsense' })).toContain('baseURL');
    expect(problem({ model: 'm', baseURL: 'ftp://x' })).toContain('http');
    expect(problem({ model: 'm', apiKey: 'k', baseURL: 'https://a:b@x' })).toContain('user name');
    expect(problem({ model: 'm', apiKey: 'k', timeoutMs: Number.NaN })).toContain('timeoutMs');
  });

  test('a server on this machine needs no key', () => {
    for (const baseURL of ['http://localhost:1/v1', 'http://127.0.0.1:1', 'http://[::1]:1']) expect(problem({ model: 'm', baseURL })).toBe('');
  });

  test('a pasted endpoint is understood', async () => {
    const server = await serve(says('ok'));
    for (const tail of ['', '/', '/chat/completions', '/chat/completions/']) {
      await createOpenAIClient({ model: 'm', baseURL: server.baseURL + tail }).complete(request(), { signal: live() });
    }
    expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(['/v1/chat/completions']));
  });

  test('an instance that is handed in is used, without its retries', async () => {
    const { default: OpenAI } = await import('openai');
    const server = await serve(json(500, {}));
    const client = createOpenAIClient({ model: 'm', client: new OpenAI({ apiKey: KEY, baseURL: server.baseURL, maxRetries: 5 }), rank: 3, capabilities: { tools: false } });
    expect((await failure(client.complete(request(), { signal: live() }))).code).toBe('ARTOO_LLM_UNAVAILABLE');
    expect(server.requests).toHaveLength(1);
    expect([client.model, client.rank, client.capabilities]).toEqual(['m', 3, { tools: false }]);
  });

  test('headers, query and more body fields are sent', async () => {
    const server = await serve(says('ok'));
    await clientOf(server, { headers: { 'x-team': 'a' }, defaultQuery: { version: '2' }, extraBody: { top_k: 1 } }).complete(request(), { signal: live() });
    const [sent] = server.requests;
    expect([sent!.headers['x-team'], sent!.url, sent!.body['top_k']]).toEqual(['a', '/v1/chat/completions?version=2', 1]);
  });
});
