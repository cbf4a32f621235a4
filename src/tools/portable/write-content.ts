import type { Effect, ToolContext } from '../../contracts/tool.js';
import { ToolError } from '../tool-error.js';
import { ABSENT, type FileWorkspace, type WriteOutcome } from './file-workspace.js';

/** Whether existing content may be replaced: only when somebody allows each time, or always with a copy kept. */
export type OverwritePolicy = 'ask' | 'allow-with-backup';

/** What the tools that write files take. */
export interface WriteFileOptions {
  readonly workspace: FileWorkspace;
  /** Default `'ask'`. */
  readonly overwrite?: OverwritePolicy;
  /** Keep the previous content also where a person allows each overwrite. Always so with `'allow-with-backup'`. Default false. */
  readonly backups?: boolean;
}

/** Characters that one call may leave in a file. */
export const MOST_CHARACTERS = 20_000_000;

/** What replacing a file, or making one, does to the world. */
export function effectOfWriting(fingerprint: string, overwrite: OverwritePolicy): Effect {
  return fingerprint === ABSENT || overwrite === 'allow-with-backup' ? 'write' : 'irreversible';
}

interface Writing extends Required<WriteFileOptions> {
  readonly path: string;
  readonly text: string;
  /** What the file must still be. */
  readonly expected: string | undefined;
  readonly context: Pick<ToolContext, 'signal' | 'taskId' | 'disclose'>;
}

/** Writes what was judged, keeps and discloses what it replaces, and says in one line what was done. */
export async function writeContent({ workspace, overwrite, backups, path, text, expected, context }: Writing): Promise<string> {
  const { signal, taskId, disclose } = context;
  if (signal.aborted) throw signal.reason;
  const status = await workspace.status(path);
  if (status?.kind === 'directory') throw ToolError.environmental(`${JSON.stringify(path)} is a folder.`, { hint: 'Name a file inside it.' });
  const backup = overwrite === 'allow-with-backup' || backups;
  const outcome: WriteOutcome = await workspace.write(path, text, { expected, backup, ...(backup && taskId ? { task: taskId } : {}) });
  if (outcome.created) return `Created ${path} (${outcome.bytes} bytes).`;
  if (outcome.backup === undefined) return `Replaced ${path} (${outcome.bytes} bytes).`;
  disclose?.(`${path} was replaced; its previous content is kept in ${outcome.backup}.`);
  return `Replaced ${path} (${outcome.bytes} bytes). The previous content is kept in ${outcome.backup}.`;
}
