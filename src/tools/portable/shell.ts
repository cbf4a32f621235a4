import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { Effect, Tool, ToolProbeContext } from '../../contracts/tool.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import type { CommandOutcome, FileWorkspace } from './file-workspace.js';

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
}

/**
 * The tool `shell`: runs a bash command in the workspace. Every command counts as irreversible and so needs permission.
 * Exit code 0 is success; any other is a failed call whose output is kept.
 *
 * @example
 * import { openWorkspace, shell } from 'artoo/tools';
 * const tool = shell({ workspace: openWorkspace('.'), timeoutMs: 30_000 });
 */
export function shell({ workspace, environment, timeoutMs = DEFAULT_TIMEOUT_MS }: ShellOptions): Tool {
  return defineTool({
    name: 'shell',
    description: 'Runs a bash command in the workspace and returns its output with the exit code. Needs permission. It has no keyboard: a command that asks for input fails. '
      + 'Background processes end with the command. Use glob, grep, listFiles and readFile to find and read files.',
    input: z.object({ command: z.string().check(z.minLength(1), z.maxLength(20_000), z.describe('One bash command line or script.')) }),
    effect: commandEffect,
    target: ({ command }) => command,
    preview: ({ command }) => `in ${workspace.root}\n$ ${command}`,
    workspace,
    timeoutMs: timeoutMs + KILL_MARGIN_MS,
    execute: async ({ command }, { signal }) => {
      if (command.includes('\0')) throw ToolError.logical('The command holds a NUL character.');
      const outcome = await workspace.run(command, { signal, timeoutMs, environment });
      const output = describe(outcome, timeoutMs);
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

/** The one place that judges a command: all count as irreversible, as nothing here can read what a command does. */
function commandEffect(_input: { readonly command: string }, _context: ToolProbeContext): Effect {
  return 'irreversible';
}

/** Standard output, then standard error apart from it, then how it ended: the end is what short evidence shows. */
function describe({ stdout, stderr, exitCode, killedBy, timedOut }: CommandOutcome, timeoutMs: number): string {
  const parts: string[] = [];
  if (stdout.text !== '') parts.push(stdout.text.replace(/\n$/, ''));
  if (stderr.text !== '') parts.push(`[standard error]\n${stderr.text.replace(/\n$/, '')}`);
  const end = timedOut ? `[killed after ${timeoutMs} ms]` : exitCode === null ? `[ended by ${killedBy ?? 'a signal'}]` : `[exit code ${exitCode}]`;
  return [...parts, end].join('\n');
}
