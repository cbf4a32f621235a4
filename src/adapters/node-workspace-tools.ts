import type { Tool } from '../contracts/tool.js';
import { editFile } from '../tools/portable/edit-file.js';
import { glob } from '../tools/portable/glob.js';
import { grep } from '../tools/portable/grep.js';
import { listFiles } from '../tools/portable/list-files.js';
import { readFile } from '../tools/portable/read-file.js';
import type { SandboxSetting } from '../tools/portable/sandbox.js';
import { shell } from '../tools/portable/shell.js';
import type { OverwritePolicy } from '../tools/portable/write-content.js';
import { writeFile } from '../tools/portable/write-file.js';
import { openWorkspace } from './node-workspace.js';

/** Options of {@link workspaceTools}. */
export interface WorkspaceToolsOptions {
  /** The folder that everything is confined to; must exist. */
  readonly root: string;
  /** Whether existing files may be replaced unasked, with a copy kept; default `'ask'`. */
  readonly overwrite?: OverwritePolicy;
  /** Keep the previous content also where a person allows an overwrite, so that `undoTask` can put it back. Default false. */
  readonly backups?: boolean;
  /** Bytes that all backups may take; a write that needs more is refused. Default 1 GiB. */
  readonly backupBytes?: number;
  /** Whether the shell is among them; default true. Every command still needs permission. */
  readonly shell?: boolean;
  /** Whether the shell's commands are confined; see docs/guides/shell.md. Left out: what `createArtoo` says, else not. */
  readonly sandbox?: SandboxSetting;
  /** You vouch for the contents of the folder and the output of its commands; see docs/guides/memory.md. Default false. */
  readonly trusted?: boolean;
}

/**
 * The portable tools bound to one folder: listFiles, glob, grep, readFile, writeFile, editFile, shell. Throws
 * ARTOO_INVALID_ARGUMENT when the folder is none.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * import { workspaceTools } from 'artoo/tools';
 * const artoo = createArtoo({ models, tools: workspaceTools({ root: './notes', overwrite: 'allow-with-backup' }) });
 */
export function workspaceTools({ root, overwrite = 'ask', backups = false, backupBytes, shell: withShell = true, sandbox, trusted = false }: WorkspaceToolsOptions): Tool[] {
  const workspace = openWorkspace(root, backupBytes === undefined ? {} : { backupBytes });
  const writing = { workspace, overwrite, backups };
  const tools = [
    listFiles({ workspace }), glob({ workspace }), grep({ workspace }), readFile({ workspace }), writeFile(writing), editFile(writing),
    ...(withShell ? [shell({ workspace, ...(sandbox === undefined ? {} : { sandbox }) })] : []),
  ];
  return trusted ? tools.map((tool) => Object.freeze({ ...tool, trusted })) : tools;
}
