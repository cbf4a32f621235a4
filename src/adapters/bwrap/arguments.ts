import { promises as fs } from 'node:fs';
import type { Bwrap } from './find-bwrap.js';
import type { HiddenPath } from './secret-paths.js';

/** Bytes that commands may put into /tmp and the like: it is memory. */
const SCRATCH_BYTES = 1_073_741_824;
/** More files than this are hidden by a device that nobody may open, instead of an empty file. */
const MOST_EMPTIES = 64;

/** What a sandbox shows and hides. */
export interface Confinement {
  readonly root: string;
  /** Outside of the workspace, or in it when it is a home folder. */
  readonly secrets: readonly HiddenPath[];
  readonly hidden: readonly HiddenPath[];
  readonly readOnly: readonly string[];
  readonly network: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** Arguments of bubblewrap, and how many descriptors with nothing to read they count on. Later mounts cover earlier ones. */
export async function bwrapArguments({ sizes }: Bwrap, { root, secrets, hidden, readOnly, network, environment }: Confinement, descriptors: { readonly status: number; readonly firstEmpty: number }): Promise<{ readonly args: string[]; readonly empties: number }> {
  let empties = 0;
  const scratch = (path: string): string[] => [...(sizes ? ['--size', String(SCRATCH_BYTES)] : []), '--tmpfs', path];
  const hide = ({ path, folder }: HiddenPath): string[] => {
    // The workspace may lie below: its mount point is still to be made then.
    if (folder) return ['--tmpfs', path, ...(root.startsWith(`${path}/`) ? [] : ['--remount-ro', path])];
    if (empties >= MOST_EMPTIES) return ['--ro-bind', '/dev/null', path];
    empties += 1;
    return ['--ro-bind-data', String(descriptors.firstEmpty + empties - 1), path];
  };
  const inRoot = ({ path }: HiddenPath): boolean => path.startsWith(`${root}/`);
  const all = mounts([...secrets, ...hidden], root);
  const args = [
    '--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', ...(network ? [] : ['--unshare-net']),
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--json-status-fd', String(descriptors.status),
    '--clearenv', ...Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : ['--setenv', name, value])),
    '--ro-bind', '/', '/', '--dev', '/dev', ...scratch('/dev/shm'), '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys',
    ...scratch('/tmp'), ...(await isFolder('/var/tmp') ? scratch('/var/tmp') : []), ...(await isFolder('/run') ? ['--tmpfs', '/run'] : []),
    ...(network ? await nameService() : []),
    ...all.filter((path) => !inRoot(path)).flatMap(hide),
    '--bind', root, root,
    ...all.filter(inRoot).flatMap(hide),
    ...readOnly.filter((path) => !all.some((entry) => entry.folder && path.startsWith(`${entry.path}/`) && inRoot(entry))).flatMap((path) => ['--ro-bind', path, path]),
    '--chdir', root,
  ];
  return { args, empties };
}

/** Empty in each sandbox: what lies there is hidden already, unless the workspace is around it. */
const EMPTIED = /^\/(?:tmp|var\/tmp|run|dev)\//;

/** Each path once, and none below another: there is nothing to mount on in a hidden folder. */
function mounts(paths: readonly HiddenPath[], root: string): HiddenPath[] {
  const once = [...new Map(paths.map((entry) => [entry.path, entry])).values()].filter(({ path }) => path.startsWith(`${root}/`) || !EMPTIED.test(path));
  const around = (outer: HiddenPath, { path }: HiddenPath): boolean => outer.folder && path.startsWith(`${outer.path}/`) && !root.startsWith(`${outer.path}/`);
  return once.filter((entry) => !once.some((outer) => around(outer, entry)));
}

async function isFolder(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Where names are looked up often stands below /run, which is hidden. */
async function nameService(): Promise<string[]> {
  const real = await fs.realpath('/etc/resolv.conf').catch(() => undefined);
  return real?.startsWith('/run/') ? ['--ro-bind', real, real] : [];
}
