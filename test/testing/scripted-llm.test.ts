import { expect, test } from 'vitest';
import { ManualClock, ScriptedLLM } from 'artoo/testing';
import type { LLMRequest } from '../../src/contracts/llm.js';

function request(role: LLMRequest['role'] = 'R1', extra: Partial<LLMRequest> = {}): LLMRequest {
  return { role, taskId: 'task-1', system: 'system', messages: [{ role: 'user', content: 'hello' }], ...extra };
}
const signal = new AbortController().signal;

test('a string is the text, any other value its JSON', async () => {
  const llm = new ScriptedLLM([{ reply: 'text' }, { reply: { a: 1 } }, { reply: [1] }, { reply: null }, { reply: '' }]);
  const texts = [];
  for (let call = 0; call < 5; call += 1) texts.push((await llm.complete(request(), { signal })).text);
  expect(texts).toEqual(['text', '{"a":1}', '[1]', 'null', '']);
  llm.assertComplete();
});

test('a reply comes back as it is; what it leaves out is filled in', async () => {
  const whole = { text: 'x', usage: { inputTokens: 1, outputTokens: 2 }, finishReason: 'length' as const };
  const llm = new ScriptedLLM([{ reply: whole }, { reply: { text: '12345' } }, { reply: { finishReason: 'content_filter' } }]);
  expect(await llm.complete(request(), { signal })).toEqual(whole);
  expect(await llm.complete(request(), { signal })).toEqual({ text: '12345', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } });
  expect(await llm.complete(request(), { signal })).toMatchObject({ text: '', finishReason: 'content_filter' });
});

test('a role\'s reply that has a text among other fields is JSON, not a reply', async () => {
  const llm = new ScriptedLLM([{ reply: { text: 'x', slug: 'y' } }]);
  expect((await llm.complete(request(), { signal })).text).toBe('{"text":"x","slug":"y"}');
});

test('tool calls get ids and their finish reason, and keep ids they have', async () => {
  const llm = new ScriptedLLM([{ reply: { toolCalls: [{ name: 'a', input: {} }, { name: 'b', input: {}, id: 'mine' }] } }, { reply: { toolCalls: [{ name: 'a', input: {} }] } }]);
  const first = await llm.complete(request(), { signal });
  expect(first).toMatchObject({ text: '', finishReason: 'tool_calls', toolCalls: [{ name: 'a', input: {} }, { id: 'mine' }] });
  const second = await llm.complete(request(), { signal });
  expect(first.toolCalls?.[0]?.id).toMatch(/./);
  expect(second.toolCalls?.[0]?.id).not.toBe(first.toolCalls?.[0]?.id);
});

test('{ tool, input } is a native call where tools are offered, else JSON', async () => {
  const llm = new ScriptedLLM([{ reply: { tool: 'count', input: { n: 1 } }, times: 2 }]);
  const tools = [{ name: 'count', description: '', inputSchema: {} }];
  expect(await llm.complete(request('R3', { tools }), { signal })).toMatchObject({ toolCalls: [{ name: 'count', input: { n: 1 } }], finishReason: 'tool_calls' });
  expect((await llm.complete(request('R3'), { signal })).text).toBe('{"tool":"count","input":{"n":1}}');
});

test('a function gets request and options, may be async, and what it throws or returns as an Error rejects', async () => {
  const failure = Object.assign(new Error('busy'), { status: 429 });
  const llm = new ScriptedLLM([
    { reply: async ({ role }: LLMRequest) => ({ role }) },
    { reply: () => { throw failure; } },
    { reply: failure },
    { reply: () => undefined },
  ]);
  expect((await llm.complete(request('R7'), { signal })).text).toBe('{"role":"R7"}');
  await expect(llm.complete(request(), { signal })).rejects.toBe(failure);
  await expect(llm.complete(request(), { signal })).rejects.toBe(failure);
  await expect(llm.complete(request(), { signal })).rejects.toMatchObject({ code: 'ARTOO_INVALID_ARGUMENT' });
});

test('the first unused step that fits by role and when answers, whatever the order of calls', async () => {
  const llm = new ScriptedLLM([
    { role: 'R3', when: ({ subtaskId }) => subtaskId === 's1', reply: 'one' },
    { role: 'R3', when: ({ subtaskId }) => subtaskId === 's2', reply: 'two' },
    { role: ['R1', 'R3'], reply: 'any', times: 2 },
    { reply: 'rest', times: Number.POSITIVE_INFINITY },
  ]);
  const calls: [LLMRequest['role'], string][] = [['R3', 's2'], ['R3', 's2'], ['R3', 's1'], ['R2', 's1'], ['R1', ''], ['R1', '']];
  const texts = [];
  for (const [role, subtaskId] of calls) texts.push((await llm.complete(request(role, { subtaskId }), { signal })).text);
  expect(texts).toEqual(['two', 'any', 'one', 'rest', 'any', 'rest']);
  llm.assertComplete();
});

test('the step is chosen when the call begins, so that calls at once get theirs in order', async () => {
  const llm = new ScriptedLLM([{ reply: () => new Promise((resolve) => void setImmediate(() => resolve('slow'))) }, { reply: 'fast' }]);
  const replies = await Promise.all([llm.complete(request(), { signal }), llm.complete(request(), { signal })]);
  expect(replies.map(({ text }) => text)).toEqual(['slow', 'fast']);
});

test('an unexpected call rejects, naming role, last message and what is left, and fails assertComplete for good', async () => {
  const llm = new ScriptedLLM([{ role: 'R2', reply: { plan: 1 } }]);
  const error: unknown = await llm.complete(request('R1', { messages: [{ role: 'user', content: `last ${'x'.repeat(5_000)}` }] }), { signal }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ARTOO_SCRIPT_UNEXPECTED_CALL', details: { role: 'R1' } });
  const { message } = error as Error;
  expect(message).toContain('R1');
  expect(message).toContain('user: last xxx');
  expect(message).toContain('#1 R2 → {"plan":1}');
  expect(message.length).toBeLessThan(600);
  await llm.complete(request('R2'), { signal });
  expect(() => llm.assertComplete()).toThrow(error as Error);
});

test('a call after the last step is unexpected too', async () => {
  const llm = new ScriptedLLM([]);
  await expect(llm.complete(request(), { signal })).rejects.toMatchObject({ code: 'ARTOO_SCRIPT_UNEXPECTED_CALL', message: expect.stringContaining('no step is left') });
});

test('unused steps fail assertComplete by name, also one that was used too rarely; any number of times is never too few', async () => {
  const llm = new ScriptedLLM([{ role: 'R1', reply: 'a', times: 3 }, { role: 'R4b', reply: 'b' }, { reply: 'c', times: Number.POSITIVE_INFINITY }]);
  await llm.complete(request('R1'), { signal });
  expect(() => llm.assertComplete()).toThrowError(expect.objectContaining({
    code: 'ARTOO_SCRIPT_UNUSED_STEP', message: expect.stringMatching(/2 scripted.*#1 R1 ×2 → a; #2 R4b → b$/),
  }));
});

test('without strict the newest step that fits answers again', async () => {
  const llm = new ScriptedLLM([{ role: 'R1', reply: 'a' }, { role: 'R1', reply: 'b' }], { strict: false });
  const texts = [];
  for (let call = 0; call < 4; call += 1) texts.push((await llm.complete(request('R1'), { signal })).text);
  expect(texts).toEqual(['a', 'b', 'b', 'b']);
  await expect(llm.complete(request('R2'), { signal })).rejects.toMatchObject({ code: 'ARTOO_SCRIPT_UNEXPECTED_CALL' });
});

test('requests are kept in order, frozen, as they were when the call began', async () => {
  const llm = new ScriptedLLM([{ reply: 'x', times: 2 }]);
  const messages = [{ role: 'user' as const, content: 'first' }];
  await llm.complete(request('R1', { messages }), { signal });
  messages.push({ role: 'user', content: 'second' });
  await llm.complete(request('R2', { messages }), { signal });
  expect(llm.requests.map(({ role, messages: { length } }) => [role, length])).toEqual([['R1', 1], ['R2', 2]]);
  expect([llm.requests, llm.requests[0], llm.requests[0]?.messages, llm.requests[0]?.messages[0]].every(Object.isFrozen)).toBe(true);
});

test('keepRequests bounds what is kept to the newest', async () => {
  const llm = new ScriptedLLM([{ reply: 'x', times: Number.POSITIVE_INFINITY }], { keepRequests: 3 });
  for (let call = 1; call <= 20; call += 1) await llm.complete(request('R1', { taskId: `task-${call}` }), { signal });
  expect(llm.requests.map(({ taskId }) => taskId)).toEqual(['task-18', 'task-19', 'task-20']);
  expect(llm.callCount).toBe(20);
});

test('a call with an aborted signal uses no step; one under way rejects with the reason', async () => {
  const llm = new ScriptedLLM([{ reply: () => new Promise(() => undefined) }, { reply: 'next' }]);
  const reason = new Error('stopped');
  await expect(llm.complete(request(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(llm.requests).toEqual([]);
  const controller = new AbortController();
  const pending = llm.complete(request(), { signal: controller.signal });
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  expect((await llm.complete(request(), { signal })).text).toBe('next');
});

test('delayMs passes on the given clock, and an abort cancels it', async () => {
  const clock = new ManualClock();
  const llm = new ScriptedLLM([{ reply: 'x', delayMs: 100, times: 2 }], { clock });
  let text = '';
  void llm.complete(request(), { signal }).then((reply) => { text = reply.text; });
  await clock.advance(99);
  expect(text).toBe('');
  await clock.advance(1);
  expect(text).toBe('x');
  const controller = new AbortController();
  const pending = llm.complete(request(), { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(pending).rejects.toThrow('stopped');
  expect(clock.pending).toBe(0);
});

test('text is streamed to who asks for it', async () => {
  const parts: string[] = [];
  await new ScriptedLLM([{ reply: 'all of it' }]).complete(request(), { signal, onDelta: (text) => void parts.push(text) });
  expect(parts).toEqual(['all of it']);
});

test('model, rank and capabilities are as given; both capabilities unless told otherwise', () => {
  expect(new ScriptedLLM([])).toMatchObject({ model: 'scripted', capabilities: { tools: true, jsonSchema: true } });
  expect('rank' in new ScriptedLLM([])).toBe(false);
  expect(new ScriptedLLM([], { model: 'm', rank: 2, capabilities: {} })).toMatchObject({ model: 'm', rank: 2 });
  expect(new ScriptedLLM([], { capabilities: {} }).capabilities).toEqual({});
});

test.each([[{}], [{ reply: 'x', times: 0 }], [{ reply: 'x', times: 1.5 }], [{ reply: 'x', times: Number.NaN }]])('step %j is refused', (step) => {
  expect(() => new ScriptedLLM([step as never])).toThrowError(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT' }));
});
