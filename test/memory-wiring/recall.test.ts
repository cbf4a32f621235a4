import { createMemory, intentPlace, recall, toolTag, type ArtooMemory, type MemoryStore } from 'artoo/memory';
import { describe, expect, test } from 'vitest';
import { megram, START } from './support.js';

const OWN = intentPlace('find_total', 'local');
const untrusted = { taskId: 'old', integrity: 'untrusted', source: 'R7' } as const;

function filled(...entries: ReturnType<typeof megram>[]): ArtooMemory {
  const memory = createMemory({ clock: { now: () => START } });
  for (const entry of entries) memory.append(entry);
  return memory;
}
/** More lessons than a reply shows: of the task's own kind, and of three targets. */
const plenty = [
  ...Array.from({ length: 6 }, (_, index) => megram(`own/${index}`, { ...OWN, content: `Asked: own ${index}` })),
  ...['a', 'b', 'c'].flatMap((path) => [1, 2].map((index) => megram(`read/${path}/${index}`, { entity: `path:${path}.txt`, state: 'break_symmetry' }))),
];

describe('recall', () => {
  test('answers with constraints, what code refuses, potentials and rules, each where it belongs', async () => {
    const memory = filled(
      megram('bad', { state: 'change_approach', f: 0.85, sigma: -1 }), megram('rule', { level: 'C', k: 0, space: 'tool:search', entity: 'rules', content: 'Search first.' }),
    );
    const reply = await memory.recall({ tags: [OWN, toolTag('read'), toolTag('search')], intent: 'find the total', at: START });
    expect(reply).toMatchObject({
      sops: [{ tag: { space: 'tool:search' }, content: 'Search first.', sigma: 1 }],
      mustNot: { tools: ['read'], targets: [], pairs: [{ tool: 'read', target: 'a.txt' }] }, untrusted: false, log: [],
    });
    expect(reply.constraints.map(({ kind, tool }) => [kind, tool])).toEqual([['must_not', 'read'], ['must_not', 'read'], ['prefer', 'search']]);
    expect(reply.potentials).toContainEqual({ tag: { space: 'tool:read' }, attention: 0.85, decision: -0.85, action: 'avoid' });
  });
  test('refuses all that is banned, although it shows ten constraints at most', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `tool${index}`);
    const memory = filled(...names.map((name) => megram(name, { space: `tool:${name}`, state: 'change_approach', f: 0.85, sigma: -1 })));
    const reply = await memory.recall({ tags: [...names, 'last'].map(toolTag), at: START });
    expect(reply.constraints).toHaveLength(10);
    expect([...reply.mustNot!.tools].sort()).toEqual([...names].sort());
  });
  test('recommends nothing that the plan may not use any more', async () => {
    const memory = filled(megram('good', { state: 'break_symmetry' }));
    const kinds = async (tools: string[]): Promise<unknown> => (await memory.recall({ tags: [toolTag('read'), toolTag('search')], tools, at: START })).constraints.map(({ kind }) => kind);
    expect(await kinds(['read', 'search'])).toContain('prefer');
    expect(await kinds(['search'])).toEqual([]);
  });
  test('keeps a place for what is known of the surroundings, however many lessons there are', async () => {
    const knowledge = [1, 2, 3, 4].map((index) => megram(`known/${index}`, { level: 'K', space: 'env:local', entity: `thing ${index}`, f: 0.5, sigma: 0, k: 0.2, content: `fact ${index}` }));
    const { lessons } = await filled(...plenty, ...knowledge).recall({ tags: [OWN, toolTag('read')], at: START });
    expect(lessons?.filter((lesson) => lesson.includes('fact'))).toHaveLength(3);
    expect(lessons).toHaveLength(11);
  });
  test('says that untrusted entries had a part in it, also where none of their words is shown', async () => {
    const swayed = megram('search', { space: 'tool:search', entity: 'path:b.txt', state: 'change_approach', f: 0.85, sigma: -1, content: 'foreign words', origin: untrusted });
    const tags = [OWN, toolTag('read'), toolTag('search')];
    const clean = await filled(...plenty).recall({ tags, at: START });
    const dirty = await filled(...plenty, swayed).recall({ tags, at: START });
    expect([clean.untrusted, dirty.untrusted]).toEqual([false, true]);
    expect(JSON.stringify(dirty.lessons)).not.toContain('foreign words');
  });
  test('answers the same for a store that has the port’s methods alone', async () => {
    const memory = filled(plenty[0]!, megram('bad', { entity: 'path:z.txt', state: 'change_approach', f: 0.85, sigma: -1 }));
    const port = Object.fromEntries(['potentials', 'sops', 'list', 'get'].map((name) => [name, (...input: unknown[]) => (memory as unknown as Record<string, (...input: unknown[]) => unknown>)[name]!(...input)])) as unknown as MemoryStore;
    const query = { tags: [OWN, toolTag('read'), toolTag('search')], intent: 'find the total', at: START };
    const [own, foreign] = [await memory.recall(query), await recall(port, query)];
    expect(foreign.constraints.map(({ kind, tool, target }) => [kind, tool, target])).toEqual(own.constraints.map(({ kind, tool, target }) => [kind, tool, target]));
    expect(foreign.mustNot).toEqual(own.mustNot);
    expect(foreign.lessons).toHaveLength(own.lessons!.length);
  });
  test('cuts a lesson that is long', async () => {
    const { lessons } = await filled(megram('long', { ...OWN, content: 'x'.repeat(50_000) })).recall({ tags: [OWN], at: START });
    expect(lessons![0]!.length).toBeLessThan(1_000);
  });
});
