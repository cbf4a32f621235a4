import { createHash } from 'node:crypto';

export const LOG_ENDING = '.jsonl';
export const HEAD_ENDING = '.head';
export const LOCK_ENDING = '.lock';

/**
 * The file name, without ending, of a task. The hash keeps ids apart, also on file systems that ignore case; the part
 * before it is for people and holds nothing that means something to a path.
 */
export function fileStem(taskId: string): string {
  const readable = taskId.slice(0, 200).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40);
  // UTF-16 rather than UTF-8: lone surrogates, which UTF-8 has no form for, must not fall together.
  const hash = createHash('sha256').update(taskId, 'utf16le').digest('hex').slice(0, 32);
  return readable === '' ? hash : `${readable}.${hash}`;
}
