import { editFile, openWorkspace, writeFile } from 'artoo/tools';
import { runTool } from 'artoo/tools';

// Writes to the files of a workspace, again and again, until it is killed: replacing, making new ones, editing.
const [root = '', seed = '1'] = process.argv.slice(2);
const workspace = openWorkspace(root);
const [write, edit] = [writeFile({ workspace, overwrite: 'allow-with-backup' }), editFile({ workspace, overwrite: 'allow-with-backup' })];
const clock = { now: () => 0, monotonic: () => 0, setTimeout: () => () => undefined };
let state = Number(seed);
const next = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
for (let round = 0; ; round += 1) {
  const path = ['a.txt', 'sub/b.txt', `new/${next(5)}.txt`, 'sub/deep/c.txt'][next(4)] ?? '';
  const common = { intentId: String(round), taskId: 'killed', signal: new AbortController().signal, clock: clock as never };
  await runTool({ tool: write, input: { path, content: `mark ${round}` }, ...common });
  await runTool({ tool: edit, input: { path, edits: [{ find: 'mark', replace: 'edited' }] }, ...common });
  process.stdout.write(`${round}\n`);
}
