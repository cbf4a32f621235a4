import type { ArtooError } from '../../contracts/errors.js';
import { ToolError } from '../tool-error.js';
import type { FileWorkspace } from './file-workspace.js';

const MOST_SIBLINGS = 12;
/** Beyond this share of changed characters two names have nothing in common. */
const CLOSE_ENOUGH = 0.4;

/**
 * Says that something isn't there, with what is: the nearest folder that exists, some of its entries, and the most
 * similar name at the end, where short evidence still shows it.
 */
export async function missingPath(workspace: FileWorkspace, path: string, what: 'file' | 'folder'): Promise<ArtooError> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const missing = `The ${what} ${JSON.stringify(path)} does not exist in the workspace.`;
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const folder = names.slice(0, depth).join('/');
    const entries = await workspace.list(folder).catch(() => undefined);
    if (!entries) continue;
    const place = folder === '' ? 'The workspace' : `The folder ${JSON.stringify(folder)}`;
    const listed = entries.slice(0, MOST_SIBLINGS).map((entry) => entry.kind === 'directory' ? `${entry.name}/` : entry.name);
    const more = entries.length > listed.length ? ` and ${entries.length - listed.length} more` : '';
    const holds = listed.length === 0 ? `${place} is empty.` : `${place} holds: ${listed.join(', ')}${more}.`;
    const similar = nearest(names[depth] ?? '', entries.map((entry) => entry.name));
    const rest = names.slice(depth + 1);
    const guess = similar === undefined ? '' : ` Did you mean ${JSON.stringify([...names.slice(0, depth), similar, ...rest].join('/'))}?`;
    return ToolError.environmental(`${missing} ${holds}${guess}`);
  }
  return ToolError.environmental(missing);
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  const wanted = name.toLowerCase().slice(0, 100);
  for (const candidate of candidates.slice(0, 1_000)) {
    const given = candidate.toLowerCase().slice(0, 100);
    const distance = editDistance(wanted, given) / Math.max(1, wanted.length, given.length);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return bestDistance <= CLOSE_ENOUGH ? best : undefined;
}

/** Insertions, deletions, changes and swaps of neighbours between two texts, three rows at a time. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
