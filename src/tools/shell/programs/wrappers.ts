import { READ, gravest, shown, stop } from '../judgement.js';
import { optionTable, parseOptions, refused } from '../options.js';
import type { Field, Judgement, ProgramCall, ProgramRule, ProgramTable } from '../types.js';

/** A program that starts another: its own options, the words it takes before the command, then the command. */
function wrapper(options: string, { takes = 0, elsewhere = false }: { readonly takes?: number; readonly elsewhere?: boolean } = {}): ProgramRule {
  const table = optionTable(options);
  return ({ args, scope }) => {
    const parsed = parseOptions(args, table, { stopAtOperand: true });
    if (refused(parsed)) return parsed;
    const own = parsed.operands.slice(0, takes).find((operand) => operand.many);
    return own ? stop('the command it runs can\'t be read from the text', own.range) : scope.run(parsed.operands.slice(takes), { elsewhere });
  };
}

const ENV_OPTIONS = optionTable('i0v u: --ignore-environment --null --unset= --debug --version --help');

const env: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, ENV_OPTIONS, { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  const settings: Judgement[] = [];
  let at = 0;
  for (; at < parsed.operands.length; at += 1) {
    const field = parsed.operands[at]!;
    const equals = field.prefix.indexOf('=');
    if (equals < 0) break;
    settings.push(scope.assign(field.prefix.slice(0, equals), undefined, field.range));
  }
  const command = parsed.operands.slice(at);
  return gravest([...settings, inPath(command) ?? scope.run(command)]);
};

/** What a program started by another finds under a builtin's name isn't that builtin. */
function inPath(command: readonly Field[]): Judgement | undefined {
  const [name] = command;
  return name && /^(?:eval|trap|source|\.|alias|exec|command|builtin|cd|export|declare|set|shopt|local|let|read|:)$/.test(name.text ?? '') ? stop(`no program is known as ${shown(name)} outside of the shell`, name.range) : undefined;
}

const command: ProgramRule = ({ args, scope }) => {
  if (/^-[pvV]*[vV][pvV]*$/.test(args[0]?.text ?? '')) return READ;
  const rest = args[0]?.text === '-p' || args[0]?.text === '--' ? args.slice(1) : args;
  return rest[0]?.dash ? stop(`option ${shown(rest[0])} is not known to be harmless`, rest[0].range) : scope.run(rest);
};

const SHELL_OPTIONS = optionTable('ceuxlvf o: --norc --noprofile --login --version --help --posix n');

/** `bash -c 'text'`; a script from a file or from the input can't be read here. */
const shell: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, SHELL_OPTIONS, { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  if (parsed.options.has('--version') || parsed.options.has('--help')) return READ;
  if (parsed.options.has('-n') && !parsed.options.has('-c') && parsed.operands.length > 0) return READ;
  const setting = parsed.options.get('-o');
  if (setting !== undefined && setting !== true && !/^(?:pipefail|errexit|nounset|xtrace)$/.test(setting.text ?? '')) return stop('a setting that changes how the script is read');
  const [script] = parsed.operands;
  if (!parsed.options.has('-c') || !script) return stop('the script it runs can\'t be read from the text');
  return script.many ? stop('the script it runs can\'t be read from the text', script.range) : scope.script(script, { fresh: true });
};

const XARGS_OPTIONS = optionTable('0rtxo a: n: L: P: s: d: E: I: i? l? e? --null --no-run-if-empty --max-args= --max-procs= --max-lines? --delimiter= --replace? --verbose --exit --version --help --max-chars= --arg-file= --eof?');

const xargs: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, XARGS_OPTIONS, { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  const replace = parsed.options.get('-I') ?? parsed.options.get('-i') ?? parsed.options.get('--replace');
  const mark = replace === undefined ? undefined : replace === true ? '{}' : replace.text ?? '';
  if (mark === '') return stop('what it replaces can\'t be read from the text');
  if (parsed.operands.length === 0) return READ;
  const last = parsed.operands.at(-1)!;
  const added: Field = { text: undefined, prefix: '', dash: true, numeric: false, many: true, range: last.range };
  const words = mark === undefined ? [...parsed.operands, added] : parsed.operands.map((field) => substitute(field, mark));
  return inPath(words) ?? scope.run(words, { repeated: true });
};

/** A word with a mark that something unknown takes the place of. */
export function substitute(field: Field, mark: string): Field {
  const text = field.text ?? field.prefix;
  const at = text.indexOf(mark);
  if (at < 0) return field;
  const prefix = text.slice(0, at);
  return { ...field, text: undefined, prefix, dash: prefix === '' || prefix.startsWith('-') };
}

const exec: ProgramRule = (call: ProgramCall) => (call.args.length === 0 ? READ : wrapper('cl a:')(call));

/** Programs that run the program they are given. */
export const WRAPPERS: ProgramTable = new Map<string, ProgramRule>([
  ['env', env], ['command', command], ['exec', exec], ['builtin', wrapper('')], ['xargs', xargs], ['gxargs', xargs],
  ['nice', wrapper('n: --adjustment= 0123456789')], ['ionice', wrapper('c: n: t')], ['nohup', wrapper('')], ['setsid', wrapper('wcf --wait --fork')], ['stdbuf', wrapper('i: o: e: --input= --output= --error=')],
  ['timeout', wrapper('fpv s: k: --foreground --preserve-status --verbose --signal= --kill-after=', { takes: 1 })], ['gtimeout', wrapper('s: k: --foreground', { takes: 1 })],
  ['time', wrapper('pv')], ['flock', flockRule], ['caffeinate', wrapper('disu')], ['unbuffer', wrapper('')],
  ['bash', shell], ['sh', shell], ['dash', shell], ['ash', shell],
]);

/** `flock file command` and `flock file -c text`; the lock file is made when it isn't there. */
function flockRule({ args, scope }: ProgramCall): Judgement {
  const parsed = parseOptions(args, optionTable('sxnoFu w: E: --shared --exclusive --nonblock --timeout= --close'), { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  const [file, next, text] = parsed.operands;
  if (!file || /^\d+$/.test(file.text ?? '')) return READ;
  // Only opened: what is in an existing file stays.
  const lock = scope.target(file, 'stamp');
  if (next?.text === '-c' || next?.text === '--command') return gravest([lock, text ? scope.script(text, { fresh: true }) : READ]);
  return gravest([lock, scope.run(parsed.operands.slice(1))]);
}
