import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, workspace } from '../offline/workspace.js';
import { artoo } from './support.js';

const TASK = 'write the number of TODOs in src to README.md';
const questionIn = (out: string): string => /artoo answer (\S+) yes/.exec(out)![1]!;

describe('artoo run --later', () => {
  it('lets the task rest; pending shows the question; answer goes on with it in a new process', async () => {
    const root = workspace();
    const rest = await artoo(['run', TASK, '--offline', '--later'], { cwd: root });
    expect([rest.code, rest.out]).toEqual([3, '']);
    expect(rest.err).toContain('Put off: writeFile on README.md (irreversible)');
    expect(rest.err).toContain('ARTOO_APPROVAL_PENDING');
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(FILES['README.md']);
    const pending = await artoo(['pending'], { cwd: root });
    expect(pending.out).toContain('  parked  ');
    expect(pending.out).toContain('Permission needed: it cannot be undone.');
    expect(pending.out).toContain('README.md: replaces');
    const done = await artoo(['answer', questionIn(pending.out), 'yes', '--offline'], { cwd: root });
    expect(done.code).toBe(0);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('3 occurrences');
    expect((await artoo(['pending'], { cwd: root })).err).toContain('Nothing is pending.');
    const again = await artoo(['answer', questionIn(pending.out), 'yes', '--offline'], { cwd: root });
    expect([again.code, again.err.includes('ARTOO_APPROVAL_UNKNOWN')]).toEqual([3, true]);
  });
  it('a no is a no', async () => {
    const root = workspace();
    await artoo(['run', TASK, '--offline', '--later'], { cwd: root });
    const { out } = await artoo(['pending', '--json'], { cwd: root });
    const [{ questions }] = JSON.parse(out) as [{ questions: [{ approvalId: string; tool: string }] }];
    expect(questions[0].tool).toBe('writeFile');
    const refused = await artoo(['answer', questions[0].approvalId, 'no', '--offline'], { cwd: root });
    expect([refused.code, refused.err.includes('[LAW1] Not done')]).toEqual([1, true]);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(FILES['README.md']);
  });
  it.each([[['answer'], 'answer takes'], [['answer', 'x', 'perhaps'], 'answer takes'], [['run', 'x', '--later', '--yes'], 'exclude each other'], [['run', 'x', '--sandbox', 'maybe'], '--sandbox is none, auto or required']])('%j is refused with what is wrong', async (words, message) => {
    const { code, err } = await artoo(words as string[], { cwd: workspace() });
    expect([code, err.includes(message as string)]).toEqual([2, true]);
  });
});
