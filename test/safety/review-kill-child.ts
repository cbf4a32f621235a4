import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtooError, createArtoo, defineTool, type Ledger } from 'artoo';
import { createFileLedger } from 'artoo/ledger';
import * as z from 'zod';
import { call, modelThatCalls } from './scene.js';

/**
 * One life of a process that puts its questions off and answers them in its next one. It kills itself at the given
 * append; what its tool does goes to a file outside the ledger, so that a repeat would show.
 */
const [folder, at, when] = process.argv.slice(2) as [string, string, 'before' | 'after'];
const send = defineTool({
  name: 'send', description: 'Sends.', input: z.object({ what: z.string() }), effect: 'irreversible', target: ({ what }) => what,
  execute: ({ what }) => { appendFileSync(join(folder, 'effects.log'), `send ${what}\n`); return `ok ${what}`; },
});
const files = createFileLedger({ dir: join(folder, 'ledger') });
let appends = 0;
const ledger: Ledger = {
  ...files,
  append: (event, options) => {
    appends += 1;
    if (appends === Number(at) && when === 'before') process.kill(process.pid, 'SIGKILL');
    const kept = files.append(event, options);
    if (appends === Number(at) && when === 'after') process.kill(process.pid, 'SIGKILL');
    return kept;
  },
};
const model = modelThatCalls([call('send', 'one')], [call('send', 'two')]);
const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [send], ledger, hyperparameters: { maxReplans: 1 }, confirm: () => 'later' });
const [task] = await artoo.pending();
for (const { approvalId } of task?.questions ?? []) await artoo.answer(approvalId, 'allow');
const known = (await files.list())[0];
const run = known ? artoo.resume(known.taskId) : artoo.run('work');
let ended: string;
try {
  ended = (await run.result).directive;
} catch (error) {
  ended = ArtooError.is(error) ? error.code : String(error);
}
await artoo.close();
await files.close();
process.stdout.write(JSON.stringify({ ended, appends }));
