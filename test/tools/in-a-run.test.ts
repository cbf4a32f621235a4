import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace, shell, undoTask, workspaceTools } from 'artoo/tools';
import { modelThatCalls, scene } from '../safety/scene.js';
import { useFolders } from './support.js';

const folder = useFolders();
const write = (path: string, content: string): { readonly name: string; readonly input: unknown } => ({ name: 'writeFile', input: { path, content } });
const edit = (path: string, find: string, replace: string): { readonly name: string; readonly input: unknown } => ({ name: 'editFile', input: { path, edits: [{ find, replace }] } });
const command = (text: string): { readonly name: string; readonly input: unknown } => ({ name: 'shell', input: { command: text } });

it('a run says what it replaced and where it is kept, and is undone by its id', async () => {
  const root = folder();
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub', 'a.txt'), 'one ok');
  const { artoo, asked } = scene(modelThatCalls([edit('sub/a.txt', 'one', 'two'), write('sub/a.txt', 'three ok'), write('new/b.txt', 'ok')]), workspaceTools({ root, overwrite: 'allow-with-backup' }));
  const result = await artoo.run('work').result;
  await artoo.close();
  expect([asked, readFileSync(join(root, 'sub/a.txt'), 'utf8'), readFileSync(join(root, 'new/b.txt'), 'utf8')]).toEqual([[], 'three ok', 'ok']);
  const kept = result.lawEvents.filter(({ decision }) => decision === 'disclosed').map(({ what }) => /^sub\/a\.txt was replaced; its previous content is kept in (\S+)\.$/.exec(what)?.[1] ?? what);
  expect(kept.map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['one ok', 'two ok']);
  expect(await undoTask({ root, taskId: result.taskId })).toMatchObject({ restored: ['sub/a.txt'], removed: ['new/b.txt', 'new/'], left: [] });
  expect([readFileSync(join(root, 'sub/a.txt'), 'utf8'), readdirSync(root).sort()]).toEqual(['one ok', ['.artoo', 'sub']]);
});

it('an edit asks with what it changes, and one that doesn\'t fit asks nobody', async () => {
  const root = folder();
  writeFileSync(join(root, 'a.txt'), 'one\none\n');
  const { artoo, asked } = scene(modelThatCalls([edit('a.txt', 'one', 'two'), edit('a.txt', 'one\none', 'two ok')]), workspaceTools({ root }));
  await artoo.run('work').result;
  await artoo.close();
  expect(asked.map(({ tool, effect, target, preview }) => [tool, effect, target, preview.includes('- one\n- one\n+ two ok')])).toEqual([['editFile', 'irreversible', 'a.txt', true]]);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two ok\n');
});

it('a file that changes while a person thinks is left alone', async () => {
  const root = folder();
  writeFileSync(join(root, 'a.txt'), 'one');
  const confirm = (): 'allow' => {
    writeFileSync(join(root, 'a.txt'), 'one, and a person\'s work');
    return 'allow';
  };
  const { artoo } = scene(modelThatCalls([edit('a.txt', 'one', 'ok')]), workspaceTools({ root }), { confirm });
  await artoo.run('work').result;
  await artoo.close();
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one, and a person\'s work');
});

it('the sandbox of createArtoo holds for a shell without a setting of its own, and auto says which was in force', async () => {
  const root = folder();
  const workspace = { ...openWorkspace(root), sandbox: () => ({ name: 'broken', check: async () => ({ why: 'it is broken', hint: 'Mend it.' }), run: () => { throw new Error('never'); } }) };
  const run = async (sandbox: 'auto' | 'required' | 'none'): Promise<readonly string[]> => {
    const { artoo } = scene(modelThatCalls([command('echo ok > made.txt')]), [shell({ workspace })], { sandbox });
    const { lawEvents } = await artoo.run('work').result;
    await artoo.close();
    return lawEvents.map(({ what }) => what);
  };
  expect(await run('required')).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
  expect(await run('auto')).toContain('Shell commands ran without a sandbox: it is broken.');
  expect(readdirSync(root)).toEqual(['made.txt']);
});
