import { spawn, type ChildProcess } from 'node:child_process';
import type { CommandOptions, CommandOutcome } from '../tools/portable/file-workspace.js';
import { createOutputCapture } from './node-captured-output.js';
import { systemError } from './node-system-error.js';
import { onAbort } from '../signals/on-abort.js';

/** Between asking a process group to end and ending it, in ms. */
const GRACE_MS = 1_000;
/** How long output is awaited after the command itself has ended: a process it left behind may hold the pipe open. */
const LAST_OUTPUT_MS = 500;
/** How long an ending is awaited after the last signal was sent. */
const LAST_WAIT_MS = 2_000;
const KEPT = { stdout: { headBytes: 196_608, tailBytes: 524_288 }, stderr: { headBytes: 32_768, tailBytes: 98_304 } } as const;
/** Variables that a command gets of ours; all else may hold secrets. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'SystemRoot'] as const;
/** Makes programs neither page nor ask nor colour. */
const QUIET_VARIABLES = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' } as const;

export interface RunCommandOptions extends CommandOptions {
  readonly command: string;
  readonly directory: string;
  /** Between SIGTERM and SIGKILL, in ms; default 1,000. */
  readonly graceMs?: number;
}

/** How a command is started. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** What the descriptors from 3 on are. */
  readonly descriptors?: readonly ('pipe' | number)[];
  /** Called once with the child, right after the start. */
  readonly begun?: (child: ChildProcess) => void;
  /** Called once when the child has ended or is given up: ends what its process group doesn't hold. Must not throw. */
  readonly ended?: () => void;
}

/**
 * Runs a bash command in its own process group, without a keyboard and without anybody's profile. Timeout and abort end
 * the whole group, politely, then for good; a group that outlives its command is ended too. Never waits without limit,
 * holds a bounded part of the output. Rejects with the signal's reason on abort, and when bash can't be started.
 */
export function runCommand(options: RunCommandOptions): Promise<CommandOutcome> {
  return launch({ program: 'bash', args: bashArguments(options), environment: commandEnvironment(options.environment) }, options);
}

/** The same for a program of another kind. */
export function launch({ program, args, environment, descriptors = [], begun, ended }: Launch, options: RunCommandOptions): Promise<CommandOutcome> {
  if (options.signal.aborted) return Promise.reject(options.signal.reason);
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      child = spawn(program, [...args], { cwd: options.directory, env: environment, stdio: ['ignore', 'pipe', 'pipe', ...descriptors], detached: true });
      begun?.(child);
    } catch (error) {
      reject(systemError(error, 'The command could not be started'));
      return;
    }
    follow(child, { ...options, ended }, resolve, reject);
  });
}

/** What bash is started with. The command is handed over as it is, also where a limit is set before it. */
export function bashArguments({ command, maxProcesses }: Pick<RunCommandOptions, 'command' | 'maxProcesses'>): string[] {
  const plain = ['--norc', '--noprofile', '-c'];
  if (maxProcesses === undefined) return [...plain, command];
  // Where the limit can't be set, a lower one is in force already.
  return [...plain, 'ulimit -u "$1" 2>/dev/null; exec bash --norc --noprofile -c "$2"', 'bash', String(maxProcesses), command];
}

type Settle = (outcome: CommandOutcome) => void;

function follow(child: ChildProcess, { signal, timeoutMs, graceMs = GRACE_MS, ended }: RunCommandOptions & { readonly ended: Launch['ended'] }, resolve: Settle, reject: (error: unknown) => void): void {
  const stdout = createOutputCapture(KEPT.stdout);
  const stderr = createOutputCapture(KEPT.stderr);
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const state = { timedOut: false, ending: false, settled: false, exited: undefined as { code: number | null; signal: string | null } | undefined };
  const after = (ms: number, callback: () => void): void => void timers.add(setTimeout(callback, ms));

  const settle = (): void => {
    if (state.settled) return;
    state.settled = true;
    for (const timer of timers) clearTimeout(timer);
    stopListening?.();
    endGroup(child, 'SIGKILL');
    ended?.();
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
    if (signal.aborted) reject(signal.reason);
    else resolve({ exitCode: state.exited?.code ?? null, killedBy: state.exited?.signal ?? null, timedOut: state.timedOut, stdout: stdout.finish(), stderr: stderr.finish() });
  };
  const end = (): void => {
    if (state.ending) return;
    state.ending = true;
    endGroup(child, 'SIGTERM');
    after(graceMs, () => {
      endGroup(child, 'SIGKILL');
      after(LAST_WAIT_MS, settle);
    });
  };
  let stopListening: (() => void) | undefined;

  child.stdout?.on('data', (chunk: Uint8Array) => stdout.add(chunk)).on('error', ignore);
  child.stderr?.on('data', (chunk: Uint8Array) => stderr.add(chunk)).on('error', ignore);
  child.once('error', (error) => {
    if (child.pid !== undefined) return;
    state.settled = true;
    for (const timer of timers) clearTimeout(timer);
    stopListening?.();
    reject(systemError(error, 'bash could not be started'));
  });
  child.once('exit', (code, name) => {
    state.exited = { code, signal: name };
    after(LAST_OUTPUT_MS, settle);
  });
  child.once('close', settle);
  stopListening = onAbort(signal, end);
  after(timeoutMs, () => {
    // A command that has ended by itself in time didn't time out, even if something still holds its output.
    if (state.exited) return;
    state.timedOut = true;
    end();
  });
}

/** Everything that the command started and that didn't leave its group. Nobody there any more is fine. */
function endGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // The group has ended, or the system has none: then the child alone.
    if (child.exitCode === null && child.signalCode === null) child.kill(name);
  }
}

/** The few variables that a command gets, and those of the host. */
export function commandEnvironment(added: Readonly<Record<string, string>> | undefined): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...QUIET_VARIABLES };
  for (const name of PASSED_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...added };
}

function ignore(): void {
  // A destroyed stream has nothing to say.
}
