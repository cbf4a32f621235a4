import fc from 'fast-check';
import { mkdtempSync, readFileSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyEdits } from '../../src/tools/portable/apply-edits.js';
import { openWorkspace, undoTask } from '../../src/entries/tools.js';

const plain = (text: string): string => text.replaceAll('\r\n', '\n');
const piece = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'é', '😀');
const textOf = (most: number) => fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(''));

it('an edit does to the text what a plain replacement does, and keeps every byte around it', () => {
  fc.assert(fc.property(textOf(30), textOf(3), textOf(4), fc.boolean(), (before, find, replace, all) => {
    fc.pre(plain(find) !== '' && find !== replace);
    const count = plain(before).split(plain(find)).length - 1;
    let text: string;
    try {
      ({ text } = applyEdits(before, [{ find, replace, all }], { path: 'f', most: 1_000 }));
    } catch {
      // Refused for one of these reasons, and no other.
      const same = plain(before).replaceAll(plain(find), () => plain(replace)) === plain(before);
      expect(count === 0 || (count > 1 && !all) || same || plain(find) === plain(replace)).toBe(true);
      return;
    }
    expect(plain(text)).toBe(plain(before).replaceAll(plain(find), () => plain(replace)));
    // What stands before the first place and behind the last one is untouched, line ends among it.
    const at = plain(before).indexOf(plain(find));
    const head = before.slice(0, [...Array(before.length + 1).keys()].find((length) => before[length - 1] !== '\r' && plain(before.slice(0, length)).length === at) ?? 0);
    expect(text.startsWith(head)).toBe(true);
  }), { numRuns: 2_000 });
});

type Act = { readonly by: 'task' | 'person'; readonly path: string; readonly content: string | undefined };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constant('task' as const), path: fc.constantFrom('a', 'b', 'd/c'), content: fc.constantFrom('1', '2', '3') }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('person' as const), path: fc.constantFrom('a', 'b'), content: fc.option(fc.constantFrom('mine', 'mine too'), { nil: undefined }) }) },
);
const filesOf = (root: string): Record<string, string> => Object.fromEntries(['a', 'b', 'd/c'].flatMap((path) => {
  try {
    return [[path, readFileSync(join(root, path), 'utf8')]];
  } catch {
    return [];
  }
}));

it('whatever a task and a person did in turn, an undo loses nothing of the person, and with the task alone brings everything back', async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 7 }), fc.boolean(), fc.boolean(), async (acts, alone, useProc) => {
    const root = mkdtempSync(join(tmpdir(), 'artoo-undo-'));
    try {
      writeFileSync(join(root, 'a'), '1');
      const start = filesOf(root);
      /** What each path held before the task first touched it. */
      const before: Record<string, string | undefined> = {};
      const workspace = openWorkspace(root, { useProc });
      const done = acts.filter(({ by }) => !alone || by === 'task');
      for (const { by, path, content } of done) {
        if (by === 'task' && !Object.hasOwn(before, path)) before[path] = filesOf(root)[path];
        if (by === 'task') await workspace.write(path, content ?? '', { backup: true, task: 't' });
        else if (content !== undefined) writeFileSync(join(root, path), content);
        else try { unlinkSync(join(root, path)); } catch { /* not there */ }
      }
      fc.pre(done.some(({ by }) => by === 'task'));
      const mid = filesOf(root);
      const { left } = await undoTask({ root, taskId: 't' });
      const after = filesOf(root);
      const paths = new Set(left.map(({ path }) => path));
      for (const path of ['a', 'b', 'd/c']) {
        // Put back wholly, or listed.
        if (!paths.has(path) && done.some((one) => one.by === 'task' && one.path === path)) expect([path, after[path]]).toEqual([path, before[path]]);
        if (mid[path]?.startsWith('mine')) expect([path, after[path]]).toEqual([path, mid[path]]);
      }
      if (done.every(({ by }) => by === 'task')) expect([left, after, readdirSync(root).sort()]).toEqual([[], start, ['.artoo', 'a']]);
      const { kept, left: nothing } = await undoTask({ root, taskId: 't', force: true });
      expect(nothing).toEqual([]);
      for (const path of paths) {
        expect([path, filesOf(root)[path]]).toEqual([path, before[path]]);
        if (after[path] !== undefined) expect(kept.filter((one) => one.path === path).map(({ backup }) => readFileSync(join(root, backup), 'utf8'))).toEqual([after[path]]);
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }), { numRuns: 40 });
});
