import { cleanText } from '../../text/index.js';

const MOST_LINES = 60;
const LONGEST_LINE = 200;
const CONTEXT = 2;

/**
 * What changes between two texts, for people: the lines that differ with a little around them, `-` old, `+` new. Equal
 * beginnings and ends are left out; a long middle is cut and counted.
 */
export function diffPreview(before: string, after: string): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  if (start === old.length && start === fresh.length) return '(no change)';
  const removed = old.slice(start, old.length - end);
  const added = fresh.slice(start, fresh.length - end);
  return [
    `@@ line ${start + 1}: ${removed.length} removed, ${added.length} added @@`,
    ...mark(' ', old.slice(Math.max(0, start - CONTEXT), start)),
    ...mark('-', removed),
    ...mark('+', added),
    ...mark(' ', old.slice(old.length - end, old.length - end + CONTEXT)),
  ].join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Marked lines; of too many, the first and the last. */
function mark(sign: string, lines: readonly string[]): string[] {
  const half = MOST_LINES / 2;
  const shown = lines.length <= MOST_LINES ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
  const marked = shown.map((line) => `${sign} ${show(line)}`);
  if (shown.length < lines.length) marked.splice(half, 0, `${sign} [… ${lines.length - shown.length} lines …]`);
  return marked;
}

function show(line: string): string {
  const clean = cleanText(line.slice(0, LONGEST_LINE * 2)).replaceAll('\n', ' ');
  return clean.length > LONGEST_LINE ? `${clean.slice(0, LONGEST_LINE)} …` : clean;
}
