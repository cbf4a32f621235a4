import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { VERSION } from 'artoo';
import { doors, manifest, root } from './consumer.js';
import { FIXED } from './fixed-names.js';

// Compilers and package managers are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const script = (name: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', name), ...args], { cwd: root, encoding: 'utf8' });
  return { status, said: status === 0 ? '' : `${stdout}${stderr}` };
};

test('the doors are exactly the promised ones', () => expect([...doors].sort()).toEqual(Object.keys(FIXED).sort()));

test('every door leads to a file of the build', () => {
  const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [target] : [target.types, target.default]));
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

test('the version in code is the version of the package', () => expect(VERSION).toBe(manifest.version));

test('the changelog has a place for what is unreleased', () => expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(/^## \[Unreleased\]$/m));

test('the public API is the recorded one', () => expect(script('update-api.mjs', '--check')).toEqual({ status: 0, said: '' }));

test('publint and arethetypeswrong find nothing', () => expect(script('check-package.mjs')).toEqual({ status: 0, said: '' }));
