import type { Megram } from 'artoo/contracts';
import { expect, test } from 'vitest';
import { createBriefMemory } from '../../src/kernel/brief-memory.js';

const megram = (id: string, space: string, change: Partial<Megram> = {}): Megram => ({
  id, level: 'M', createdAt: 0, lastRecalledAt: null, space, entity: 'env:local', content: '', state: 'accept', f: 0.9, sigma: 1, k: 0.05,
  origin: { taskId: 't', integrity: 'trusted', source: 'R7' }, ...change,
});

test('the brief memory keeps the newest of each space and of all, and finds them by their tag', async () => {
  const memory = createBriefMemory(() => 0);
  for (let index = 0; index < 40; index++) memory.append(megram(`a${index}`, 'intent:a'));
  for (let index = 0; index < 600; index++) memory.append(megram(`b${index}`, `tool:${index}`));
  memory.append(megram('b599', 'tool:599'));
  expect((await memory.list({ tag: { space: 'intent:a' } })).length).toBe(0);
  expect((await memory.list()).length).toBe(500);
  expect((await memory.list({ tag: { space: 'tool:599' } })).map(({ id }) => id)).toEqual(['b599']);
  for (let index = 0; index < 40; index++) memory.append(megram(`c${index}`, 'intent:c'));
  expect((await memory.list({ tag: { space: 'intent:c' } })).map(({ id }) => id)).toEqual(Array.from({ length: 32 }, (_, index) => `c${index + 8}`));
  expect((await memory.potentials({ space: 'intent:c', entity: 'env:local' }, 0)).attention).toBeCloseTo(32 * 0.9);
  expect((await memory.potentials({ space: 'intent:c', entity: 'elsewhere' }, 0)).action).toBe('ignore');
  await memory.remove(['c39']);
  expect(await memory.get('c39')).toBeUndefined();
  expect((await memory.list({ tag: { space: 'intent:c' } })).length).toBe(31);
});
