import { createReadStream, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { forgetSource, openMemory, type ArtooMemory } from '../entries/memory.js';
import { ArtooError } from '../index.js';
import { UsageError } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { dreamNow, queryMemory, rememberRule } from './memory-acts.js';
import { entryLines, statsLines } from './memory-lines.js';
import { visible } from './plain-text.js';

/** Where a command writes, and the folder whose memory it is about. */
export interface MemoryCommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly workspace: string;
}

/** What `artoo memory --help` prints. */
export const MEMORY_HELP = `artoo memory looks into and changes what earlier tasks left in WORKSPACE/.artoo/memory.

  artoo memory stats                 how much there is, of which kinds
  artoo memory query "<task>"        what a plan for that task would be told, and by which memory
  artoo memory list                  entries with their content, newest first (--level M|K|C, --space S, --limit N)
  artoo memory remember "<rule>"     a rule that holds from now on in every task here; --not: what must not be done;
                                     --tool NAME: about a tool; --for "<task>": in tasks like that one only
  artoo memory forget ID             remove one entry; --source S: everything from a source, and the rules made of it
  artoo memory dream                 forget what has decayed, take back and make rules, now
  artoo memory export                every entry as a JSON line
  artoo memory import FILE           add entries from such lines; known ones are skipped
  artoo memory check                 compare what is derived with the entries (--rebuild: make it anew)

  --json             print JSON          --environment NAME   as in createArtoo({ environment }), default local
`;

const LEVELS: ReadonlySet<string> = new Set(['M', 'K', 'C', 'T']);
const OPTIONS = {
  level: { type: 'string' }, space: { type: 'string' }, limit: { type: 'string' }, not: { type: 'boolean' }, tool: { type: 'string' },
  for: { type: 'string' }, source: { type: 'string' }, rebuild: { type: 'boolean' }, json: { type: 'boolean' }, environment: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof readWords>['values'];

/** One command on its way: what was written after its name. */
interface Asked { readonly words: readonly string[]; readonly values: Values; readonly say: (line: string) => void; readonly out: (text: string) => void }

interface Command {
  /** Words it takes after its name. */
  readonly words: number;
  readonly usage: string;
  /** Options it knows beside `--json`. */
  readonly options: readonly (keyof typeof OPTIONS)[];
  /** Makes a memory where there is none. */
  readonly creates?: boolean;
  readonly run: (memory: ArtooMemory, asked: Asked) => Promise<number>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['stats', { words: 0, usage: 'stats', options: [], run: stats }],
  ['query', { words: 1, usage: 'query "<task>"', options: ['environment', 'tool'], run: query }],
  ['list', { words: 0, usage: 'list', options: ['level', 'space', 'limit'], run: list }],
  ['remember', { words: 1, usage: 'remember "<rule>"', options: ['not', 'tool', 'for', 'environment'], creates: true, run: remember }],
  ['forget', { words: 1, usage: 'forget ID, or forget --source S', options: ['source'], run: forget }],
  ['dream', { words: 0, usage: 'dream', options: [], run: dream }],
  ['export', { words: 0, usage: 'export', options: [], run: exportAll }],
  ['import', { words: 1, usage: 'import FILE', options: [], creates: true, run: importFile }],
  ['check', { words: 0, usage: 'check', options: ['rebuild'], run: check }],
]);

/**
 * Carries out `artoo memory …` on the memory of a workspace and returns the exit code. Answers go to stdout, everything
 * else to stderr; what memory holds is shown, never acted upon by the terminal. Does not throw.
 */
export async function memoryCommand(args: string[], io: MemoryCommandIo): Promise<number> {
  const say = (line: string): void => void io.stderr.write(`${visible(line)}\n`);
  try {
    const { values, positionals } = readWords(args);
    const [name, ...words] = positionals;
    if (values.help || name === undefined || name === 'help') {
      io.stdout.write(MEMORY_HELP);
      return name === undefined && !values.help ? EXIT.usage : EXIT.done;
    }
    const command = commandFor(name, words, values);
    if (!statSync(io.workspace, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`The workspace ${JSON.stringify(io.workspace)} is no folder.`);
    const path = join(resolve(io.workspace), '.artoo', 'memory');
    if (!command.creates && !existsSync(path)) {
      say(`There is no memory in ${path} yet.`);
      return EXIT.done;
    }
    const memory = await openMemory({ path, onReport: (report) => say(`memory: ${JSON.stringify(report)}`) });
    try {
      return await command.run(memory, { words, values, say, out: (text) => void io.stdout.write(`${text}\n`) });
    } finally {
      await memory.close();
    }
  } catch (error) {
    return explain(error, say);
  }
}

function readWords(args: string[]) {
  return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
}

function commandFor(name: string, words: readonly string[], values: Values): Command {
  const command = COMMANDS.get(name);
  if (!command) throw new UsageError(`There is no command memory ${JSON.stringify(name)}. There are: ${[...COMMANDS.keys()].join(', ')}.`);
  const expected = name === 'forget' && values.source !== undefined ? 0 : command.words;
  if (words.length !== expected || words.some((word) => word.trim() === '')) throw new UsageError(`artoo memory ${command.usage}`);
  const strange = Object.keys(values).find((option) => option !== 'json' && !command.options.includes(option as keyof typeof OPTIONS));
  if (strange !== undefined) throw new UsageError(`memory ${name} has no option --${strange}.`);
  return command;
}

async function stats(memory: ArtooMemory, { values, out }: Asked): Promise<number> {
  out(await statsLines(memory, values.json === true));
  return EXIT.done;
}

async function query(memory: ArtooMemory, { words, values, out }: Asked): Promise<number> {
  out(await queryMemory(memory, { text: words[0] ?? '', environment: values.environment ?? 'local', tool: values.tool, json: values.json === true }));
  return EXIT.done;
}

async function list(memory: ArtooMemory, { values, say, out }: Asked): Promise<number> {
  const { level, space, limit = '100' } = values;
  if (level !== undefined && !LEVELS.has(level)) throw new UsageError(`--level is M, K, C or T, not ${JSON.stringify(level)}.`);
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw new UsageError(`--limit needs a whole number from 1, not ${JSON.stringify(limit)}.`);
  const most = Number(limit);
  const found = await memory.list({ ...(level === undefined ? {} : { level: level as 'M' }), ...(space === undefined ? {} : { tag: { space } }) });
  const newest = [...found].sort((a, b) => b.createdAt - a.createdAt).slice(0, most);
  for (const megram of newest) out(values.json ? JSON.stringify(megram) : entryLines(megram, Date.now()));
  if (found.length > most) say(`${found.length - most} older entries are not shown; --limit shows more.`);
  return EXIT.done;
}

async function remember(memory: ArtooMemory, { words, values, say, out }: Asked): Promise<number> {
  const { megram, known } = await rememberRule(memory, {
    text: words[0] ?? '', not: values.not === true, tool: values.tool, like: values.for, environment: values.environment ?? 'local', at: Date.now(),
  });
  say(known ? 'This was remembered already.' : `Remembered under ${megram.space}.`);
  out(megram.id);
  return EXIT.done;
}

async function forget(memory: ArtooMemory, { words, values, say, out }: Asked): Promise<number> {
  if (values.source !== undefined) {
    const ids = await forgetSource(memory, values.source);
    await memory.flush();
    for (const id of ids) out(visible(id));
    say(`${ids.length} entries are gone.`);
    return EXIT.done;
  }
  const id = words[0] ?? '';
  if (!(await memory.get(id))) throw new UsageError(`There is no entry ${JSON.stringify(id)}; artoo memory list shows the ids.`);
  await memory.remove([id]);
  await memory.flush();
  say('1 entry is gone.');
  return EXIT.done;
}

async function dream(memory: ArtooMemory, { values, out }: Asked): Promise<number> {
  out(await dreamNow(memory, values.json === true));
  return EXIT.done;
}

async function exportAll(memory: ArtooMemory, { out }: Asked): Promise<number> {
  for await (const line of memory.export()) out(line);
  return EXIT.done;
}

async function importFile(memory: ArtooMemory, { words, say }: Asked): Promise<number> {
  const file = words[0] ?? '';
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${JSON.stringify(file)}.`);
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  say(`${await memory.import(lines)} entries were added.`);
  return EXIT.done;
}

async function check(memory: ArtooMemory, { values, out }: Asked): Promise<number> {
  if (values.rebuild) await memory.rebuild();
  const { ok, megrams, problems } = await memory.check();
  out(values.json ? JSON.stringify({ ok, megrams, problems }) : [`${megrams} entries, ${ok ? 'all in order' : `${problems.length} problems`}`, ...problems.map(visible)].join('\n'));
  return ok ? EXIT.done : EXIT.setup;
}

function explain(error: unknown, say: (line: string) => void): number {
  if (ArtooError.is(error)) {
    say(`${error.code}: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
    return EXIT.setup;
  }
  const usage = error instanceof UsageError || (error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS'));
  say(usage ? `${(error as Error).message}\nSee artoo memory --help.` : String(error instanceof Error ? (error.stack ?? error.message) : error));
  return usage ? EXIT.usage : EXIT.setup;
}
