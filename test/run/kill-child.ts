import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArtoo, defineTool } from 'artoo';
import { createFileLedger } from 'artoo/ledger';
import * as z from 'zod';
import { scenarioModel } from './scenario.js';

/**
 * One life of a process that can be killed at any moment: takes the scenario up where the ledger left it. Effects go to
 * a file outside the ledger, appended as they happen, so that a repeat would show.
 */
const [folder] = process.argv.slice(2) as [string];
const effects = join(folder, 'effects.log');
const files = join(folder, 'files.json');
const known = (): Record<string, string> => (existsSync(files) ? (JSON.parse(readFileSync(files, 'utf8')) as Record<string, string>) : { 'a.txt': 'alpha 3', 'b.txt': 'beta 5' });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

const read = defineTool({
  name: 'read', description: 'Reads a file.', input: z.object({ path: z.string() }), effect: 'read', target: ({ path }) => path,
  execute: async ({ path }) => {
    await pause();
    const text = known()[path];
    if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' });
    return text;
  },
});
const write = defineTool({
  name: 'write', description: 'Writes a file.', input: z.object({ path: z.string(), text: z.string() }), effect: 'write', target: ({ path }) => path,
  execute: async ({ path, text }) => {
    appendFileSync(effects, `write ${path}\n`);
    await pause();
    writeFileSync(files, JSON.stringify({ ...known(), [path]: text }));
    return `wrote ${path}: ${text}`;
  },
});

const scripted = scenarioModel();
const llm = {
  model: scripted.model,
  capabilities: { tools: true, jsonSchema: true },
  complete: async (...[request, options]: Parameters<typeof scripted.complete>) => {
    const reply = await scripted.complete(request, options);
    await pause();
    appendFileSync(effects, `call ${request.role} ${request.subtaskId ?? ''} ${request.messages.length}\n`);
    return reply;
  },
};
const artoo = createArtoo({ models: { brain: llm, tool: llm }, tools: [read, write], ledger: createFileLedger({ dir: join(folder, 'ledger') }) });
const [open] = await artoo.pending();
const run = open ? artoo.resume(open.taskId) : artoo.run('sum the files');
const result = await run.result;
await artoo.close();
process.stdout.write(`${JSON.stringify({ directive: result.directive, output: result.output })}\n`);
