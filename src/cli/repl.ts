import { ArtooError, type RunOptions } from '../index.js';
import type { CommandOptions } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { asText, followRun } from './follow-run.js';
import type { Interrupt } from './interrupt.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

const MOST_TURNS = 5;
/** What of an answer a later turn may refer to. */
const MOST_CHARACTERS = 2_000;

/** Task after task, each with the last five turns as its context, until the input ends or `exit`. */
export async function repl(session: Session, options: CommandOptions, terminal: Terminal, interrupt: Interrupt): Promise<number> {
  const context: { input: string; output: unknown }[] = [];
  let code: number = EXIT.done;
  if (terminal.canAsk) terminal.say('Say what is to be done. "exit" or Ctrl-D ends.');
  for (;;) {
    const line = await terminal.ask('> ');
    const input = line?.trim();
    if (input === undefined || /^(?:exit|quit)$/i.test(input)) return terminal.canAsk ? EXIT.done : code;
    if (input === '') continue;
    code = await runTurn(session, { input, context: context.slice(-MOST_TURNS), budget: options.budget }, options, terminal, interrupt, context);
  }
}

async function runTurn(session: Session, task: RunOptions, options: CommandOptions, terminal: Terminal, interrupt: Interrupt, context: { input: string; output: unknown }[]): Promise<number> {
  const run = session.artoo.run(task);
  interrupt.target = () => run.abort('interrupted');
  try {
    if (!terminal.canAsk) terminal.say(`> ${task.input}`);
    const { code, result } = await followRun(run, options, terminal);
    context.push({ input: task.input, output: indented(asText(result.output ?? result.summary).slice(0, MOST_CHARACTERS)) });
    return code;
  } catch (error) {
    if (!ArtooError.is(error)) throw error;
    terminal.say(`${error.code}: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
    return EXIT.setup;
  } finally {
    interrupt.target = undefined;
  }
}

/** So that no line of an answer can look like the beginning of another turn. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
