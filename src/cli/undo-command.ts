import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { forgetBackups, undoableTasks, undoTask, type UndoReport } from '../entries/tools.js';
import { ArtooError } from '../index.js';
import { UsageError } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { jsonText, visible } from './plain-text.js';

/** Where the command writes. */
export interface UndoCommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** What `artoo undo --help` prints. */
export const UNDO_HELP = `artoo undo puts back what the file tools of a task changed in a workspace.

  artoo undo                 list the tasks of which something can be undone
  artoo undo TASK            give replaced files their old content, remove files that the task made
  artoo undo TASK --force    also where a file was changed since; what is there is kept beside the backups
  artoo undo TASK --forget   remove the task's backups for good; it can't be undone any more

  --workspace DIR    the folder the task worked in (default: here)
  --json             print JSON

A file that was changed since by other hands is left alone and listed. What shell commands and other tools did is not
recorded and can't be undone. Ends with 0, or with 1 when something was left as it is.
`;

const OPTIONS = { workspace: { type: 'string' }, force: { type: 'boolean' }, forget: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

/** Carries out `artoo undo …` and returns the exit code. Answers go to stdout, everything else to stderr. Does not throw. */
export async function undoCommand(args: string[], io: UndoCommandIo): Promise<number> {
  const say = (line: string): void => void io.stderr.write(`${visible(line)}\n`);
  const out = (line: string): void => void io.stdout.write(`${line}\n`);
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
    const { workspace: root = '.', force = false, forget = false, json = false } = values;
    if (values.help) {
      io.stdout.write(UNDO_HELP);
      return EXIT.done;
    }
    const [taskId] = positionals;
    if (positionals.length > 1) throw new UsageError('undo takes one task id.');
    if (force && forget) throw new UsageError('--force and --forget exclude each other.');
    if (taskId === undefined && (force || forget)) throw new UsageError(`--${force ? 'force' : 'forget'} needs a task: artoo undo TASK --${force ? 'force' : 'forget'}.`);
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`The workspace ${JSON.stringify(root)} is no folder.`);
    if (taskId === undefined) return await list(root, json, { say, out });
    if (forget) {
      const removed = await forgetBackups({ root, taskId });
      if (json) out(jsonText({ taskId, removed }));
      say(removed ? `The backups of ${taskId} are gone.` : `There are no backups of ${taskId}.`);
      return EXIT.done;
    }
    const report = await undoTask({ root, taskId, force });
    if (json) out(jsonText(report));
    else for (const line of reportLines(report)) out(visible(line));
    if (!json) say(report.note);
    return report.left.length === 0 ? EXIT.done : EXIT.abandoned;
  } catch (error) {
    return explain(error, say);
  }
}

interface Voices { readonly say: (line: string) => void; readonly out: (line: string) => void }

async function list(root: string, json: boolean, { say, out }: Voices): Promise<number> {
  const tasks = await undoableTasks({ root });
  if (json) out(jsonText(tasks));
  else for (const { taskId, files, open, bytes } of tasks) out(visible(`${taskId}  ${open} of ${files} files to undo, backups of ${bytes} bytes`));
  if (tasks.length === 0) say('There is nothing to undo here.');
  return EXIT.done;
}

function reportLines({ restored, removed, unchanged, left, kept }: UndoReport): string[] {
  return [
    ...restored.map((path) => `restored   ${path}`), ...removed.map((path) => `removed    ${path}`), ...unchanged.map((path) => `unchanged  ${path}`),
    ...kept.map(({ path, backup }) => `kept       ${path} as it was, in ${backup}`), ...left.map(({ path, reason }) => `left       ${path}: ${reason}`),
    ...(restored.length + removed.length + unchanged.length + left.length === 0 ? ['Everything was undone before.'] : []),
  ];
}

function explain(error: unknown, say: Voices['say']): number {
  if (ArtooError.is(error)) {
    say(`${error.code}: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
    return EXIT.setup;
  }
  const usage = error instanceof UsageError || (error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS'));
  say(usage ? `${(error as Error).message}\nSee artoo undo --help.` : String(error instanceof Error ? (error.stack ?? error.message) : error));
  return usage ? EXIT.usage : EXIT.setup;
}
