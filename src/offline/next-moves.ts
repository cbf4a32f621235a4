import { CANNOT } from './english/read-requests.js';
import { dataOf } from './prompt-text.js';

const MOST_MOVES = 3;
const CONFIGURE = 'Configure a model: set BRAIN_MODEL, BRAIN_BASE_URL and BRAIN_API_KEY for the command line, or pass `models` to createArtoo. The offline model only counts, finds, lists, compares, shows and summarises files.';

/** R2's next moves, from what failed and why. */
export function nextMoves(prompt: string): { readonly moves: readonly string[] } {
  const facts = dataOf(prompt, 'what happened') ?? '';
  const moves = new Set<string>();
  if (facts.includes(CANNOT)) moves.add(CONFIGURE);
  for (const [, path] of facts.matchAll(/(?:The (?:file|folder) "([^"]+)" does not exist)/g)) moves.add(`Check the path ${path!}: nothing lies there. Name the file or folder as it is, or put it there.`);
  for (const [, name] of facts.matchAll(/there is no (?:file|folder) named (\S+) anywhere/g)) moves.add(`Put ${name!} into the workspace, or say under which other name it can be found.`);
  if (/say which one is meant/.test(facts)) moves.add(`Say which one is meant: ${/named \S+: ([^;\n]+);/.exec(facts)?.[1] ?? 'give its whole path'}.`);
  if (/\[LAW1\]|was denied|needs a confirmation/.test(facts)) moves.add('Run it again and allow the write (--ask or --yes on the command line), or name a file that does not exist yet.');
  if (/than one look can show|more than \d+ tool calls|too long/.test(facts)) moves.add('Narrow the request to a smaller folder, a single file or a rarer text.');
  if (/EACCES|EPERM|permission denied/i.test(facts)) moves.add('Give this process the right to read the path, then run the task again.');
  if (/^Done:\n- (?!nothing$)/m.test(facts)) moves.add('Use the partial result: what it holds was verified.');
  moves.add('Run the task again in other words, naming the files and folders it is about.');
  if (moves.size < 2) moves.add(CONFIGURE);
  return { moves: [...moves].slice(0, MOST_MOVES) };
}
