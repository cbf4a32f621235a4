import { ArtooError } from '../contracts/errors.js';
import type { Workspace } from '../contracts/tool.js';

/** Not a literal, so that no bundler pulls file access into a browser's bundle. */
const TOOLS_ENTRY: string = 'artoo/tools';

/** A workspace named by its path: the file access behind it loads when it is first needed. */
export function lazyWorkspace(root: string): Workspace {
  let opened: Promise<Workspace> | undefined;
  const open = (): Promise<Workspace> => (opened ??= load(root));
  return {
    root,
    exists: async (path) => (await open()).exists(path),
    readText: async (path, options) => (await open()).readText(path, options),
  };
}

async function load(root: string): Promise<Workspace> {
  try {
    const tools = (await import(/* @vite-ignore */ TOOLS_ENTRY)) as { openWorkspace(root: string): Workspace };
    return tools.openWorkspace(root);
  } catch (cause) {
    if (ArtooError.is(cause)) throw cause;
    throw new ArtooError('ARTOO_INVALID_CONFIG', `The workspace ${root} can't be opened here.`, {
      cause, hint: 'Pass workspace: openWorkspace(path) from artoo/tools, or an object of your own with exists and readText.',
    });
  }
}
