/** More words than this are not spelled out. */
const MOST_WORDS = 200;
const LONGEST = 2_000;

/** Spells out `{a,b}` and `{1..9}` of an unquoted word without escapes and expansions; undefined when it can't. */
export function expandBraces(text: string): string[] | undefined {
  if (text.length > LONGEST || text.split('{').length > 12) return undefined;
  if (/["'\\$`*?[\]~]/.test(text)) return undefined;
  const words = expand(text);
  return words.length > MOST_WORDS ? undefined : words;
}

function expand(text: string): string[] {
  const group = innermost(text);
  if (!group) return [text];
  const [start, end] = group;
  const inside = text.slice(start + 1, end);
  const choices = inside.includes(',') ? inside.split(',') : sequence(inside);
  // Braces that expand to nothing stay as they are; a mark keeps them from being found again.
  if (!choices) return expand(`${text.slice(0, start)}\u0001${inside}\u0002${text.slice(end + 1)}`).map((word) => word.replace('\u0001', '{').replace('\u0002', '}'));
  const words: string[] = [];
  for (const choice of choices) {
    if (words.length > MOST_WORDS) break;
    for (const word of expand(text.slice(0, start) + choice + text.slice(end + 1))) words.push(word);
  }
  return words;
}

/** A pair of braces without others in between. */
function innermost(text: string): readonly [number, number] | undefined {
  const end = text.indexOf('}');
  const start = end < 0 ? -1 : text.lastIndexOf('{', end);
  return start < 0 ? undefined : [start, end];
}

function sequence(inside: string): string[] | undefined {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inside);
  if (numbers) {
    const [from, to] = [Number(numbers[1]), Number(numbers[2])];
    const length = Math.abs(to - from) + 1;
    if (length > MOST_WORDS || /^-?0\d/.test(numbers[1]!) || /^-?0\d/.test(numbers[2]!)) return Array.from({ length: MOST_WORDS + 1 }, () => '');
    return Array.from({ length }, (_, index) => String(from + (to < from ? -index : index)));
  }
  const letters = /^([a-z])\.\.([a-z])$/.exec(inside);
  if (!letters) return undefined;
  const [from, to] = [letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0)];
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String.fromCharCode(from + (to < from ? -index : index)));
}
