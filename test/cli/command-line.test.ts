import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FinalResult } from 'artoo';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FILES, workspace } from '../offline/workspace.js';
import { artoo, start } from './support.js';

describe('artoo run', () => {
  it('prints the answer alone on stdout, the pipeline on stderr, and ends with 0', async () => {
    const { code, out, err } = await artoo(['run', 'How many TODOs are in src?', '--offline'], { cwd: workspace() });
    expect([code, out]).toEqual([0, '3 occurrences of "TODO" in src, on 2 lines of 2 files.\n']);
    expect(err).toContain('R1 → R2,R7 TaskSpec: How many TODOs are in src?');
    expect(err).toContain('R4a → R4b,dispatcher,R3 SubTaskOutcome: matched, 3 of 3 criteria passed');
    expect(err).toContain('R7 → user FinalResult: init→accept D 0.00 P 0.00 Ω 0.00 L 0.00 ∇L 0.00→');
    expect(err).not.toContain('\u001b');
  });
  it('shows a failed round: N of M failed, the directive, the numbers', async () => {
    const { code, out, err } = await artoo(['run', 'Summarise notes.md and list src', '--offline'], { cwd: workspace() });
    expect([code, out.split('\n')[0]]).toEqual([0, 'docs/notes.md: 3 lines, 6 words, 0 headings. (notes.md is not there; docs/notes.md was taken for it.)']);
    expect(err).toContain('R4b → R7 ReplanRequest: gate, 1 of 2 failed');
    expect(err).toMatch(/R7 → R2 PlanDirective: init→change_path D 0\.50 P 0\.00 Ω 0\.\d\d L 0\.\d\d ∇L 0\.00→, blocked: notes\.md/);
    expect(err).toContain('change_path→accept');
  });
  it('an abandoned task ends with 1; partial result and next moves are on stderr, stdout stays empty', async () => {
    const { code, out, err } = await artoo(['run', 'Count the lines in README.md and translate it to French', '--offline'], { cwd: workspace() });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain("I can't do this offline");
    expect(err).toContain('Partial result:\n  - Count lines (in: README.md): 7 lines in README.md.');
    expect(err).toContain('Next moves:\n  - Configure a model');
  });
  it('--json prints the FinalResult and nothing else on stdout', async () => {
    const { code, out } = await artoo(['run', 'list src', '--offline', '--json'], { cwd: workspace() });
    const result = JSON.parse(out) as FinalResult;
    expect([code, result.directive, result.output]).toEqual([0, 'accept', '2 entries in src:\nsrc/lib/\nsrc/main.ts']);
  });
  it('without a model it says in one line what is used instead', async () => {
    const { err } = await artoo(['run', 'list src'], { cwd: workspace() });
    expect(err.split('\n')[0]).toMatch(/^No model is configured .*rule-based offline model is used\. It is no language model/);
  });
  it('records the run in the workspace, or where --ledger says', async () => {
    const [root, elsewhere] = [workspace(), workspace({})];
    await artoo(['run', 'list src', '--offline'], { cwd: root });
    expect(existsSync(join(root, '.artoo', 'ledger'))).toBe(true);
    await artoo(['run', 'list src', '--offline', '--workspace', root, '--ledger', join(elsewhere, 'log')], { cwd: elsewhere });
    expect(existsSync(join(elsewhere, 'log'))).toBe(true);
  });
  it('never writes control or direction characters of a file raw', async () => {
    const { out, err } = await artoo(['run', 'show evil.txt', '--offline'], { cwd: workspace({ 'evil.txt': 'a\u001b[31mb\u202ec\u0007d\n' }) });
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(out).toContain('Text of evil.txt:');
  });
  it('a task with control characters is shown written out', async () => {
    const { err } = await artoo(['run', 'list \u202esrc', '--offline'], { cwd: workspace() });
    expect(err).not.toContain('\u202e');
  });
  it('a budget of one call ends the run with its reason', async () => {
    const { code, err } = await artoo(['run', 'list src', '--offline', '--budget-calls', '1'], { cwd: workspace() });
    expect([code, err.includes('budget_calls')]).toEqual([1, true]);
  });
});

describe('Law 1 on the command line', () => {
  const task = 'write the number of TODOs in src to README.md';
  it('without a terminal and without --yes it is refused and said', async () => {
    const root = workspace();
    const { code, err } = await artoo(['run', task, '--offline'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toContain('Refused: writeFile on README.md (irreversible) needs permission, and there is no terminal');
    expect(err).toContain('[LAW1] Not done');
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(FILES['README.md']);
  });
  it('--yes allows it and says so', async () => {
    const root = workspace();
    const { code, err } = await artoo(['run', task, '--offline', '--yes'], { cwd: root });
    expect(code).toBe(0);
    expect(err).toContain('Allowed by --yes: writeFile on README.md');
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('3 occurrences');
  });
});

describe('wrong usage ends with 2 and says what is wrong', () => {
  it.each([
    [['run'], 'run needs a task'], [['run', 'a', 'b'], 'put it in quotation marks'], [['dance'], 'There is no command "dance"'], [['run', 'x', '--nope'], '--nope'],
    [['run', 'x', '--yes', '--ask'], 'exclude each other'], [['run', 'x', '--offline', '--model', 'm'], '--offline uses no model'], [['run', 'x', '--timeout', 'soon'], '--timeout needs a time'],
    [['run', 'x', '--budget-calls', '0'], 'whole number from 1'], [['run', 'x', '--workspace', 'no/such/folder'], 'is no folder'], [['resume', '--offline'], 'Nothing is pending'],
  ] as const)('%j', async (words, said) => {
    const { code, out, err } = await artoo(words, { cwd: workspace({}) });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });
  it('half a configuration ends with 3 and a hint', async () => {
    const { code, err } = await artoo(['run', 'list src'], { cwd: workspace(), env: { OPENAI_API_KEY: 'k' } });
    expect([code, err.includes('ARTOO_INVALID_CONFIG'), err.includes('--offline')]).toEqual([3, true, true]);
  });
  it('--help and --version answer on stdout', async () => {
    const cwd = workspace({});
    expect((await artoo(['--help'], { cwd })).out).toContain('artoo run "<task>"');
    expect((await artoo(['--version'], { cwd })).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('interruption and resumption', () => {
  /** An endpoint that accepts a call and never answers. */
  async function silentServer(): Promise<{ url: string; called: Promise<void> }> {
    let call!: () => void;
    const called = new Promise<void>((resolve) => { call = resolve; });
    const server = createServer(() => call());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => { server.closeAllConnections(); server.close(); });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, called };
  }
  it('Ctrl-C ends the run with its result and 130', async () => {
    const { url, called } = await silentServer();
    const { child, ended } = start(['run', 'list src', '--model', 'm', '--base-url', url, '--json'], { cwd: workspace(), env: { BRAIN_API_KEY: 'k' } });
    await called;
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect([code, (JSON.parse(out) as FinalResult).reason]).toEqual([130, 'aborted']);
    expect(err).toContain('Stopping; once more Ctrl-C ends at once.');
  });
  it('a killed run is listed as pending and can be resumed', async () => {
    const root = workspace();
    const { url, called } = await silentServer();
    const { child, ended } = start(['run', 'list src', '--model', 'm', '--base-url', url], { cwd: root, env: { BRAIN_API_KEY: 'k' } });
    await called;
    child.kill('SIGKILL');
    await ended;
    const { out } = await artoo(['pending', '--json'], { cwd: root });
    const [task, ...more] = JSON.parse(out) as { taskId: string }[];
    expect(more).toEqual([]);
    const resumed = await artoo(['resume', task!.taskId, '--offline'], { cwd: root });
    expect([resumed.code, resumed.out.split('\n')[0]]).toEqual([0, '2 entries in src:']);
    expect((await artoo(['pending'], { cwd: root })).err).toContain('Nothing is pending.');
  });
  it('a task that is not there ends with 3', async () => {
    const { code, err } = await artoo(['resume', 'no-such-task', '--offline'], { cwd: workspace() });
    expect([code, err.includes('ARTOO_LEDGER_NOT_FOUND')]).toEqual([3, true]);
  });
});

describe('artoo alone', () => {
  it('takes task after task, and a follow-up refers to the one before', async () => {
    const { code, out, err } = await artoo(['--offline'], { cwd: workspace(), input: 'How many TODOs are in src?\nand in docs?\nwrong\n\nexit\nlist src\n' });
    expect([code, out]).toEqual([0, '3 occurrences of "TODO" in src, on 2 lines of 2 files.\n0 occurrences of "TODO" in docs.\n0 occurrences of "TODO" in docs.\n']);
    expect(err).toContain('> and in docs?');
  });
  it('a task that fails does not end it; the last one decides the exit code', async () => {
    const { code, out } = await artoo(['--offline'], { cwd: workspace(), input: 'knit me a jumper\nlist src' });
    expect([code, out.split('\n')[0]]).toEqual([0, '2 entries in src:']);
  });
});
