import { createFileLedger } from '../entries/ledger.js';
import type { CommandOptions } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { ledgerFolderOf } from './session.js';
import type { Terminal } from './terminal.js';

/** Lists what has no result yet, newest first: id, state, when it was last written to. */
export async function listPending(options: CommandOptions, terminal: Terminal): Promise<number> {
  const ledger = createFileLedger({ dir: ledgerFolderOf(options) });
  try {
    const tasks = (await ledger.list()).filter(({ status }) => status !== 'finished').sort((a, b) => b.updatedAt - a.updatedAt);
    if (options.json) terminal.json(tasks);
    else for (const task of tasks) terminal.answer(`${task.taskId}  ${task.status}  ${new Date(task.updatedAt).toISOString()}${task.reason ? `  ${task.reason}` : ''}`);
    if (tasks.length === 0) terminal.say('Nothing is pending.');
    return EXIT.done;
  } finally {
    await ledger.close();
  }
}
