import { ArtooError } from '../../contracts/errors.js';
import type { SandboxPolicy, ToolContext } from '../../contracts/tool.js';
import type { CommandOptions, CommandOutcome, FileWorkspace } from './file-workspace.js';
import type { SandboxPort, SandboxProblem, SandboxSetting } from './sandbox.js';

/** Tasks whose disclosures are remembered, so that each is made once. */
const MOST_TASKS = 1_000;
const POLICIES: ReadonlySet<unknown> = new Set<SandboxPolicy>(['none', 'auto', 'required']);
const NO_SANDBOX: SandboxProblem = { why: 'This workspace has no sandbox', hint: "Give the shell a `sandbox` of your own, or choose 'auto' or 'none'." };

/** Runs a command as the tool's setting wants it, or the task's where the tool has none. */
export type ConfinedRun = (command: string, options: CommandOptions, context: Pick<ToolContext, 'sandbox' | 'taskId' | 'disclose'>) => Promise<CommandOutcome>;

interface Reading { readonly policy: SandboxPolicy | undefined; readonly port: SandboxPort | undefined }

/** Reads the setting at once, so that a wrong one shows before anything runs. Throws ARTOO_TOOL_INVALID. */
export function createConfinedRun(workspace: FileWorkspace, setting: SandboxSetting | undefined): ConfinedRun {
  const { policy: own, port } = readSetting(workspace, setting);
  const told = new Set<string>();
  const tell = ({ taskId, disclose }: Parameters<ConfinedRun>[2], line: string): void => {
    const key = `${taskId}\n${line}`;
    if (told.has(key) && taskId !== '') return;
    told.add(key);
    if (told.size > MOST_TASKS) told.delete(told.values().next().value ?? '');
    disclose?.(line);
  };
  return async (command, options, context) => {
    const policy = own ?? context.sandbox ?? 'none';
    if (policy === 'none') return workspace.run(command, options);
    const problem = port ? await port.check() : NO_SANDBOX;
    if (!problem && port) {
      if (policy === 'auto') tell(context, `Shell commands ran in the sandbox ${port.name}.`);
      return port.run(command, options);
    }
    const { why, hint } = problem ?? NO_SANDBOX;
    if (policy === 'required') throw new ArtooError('ARTOO_SANDBOX', `The command was not run, as a sandbox is required: ${why}.`, { hint, details: { failureClass: 'environmental' } });
    tell(context, `Shell commands ran without a sandbox: ${why}.`);
    return workspace.run(command, options);
  };
}

function readSetting(workspace: FileWorkspace, setting: SandboxSetting | undefined): Reading {
  if (setting === undefined || POLICIES.has(setting)) return { policy: setting as SandboxPolicy | undefined, port: setting === 'none' ? undefined : workspace.sandbox?.() };
  if (setting === 'bwrap') return { policy: 'required', port: workspace.sandbox?.() };
  if (typeof setting === 'object' && setting !== null) {
    if (isPort(setting)) return { policy: 'required', port: setting };
    if ((setting.policy === undefined || POLICIES.has(setting.policy)) && Object.keys(setting).every((key) => KNOWN.has(key))) {
      const { policy = 'required', ...options } = setting;
      return { policy, port: policy === 'none' ? undefined : workspace.sandbox?.(options) };
    }
  }
  throw new ArtooError('ARTOO_TOOL_INVALID', 'The shell\'s `sandbox` is none of what it may be.', {
    hint: "Write 'none', 'auto', 'required', 'bwrap', options such as { network: true }, or an object with `name`, `check` and `run`.",
  });
}

function isPort(setting: object): setting is SandboxPort {
  const { name, run, check } = setting as Partial<SandboxPort>;
  return typeof name === 'string' && typeof run === 'function' && typeof check === 'function';
}

const KNOWN: ReadonlySet<string> = new Set(['policy', 'network', 'writableGit', 'hide']);
