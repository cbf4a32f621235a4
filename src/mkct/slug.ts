import { slugify } from '../text/slugify.js';

/**
 * The name of a kind of task: ASCII snake_case, 1 to 61 characters. The name that a model gave where it is one in ASCII,
 * accents aside; else one made of the intent, so that it is never empty and two intents in Chinese never share a past by
 * accident.
 *
 * @example
 * import { slugFor } from 'artoo/memory';
 * slugFor('Count Lines!', 'count the lines of a.txt'); // 'count_lines'
 * slugFor('', '统计行数'); // 'task_' and twelve digits
 */
export function slugFor(name: string | null | undefined, intent: string): string {
  const plain = (name ?? '').normalize('NFKD').replace(/\p{M}+/gu, '');
  return slugify(/[a-z0-9]/i.test(plain) && /^[\x20-\x7e]+$/.test(plain) ? plain : intent);
}
