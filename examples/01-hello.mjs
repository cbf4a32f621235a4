// Hello: one task on real files, without a key. The offline model is a set of rules; swap in any model of yours.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArtoo } from 'artoo';
import { createOfflineModel } from 'artoo/offline';
import { workspaceTools } from 'artoo/tools';

const root = mkdtempSync(join(tmpdir(), 'artoo-hello-'));
mkdirSync(join(root, 'src'));
writeFileSync(join(root, 'src', 'one.ts'), '// TODO: write this\nexport {};\n');
writeFileSync(join(root, 'src', 'two.ts'), '// TODO: and this\n// TODO: and test it\n');

const model = createOfflineModel();
const artoo = createArtoo({ models: { brain: model, tool: model }, tools: workspaceTools({ root }) });

const { directive, output, evidence } = await artoo.run('How many TODOs are in src, and how many .ts files are in src?').result;
console.log(directive);
console.log(output);
console.log(`${evidence.length} criteria were shown to hold, such as: ${evidence[0]?.criterion}`);

await artoo.close();
rmSync(root, { recursive: true });
