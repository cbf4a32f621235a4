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
    if (options.permission === 'later') {
      terminal.say(`Put off: ${question.tool} on ${question.target} (${question.effect}). To go on: artoo answer ${question.approvalId} yes`);
      return 'later';
    }
    if (!terminal.canAsk) {
      terminal.say(`Refused: ${question.tool} on ${question.target} (${question.effect}) needs permission, and there is no terminal to ask on. Pass --yes to allow such steps, or --later to decide afterwards.`);
      return 'deny';
    }
    return askOn(terminal, question);
  };
}

/** What a person needs to see before a yes. */
export function describeQuestion({ reason, tool, target, effect, influencedBy, preview }: ApprovalQuestion): string {
  const sources = influencedBy ? `\n  after untrusted text from: ${influencedBy.join('; ')}` : '';
  return `Permission needed: ${reason}.\n  tool:   ${tool}\n  target: ${target}\n  effect: ${effect}${sources}\n${indent(preview)}`;
}

async function askOn(terminal: Terminal, question: ApprovalQuestion): Promise<'allow' | 'deny' | 'allow-for-task' | 'later'> {
  terminal.say(`\n${describeQuestion(question)}`);
  for (;;) {
    const said = (await terminal.ask('Allow? [y]es once, [t]his task, [n]o, [l]ater: '))?.trim().toLowerCase();
    if (said === undefined) return 'deny';
    if (/^y(es)?$/.test(said)) return 'allow';
    if (/^t(his( task)?)?$/.test(said)) return 'allow-for-task';
    if (/^(n(o)?|)$/.test(said)) return 'deny';
    if (/^l(ater)?$/.test(said)) return 'later';
    terminal.say('Please answer y, t, n or l.');
  }
}

function indent(text: string): string {
  return text.split('\n').map((line) => `  | ${line}`).join('\n');
}
