import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Consumer, doors, manifest, root } from './consumer.js';
import { FIXED } from './fixed-names.js';

// Compilers and package managers are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

let consumer: Consumer;
beforeAll(() => { consumer = new Consumer({ zod: manifest.dependencies['zod']!, typescript: '~5.6.3', '@types/node': '^20.19.0' }); }, 300_000);
afterAll(() => consumer?.remove());

const OK = { status: 0, stderr: '' };

describe('the tarball', () => {
  test('holds the build, the docs and the papers', () => {
    for (const path of ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', 'docs/README.md', 'README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']) expect(consumer.packed).toContain(path);
  });
  test('holds nothing else: no tests, no sources, no scripts', () => {
    expect(consumer.packed.filter((path) => !/^(?:dist\/|docs\/|README\.md$|CHANGELOG\.md$|LICENSE$|package\.json$)/.test(path))).toEqual([]);
    expect(consumer.packed.filter((path) => /\.test\.|(?:^|\/)(?:test|node_modules|\.artoo)\//.test(path))).toEqual([]);
  });
});

const LIST = (load: string): string => `
  const found = {};
  for (const door of ${JSON.stringify(doors)}) found[door] = Object.keys(${load});
  console.log(JSON.stringify(found));`;

describe.each([
  ['import', 'list.mjs', LIST('await import(door)')],
  ['require', 'list.cjs', LIST('require(door)')],
])('by %s', (_, file, source) => {
  test('every door opens and has its promised names', () => {
    consumer.write(file, source);
    const ran = consumer.node([file]);
    expect(ran).toMatchObject(OK);
    const found = JSON.parse(ran.stdout) as Record<string, string[]>;
    for (const [door, names] of Object.entries(FIXED)) expect(found[door], door).toEqual(expect.arrayContaining([...names]));
  });
});

test('every door gives one and the same ArtooError', () => {
  consumer.write('same.mjs', `
    import { ArtooError } from 'artoo';
    import * as contracts from 'artoo/contracts';
    import { decide } from 'artoo/ggs';
    import { createRequire } from 'node:module';
    let caught;
    try { decide({ D: NaN, P: 0, Omega: 0, gradL: 0 }); } catch (error) { caught = error; }
    console.log(contracts.ArtooError === ArtooError, caught instanceof ArtooError, createRequire(import.meta.url)('artoo').ArtooError === ArtooError);`);
  expect(consumer.node(['same.mjs'])).toEqual({ ...OK, stdout: 'true true true\n' });
});

test('the bin says its version', () => {
  const bin = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { artoo: string } }).bin.artoo;
  const ran = consumer.node([join('node_modules/artoo', bin), '--version']);
  expect(ran).toMatchObject(OK);
  expect(ran.stdout).toContain(manifest.version);
});

describe('importing artoo', () => {
  const asked = (door: string): string[] => {
    const trace = join(consumer.folder, 'trace.txt');
    consumer.write('trace.txt', '');
    const entry = door === '' ? 'export {};' : `import ${JSON.stringify(door)};`;
    consumer.write('entry.mjs', entry);
    expect(consumer.node(['--require', join(root, 'test/package/trace.cjs'), 'entry.mjs'], { ARTOO_TRACE: trace })).toMatchObject(OK);
    const bare = [...new Set(readFileSync(trace, 'utf8').split('\n'))].filter((name) => name !== '' && !name.includes('entry.mjs'));
    return bare;
  };
  const builtins = (names: readonly string[]): string[] => names.filter((name) => name.startsWith('node:') || builtinModules.includes(name));

  test('loads no module of Node, no openai, no LevelDB', () => {
    const names = asked('artoo');
    expect(names.some((name) => name.endsWith('/dist/index.js'))).toBe(true);
    expect(builtins(names)).toEqual([]);
    expect(names.filter((name) => /openai|classic-level|memory-level|abstract-level/.test(name))).toEqual([]);
  });
  test('the trace sees what is loaded: the tools need Node, the memory needs LevelDB', () => {
    expect(builtins(asked('artoo/tools'))).toContain('node:fs');
    expect(asked('artoo/memory').some((name) => name.includes('memory-level'))).toBe(true);
  });
});

describe('in a browser', () => {
  const bundle = async (source: string): Promise<string> => {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: consumer.folder }, bundle: true, write: false, platform: 'browser', format: 'iife', target: 'es2022', logLevel: 'silent',
    });
    return outputFiles[0]!.text;
  };
  /** Runs it where there is nothing but what a browser has too. */
  const browse = async (code: string): Promise<unknown> => {
    const { AbortController, AbortSignal, TextEncoder, TextDecoder, URL, crypto, performance, queueMicrotask, setTimeout, clearTimeout, structuredClone } = globalThis;
    return new Promise((done, fail) => {
      const context = createContext({ AbortController, AbortSignal, TextEncoder, TextDecoder, URL, crypto, performance, queueMicrotask, setTimeout, clearTimeout, structuredClone, done, fail });
      new Script(code).runInContext(context);
    });
  };

  test('a whole run works', async () => {
    const code = await bundle(`
      import { createArtoo, defineTool } from 'artoo';
      const replies = {
        R1: [{ slug: 'add', intent: 'Add 2 and 3.' }],
        R2: [{ taskCriteria: ['The sum 5 is stated'], subtasks: [{ intent: 'Add 2 and 3', successCriteria: ['The tool shows 5'], sequence: 0, tools: ['add'] }] }],
        R3: [{ tool: 'add', input: { a: 2, b: 3 } }, { status: 'completed', output: 'the sum is 5' }],
        R4a: [{ verdicts: [{ index: 0, verdict: 'pass', evidence: '5 ' }] }, { verdicts: [{ index: 0, verdict: 'pass', evidence: '5' }] }],
        R4b: [{ summary: 'Added.', mergedOutput: 'The sum is 5', verdicts: [{ index: 0, verdict: 'pass', evidence: '5' }] }],
      };
      const llm = { model: 'canned', complete: async ({ role }) => ({ text: JSON.stringify(replies[role].shift()), finishReason: 'stop' }) };
      const add = defineTool({ name: 'add', description: 'Adds.', effect: 'read', input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }, execute: async ({ a, b }) => a + b });
      const artoo = createArtoo({ models: { brain: llm, tool: llm }, tools: [add] });
      artoo.run('What is 2 and 3?').result.then(({ directive, output }) => done(directive + ': ' + output), fail);`);
    expect(await browse(code)).toBe('accept: The sum is 5');
  });
  test('artoo/ggs decides', async () => {
    expect(await browse(await bundle("import { decide } from 'artoo/ggs'; done(decide({ D: 1, P: 1, Omega: 0, gradL: 0 }));"))).toBe('break_symmetry');
  });
});

describe('a strict consumer type-checks', () => {
  const compilers = { newest: join(root, 'node_modules/typescript/bin/tsc'), '5.6': './node_modules/typescript/bin/tsc' };
  const resolutions = { node16: { module: 'node16', moduleResolution: 'node16' }, bundler: { module: 'esnext', moduleResolution: 'bundler' } };
  const check = (compiler: string, resolution: object): { status: number | null; stdout: string } => {
    consumer.write('consumer.ts', readFileSync(join(root, 'test/types/consumer.ts'), 'utf8'));
    consumer.write('tsconfig.json', JSON.stringify({
      compilerOptions: {
        ...resolution, target: 'es2022', lib: ['es2023', 'esnext.disposable'], types: ['node'], noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true, noPropertyAccessFromIndexSignature: true, skipLibCheck: false,
      },
      files: ['consumer.ts'],
    }));
    const { status, stdout } = consumer.node([compiler, '-p', '.']);
    return { status, stdout };
  };
  const cases = Object.entries(compilers).flatMap(([name, compiler]) => Object.entries(resolutions).map(([kind, resolution]) => [name, kind, compiler, resolution] as const));
  test.each(cases)('under TypeScript %s with moduleResolution %s', (_name, _kind, compiler, resolution) => {
    expect(check(compiler, resolution)).toEqual({ status: 0, stdout: '' });
  });
  test('the older compiler is the one meant', () => expect(consumer.node(['node_modules/typescript/bin/tsc', '--version']).stdout).toMatch(/^Version 5\.6\./));
});
