import type { SandboxPolicy } from '../../contracts/tool.js';
import type { CommandOptions, CommandOutcome } from './file-workspace.js';

/** What commands may do inside a sandbox, beyond the least. */
export interface SandboxOptions {
  /** Reach other machines and this one's ports. Default false. */
  readonly network?: boolean;
  /** Write below `.git`. Default false: a hook or a setting put there runs later, outside. */
  readonly writableGit?: boolean;
  /** Absolute paths, `~/` among them, that commands must not see, beyond the known homes of secrets. */
  readonly hide?: readonly string[];
}

/** Why a sandbox can't be used, and what to do about it. */
export interface SandboxProblem { readonly why: string; readonly hint: string }

/**
 * Something that confines what a command can do. A host may bring its own, e.g. over a container.
 *
 * `check` tries it for real, once; later calls get the same answer. It doesn't throw. `run` behaves as
 * `FileWorkspace.run` does, and rejects with ARTOO_SANDBOX when the sandbox could not be set up: a command never runs
 * outside of it instead.
 */
export interface SandboxPort {
  /** Shown to people. */
  readonly name: string;
  /** Undefined when commands can run in it here. */
  check(): Promise<SandboxProblem | undefined>;
  run(command: string, options: CommandOptions): Promise<CommandOutcome>;
}

/**
 * Whether and how commands are confined: a policy; `'bwrap'`, which is `'required'` by its name; options, required unless
 * they say `policy: 'auto'`; or a port of the host's own, which is required.
 */
export type SandboxSetting = SandboxPolicy | 'bwrap' | (SandboxOptions & { readonly policy?: SandboxPolicy }) | SandboxPort;
