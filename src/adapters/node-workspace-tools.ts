import type { Tool } from '../contracts/tool.js';
import { glob } from '../tools/portable/glob.js';
import { grep } from '../tools/portable/grep.js';
import { listFiles } from '../tools/portable/list-files.js';
import { readFile } from '../tools/portable/read-file.js';
import { shell } from '../tools/portable/shell.js';
import { writeFile, type OverwritePolicy } from '../tools/portable/write-file.js';
import { openWorkspace } from './node-workspace.js';

/** Options of {@link workspaceTools}. */
export interface WorkspaceToolsOptions {
  /** The folder that everything is confined to; must exist. */
  readonly root: string;
  /** Whether existing files may be replaced unasked, with a copy kept; default `'ask'`. */
  readonly overwrite?: OverwritePolicy;
  /** Whether the shell is among them; default true. Every command still needs permission. */
  readonly shell?: boolean;
  /** You vouch for the contents of the folder and the output of its commands; see docs/guides/memory.md. Default false. */
  readonly trusted?: boolean;
}

/**
 * The portable tools bound to one folder: listFiles, glob, grep, readFile, writeFile, shell. Throws
 * ARTOO_INVALID_ARGUMENT when the folder is none.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * import { workspaceTools } from 'artoo/tools';
 * const artoo = createArtoo({ models, tools: workspaceTools({ root: './notes', overwrite: 'allow-with-backup' }) });
 */
export function workspaceTools({ root, overwrite = 'ask', shell: withShell = true, trusted = false }: WorkspaceToolsOptions): Tool[] {
  const workspace = openWorkspace(root);
  const tools = [
    listFiles({ workspace }), glob({ workspace }), grep({ workspace }), readFile({ workspace }), writeFile({ workspace, overwrite }),
    ...(withShell ? [shell({ workspace })] : []),
  ];
  return trusted ? tools.map((tool) => Object.freeze({ ...tool, trusted })) : tools;
}
