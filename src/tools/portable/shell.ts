import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { Tool } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { analyzeShell } from '../shell/analyze-shell.js';
import type { ShellAnalysis, ShellProgramRule } from '../shell/types.js';
import { cleanText, headTail } from '../../text/index.js';
import { ToolError } from '../tool-error.js';
import { createConfinedRun } from './confined-run.js';
import type { CommandOutcome, FileWorkspace } from './file-workspace.js';
import type { SandboxSetting } from './sandbox.js';

const DEFAULT_TIMEOUT_MS = 60_000;
/** What the tool has beyond the command's own time, so that a killed command's output still arrives. */
const KILL_MARGIN_MS = 10_000;
/** Exit codes of bash for a program that is missing or may not be run. */
const NOT_RUNNABLE: ReadonlySet<number> = new Set([126, 127]);

export interface ShellOptions {
  readonly workspace: FileWorkspace;
  /** Added to the few variables that commands get (PATH, HOME, locale and the like). */
  readonly environment?: Readonly<Record<string, string>>;
  /** For one command, in ms; default 60,000. */
  readonly timeoutMs?: number;
  /** Rules of the host for programs the analyser doesn't know, or judges too harshly, such as `{ make: () => 'write' }`. */
  readonly programs?: Readonly<Record<string, ShellProgramRule>>;
  /**
   * Whether commands are confined (docs/guides/shell.md): `'required'` or `'bwrap'` refuses to run without a sandbox,
   * `'auto'` uses one where it works and says which was in force, `'none'` uses none. Left out: what `createArtoo`
   * says, else none. A sandbox changes nothing about what needs permission.
   */
  readonly sandbox?: SandboxSetting;
  /** How many processes and threads the user may have while a command runs (`ulimit -u`). The system doesn't hold root to it. */
  readonly maxProcesses?: number;
  /**
   * Puts another command in place of the one that was asked for, such as a look into an index instead of a search
   * through a whole disk. Comes first: what it returns is judged, shown with the original, and run. It must depend on
   * the command alone. A throw refuses the call.
   */
  readonly rewrite?: (command: string) => string;
}

/**
 * The tool `shell`: runs a bash command in the workspace. What it reads or makes new runs unasked; what deletes,
 * overwrites, sends, or can't be read from its text is irreversible and needs permission (docs/guides/shell.md). Exit code 0 is success; any other is a failed call whose output is kept.
 *
 * @example
 * import { openWorkspace, shell } from 'artoo/tools';
 * const tool = shell({ workspace: openWorkspace('.'), timeoutMs: 30_000 });
 */
export function shell({ workspace, environment, timeoutMs = DEFAULT_TIMEOUT_MS, programs, sandbox, maxProcesses, rewrite }: ShellOptions): Tool {
  if (maxProcesses !== undefined && !(Number.isInteger(maxProcesses) && maxProcesses > 0)) {
    throw new ArtooError('ARTOO_TOOL_INVALID', '`maxProcesses` of the shell must be a whole number above 0.', { hint: 'Leave it out for no limit.' });
  }
  const confinedRun = createConfinedRun(workspace, sandbox);
  const rewritten = createRewriting(rewrite);
  const judge = (command: string): Promise<ShellAnalysis> => analyze(rewritten(command), workspace, { programs, environment });
  return defineTool({
    name: 'shell',
    description: 'Runs a bash command in the workspace and returns its output with the exit code. Reading and making new files is free; a command that deletes, overwrites, sends or can\'t be understood needs permission. It has no keyboard: a command that asks for input fails. '
      + 'Background processes end with the command. Use glob, grep, listFiles and readFile to find and read files.',
    input: z.object({ command: z.string().check(z.minLength(1), z.maxLength(20_000), z.describe('One bash command line or script.')) }),
    effect: async ({ command }) => (await judge(command)).effect,
    target: ({ command }) => rewritten(command),
    preview: async ({ command }) => {
      const actual = rewritten(command);
      return `in ${workspace.root}\n$ ${actual}${actual === command ? '' : `\ninstead of\n$ ${command}`}${blamed(actual, await judge(command))}`;
    },
    // Where a path lies says nothing about other machines: this must answer at once.
    outward: ({ command }) => {
      const actual = rewritten(command);
      return analyzeShell(actual, { cwd: workspace.root, exists: () => true, programs }).network === true ? [actual] : undefined;
    },
    workspace,
    timeoutMs: timeoutMs + KILL_MARGIN_MS,
    execute: async ({ command }, context) => {
      const actual = rewritten(command);
      if (actual.includes('\0')) throw ToolError.logical('The command holds a NUL character.');
      const outcome = await confinedRun(actual, { signal: context.signal, timeoutMs, environment, maxProcesses }, context);
      const note = actual === command ? '' : `[ran instead: ${headTail(cleanText(actual).replaceAll('\n', ' '), { max: 500 })}]\n`;
      const output = note + describe(outcome, timeoutMs);
      if (outcome.timedOut) {
        throw new ArtooError('ARTOO_TOOL_TIMEOUT', `The command did not finish within ${timeoutMs} ms and was killed.`, {
          hint: 'Do less at once.', details: { failureClass: 'environmental', output },
        });
      }
      if (outcome.exitCode === 0) return output;
      const message = outcome.exitCode === null ? `The command was ended by ${outcome.killedBy ?? 'a signal'}.` : `The command ended with exit code ${outcome.exitCode}.`;
      const notRunnable = outcome.exitCode === null || NOT_RUNNABLE.has(outcome.exitCode);
      throw notRunnable ? ToolError.environmental(message, { output }) : ToolError.logical(message, { output });
    },
  });
}

const MOST_REWRITTEN = 1_000;

/** What is judged is what runs: the same command gets the same answer, whatever the host's function says later. */
function createRewriting(rewrite: ((command: string) => string) | undefined): (command: string) => string {
  if (rewrite === undefined) return (command) => command;
  if (typeof rewrite !== 'function') throw new ArtooError('ARTOO_TOOL_INVALID', '`rewrite` of the shell is no function.', { hint: 'Write `rewrite: (command) => command`, or leave it out.' });
  const known = new Map<string, string>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const actual: unknown = rewrite(command);
    if (typeof actual !== 'string' || actual === '') throw ToolError.logical('The host has no command to put in place of this one.', { hint: 'Its `rewrite` must return a text.' });
    known.set(command, actual);
    const oldest = known.size > MOST_REWRITTEN ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return actual;
  };
}

/** Questions about paths, over all rounds of one analysis. */
const MOST_ROUNDS = 8;
const MOST_BLAMED = 5;

/**
 * The analyser asks without waiting, the workspace answers in its own time: what was asked is looked up after each
 * round, until nothing new is asked. What can't be looked up exists.
 */
async function analyze(command: string, workspace: FileWorkspace, { programs, environment }: { readonly [Name in 'programs' | 'environment']: ShellOptions[Name] | undefined }): Promise<ShellAnalysis> {
  const known = new Map<string, boolean>();
  const home = environment?.['HOME'];
  for (let round = 0; ; round += 1) {
    const asked = new Set<string>();
    const ask = (kind: 'any' | 'folder') => (path: string): boolean => {
      const key = `${kind}:${path}`;
      const answer = known.get(key);
      if (answer === undefined) asked.add(key);
      return answer ?? kind === 'any';
    };
    const analysis = analyzeShell(command, { cwd: workspace.root, exists: ask('any'), isDirectory: ask('folder'), programs, ...(home === undefined ? {} : { home }) });
    // Without an answer the analysis takes the worse one, so it may end at any round.
    if (asked.size === 0 || round >= MOST_ROUNDS) return analysis;
    for (const key of asked) known.set(key, await lookUp(key, workspace));
  }
}

async function lookUp(key: string, workspace: FileWorkspace): Promise<boolean> {
  const folder = key.startsWith('folder:');
  const path = key.slice(key.indexOf(':') + 1);
  // The analyser asks for a path in its absolute and its relative form; the absolute one says it all.
  if (!path.startsWith('/')) return false;
  try {
    if (path === workspace.root) return true;
    if (!path.startsWith(`${workspace.root}/`)) return !folder;
    const relative = path.slice(workspace.root.length + 1);
    return folder ? (await workspace.status(relative))?.kind === 'directory' : await workspace.exists(relative);
  } catch {
    return !folder;
  }
}

/** The parts of the command that permission is asked for. */
function blamed(command: string, { effect, findings }: ShellAnalysis): string {
  if (effect !== 'irreversible') return '';
  const lines = findings.slice(0, MOST_BLAMED).map(({ program, reason, range: [start, end] }) => `- ${headTail(cleanText(command.slice(start, end)).replaceAll('\n', ' '), { max: 200 })}: ${program === '' ? '' : `${cleanText(program)}: `}${reason}`);
  return `\nasks because of\n${lines.join('\n')}${findings.length > MOST_BLAMED ? `\n- and ${findings.length - MOST_BLAMED} more` : ''}`;
}

/** Standard output, then standard error apart from it, then how it ended: the end is what short evidence shows. */
function describe({ stdout, stderr, exitCode, killedBy, timedOut }: CommandOutcome, timeoutMs: number): string {
  const parts: string[] = [];
  if (stdout.text !== '') parts.push(stdout.text.replace(/\n$/, ''));
  if (stderr.text !== '') parts.push(`[standard error]\n${stderr.text.replace(/\n$/, '')}`);
  const end = timedOut ? `[killed after ${timeoutMs} ms]` : exitCode === null ? `[ended by ${killedBy ?? 'a signal'}]` : `[exit code ${exitCode}]`;
  return [...parts, end].join('\n');
}
