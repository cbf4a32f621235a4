import { hash53 } from './hash.js';

const LIMIT = 48;

/**
 * A short ASCII name of a text in snake_case, 1 to 61 characters. Letters that ASCII lacks are not just dropped, since
 * different texts would then share a name: a hash of the text stands for them (`task_1f2e…`, `logs_1f2e…`).
 */
export function slugify(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase();
  const ascii = folded.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  const words = ascii.length > LIMIT ? ascii.slice(0, LIMIT + 1).replace(/_[^_]*$/, '').slice(0, LIMIT) : ascii;
  const lost = /[^\P{L}a-z]|[^\P{N}0-9]/u.test(folded);
  if (lost) return `${words || 'task'}_${hash53(text.normalize('NFKC').trim().toLowerCase()).slice(-12)}`;
  if (words) return words;
  return text.trim() === '' ? 'task' : `task_${hash53(text.normalize('NFKC').trim()).slice(-12)}`;
}
