import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { ArtooError } from '../contracts/errors.js';
import type { CommandOptions, CommandOutcome } from '../tools/portable/file-workspace.js';
import type { SandboxOptions, SandboxPort, SandboxProblem } from '../tools/portable/sandbox.js';
import { bwrapArguments, type Confinement } from './bwrap/arguments.js';
import { findBwrap, type Bwrap } from './bwrap/find-bwrap.js';
import { secretPaths } from './bwrap/secret-paths.js';
import { protectedPaths } from './bwrap/protected-paths.js';
import { bashArguments, commandEnvironment, launch } from './node-process.js';

/** Holds only when nothing outside can be written to. */
const PROBE = '[ ! -w / ] && [ ! -w /usr ]';
const PROBE_MS = 10_000;
/** Descriptors of the child: where it reads its arguments, where it says how the command ended, then empty files. */
const ARGUMENTS = 3;
const STATUS = 4;
const FIRST_EMPTY = 5;
const MOST_STATUS = 65_536;
const EXIT_CODE = /"exit-code"/;

interface BwrapOptions extends SandboxOptions {
  /** Real path of the workspace. */
  readonly root: string;
  readonly isProtected: (name: string) => boolean;
}

/**
 * The sandbox of bubblewrap (https://github.com/containers/bubblewrap): own namespaces for processes, mounts, network;
 * everything read-only but the workspace and an empty /tmp; no capabilities. Linux only.
 */
export function createBwrapSandbox(options: BwrapOptions): SandboxPort {
  let checked: Promise<SandboxProblem | undefined> | undefined;
  let found: Bwrap | undefined;
  const run = async (command: string, commandOptions: CommandOptions): Promise<CommandOutcome> => {
    if (commandOptions.signal.aborted) throw commandOptions.signal.reason;
    const bwrap = found ?? await findBwrap();
    if ('why' in bwrap) throw refusal(bwrap.why, bwrap.hint);
    found = bwrap;
    return confine(bwrap, options, command, commandOptions);
  };
  return Object.freeze({ name: 'bwrap', check: () => (checked ??= check(run)), run });
}

async function check(run: SandboxPort['run']): Promise<SandboxProblem | undefined> {
  try {
    const outcome = await run(PROBE, { signal: new AbortController().signal, timeoutMs: PROBE_MS });
    return outcome.exitCode === 0 ? undefined : { why: 'bubblewrap does not keep the rest of the system read-only here', hint: HINT };
  } catch (error) {
    return { why: error instanceof Error ? error.message.replace(/\.$/, '') : String(error), hint: ArtooError.is(error) && error.hint !== undefined ? error.hint : HINT };
  }
}

const HINT = 'Let bubblewrap make user namespaces (sysctl kernel.unprivileged_userns_clone, an AppArmor profile, the container\'s seccomp profile), or choose another sandbox setting.';

async function confine(bwrap: Bwrap, options: BwrapOptions, command: string, commandOptions: CommandOptions): Promise<CommandOutcome> {
  const environment: NodeJS.ProcessEnv = { ...commandEnvironment(commandOptions.environment), TMPDIR: '/tmp' };
  const [secrets, own] = await Promise.all([secretPaths(options.hide, environment['HOME']), protectedPaths(options.root, options.isProtected)]);
  const confinement: Confinement = {
    root: options.root, secrets, hidden: own.hidden, readOnly: options.writableGit ? [] : own.git, network: options.network === true, environment,
  };
  return start(bwrap, confinement, command, commandOptions);
}

async function start(bwrap: Bwrap, confinement: Confinement, command: string, options: CommandOptions): Promise<CommandOutcome> {
  const { args, empties } = await bwrapArguments(bwrap, confinement, { status: STATUS, firstEmpty: FIRST_EMPTY });
  // They are handed over with a NUL behind each.
  if (args.some((arg) => arg.includes('\0'))) throw refusal('A variable for the command holds a NUL character', 'Correct the `environment` of the shell.');
  const empty = openSync('/dev/null', 'r');
  const chunks: Uint8Array[] = [];
  const status = (): string => Buffer.concat(chunks).toString('utf8');
  let outcome: CommandOutcome;
  try {
    outcome = await launch({
      program: bwrap.path,
      // Arguments through a descriptor: variables of the host are nobody's business who lists processes.
      args: ['--args', String(ARGUMENTS), '--', 'bash', ...bashArguments({ command, maxProcesses: options.maxProcesses })],
      environment: {},
      descriptors: ['pipe', 'pipe', ...Array.from({ length: empties }, () => empty)],
      begun: (child) => {
        const input = child.stdio[ARGUMENTS] as Writable | null | undefined;
        input?.on('error', ignore).end(args.map((arg) => `${arg}\0`).join(''));
        let kept = 0;
        (child.stdio[STATUS] as Readable | null | undefined)?.on('error', ignore).on('data', (chunk: Uint8Array) => {
          if (kept < MOST_STATUS) chunks.push(chunk);
          kept += chunk.length;
        });
      },
      ended: () => endInside(status()),
    }, { ...options, command, directory: confinement.root });
  } catch (error) {
    if (options.signal.aborted || ArtooError.is(error, 'ARTOO_SANDBOX')) throw error;
    throw refusal('bubblewrap could not be started', HINT, { cause: error });
  } finally {
    closeSync(empty);
  }
  // It says how the command ended only when there was a command: whatever ended before never ran outside either.
  if (!outcome.timedOut && outcome.killedBy === null && !EXIT_CODE.test(status())) {
    throw refusal(`bubblewrap could not set up the sandbox: ${firstLine(outcome.stderr.text)}`, HINT, { output: outcome.stderr.text });
  }
  return outcome;
}

function refusal(why: string, hint: string, { cause, output }: { readonly cause?: unknown; readonly output?: string } = {}): ArtooError {
  return new ArtooError('ARTOO_SANDBOX', `${why}.`, {
    hint, details: { failureClass: 'environmental', ...(output === undefined ? {} : { output }) }, ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Ends the first process inside, and with it all others. It dies with bubblewrap itself only once it has asked the system
 * for that: whoever ends bubblewrap a moment earlier would leave it behind.
 */
function endInside(status: string): void {
  const pid = Number(/"child-pid": *(\d+)/.exec(status)?.[1]);
  if (EXIT_CODE.test(status) || !(pid > 1)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function firstLine(text: string): string {
  return text.split('\n').map((line) => line.replace(/^bwrap: /, '').trim()).find((line) => line !== '') ?? 'it ended without a word';
}

function ignore(): void {
  // A child that has ended reads and says no more.
}
