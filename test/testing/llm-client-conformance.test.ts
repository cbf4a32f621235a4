import { describe, expect, test } from 'vitest';
import { llmClientConformance, runConformance, ScriptedLLM } from 'artoo/testing';
import type { LLMClient, LLMRequest } from '../../src/contracts/llm.js';

const echo = (request: LLMRequest): unknown => (request.tools ? { toolCalls: [{ name: 'echo', input: { text: 'hello' } }] } : 'yes');
const scripted = (): LLMClient => new ScriptedLLM([{ reply: echo, when: ({ tools }) => tools !== undefined, times: Number.POSITIVE_INFINITY }, { reply: 'yes', times: Number.POSITIVE_INFINITY }]);

describe('ScriptedLLM', () => {
  for (const rule of llmClientConformance) test(rule.name, () => rule.run(scripted));
});

const broken: readonly [string, Partial<LLMClient> | ((request: LLMRequest) => unknown), string][] = [
  ['without a model', { model: '' }, 'llm: a client names its model'],
  ['without a finish reason', () => ({ text: 'yes' }), 'llm: a reply has text'],
  ['with usage in halves', () => ({ text: '', finishReason: 'stop', usage: { inputTokens: 0.5, outputTokens: 1 } }), 'llm: a reply has text'],
  ['that changes the request', (request) => { (request as { system: string }).system = ''; return { text: '', finishReason: 'stop' }; }, 'llm: the request is left'],
  ['that ignores abort', { complete: () => Promise.resolve({ text: '', finishReason: 'stop' }) }, 'llm: a signal that is aborted already'],
  ['whose tool calls have no id', () => ({ text: '', finishReason: 'tool_calls', toolCalls: [{ name: 'echo', input: {} }] }), 'llm: tool calls come with'],
  ['whose tool input is text', () => ({ text: '', finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'echo', input: '{}' }] }), 'llm: tool calls come with'],
];

test.each(broken)('a client %s fails its rule', async (_name, change, rule) => {
  const factory = (): LLMClient => (typeof change === 'function'
    ? { model: 'broken', complete: async (request) => change(request) as never }
    : { ...scripted(), model: 'scripted', complete: (request, options) => scripted().complete(request, options), ...change });
  const results = await runConformance(llmClientConformance, factory);
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => name);
  expect(failed.some((name) => name.startsWith(rule)), failed.join('; ')).toBe(true);
});

test('a client that leaves listeners on the signal fails its rule', async () => {
  const factory = (): LLMClient => ({ model: 'leaky', complete: async (_request, { signal }) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => undefined);
    return { text: 'yes', finishReason: 'stop' };
  } });
  const results = await runConformance(llmClientConformance, factory, { supports: { tools: false, stream: false, abort: false }, print: () => undefined });
  expect(results.filter(({ status }) => status === 'failed').map(({ name }) => name)).toEqual(['llm: calls that have ended leave no listener on their signal']);
});
