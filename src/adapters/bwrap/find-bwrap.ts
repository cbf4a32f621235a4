import { execFile } from 'node:child_process';
import { constants, promises as fs } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { SandboxProblem } from '../../tools/portable/sandbox.js';

/** Looked at when the PATH doesn't lead to it. */
const USUAL_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin'] as const;
const HELP_MS = 10_000;

/** The program, and what its version can. */
export interface Bwrap { readonly path: string; readonly sizes: boolean }

/** Finds bubblewrap on the PATH or in the usual folders. Relative folders of the PATH don't count: they would lead into the workspace. */
export async function findBwrap(usual: readonly string[] = USUAL_FOLDERS): Promise<Bwrap | SandboxProblem> {
  if (process.platform !== 'linux') return { why: 'There is no sandbox on this system: bubblewrap runs on Linux only', hint: "Choose sandbox: 'auto' or 'none', or run in a container." };
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder)), ...usual];
  for (const folder of new Set(folders)) {
    const path = join(folder, 'bwrap');
    const there = await fs.access(path, constants.X_OK).then(() => true, () => false);
    if (there) return { path, sizes: await knowsSizes(path) };
  }
  return { why: 'bubblewrap (bwrap) is not installed', hint: "Install the package bubblewrap, e.g. `apt install bubblewrap` or `dnf install bubblewrap`, or choose sandbox: 'auto' or 'none'." };
}

function knowsSizes(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(path, ['--help'], { env: {}, timeout: HELP_MS }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`.includes('--size')));
  });
}
