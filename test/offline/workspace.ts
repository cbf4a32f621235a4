import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createArtoo, type ArtooOptions, type Envelope, type FinalResult, type RunOptions } from 'artoo';
import { createOfflineModel } from 'artoo/offline';
import { workspaceTools } from 'artoo/tools';
import { onTestFinished } from 'vitest';

/** The files of most tests: what is in them is counted by hand in the tests. */
export const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA small project. It does little. It is tested.\n\n## Use\n\nRun it.\n',
  'docs/guide.md': '# Guide\n\nFirst read this.\n\n```sh\n# no heading\n```\n\n## Steps\n\n- one\n- two\n',
  'docs/notes.md': 'line one\nline two\nline three\n',
  'src/main.ts': 'export const a = 1; // TODO one TODO two\n// FIXME\nexport const b = 2;\n',
  'src/lib/util.ts': '// TODO three\nexport function hello() {}\n',
  'src/lib/old.js': 'var x = "todo";\n',
  'empty/.keep': '',
};

export function workspace(files: Readonly<Record<string, string>> = FILES): string {
  const root = mkdtempSync(join(tmpdir(), 'artoo-offline-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export interface Told { readonly result: FinalResult; readonly events: readonly Envelope[] }

/** Runs a task with the offline model and the real tools. */
export async function tell(root: string, task: string | RunOptions, options: { readonly without?: readonly string[] } & Pick<ArtooOptions, 'confirm' | 'memory' | 'clock'> = {}): Promise<Told> {
  const model = createOfflineModel();
  const { without, ...more } = options;
  const tools = workspaceTools({ root, shell: false }).filter(({ name }) => !without?.includes(name));
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools, ...more });
  const run = artoo.run(task);
  const events: Envelope[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  await artoo.close();
  return { result, events };
}
