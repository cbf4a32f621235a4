import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as ggs from 'artoo/ggs';
import { DEFAULT_HYPERPARAMETERS, resolveHyperparameters } from 'artoo/ggs';

const page = readFileSync(new URL('../../docs/ggs.md', import.meta.url), 'utf8');
const example = readFileSync(new URL('../../examples/05-ggs-alone.mjs', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '');

/** Runs TypeScript that imports nothing but the door and node:assert; returns what it printed. */
function execute(code: string): string[] {
  const printed: string[] = [];
  const modules = new Map<string, unknown>([['artoo/ggs', ggs], ['node:assert/strict', assert]]);
  const require = (name: string): unknown => modules.get(name) ?? assert.fail(`imports ${name}`);
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs' });
  new Function('require', 'module', 'console', script)(require, { exports: {} }, { log: (line: string) => printed.push(line) });
  return printed;
}

describe('docs/ggs.md', () => {
  it('has its worked example and more', () => expect(blocks.length).toBeGreaterThanOrEqual(3));
  it.each(blocks.map((code, index) => [index + 1, code] as const))('block %d runs and its asserts hold', (_, code) => {
    expect(code).toMatch(/assert\.(equal|deepEqual)\(/);
    execute(code);
  });
  it('names every hyperparameter with its default', () => {
    const table = page.slice(page.indexOf('## Hyperparameters'), page.indexOf('## Errors'));
    const rows = [...table.matchAll(/^\| ([\w, ]+?) \| ([^|]+?) \|/gm)].flatMap(([, keys = '', values = '']) => {
      const defaults = /, /.test(keys) ? values.split(', ') : [values];
      return keys.split(', ').map((key, index) => [key, defaults[index]?.replaceAll(/[',]/g, '')]);
    });
    expect(rows.slice(1)).toEqual(Object.entries(DEFAULT_HYPERPARAMETERS).map(([key, value]) => [key, String(value)]));
  });
  it('names the codes of both errors', () => {
    const codeOf = (run: () => unknown): unknown => { try { return run(); } catch (error) { return (error as { code: string }).code; } };
    expect(page).toContain(`\`${codeOf(() => ggs.gradient(Number.NaN))}\``);
    expect(page).toContain(`\`${codeOf(() => resolveHyperparameters({ theta: 9 }))}\``);
  });
});

describe('examples/05-ggs-alone.mjs', () => {
  it('runs, and prints one decision for each round', () => {
    const printed = execute(example);
    expect(printed.filter((line) => line.includes('→')).map((line) => line.split(':')[0])).toEqual(['init → change_path', 'change_path → refine', 'refine → refine']);
  });
  it('is short', () => expect(example.split('\n').length).toBeLessThan(80));
});
