#!/usr/bin/env node
import { ArtooError, VERSION, type Run } from '../index.js';
import { readArguments, UsageError, type Command, type CommandOptions } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { followRun } from './follow-run.js';
import { HELP } from './help.js';
import { Interrupt } from './interrupt.js';
import { memoryCommand } from './memory-command.js';
import { listPending } from './pending.js';
import { repl } from './repl.js';
import { openSession, type Session } from './session.js';
import { Terminal } from './terminal.js';
import { undoCommand } from './undo-command.js';

const colour = process.stderr.isTTY === true && !process.env['NO_COLOR'];
const terminal = new Terminal({ input: process.stdin, out: process.stdout, err: process.stderr }, colour);
// A reader that went away is no error of ours.
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);

try {
  process.exitCode = process.argv[2] === 'memory' ? await memory(process.argv.slice(3)) : process.argv[2] === 'undo' ? await undoCommand(process.argv.slice(3), process) : await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
} finally {
  terminal.close();
}

async function main(args: readonly string[]): Promise<number> {
  const { command, options } = readArguments(args);
  return carryOut(command, options);
}

/** `artoo memory …` has options of its own; the workspace is named as everywhere. */
function memory(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--workspace');
  const workspace = at < 0 ? '.' : (args[at + 1] ?? '');
  const rest = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  return memoryCommand([...rest], { stdout: process.stdout, stderr: process.stderr, workspace });
}

async function carryOut(command: Command, options: CommandOptions): Promise<number> {
  switch (command.name) {
    case 'help': terminal.answer(HELP.trimEnd()); return EXIT.done;
    case 'version': terminal.answer(VERSION); return EXIT.done;
    case 'pending': return listPending(options, terminal);
    default: return inSession(command, options);
  }
}

async function inSession(command: Command, options: CommandOptions): Promise<number> {
  const session = await openSession(options, process.env, terminal);
  const interrupt = new Interrupt(process, (code) => process.exit(code), () => terminal.close());
  try {
    if (command.name === 'repl') return await repl(session, options, terminal, interrupt);
    const run = await runOf(command, options, session);
    interrupt.target = () => {
      terminal.say('Stopping; once more Ctrl-C ends at once.');
      run.abort('interrupted');
      terminal.interrupt();
    };
    return (await followRun(run, options, terminal)).code;
  } finally {
    interrupt.dispose();
    await session.close();
  }
}

async function runOf(command: Command, options: CommandOptions, session: Session): Promise<Run> {
  if (command.name === 'run') return session.artoo.run({ input: command.task, budget: options.budget });
  if (command.name === 'answer') return session.artoo.answer(command.approvalId, command.decision);
  return session.artoo.resume(command.name === 'resume' && command.taskId !== undefined ? command.taskId : await newestPending(session));
}

async function newestPending(session: Session): Promise<string> {
  const tasks = [...(await session.artoo.pending())].sort((a, b) => b.updatedAt - a.updatedAt);
  const task = tasks.find(({ status }) => status !== 'damaged');
  if (!task) throw new UsageError(`Nothing is pending in ${session.ledgerFolder}.`);
  return task.taskId;
}

/** Every end that is no result says what happened and what to do. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    terminal.say(`${error.message}\nSee artoo --help.`);
    return EXIT.usage;
  }
  if (ArtooError.is(error)) {
    terminal.say(`${error.code}: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
    return EXIT.setup;
  }
  terminal.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.setup;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
