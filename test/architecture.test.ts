import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { ALLOWED, violationsOf } from './architecture/rules.js';
import { strip } from './architecture/strip.js';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => file.replaceAll('\\', '/')).sort();

describe('src', () => {
  const found = files.flatMap((file) => violationsOf(file, readFileSync(join(src, file), 'utf8'))).map(({ rule, file, what }) => `${rule}: ${file} → ${what}`);
  it('keeps every rule', () => expect(found).toEqual([]));
  it('is where the rules think it is', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(Object.keys(ALLOWED).filter((place) => !files.some((file) => file === place || file.startsWith(`${place}/`)))).toEqual([]);
  });
});

/** One breach of each rule: a check that can't fail is none. */
const BREACHES: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['every folder has a rule', 'helpers/x.ts', 'export const a = 1;'],
  ['every folder has a rule', 'loose-file.ts', 'export const a = 1;'],
  ['arrows point at contracts', 'contracts/x.ts', "import type { Bus } from '../bus/create-bus.js';"],
  ['arrows point at contracts', 'ggs/x.ts', "export { a } from '../kernel/run.js';"],
  ['arrows point at contracts', 'kernel/x.ts', "const a = await import('../adapters/openai.js');"],
  ['arrows point at contracts', 'cli/x.ts', "import { a } from '../kernel/run.js';"],
  ['arrows point at contracts', 'bus/deep/er.ts', "import {\n  a,\n} from '../../roles/role.js';"],
  ['packages stay where they belong', 'contracts/x.ts', "import * as z from 'zod';"],
  ['packages stay where they belong', 'kernel/x.ts', "import { EventEmitter } from 'eventemitter3';"],
  ['packages stay where they belong', 'llm/x.ts', "import OpenAI from 'openai';"],
  ['packages stay where they belong', 'llm/x.ts', "let openai: typeof import('openai');"],
  ['packages stay where they belong', 'memory/x.ts', "import 'classic-level';"],
  ['packages stay where they belong', 'roles/x.ts', "import picomatch from 'picomatch';"],
  ['packages stay where they belong', 'text/x.ts', "import { readFileSync } from 'node:fs';"],
  ['packages stay where they belong', 'adapters/x.ts', "import express from 'express';"],
  ['roles never see each other', 'roles/planner/x.ts', "import { a } from '../executor/executor.js';"],
  ['pure zones are pure', 'ggs/x.ts', 'export async function a(): Promise<void> {}'],
  ['pure zones are pure', 'ggs/x.ts', 'export const now = () => Date.now();'],
  ['pure zones are pure', 'mkct/x.ts', 'export const a = `${Math.random()}`;'],
  ['pure zones are pure', 'text/x.ts', 'console.log(1);'],
  ['pure zones are pure', 'text/x.ts', 'const a = /\'/; setTimeout(a, 1); // \''],
  ['no any', 'bus/x.ts', 'const a = b as any;'],
  ['no any', 'bus/x.ts', 'function a(b: any[]): void {}'],
  ['no any', 'bus/x.ts', 'type A = Map<string, any>;'],
  ['no default export', 'bus/x.ts', 'export default class A {}'],
  ['no module-level mutable state', 'bus/x.ts', 'let count = 0;'],
  ['no empty catch', 'bus/x.ts', 'try { a(); } catch {}'],
  ['no empty catch', 'bus/x.ts', 'try { a(); } catch (error) {\n}'],
  ['abort listeners live in signals', 'kernel/x.ts', "signal.addEventListener('abort', stop);"],
  ['no file over 400 lines', 'bus/x.ts', 'a();\n'.repeat(401)],
  ['names are kebab-case', 'bus/createBus.ts', ''],
  ['doors list their names and hold no logic', 'entries/x.ts', "export * from '../bus/create-bus.js';"],
  ['doors list their names and hold no logic', 'entries/x.ts', "export { a } from '../bus/create-bus.js';\nexport const b = 1;"],
];

test.each(BREACHES)('%s: a breach of it in %s is found', (rule, file, source) => {
  expect(violationsOf(file, source).map((violation) => violation.rule)).toContain(rule);
});

/** What looks like a breach and is none. */
const INNOCENT: readonly (readonly [file: string, source: string])[] = [
  ['ggs/x.ts', "// async\n/* Date.now() */\nexport const a = 'await Date console';"],
  ['ggs/x.ts', 'export const a = `a ${b ? `${c}` : "Promise"} Date`;'],
  ['ggs/x.ts', "/** @example\n * import { x } from 'artoo';\n */\nexport const a = /import\\('openai'\\)/;"],
  ['bus/x.ts', "export const any = AbortSignal.any([]); const a = 'as any';"],
  ['bus/x.ts', 'try { a(); } catch { b(); }'],
  ['bus/x.ts', 'try { a(); } catch { /* a() tells its own caller */ }'],
  ['roles/planner/x.ts', "import { Role } from '../role.js';\nimport { c } from '../checks/run-check.js';\nimport { p } from './prompt.js';"],
  ['bus/x.ts', 'a();\n'.repeat(400)],
  ['entries/x.ts', "/** The door. */\nexport { a, type B } from '../bus/create-bus.js';\nexport type { C } from '../contracts/bus.js';\n"],
];
test.each(INNOCENT.map(([file, source], index) => [index + 1, file, source] as const))('innocent %d in %s breaks nothing', (_, file, source) => expect(violationsOf(file, source)).toEqual([]));

test('comments go, lines stay', () => {
  expect(strip('a /* b\nc */ d // e\nf', { strings: true })).toBe('a \n d \nf');
  expect(strip('a("x`y", /[/"]/, `p${q("}")}r`)', { strings: false })).toBe(`a(${' '.repeat(5)}, ${' '.repeat(6)}, ${' '.repeat(4)}q(${' '.repeat(3)})${' '.repeat(3)})`);
});
