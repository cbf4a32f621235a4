/** Scripts that are written without spaces: cut into pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RUN = new RegExp(`(?:${UNSPACED.source})+|[\\p{L}\\p{N}\\p{M}]+`, 'gu');

/** English words that say nothing about the kind of a task. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  ('a an and any are as at be been but by can could did do does for from had has have how i if in into is it its let many me much my no not ' +
    'of on or our out please should so some that the their them then there these this those to up us was we were what when where which ' +
    'who whose why will with would you your').split(' '),
);

/** Words taken of one text, and the longest that counts as a word. */
const LONGEST_WORD = 40;

/**
 * The words of a text that can find related texts: folded (NFKC, lower case), without filler words and English endings,
 * each once, in order. Chinese, Japanese, Korean and other unspaced scripts give pairs of neighbouring characters.
 *
 * @example
 * import { wordsOf } from 'artoo/memory';
 * wordsOf('Counting the lines of report.txt'); // ['count', 'lin', 'report', 'txt']
 * wordsOf('统计行数'); // ['统计', '计行', '行数']
 */
export function wordsOf(text: string, limit = 32): readonly string[] {
  const words = new Set<string>();
  // Longer texts add cost, not meaning: what a task is about stands at its beginning.
  for (const [run] of text.slice(0, 4_000).normalize('NFKC').toLowerCase().matchAll(RUN)) {
    for (const word of UNSPACED.test(run) ? pairsOf(run) : plainWord(run)) {
      if (words.size >= limit) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function plainWord(run: string): readonly string[] {
  if (EMPTY_WORDS.has(run) || run.length > LONGEST_WORD || (run.length === 1 && !/\p{N}/u.test(run))) return [];
  return [stem(run)];
}

/** Takes off the commonest English endings: enough for "counting lines" to find "count the line". */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  for (const ending of ['ing', 'ed', 'es', 's']) {
    const root = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || root.length < 3 || (ending === 's' && root.endsWith('s'))) continue;
    if (ending === 'es' && !/(?:s|x|z|ch|sh)$/.test(root)) continue;
    const [last] = root.slice(-1);
    const doubled = (ending === 'ing' || ending === 'ed') && last !== undefined && root.endsWith(last + last) && !/[lsz]/.test(last);
    return unvoiced(doubled ? root.slice(0, -1) : root);
  }
  return unvoiced(word);
}

/** "file" and "filing" meet in "fil". */
function unvoiced(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
