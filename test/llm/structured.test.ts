import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { completeStructured, defineSchema, type CompleteStructuredOptions } from '../../src/entries/llm.js';
import type { LLMReply } from '../../src/contracts/llm.js';
import { failure, request, scripted, text } from './builders.js';

const city = z.object({ city: z.string(), size: z.optional(z.number()) });
type City = z.infer<typeof city>;
const schema = { name: 'city', schema: city };
const LIMA = '{"city":"Lima"}';

async function ask(replies: (string | LLMReply)[], options: CompleteStructuredOptions<City> = {}, extra = {}) {
  const client = scripted(replies.map((reply) => (typeof reply === 'string' ? text(reply) : reply)), extra);
  const outcome = completeStructured(client, schema, request('Capital of Peru?'), options);
  return { client, outcome };
}
const lastMessage = (client: { requests: { messages: readonly { content: string }[] }[] }, call: number): string => client.requests[call]!.messages.at(-1)!.content;

describe('what counts as an answer', () => {
  test.each([
    LIMA, ` ${LIMA}\n`, `\`\`\`json\n${LIMA}\n\`\`\``, `Sure, [as asked]: ${LIMA} Bye!`, `<think>{"city":"Rome"}</think>${LIMA}`, `thought</think>${LIMA}`,
    `${LIMA} and again ${LIMA}`, '{"city":"Lima","other":1}', '{"city":"Lima","__proto__":{"x":1}}',
  ])('%j', async (reply) => {
    const { outcome } = await ask([reply]);
    const { value, attempts, repaired } = await outcome;
    expect([value, attempts, repaired]).toEqual([{ city: 'Lima' }, 1, false]);
  });

  test('broken JSON of a finished reply is repaired and marked', async () => {
    expect(await (await ask(["{city: 'Lima',}"])).outcome).toMatchObject({ value: { city: 'Lima' }, repaired: true, attempts: 1 });
  });

  test('a list where a list is wanted, whatever brackets stand around', async () => {
    const list = scripted([text('Here [sorted]: [{"a":1}]')]);
    expect((await completeStructured(list, z.array(z.object({ a: z.number() })), request())).value).toEqual([{ a: 1 }]);
    const single = scripted([text('```\n[{"a":1}]\n```')]);
    expect((await completeStructured(single, z.array(z.object({ a: z.number() })), request())).value).toEqual([{ a: 1 }]);
  });
});

describe('asking again', () => {
  test.each([
    ['no JSON', 'Lima, I think.', 'no JSON'], ['another shape', '{"town":"Lima"}', 'city: must be a string'], ['two different values', '{"city":"Lima"} {"city":"Cusco"}', '2 different JSON values'],
  ])('%s: the problem is quoted after the reply', async (_what, bad, problem) => {
    const { client, outcome } = await ask([bad, LIMA]);
    expect((await outcome).attempts).toBe(2);
    expect(lastMessage(client, 1)).toContain(problem);
    expect(client.requests[1]!.messages.at(-2)).toEqual({ role: 'assistant', content: bad });
    expect(client.requests[1]!.system).toBe(client.requests[0]!.system);
  });

  test('two times at most, then one failure with the three replies', async () => {
    const { client, outcome } = await ask(['one', 'two', '{"city":3}']);
    const error = await failure(outcome);
    expect([error.code, error.details['raw'], client.requests.length]).toEqual(['ARTOO_STRUCTURED_OUTPUT', ['one', 'two', '{"city":3}'], 3]);
    expect(error.details['problem']).toContain('city: must be a string');
    expect(error.details['usage']).toMatchObject({ inputTokens: 30, outputTokens: 6 });
    expect(error.message).not.toContain('one');
  });

  test('maxReasks can lower the number, never raise it', async () => {
    expect((await failure((await ask(['one'], { maxReasks: 0 })).outcome)).details['attempts']).toBe(1);
    expect((await failure((await ask(['one', 'two', 'three', LIMA], { maxReasks: 9 })).outcome)).details['attempts']).toBe(3);
  });

  test('an empty reply is asked again once, without an empty turn in between', async () => {
    const { client, outcome } = await ask([' \n', LIMA]);
    expect((await outcome).attempts).toBe(2);
    expect(client.requests[1]!.messages.map(({ role }) => role)).toEqual(['user']);
    expect((await failure((await ask(['', '', LIMA])).outcome)).details['problem']).toContain('empty');
    expect((await (await ask(['<think>only thoughts', LIMA])).outcome).attempts).toBe(2);
  });

  test('a cut reply is never completed by guessing, but asked again once with twice the room', async () => {
    const cut = text('{"city":"Lim', { finishReason: 'length' });
    const client = scripted([cut, text(LIMA)]);
    expect((await completeStructured(client, schema, request('q', { maxOutputTokens: 50 }))).value).toEqual({ city: 'Lima' });
    expect(client.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([50, 100]);
    expect((await failure((await ask([cut, cut, LIMA])).outcome)).details['attempts']).toBe(2);
    const unlimited = scripted([cut, text(LIMA)]);
    await completeStructured(unlimited, schema, request());
    expect(unlimited.requests[1]!.maxOutputTokens).toBe(8_192);
  });

  test('a cut reply whose value was complete is taken', async () => {
    expect((await (await ask([text(`${LIMA} and the`, { finishReason: 'length' })])).outcome).attempts).toBe(1);
  });

  test('reasons add up to two further tries in all', async () => {
    const { client, outcome } = await ask(['', text('{"ci', { finishReason: 'length' }), 'prose', LIMA]);
    await failure(outcome);
    expect(client.requests).toHaveLength(3);
  });

  test('accept refuses with words of its own', async () => {
    const { client, outcome } = await ask([LIMA, '{"city":"Cusco"}'], { accept: ({ city: name }) => (name === 'Lima' ? 'not that one' : undefined) });
    expect((await outcome).value.city).toBe('Cusco');
    expect(lastMessage(client, 1)).toContain('not that one');
  });

  test('a reply over a megabyte is garbage, kept head and tail', async () => {
    const { client, outcome } = await ask([`{"city":"${'x'.repeat(2_000_000)}"}`, 'a', 'b']);
    const error = await failure(outcome);
    const [raw] = error.details['raw'] as string[];
    expect([raw!.length < 100_000, raw!.startsWith('{"city"'), raw!.endsWith('"}'), raw!.includes('left out')]).toEqual([true, true, true, true]);
    expect(JSON.stringify(client.requests[1]).length).toBeLessThan(10_000);
  });
});

describe('the call', () => {
  test('without a schema mode the schema stands behind the last message, the system stays', async () => {
    const { client, outcome } = await ask([LIMA]);
    await outcome;
    expect(client.requests[0]!.system).toBe('Be exact.');
    expect(lastMessage(client, 0)).toMatch(/^Capital of Peru\?\n\n.*JSON Schema/s);
    expect(client.requests[0]!.schema).toBeUndefined();
  });

  test('a tool turn at the end is left alone', async () => {
    const client = scripted([text(LIMA)]);
    await completeStructured(client, schema, request('', { messages: [{ role: 'user', content: 'q' }, { role: 'tool', content: 'data', toolCallId: '1' }] }));
    expect(client.requests[0]!.messages.map(({ role, content }) => [role, content.length > 20])).toEqual([['user', false], ['tool', false], ['user', true]]);
  });

  test('with a schema mode the schema goes there, and nothing is added to the prompt', async () => {
    const { client, outcome } = await ask([LIMA], {}, { capabilities: { jsonSchema: true } });
    await outcome;
    expect(client.requests[0]!.schema).toEqual({ name: 'city', jsonSchema: { type: 'object', properties: { city: { type: 'string' }, size: { type: 'number' } }, required: ['city'] } });
    expect(client.requests[0]!.messages).toEqual([{ role: 'user', content: 'Capital of Peru?' }]);
  });

  test('a defined schema is converted once', () => {
    const defined = defineSchema(schema);
    expect(defined.jsonSchema).toBe(defined.jsonSchema);
  });

  test('usage counts every attempt and says when it was guessed', async () => {
    expect((await (await ask(['no', LIMA])).outcome).usage).toEqual({ inputTokens: 20, outputTokens: 4, cachedTokens: 0, estimated: false });
    const { usage } = await (await ask([{ text: LIMA, finishReason: 'stop', usage: { inputTokens: -5, outputTokens: 1 } }])).outcome;
    expect([usage.estimated, usage.inputTokens > 0, usage.outputTokens > 0]).toEqual([true, true, true]);
  });

  test('a filtered reply is a failure of its own', async () => {
    expect((await failure((await ask([text(LIMA, { finishReason: 'content_filter' })])).outcome)).code).toBe('ARTOO_LLM_CONTENT_FILTER');
  });

  test('what the client throws comes through; a reply that is none is named', async () => {
    const thrown = Object.assign(new Error('busy'), { status: 503 });
    expect(await failure(completeStructured(scripted([thrown]), schema, request()))).toBe(thrown);
    expect((await failure((await ask([{} as LLMReply])).outcome)).code).toBe('ARTOO_LLM_BAD_RESPONSE');
  });

  test('signal and onDelta reach the client', async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const onDelta = (): void => {};
    await completeStructured(scripted([(_request, options) => { seen.push(options.signal, options.onDelta); return text(LIMA); }]), schema, request(), { signal: controller.signal, onDelta });
    expect(seen).toEqual([controller.signal, onDelta]);
  });
});
