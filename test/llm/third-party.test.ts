import { LLMock } from '@copilotkit/aimock';
import * as z from 'zod/mini';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { completeStructured, withRetry } from '../../src/entries/llm.js';
import { createOpenAIClient, type OpenAIClientOptions } from '../../src/entries/openai.js';
import type { LLMClient } from '../../src/contracts/llm.js';
import { failure, live, request } from './builders.js';

/** The adapter against a server of the protocol that somebody else wrote. */
describe.each([true, false])('a third-party server of the OpenAI protocol, streaming %s', (streaming) => {
  let mock: LLMock;
  beforeEach(async () => {
    mock = new LLMock({ port: 0 });
    await mock.start();
  });
  afterEach(() => mock.stop());

  const client = (options: Partial<OpenAIClientOptions> = {}): LLMClient => createOpenAIClient({ model: 'gpt-4o', baseURL: `${mock.url}/v1`, streaming, ...options });

  test('text, deltas and usage', async () => {
    mock.onMessage('hello', { content: 'Hi there, this is a somewhat longer answer.', usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 } });
    let streamed = '';
    const reply = await client().complete(request('hello'), { signal: live(), onDelta: (piece) => { streamed += piece; } });
    expect(reply).toMatchObject({ text: 'Hi there, this is a somewhat longer answer.', finishReason: 'stop', usage: { inputTokens: 12, outputTokens: 9 } });
    expect(streamed).toBe(streaming ? reply.text : '');
  });

  test('reasoning is not text', async () => {
    mock.onMessage('think', { content: '42', reasoning: 'Let me see.' });
    expect((await client().complete(request('think'), { signal: live() })).text).toBe('42');
  });

  test('two tool calls and the turn that answers them', async () => {
    mock.onToolResult('call_b', { content: 'both done' });
    mock.onMessage('weather', { toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city":"Lima","days":[1,2,3]}' }, { id: 'call_b', name: 'weather', arguments: '{"city":"Cusco"}' }] });
    const tools = [{ name: 'weather', description: 'The weather.', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }];
    const first = await client().complete(request('weather', { tools }), { signal: live() });
    expect([first.finishReason, first.toolCalls]).toEqual(['tool_calls', [{ id: 'call_a', name: 'weather', input: { city: 'Lima', days: [1, 2, 3] } }, { id: 'call_b', name: 'weather', input: { city: 'Cusco' } }]]);
    const messages = [...request('weather').messages, { role: 'assistant' as const, content: first.text, toolCalls: first.toolCalls! }, ...first.toolCalls!.map(({ id }) => ({ role: 'tool' as const, content: 'sunny', toolCallId: id }))];
    expect((await client().complete(request('', { tools, messages }), { signal: live() })).text).toBe('both done');
  });

  test('structured output through the JSON-schema mode', async () => {
    mock.onMessage('capital', { content: '{"city":"Lima"}' });
    const { value, attempts } = await completeStructured(client(), { name: 'city', schema: z.object({ city: z.string() }) }, request('capital of Peru'));
    expect([value, attempts]).toEqual([{ city: 'Lima' }, 1]);
    expect((mock.getLastRequest()?.body as unknown as { response_format: { type: string } }).response_format.type).toBe('json_schema');
  });

  test('a rate limit and an outage are waited out', async () => {
    mock.onMessage('hello', { content: 'finally' });
    mock.nextRequestError(503, { message: 'overloaded' }).nextRequestError(500, { message: 'oops' });
    const retrying = withRetry(client(), { baseMs: 1, maxMs: 2 });
    expect((await retrying.complete(request('hello'), { signal: live() })).text).toBe('finally');
    expect(mock.getRequests()).toHaveLength(3);
  });

  test.each([[401, 'ARTOO_LLM_REJECTED'], [429, 'ARTOO_LLM_RATE_LIMITED'], [500, 'ARTOO_LLM_UNAVAILABLE']])('HTTP %i is %s', async (status, code) => {
    mock.onMessage('hello', { error: { message: 'no' }, status });
    const error = await failure(client().complete(request('hello'), { signal: live() }));
    expect([error.code, error.details['retryAfterMs']]).toEqual([code, status === 429 ? 1_000 : undefined]);
  });

  test('a reply that is cut by the connection is no reply', async () => {
    mock.addFixture({ match: { userMessage: 'hello' }, response: { content: 'one two three four five six seven eight nine ten' }, chunkSize: 4, truncateAfterChunks: 3 });
    const outcome = client().complete(request('hello'), { signal: live() });
    if (streaming) expect((await failure(outcome)).code).toBe('ARTOO_LLM_NETWORK');
    else expect((await outcome).text).toContain('ten');
  });

  test('broken JSON and a dropped connection are told apart from a reply', async () => {
    mock.onMessage('hello', { content: 'x' });
    mock.setChaos({ malformedRate: 1 });
    expect((await failure(client().complete(request('hello'), { signal: live() }))).code).toMatch(/^ARTOO_LLM_(BAD_RESPONSE|NETWORK)$/);
    mock.setChaos({ disconnectRate: 1 });
    expect((await failure(client().complete(request('hello'), { signal: live() }))).code).toBe('ARTOO_LLM_NETWORK');
  });
});
