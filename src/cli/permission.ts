import type { ApprovalQuestion, Confirm } from '../index.js';
import type { CommandOptions } from './arguments.js';
import type { Terminal } from './terminal.js';

/** Who answers before something that can't be undone. Without a terminal and without `--yes` the answer is no. */
export function permissionFrom(options: CommandOptions, terminal: Terminal): Confirm {
  return async (question) => {
    if (options.permission === 'yes') {
      terminal.say(`Allowed by --yes: ${question.tool} on ${question.target} (${question.effect}).`);
      return 'allow';
    }
    if (!terminal.canAsk) {
      terminal.say(`Refused: ${question.tool} on ${question.target} (${question.effect}) needs permission, and there is no terminal to ask on. Pass --yes to allow such steps.`);
      return 'deny';
    }
    return askOn(terminal, question);
  };
}

async function askOn(terminal: Terminal, question: ApprovalQuestion): Promise<'allow' | 'deny' | 'allow-for-task'> {
  terminal.say(`\nPermission needed: ${question.reason}.\n  tool:   ${question.tool}\n  target: ${question.target}\n  effect: ${question.effect}\n${indent(question.preview)}`);
  for (;;) {
    const said = (await terminal.ask('Allow? [y]es once, [t]his task, [n]o: '))?.trim().toLowerCase();
    if (said === undefined) return 'deny';
    if (/^y(es)?$/.test(said)) return 'allow';
    if (/^t(his( task)?)?$/.test(said)) return 'allow-for-task';
    if (/^(n(o)?|)$/.test(said)) return 'deny';
    terminal.say('Please answer y, t or n.');
  }
}

function indent(text: string): string {
  return text.split('\n').map((line) => `  | ${line}`).join('\n');
}
