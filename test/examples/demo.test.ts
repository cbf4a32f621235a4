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

/** What the demo prints of the task's two runs: their ways, rounds, model calls and tool calls. */
const runs = (out: string) => [...out.matchAll(/^(?:First|Second) run, act \d ?: (.+); (\d+) rounds?, (\d+) model calls, (\d+) tool calls$/gm)].map(([, path, ...numbers]) => ({ path, numbers: numbers.map(Number) }));

it('the demo plays its four acts as announced and cleans up', () => {
  const { status, out, err } = run();
  expect(err.match(/init→change_path/g)).toHaveLength(2);
  expect(out.match(/^--- \w+/gm)).toEqual(['--- accept', '--- accept', '--- abandon', '--- accept']);
  expect(out).not.toContain('did not go as announced');
  expect(out).toContain('rule-based offline model');
  expect(status).toBe(0);
  const scratch = /^Workspace: (.+)$/m.exec(out)![1]!;
  expect(existsSync(scratch)).toBe(false);
});

it('the second run of the task that was corrected avoids the dead end, and the demo names the memory for which it does', () => {
  const { out, err } = run();
  const [first, second] = runs(out);
  expect([first?.path, second?.path]).toEqual(['change_path → accept', 'accept']);
  const [[rounds, calls, toolCalls], [fewerRounds, fewerCalls, fewerToolCalls]] = [first!.numbers, second!.numbers] as [number[], number[]];
  expect([rounds, fewerRounds]).toEqual([2, 1]);
  expect(fewerCalls).toBeLessThan(calls!);
  expect(fewerToolCalls).toBeLessThan(toolCalls!);
  const [, id, entity, content] = /^The plan names this as a reason: .+\n {4}memory (\S+)\n {4}tag env:local \| (\S+), .+\n {8}(.+)$/m.exec(out)!;
  expect([entity, content]).toEqual(['path:docs/meeting-notes.md', '"docs/meeting-notes.md" was not there; "**/meeting-notes.md" was, with the tool "glob".']);
  expect(err).toMatch(new RegExp(`DispatchManifest: round 1, 2 subtasks, by memory: .*${id}`));
});

it('without that memory the second run takes the dead end again', () => {
  const { status, out, err } = run('--forget');
  const [first, second] = runs(out);
  expect(second).toEqual(first);
  expect(second?.path).toBe('change_path → accept');
  expect(err.match(/init→change_path/g)).toHaveLength(3);
  expect(out).toContain('No memory changed the plan of the second run.');
  expect([status, out.includes('did not go as announced')]).toEqual([0, false]);
});

it('the demo empties no memory but its own', () => {
  const { status, err } = run('--forget', '--workspace', tmpdir());
  expect([status, err.includes('for the scratch workspace alone')]).toEqual([2, true]);
});

it('the demo takes a task of yours, in a workspace of yours', () => {
  const root = mkdtempSync(join(tmpdir(), 'artoo-demo-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const { status, out } = run('How many files are there?', '--workspace', root);
  expect([status, out.includes('0 files are in the workspace.'), existsSync(root)]).toEqual([0, true, true]);
});
