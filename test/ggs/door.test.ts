import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as ggs from 'artoo/ggs';

const folder = new URL('../../src/ggs/', import.meta.url);
const withoutComments = (source: string) => source.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '');

describe('artoo/ggs', () => {
  it('exports exactly these names', () => {
    expect(Object.keys(ggs).sort()).toEqual([
      'DECISION_TABLE', 'DEFAULT_HYPERPARAMETERS', 'accept', 'decide', 'decideNaive', 'decideV07', 'distance', 'gradeOutcomes', 'gradient',
      'implausibility', 'initialState', 'loss', 'resolveHyperparameters', 'resourceCost', 'step', 'strongestStop', 'traceFailures', 'trend',
    ]);
  });
  it.each(readdirSync(folder))('%s is pure: no async, clock, randomness, console, node: or vendor import', (name) => {
    const source = withoutComments(readFileSync(new URL(name, folder), 'utf8'));
    expect(source).not.toMatch(/\b(async|await|Promise|Date|performance|setTimeout|console|process|globalThis)\b|Math\.random|crypto/);
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path);
    expect(imports.filter((path) => !/^(\.\/[\w-]+|\.\.\/contracts\/[\w-]+)\.js$/.test(path ?? ''))).toEqual([]);
  });
});
