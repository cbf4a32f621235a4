const MOST_SHOWN = 8;
const LONGEST_SHOWN = 200;
/** Where more lines are compared than this, the rest of the file isn't looked at. */
const MOST_COMPARED = 20_000;
const LONGEST_COMPARED = 200;
const CLOSE_ENOUGH = 0.55;

/** Where a text that was looked for in vain nearly stands. `exact`: only its white space differs. */
export interface NearestLines { readonly line: number; readonly lines: readonly string[]; readonly exact: boolean }

/** Finds the lines that are most like a text, by white space first, then by pairs of neighbouring characters. */
export function nearestLines(text: string, needle: string): NearestLines | undefined {
  const lines = text.split('\n', MOST_COMPARED);
  const wanted = needle.split('\n').map(squeeze);
  while (wanted[0] === '') wanted.shift();
  while (wanted.at(-1) === '') wanted.pop();
  const [first] = wanted;
  if (first === undefined) return undefined;
  const squeezed = lines.map((line) => squeeze(line.slice(0, 10_000)));
  const show = (at: number): readonly string[] => lines.slice(at, at + Math.min(wanted.length, MOST_SHOWN)).map((line) => (line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)} …` : line));
  const same = squeezed.findIndex((_, at) => wanted.every((line, offset) => (offset === 0 && wanted.length === 1 ? squeezed[at]!.includes(line) : squeezed[at + offset] === line)));
  if (same >= 0) return { line: same + 1, lines: show(same), exact: true };
  // The longest line says most about the place.
  const key = wanted.reduce((longest, line, index) => (line.length > wanted[longest]!.length ? index : longest), 0);
  const pairs = pairsOf(wanted[key]!);
  let best = -1;
  let bestScore = CLOSE_ENOUGH;
  for (const [at, line] of squeezed.entries()) {
    const score = line === '' ? 0 : similarity(pairs, pairsOf(line));
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  if (best < 0) return undefined;
  const from = Math.max(0, best - key);
  return { line: from + 1, lines: show(from), exact: false };
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.slice(0, LONGEST_COMPARED).toLowerCase();
  const pairs = new Set<string>();
  for (let index = 0; index < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return pairs;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
