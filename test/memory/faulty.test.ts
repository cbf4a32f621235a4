import { createFaults, type MemoryFault } from 'artoo/testing';
import { createMemory, toolTag, type MemoryStore } from 'artoo/memory';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { many, megramOf, START } from './builders.js';

const QUERY = { tags: [toolTag('grep')], tools: ['grep', 'ls'], at: START };
const filled = (): MemoryStore => {
  const memory = createMemory();
  for (const megram of many(6, (index) => megramOf(`m${index}`, 'abandon'))) memory.append(megram);
  return memory;
};
const faulty = (kind: MemoryFault, rate = 1): MemoryStore => createFaults(1).faultyMemory(filled(), { rate, kinds: [kind] });

test('without a fault the store’s own recall and Dreamer answer', async () => {
  const memory = faulty('fail', 0);
  expect((await memory.recall!(QUERY)).constraints[0]).toMatchObject({ kind: 'must_not', tool: 'grep' });
  const dreamer = memory.createDreamer!({ clock: new ManualClock(START) });
  expect((await dreamer.dream()).promoted).toHaveLength(1);
  await dreamer.close();
});
test('a store that has neither gets neither', () => {
  const { recall: _recall, createDreamer: _createDreamer, ...port } = Object.fromEntries(['append', 'flush', 'list'].map((name) => [name, () => undefined])) as unknown as MemoryStore;
  expect(Object.keys(createFaults(1).faultyMemory(port)).filter((name) => name === 'recall' || name === 'createDreamer')).toEqual([]);
});
test('a failing store fails in both, and the Dreamer can be closed all the same', async () => {
  const memory = faulty('fail');
  await expect(memory.recall!(QUERY)).rejects.toMatchObject({ code: 'EIO' });
  const dreamer = memory.createDreamer!({ clock: new ManualClock(START) });
  await expect(dreamer.dream()).rejects.toMatchObject({ code: 'EIO' });
  await dreamer.close();
});
test.each<[MemoryFault, (reply: Record<string, unknown>) => void]>([
  ['poison', ({ lessons, untrusted }) => expect([JSON.stringify(lessons).includes('SYSTEM'), untrusted]).toEqual([true, true])],
  ['wrong_types', ({ lessons, constraints }) => expect([typeof lessons, (constraints as unknown[])[0]]).toEqual(['string', null])],
  ['flood', ({ constraints }) => expect((constraints as unknown[]).length).toBeGreaterThanOrEqual(1_000)],
])('%s reaches the answer to a whole question', async (kind, look) => look((await faulty(kind).recall!(QUERY)) as unknown as Record<string, unknown>));
