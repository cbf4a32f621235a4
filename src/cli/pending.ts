import { createFileLedger, openQuestions, type FileLedger } from '../entries/ledger.js';
import type { ApprovalQuestion } from '../index.js';
import type { CommandOptions } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { describeQuestion } from './permission.js';
import { ledgerFolderOf } from './session.js';
import type { Terminal } from './terminal.js';

/** Lists what has no result yet, newest first: id, state, when it was last written to, and the questions it waits for. */
export async function listPending(options: CommandOptions, terminal: Terminal): Promise<number> {
  const ledger = createFileLedger({ dir: ledgerFolderOf(options) });
  try {
    const unfinished = (await ledger.list()).filter(({ status }) => status !== 'finished').sort((a, b) => b.updatedAt - a.updatedAt);
    const tasks = await Promise.all(unfinished.map(async (task) => ({ ...task, questions: task.status === 'damaged' ? [] : await questionsIn(ledger, task.taskId) })));
    if (options.json) terminal.json(tasks);
    else for (const task of tasks) {
      terminal.answer(`${task.taskId}  ${task.status}  ${new Date(task.updatedAt).toISOString()}${task.reason ? `  ${task.reason}` : ''}`);
      for (const question of task.questions) terminal.answer(`${describeQuestion(question)}\n  artoo answer ${question.approvalId} yes|no|task`);
    }
    if (tasks.length === 0) terminal.say('Nothing is pending.');
    return EXIT.done;
  } finally {
    await ledger.close();
  }
}

/** A record that can't be read has a state that says so; it hides no other. */
async function questionsIn(ledger: FileLedger, taskId: string): Promise<readonly ApprovalQuestion[]> {
  try {
    return openQuestions(await ledger.read(taskId));
  } catch {
    return [];
  }
}
