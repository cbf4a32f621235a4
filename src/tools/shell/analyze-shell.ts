import { stop } from './judgement.js';
import { LONGEST_COMMAND, childrenOf, parseShell } from './parse-shell.js';
import type { SyntaxNode } from './parse-shell.js';
import { namesNetwork } from './reaches-out.js';
import type { AnalyzeShellOptions, ShellAnalysis } from './types.js';
import { Settled, createWalkState, note } from './walk-state.js';
import type { WalkState } from './walk-state.js';
import { walkStatements } from './walk-script.js';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * What a bash command does to the world, from its text alone; it runs nothing and never throws. `read`: nothing changes.
 * `write`: only new files and folders, and what git can put back. `irreversible`: all else, and everything that can't be
 * read from the text (docs/guides/shell.md says what counts as what). Takes well under a millisecond.
 *
 * A command must be run with exactly the bytes that were analysed, in `cwd`.
 *
 * @example
 * import { existsSync } from 'node:fs';
 * import { analyzeShell } from 'artoo/tools';
 * const { effect, findings } = analyzeShell('ls && rm -r dist', { cwd: '/srv/app', exists: existsSync });
 * // 'irreversible', [{ program: 'rm', reason: 'rm destroys what it is given', range: [6, 16] }]
 */
export function analyzeShell(command: string, options: AnalyzeShellOptions): ShellAnalysis {
  const state = createWalkState(options ?? { cwd: '' });
  const whole = [0, typeof command === 'string' ? command.length : 0] as const;
  try {
    walkWhole(state, command);
  } catch (error) {
    // The rest was not walked: its words must do.
    state.network ||= namesNetwork(command);
    if (!(error instanceof Settled)) state.noted.push({ effect: 'irreversible', program: '', reason: `it can't be read: ${error instanceof Error ? error.message : 'unknown'}`, range: whole });
  }
  const effect = state.noted.some((noted) => noted.effect === 'irreversible') ? 'irreversible' : state.noted.length > 0 ? 'write' : 'read';
  return { effect, findings: state.noted.filter((noted) => noted.effect === effect).map(({ program, reason, range }) => ({ program, reason, range })), ...(state.network ? { network: true } : {}) };
}

function walkWhole(state: WalkState, command: string): void {
  const refuse = (reason: string, at = 0): void => {
    state.network ||= namesNetwork(command);
    note(state, '', stop(reason), [at, command.length]);
  };
  if (typeof command !== 'string') {
    note(state, '', stop('it is no text'), [0, 0]);
    return;
  }
  if (command.length > LONGEST_COMMAND) return refuse(`it is longer than ${LONGEST_COMMAND} characters`);
  if (/\p{Surrogate}/u.test(command)) return refuse('it is no well-formed text');
  if (typeof state.options.cwd !== 'string' || !state.options.cwd.startsWith('/')) return refuse('the folder it would run in is not absolute');
  if (command.includes('\0')) return refuse('it holds a NUL character', command.indexOf('\0'));
  const parsed = parseShell(command);
  if ('error' in parsed) return refuse(`it can't be parsed: ${parsed.error}`, parsed.at);
  const controls = [...command.matchAll(CONTROL)].map((match) => match.index);
  if (controls.length > 0) {
    const quoted: (readonly [number, number])[] = [];
    collectQuoted(parsed.script, quoted);
    const loose = controls.find((at) => !quoted.some(([start, end]) => start < at && at < end));
    if (loose !== undefined) return refuse('it holds a control character outside of quotes', loose);
  }
  walkStatements(state, parsed.script.commands);
}

function collectQuoted(node: SyntaxNode, quoted: (readonly [number, number])[]): void {
  if (node.type === 'SingleQuoted' || node.type === 'DoubleQuoted' || node.type === 'HereDocBody') quoted.push([node.pos, node.end]);
  // Substitutions inside quotes hold code again; their own quotes are not looked for.
  if (node.type === 'DoubleQuoted' && node.parts.some((part) => part.type !== 'Literal')) quoted.pop();
  for (const child of childrenOf(node)) collectQuoted(child, quoted);
}
