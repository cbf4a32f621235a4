import { parseArgs } from 'node:util';
import type { ApprovalDecision, SandboxPolicy } from '../index.js';

/** What the command line was asked to do. */
export type Command = { readonly name: 'help' | 'version' | 'repl' | 'pending' } | { readonly name: 'run'; readonly task: string } | { readonly name: 'resume'; readonly taskId: string | undefined }
  | { readonly name: 'answer'; readonly approvalId: string; readonly decision: ApprovalDecision };
/** How. Times in ms. */
export interface CommandOptions {
  readonly workspace: string;
  readonly permission: 'yes' | 'ask' | 'later';
  readonly sandbox: SandboxPolicy;
  readonly offline: boolean;
  readonly model: string | undefined;
  readonly baseURL: string | undefined;
  readonly json: boolean;
  readonly ledger: string | undefined;
  readonly budget: { readonly calls?: number; readonly tokens?: number; readonly timeMs?: number };
  readonly verbose: boolean;
}
export interface Invocation { readonly command: Command; readonly options: CommandOptions }

/** Something on the command line that can't be meant; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  workspace: { type: 'string' }, yes: { type: 'boolean' }, ask: { type: 'boolean' }, later: { type: 'boolean' }, sandbox: { type: 'string' }, offline: { type: 'boolean' }, model: { type: 'string' },
  'base-url': { type: 'string' }, json: { type: 'boolean' }, ledger: { type: 'string' }, 'budget-calls': { type: 'string' }, 'budget-tokens': { type: 'string' },
  timeout: { type: 'string' }, verbose: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' },
} as const;

/** Reads the words after `artoo`. Throws a UsageError. */
export function readArguments(words: readonly string[]): Invocation {
  const { values, positionals } = parse(words);
  if ([values.yes, values.ask, values.later].filter(Boolean).length > 1) throw new UsageError('--yes, --ask and --later exclude each other.');
  if (values.offline && (values.model !== undefined || values['base-url'] !== undefined)) throw new UsageError('--offline uses no model: leave out --model and --base-url.');
  const calls = wholeNumber('--budget-calls', values['budget-calls']);
  const tokens = wholeNumber('--budget-tokens', values['budget-tokens']);
  const timeMs = values.timeout === undefined ? undefined : duration(values.timeout);
  const options: CommandOptions = {
    workspace: values.workspace ?? '.',
    permission: values.yes ? 'yes' : values.later ? 'later' : 'ask',
    sandbox: sandboxPolicy(values.sandbox),
    offline: values.offline ?? false, model: values.model, baseURL: values['base-url'], json: values.json ?? false, ledger: values.ledger,
    budget: { ...(calls === undefined ? {} : { calls }), ...(tokens === undefined ? {} : { tokens }), ...(timeMs === undefined ? {} : { timeMs }) },
    verbose: values.verbose ?? false,
  };
  return { command: values.help ? { name: 'help' } : values.version ? { name: 'version' } : readCommand(positionals, options), options };
}

function parse(words: readonly string[]): ReturnType<typeof parseWords> {
  try {
    return parseWords(words);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parseWords(words: readonly string[]) {
  return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true, strict: true });
}

function readCommand(words: readonly string[], options: CommandOptions): Command {
  const [name, ...rest] = words;
  switch (name) {
    case undefined:
      if (options.json) throw new UsageError('--json needs a task: artoo run "<task>" --json.');
      return { name: 'repl' };
    case 'help': return { name: 'help' };
    case 'run':
      if (rest.length !== 1 || rest[0]!.trim() === '') throw new UsageError(rest.length > 1 ? 'run takes one task: put it in quotation marks.' : 'run needs a task: artoo run "<task>".');
      return { name: 'run', task: rest[0]! };
    case 'resume':
      if (rest.length > 1) throw new UsageError('resume takes one task id at most.');
      return { name: 'resume', taskId: rest[0] };
    case 'pending':
      if (rest.length > 0) throw new UsageError('pending takes no further words.');
      return { name: 'pending' };
    case 'answer': {
      const decision = DECISIONS.get(rest[1] ?? '');
      if (rest.length !== 2 || !decision) throw new UsageError('answer takes a question and an answer: artoo answer <question> yes|no|task. artoo pending shows the questions.');
      return { name: 'answer', approvalId: rest[0]!, decision };
    }
    default: throw new UsageError(`There is no command ${JSON.stringify(name)}. To run a task: artoo run "<task>".`);
  }
}

const DECISIONS: ReadonlyMap<string, ApprovalDecision> = new Map([
  ['yes', 'allow'], ['y', 'allow'], ['allow', 'allow'], ['no', 'deny'], ['n', 'deny'], ['deny', 'deny'], ['task', 'allow-for-task'], ['t', 'allow-for-task'], ['allow-for-task', 'allow-for-task'],
]);

function sandboxPolicy(text: string | undefined): SandboxPolicy {
  if (text === undefined || text === 'none' || text === 'auto' || text === 'required') return text ?? 'none';
  throw new UsageError(`--sandbox is none, auto or required, not ${JSON.stringify(text)}.`);
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text) || Number(text) === 0) throw new UsageError(`${option} needs a whole number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}

const UNITS: ReadonlyMap<string, number> = new Map([['ms', 1], ['s', 1_000], ['m', 60_000], ['h', 3_600_000]]);

function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const ms = match ? Number(match[1]) * UNITS.get(match[2]!)! : 0;
  if (!(ms > 0)) throw new UsageError(`--timeout needs a time such as 90s, 5m or 1h, not ${JSON.stringify(text)}.`);
  return ms;
}
