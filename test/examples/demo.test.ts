import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));
const run = (...words: string[]): { status: number | null; out: string; err: string } => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:BRAIN|TOOL|OPENAI)_/.test(name)));
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo, ...words], { encoding: 'utf8', env, timeout: 120_000 });
  return { status, out: stdout, err: stderr };
};

it('the demo plays its three acts as announced and cleans up', () => {
  const { status, out, err } = run();
  expect(err).toContain('init→change_path');
  expect(out.match(/^--- \w+/gm)).toEqual(['--- accept', '--- accept', '--- abandon']);
  expect(out).not.toContain('did not go as announced');
  expect(out).toContain('rule-based offline model');
  expect(status).toBe(0);
  const scratch = /^Workspace: (.+)$/m.exec(out)![1]!;
  expect(existsSync(scratch)).toBe(false);
});

it('the demo takes a task of yours, in a workspace of yours', () => {
  const root = mkdtempSync(join(tmpdir(), 'artoo-demo-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const { status, out } = run('How many files are there?', '--workspace', root);
  expect([status, out.includes('0 files are in the workspace.'), existsSync(root)]).toEqual([0, true, true]);
});
