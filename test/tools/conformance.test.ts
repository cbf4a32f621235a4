import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ArtooError } from '../../src/contracts/errors.js';
import type { Tool } from '../../src/contracts/tool.js';
import { editFile, glob, grep, listFiles, openWorkspace, readFile, shell, writeFile } from '../../src/entries/tools.js';
import { toolConformance, type ToolConformanceOptions } from '../../src/tools/conformance.js';
import { defineTool } from '../../src/tools/define-tool.js';
import { useFolders } from './support.js';

const folder = useFolders();
const workspace = () => openWorkspace(folder());

const portable: readonly (readonly [string, ToolConformanceOptions])[] = [
  ['listFiles', { create: () => listFiles({ workspace: workspace() }), validInput: {}, invalidInput: { depth: 0 } }],
  ['glob', { create: () => glob({ workspace: workspace() }), validInput: { pattern: '*' }, invalidInput: {} }],
  ['grep', { create: () => grep({ workspace: workspace() }), validInput: { pattern: 'a+' }, invalidInput: { pattern: '' } }],
  ['readFile', { create: async () => { const place = workspace(); await place.write('f', 'x'); return readFile({ workspace: place }); }, validInput: { path: 'f' }, invalidInput: { path: 'f', limit: 'all' } }],
  ['writeFile', { create: () => writeFile({ workspace: workspace() }), validInput: { path: 'f', content: 'x' }, invalidInput: { path: 'f' } }],
  ['editFile', {
    create: async () => { const place = workspace(); await place.write('f', 'x'); return editFile({ workspace: place, overwrite: 'allow-with-backup' }); },
    validInput: { path: 'f', edits: [{ find: 'x', replace: 'y' }] }, invalidInput: { path: 'f', edits: [] },
  }],
  ['shell in a sandbox where there is one', { create: () => shell({ workspace: workspace(), sandbox: 'auto' }), validInput: { command: 'echo x' }, invalidInput: { command: 1 } }],
  ['shell', { create: () => shell({ workspace: workspace() }), validInput: { command: 'echo x' }, invalidInput: { command: 1 } }],
];
describe.each(portable)('%s', (_, options) => {
  for (const { name, run } of toolConformance(options)) it(name, run);
});

const good = { name: 'good', description: 'Does well.', input: z.object({ a: z.string() }), effect: 'read', execute: () => 'x' } as const;
const inputs = { validInput: { a: 'x' }, invalidInput: { a: 1 }, settleMs: 50 };

async function failing(create: () => Tool, options: Partial<ToolConformanceOptions> = {}): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of toolConformance({ create, ...inputs, ...options })) {
    await run().catch((error: unknown) => {
      expect(ArtooError.is(error, 'ARTOO_CONFORMANCE')).toBe(true);
      names.push(name);
    });
  }
  return names;
}

describe('the suite finds', () => {
  it('nothing wrong with a good tool', async () => expect(await failing(() => defineTool(good))).toEqual([]));
  it.each<[string, () => Tool, RegExp]>([
    ['a bad name', () => ({ ...defineTool(good), name: 'a b' }), /has a name/],
    ['a schema of another type', () => ({ ...defineTool(good), inputSchema: { type: 'string' } }), /JSON Schema of an object/],
    ['an unknown effect', () => defineTool({ ...good, effect: () => 'none' as never }), /does to the world/],
    ['a target that is no text', () => defineTool({ ...good, target: () => 7 as never }), /target/],
    ['an input that is refused though valid', () => defineTool({ ...good, input: z.object({ b: z.string() }) }), /accepts the valid input/],
    ['an input that is accepted though invalid', () => defineTool({ ...good, input: z.object({}) }), /refuses the invalid input/],
    ['a validator that throws', () => ({ ...defineTool(good), validate: (value) => { if (value === null) throw new Error('x'); return { value: value as object }; } }), /garbage/],
    ['a hostile key handed on', () => ({ ...defineTool(good), validate: (value) => ({ value }) }), /__proto__/],
    ['a call that fails', () => defineTool({ ...good, execute: () => { throw new Error('x'); } }), /carries out a valid call/],
    ['a call that never settles once stopped', () => defineTool({ ...good, execute: (_, { signal }) => signal.aborted ? new Promise(() => undefined) : 'x' }), /before the call/],
    ['a call that never settles when stopped on its way', () => defineTool({ ...good, execute: (_, { signal }) => new Promise((resolve) => { setTimeout(() => { if (!signal.aborted) resolve('x'); }, 1); }) }), /during the call/],
    ['calls that spoil each other', () => { let running = 0; return defineTool({ ...good, execute: async () => { running += 1; await new Promise((resolve) => setImmediate(resolve)); if (running > 1) throw new Error('x'); running = 0; return 'x'; } }); }, /two calls at once/],
  ])('%s', async (_, create, name) => {
    expect((await failing(create)).some((one) => name.test(one))).toBe(true);
  });
  it('and says why it skips what must not run', async () => {
    let ran = false;
    const cases = toolConformance({ create: () => defineTool({ ...good, execute: () => { ran = true; } }), ...inputs, execute: false });
    for (const { run } of cases) await run();
    expect([ran, cases.filter(({ skip }) => skip !== undefined).length]).toEqual([false, 4]);
  });
});
