import { ArtooError, createArtoo, type LLMClient } from 'artoo';
import { CountingIds, ScriptedLLM } from 'artoo/testing';
import { expect, test } from 'vitest';

const happy = (): ScriptedLLM => new ScriptedLLM([
  { role: 'R1', reply: { slug: 'say', intent: 'Say something short.' } },
  { role: 'R2', reply: { taskCriteria: [{ criterion: 'It says yes', mode: 'verifiable', check: { type: 'outputMatches', pattern: 'yes' } }], subtasks: [{ intent: 'Say it', successCriteria: [{ criterion: 'yes', mode: 'verifiable', check: { type: 'outputMatches', pattern: 'yes' } }], sequence: 0, tools: [] }] } },
  { role: 'R3', reply: { status: 'completed', output: 'yes' } },
  { role: 'R4b', reply: { summary: 'Said.', mergedOutput: 'yes', verdicts: [] } },
]);

test('F4: a prompt that is too long for the model is shortened once, with a mark, and tried again', async () => {
  const script = happy();
  const seen: string[] = [];
  const narrow: LLMClient = {
    model: 'narrow', capabilities: { tools: true, jsonSchema: true },
    complete: (request, options) => {
      seen.push(request.messages.map(({ content }) => content).join(''));
      return seen.at(-1)!.length > 4_000
        ? Promise.reject(Object.assign(new Error("This model's maximum context length is 1000 tokens"), { status: 400 }))
        : script.complete(request, options);
    },
  };
  const artoo = createArtoo({ models: { brain: narrow, tool: narrow }, ids: new CountingIds() });
  const result = await artoo.run(`say yes. ${'padding '.repeat(5_000)}`).result;
  expect(result.directive).toBe('accept');
  expect(seen[0]!.length).toBeGreaterThan(4_000);
  expect(seen[1]).toContain('characters left out');
});

test('F4: a prompt that is too long and has nothing to shorten fails with its reason', async () => {
  const blind: LLMClient = { model: 'blind', complete: () => Promise.reject(Object.assign(new Error('prompt is too long'), { status: 400 })) };
  const artoo = createArtoo({ models: { brain: blind, tool: blind } });
  const result = await artoo.run('say yes').result;
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
  expect(result.summary).toContain('ARTOO_LLM_CONTEXT_TOO_LONG');
  expect(result.usage.calls).toBe(1);
});

test('F39: a task of ten million characters is refused before any call', async () => {
  const script = new ScriptedLLM([]);
  const artoo = createArtoo({ models: { brain: script, tool: script } });
  const error: unknown = await artoo.run('x'.repeat(10_000_000)).result.catch((caught: unknown) => caught);
  expect(ArtooError.is(error, 'ARTOO_INVALID_ARGUMENT')).toBe(true);
  expect(script.requests).toHaveLength(0);
});

test('budgets bind before the call: calls, tokens and money stop the run with their own reason', async () => {
  for (const [budget, reason] of [[{ calls: 2 }, 'budget_calls'], [{ tokens: 700 }, 'budget_tokens'], [{ money: 0.001 }, 'budget_money']] as const) {
    const script = happy();
    const artoo = createArtoo({ models: { brain: script, tool: script }, prices: { scripted: { input: 1, output: 1 } } });
    const result = await artoo.run({ input: 'say yes', budget }).result;
    expect(result).toMatchObject({ directive: 'abandon', reason });
    if ('calls' in budget) expect(result.usage.calls).toBe(2);
    if ('tokens' in budget) expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(700);
    if ('money' in budget) expect(result.usage.money).toBeLessThanOrEqual(0.001);
    expect(result.nextMoves.length).toBeGreaterThan(0);
  }
});

test('a budget in money without a price is refused, and says whose price is missing', async () => {
  const script = happy();
  const artoo = createArtoo({ models: { brain: script, tool: script } });
  await expect(artoo.run({ input: 'say yes', budget: { money: 1 } }).result).rejects.toMatchObject({ code: 'ARTOO_INVALID_ARGUMENT', message: expect.stringContaining('scripted') as string });
});

test('a client gets its request frozen: nothing it does can change the conversation', async () => {
  const script = happy();
  const thawed: string[] = [];
  const client: LLMClient = {
    model: 'looker', capabilities: { tools: true, jsonSchema: true },
    complete: (request, options) => {
      for (const part of [request, request.messages, request.messages[0]]) if (!Object.isFrozen(part)) thawed.push(request.role);
      return script.complete(request, options);
    },
  };
  const artoo = createArtoo({ models: { brain: client, tool: client } });
  expect((await artoo.run('say yes').result).directive).toBe('accept');
  expect(thawed).toEqual([]);
});
