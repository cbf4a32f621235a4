/** A block of data in a prompt. */
export interface DataBlock { readonly label: string; readonly text: string; readonly at: number }
/** A call as a prompt shows it: what was asked, how it went, what came back. */
export interface ShownCall {
  readonly tool: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly ran: boolean;
  readonly output: string;
  /** Not all of the output is there. */
  readonly cut: boolean;
}

const BLOCK = /<<<data (\S+) ([^\n]*)>>>\n([\s\S]*?)\n<<<end \1>>>/g;
/** What stands where the middle of a text was left out. */
const LEFT_OUT = /\[… \d+ characters left out …\]/;
const HEADER = /^([A-Za-z_][\w.-]{0,63}) ([\s\S]*) \[(ok|failed|did not run)\]$/;
/** A long input is shortened over this many lines. */
const HEADER_LINES = 3;

/** The blocks of data in their order; what they say is never taken for the prompt's own words. */
export function dataBlocks(prompt: string): readonly DataBlock[] {
  return [...prompt.matchAll(BLOCK)].map((match) => ({ label: match[2]!, text: match[3]!, at: match.index }));
}

/** The text of the first block with this label. */
export function dataOf(prompt: string, label: string): string | undefined {
  return dataBlocks(prompt).find((block) => block.label === label)?.text;
}

/** The prompt with every block of data taken out, so that only its own words are read. */
export function withoutData(prompt: string): string {
  return prompt.replace(BLOCK, '');
}

/** What stands behind `heading` up to the next empty line of the prompt's own words. */
export function sectionOf(prompt: string, heading: string): string | undefined {
  const own = `\n\n${withoutData(prompt)}`;
  const start = own.indexOf(`\n\n${heading}`);
  if (start < 0) return undefined;
  const rest = own.slice(start + 2 + heading.length);
  const end = rest.indexOf('\n\n');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

export function isCut(text: string): boolean {
  return LEFT_OUT.test(text);
}

/** Criteria as `[index] (mode, about the world) text`. */
export interface ShownCriterion { readonly index: number; readonly about: 'world' | 'result'; readonly text: string }

export function criteriaOf(prompt: string): readonly ShownCriterion[] {
  const found: ShownCriterion[] = [];
  for (const line of (sectionOf(prompt, 'Criteria:') ?? '').split('\n')) {
    const match = /^\[(\d+)\] \((?:verifiable|plausible), about the (world|result)\) (.*)$/.exec(line);
    if (match) found.push({ index: Number(match[1]), about: match[2] as 'world' | 'result', text: match[3]! });
  }
  return found;
}

interface Header { readonly match: RegExpExecArray; readonly start: number; readonly from: number }

/** More places that look like a record's beginning are not tried in all ways. */
const MOST_DOUBTFUL = 4;

/**
 * The records of calls in a block of tool output, newest last. A file may hold lines that look like the beginning of a
 * record, so there can be several readings: the first takes all of them for records, each other one leaves some out.
 */
export function readingsOf(block: string): readonly (readonly ShownCall[])[] {
  const lines = block.split('\n');
  const headers = headersIn(lines);
  const [first, ...others] = headers;
  if (!first) return [[]];
  const doubtful = others.slice(0, MOST_DOUBTFUL);
  const certain = others.slice(MOST_DOUBTFUL);
  return Array.from({ length: 2 ** doubtful.length }, (_, left) => recordsOf(lines, [first, ...doubtful.filter((_header, index) => (left & (1 << index)) === 0), ...certain]));
}

function headersIn(lines: readonly string[]): Header[] {
  const headers: Header[] = [];
  lines.forEach((_line, index) => {
    if (index > 0 && lines[index - 1] !== '---') return;
    for (let length = 1; length <= HEADER_LINES; length += 1) {
      const match = HEADER.exec(lines.slice(index, index + length).join('\n'));
      if (match) headers.push({ match, start: index, from: index + length });
      if (match) break;
    }
  });
  return headers;
}

function recordsOf(lines: readonly string[], headers: readonly Header[]): readonly ShownCall[] {
  return headers.map(({ match, from }, place) => {
    const next = headers[place + 1];
    const output = lines.slice(from, next ? next.start - 1 : lines.length).join('\n');
    return { tool: match[1]!, input: readInput(match[2]!), ok: match[3] === 'ok', ran: match[3] !== 'did not run', output: output === '(no output)' ? '' : output, cut: isCut(output) };
  });
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
