import { defineTool } from 'artoo';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { calls, finals, lookupTool, Model, play, raw, text, type Answer } from './scene.js';

const done = { status: 'completed', output: 'tree has four letters' };
const anyTool = defineTool({ name: 'lookup', description: 'Takes anything.', input: z.object({ word: z.unknown() }), effect: 'read', execute: () => 'tree: four letters' });
const first = (answer: unknown): Answer => (request) => (request.messages.length === 1 ? answer : done);

test('1,000 calls in one reply: twenty are carried out, every one is answered, ids are the runtime\'s', async () => {
  let ran = 0;
  const { result, model, bus } = await play({
    model: new Model({ R3: first(calls(Array.from({ length: 1_000 }, (_, index) => ({ id: 'same', name: 'lookup', input: { word: `w${index}` } })))) }),
    options: { tools: [lookupTool(() => { ran += 1; })], limits: { toolCalls: 5_000 } },
  });
  expect(ran).toBe(20);
  const { messages } = model.of('R3')[1]!;
  const asked = messages.find(({ toolCalls }) => toolCalls)!.toolCalls!.map(({ id }) => id);
  expect(new Set(asked).size).toBe(1_000);
  expect(messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId)).toEqual(asked);
  expect(bus.ofType('ExecutionResult')[0]!.payload.toolCalls).toHaveLength(20);
  expect(result!.directive).toBe('accept');
});

test.each<[string, unknown, RegExp]>([
  ['a tool that is none', { name: 'teleport', input: {} }, /"teleport" is not among the tools/],
  ['a tool named like a part of every object', { name: '__proto__', input: {} }, /is not among the tools/],
  ['wrong argument types', { name: 'lookup', input: { word: 7 } }, /Invalid input for lookup/],
  ['no arguments', { name: 'lookup', input: undefined }, /Invalid input for lookup/],
  ['arguments as broken text', { name: 'lookup', input: '{"word": "tr' }, /Invalid input for lookup/],
  ['a prototype key', { name: 'lookup', input: JSON.parse('{"word": "tree", "__proto__": {"polluted": true}}') }, /"__proto__" is not allowed/],
])('%s never reaches a tool, and the model is told', async (_name, call, told) => {
  const words: string[] = [];
  const { result, model, bus } = await play({ model: new Model({ R3: first(calls([call as { name: string; input: unknown }])) }), options: { tools: [lookupTool((word) => { words.push(word); })] } });
  expect(words).toEqual([]);
  expect(model.of('R3')[1]!.messages.at(-1)!.content).toMatch(told);
  expect(bus.ofType('ExecutionResult')[0]!.payload.toolCalls[0]).toMatchObject({ ok: false, ran: false });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  // Nothing ran, so nothing is evidence: the claim that it was done is not believed.
  expect(result).toMatchObject({ directive: 'abandon', output: null });
});

const circle: Record<string, unknown> = {};
circle['self'] = circle;
const deep = (levels: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};
test.each<[string, () => unknown]>([
  ['nested 10,000 deep', () => deep(10_000)], ['nested 100,000 deep', () => deep(100_000)], ['a circle', () => circle], ['a BigInt', () => 10n],
  ['a getter that throws', () => ({ get bad(): string { throw new Error('no'); } })],
])('an input that is %s costs the step, not the run', async (_name, word) => {
  const { result, bus } = await play({ model: new Model({ R3: first(calls([{ name: 'lookup', input: { word: word() } }])) }), options: { tools: [anyTool] } });
  expect(bus.ofType('RoleFailure')).toHaveLength(0);
  expect(finals(bus)).toHaveLength(1);
  expect(result!.reason).not.toBe('role_failure');
});

test('an input of nearly a megabyte runs, and stands in the record with its ends alone', async () => {
  const seen: number[] = [];
  const { bus, result } = await play({
    model: new Model({ R3: first(calls([{ name: 'lookup', input: { word: 'x'.repeat(900_000) } }])) }), options: { tools: [lookupTool((word) => { seen.push(word.length); return 'tree: four letters'; })] },
  });
  expect(seen).toEqual([900_000]);
  expect(JSON.stringify(bus.ofType('ExecutionResult')[0]!.payload.toolCalls[0]!.input).length).toBeLessThan(20_000);
  expect(result!.directive).toBe('accept');
});

test('an output of nearly a megabyte is cut in its middle, marked, and judged like any other', async () => {
  const { bus, result } = await play({
    model: new Model({ R3: (request) => (request.messages.some(({ role }) => role === 'tool') ? { status: 'completed', output: 'x'.repeat(900_000) } : calls([{ name: 'lookup', input: { word: 'tree' } }])) }),
  });
  const { output } = bus.ofType('ExecutionResult')[0]!.payload as { output: string };
  expect(output.length).toBeLessThanOrEqual(200_000);
  expect(output).toMatch(/characters left out/);
  expect(result!.directive).toBe('accept');
});

test('ever new calls end at the limit of an attempt', async () => {
  let ran = 0;
  const { result } = await play({
    model: new Model({ R3: (_request, { number }) => calls([{ name: 'lookup', input: { word: `w${number}` } }]) }),
    options: { tools: [lookupTool(() => { ran += 1; })], limits: { toolCalls: 5, maxRetries: 0 }, hyperparameters: { maxReplans: 1 } },
  });
  expect(result!.directive).toBe('abandon');
  expect(result!.usage.toolCalls).toBe(ran);
  // Two rounds at most, one attempt each.
  expect(ran).toBe(10);
});

test('the same call for ever runs once in each attempt', async () => {
  let ran = 0;
  const { result } = await play({
    model: new Model({ R3: () => calls([{ name: 'lookup', input: { word: 'tree' } }]) }), options: { tools: [lookupTool(() => { ran += 1; })], limits: { maxRetries: 0 }, hyperparameters: { maxReplans: 1 } },
  });
  expect(result!.directive).toBe('abandon');
  expect(ran).toBe(2);
});

test.each<[string, unknown]>([
  ['cut in the middle of a call', raw({ text: '', toolCalls: [{ id: 'a', name: 'lookup', input: { word: 'tr' } }], finishReason: 'length' })],
  ['a call that only a repair would make one', text('{"tool": "lookup", "input": {"word": "tree"')],
  ['a call cut in JSON', text('{"tool": "lookup", "input": {"word": "tree"}', 'length')],
])('no tool runs on %s', async (_name, reply) => {
  const words: string[] = [];
  const model = new Model({ R3: first(reply) }, {});
  await play({ model, options: { tools: [lookupTool((word) => { words.push(word); })], hyperparameters: { maxReplans: 1 } } });
  expect(words).toEqual([]);
  expect(model.of('R3')[1]!.messages.at(-1)!.content).toMatch(/can't be used/);
});
