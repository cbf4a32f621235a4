import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceTools } from 'artoo/tools';
import { afterEach, expect, test } from 'vitest';
import { modelThatCalls, scene } from './scene.js';

const folders: string[] = [];
afterEach(async () => { await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))); });

test('a file that is replaced with a yes from another process is the file that the question showed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'artoo-later-'));
  folders.push(dir);
  const file = join(dir, 'a.txt');
  const write = { name: 'writeFile', input: { path: 'a.txt', content: 'new' } };
  const run = async (touch: () => Promise<void>): Promise<string> => {
    await writeFile(file, 'old');
    const model = modelThatCalls([write]);
    const first = scene(model, workspaceTools({ root: dir }), { confirm: () => 'later' });
    await expect(first.artoo.run({ input: 'work' }).result).rejects.toMatchObject({ code: 'ARTOO_APPROVAL_PENDING' });
    await first.artoo.close();
    await touch();
    const second = scene(model, workspaceTools({ root: dir }), { ledger: first.ledger });
    await (await second.artoo.answer((await second.artoo.pending())[0]!.questions[0]!.approvalId, 'allow')).result;
    await second.artoo.close();
    return readFile(file, 'utf8');
  };
  expect(await run(async () => undefined)).toBe('new');
  expect(await run(() => writeFile(file, 'changed by somebody'))).toBe('changed by somebody');
});
