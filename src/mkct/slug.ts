const LONGEST_SLUG = 48;

/**
 * The name of a kind of task: ASCII snake_case. A name that a model gave is normalised; where nothing of it is left,
 * the words of the intent serve; where those are not ASCII either, a hash of the intent, so that it is never empty and
 * two intents in Chinese never share a past by accident.
 *
 * @example
 * import { slugFor } from 'artoo/memory';
 * slugFor('Count Lines!', 'count the lines of a.txt'); // 'count_lines'
 * slugFor('', '统计行数'); // 'task_' and eight digits
 */
export function slugFor(name: string, intent: string): string {
  const given = normalise(name);
  if (given !== '') return given;
  const folded = intent.normalize('NFKC').trim();
  const derived = normalise(folded);
  // A few Latin letters in a Chinese sentence would name it badly: derive a name only from text that is ASCII.
  return derived !== '' && /^[\x20-\x7e]*$/.test(folded) ? derived : `task_${hash(folded)}`;
}

function normalise(text: string): string {
  const words = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}_${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  return slug === '' ? (words[0] ?? '').slice(0, LONGEST_SLUG) : slug;
}

/** FNV-1a over UTF-16 units, 32 bits, hexadecimal. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return state.toString(16).padStart(8, '0');
}
