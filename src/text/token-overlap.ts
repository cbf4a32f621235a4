/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * How alike two texts are, 0 to 1: words both have over words either has (Jaccard), case and width folded. Text in
 * scripts without spaces counts by pairs of characters. Two texts without any word are alike.
 */
export function tokenOverlap(a: string, b: string): number {
  const left = tokens(a);
  const right = tokens(b);
  if (left.size === 0 && right.size === 0) return 1;
  let shared = 0;
  for (const token of left) if (right.has(token)) shared += 1;
  return shared / (left.size + right.size - shared);
}

function tokens(text: string): Set<string> {
  if (ASCII.test(text)) return new Set(text.toLowerCase().match(ASCII_WORD));
  const found = new Set<string>();
  const spaced = text.normalize('NFKC').toLowerCase().replace(UNSPACED, (run) => {
    const characters = [...run];
    if (characters.length === 1) found.add(run);
    for (let index = 1; index < characters.length; index += 1) found.add(`${characters[index - 1]}${characters[index]}`);
    return ' ';
  });
  for (const [word] of spaced.matchAll(WORD)) found.add(word);
  return found;
}
