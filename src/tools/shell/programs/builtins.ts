import { READ, gravest, shown, stop } from '../judgement.js';
import { optionTable, parseOptions, refused } from '../options.js';
import type { Field, Judgement, ProgramCall, ProgramRule, ProgramTable, Scope } from '../types.js';
import { PATTERNS_VANISH } from '../variables.js';

const read: ProgramRule = () => READ;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Sets variables by name; a name with an index would run what the index holds. */
function setNames(scope: Scope, fields: readonly Field[]): Judgement {
  return gravest(fields.map((field) => {
    const at = field.prefix.indexOf('=');
    const name = at < 0 ? field.text : field.prefix.slice(0, at);
    if (name === undefined || !NAME.test(name)) return stop(`${shown(field)} is no plain name of a variable`, field.range);
    if (at < 0) return scope.assign(name, undefined, field.range);
    return scope.assign(name, { ...field, text: field.text?.slice(at + 1), prefix: field.prefix.slice(at + 1), numeric: /^-?\d+$/.test(field.text?.slice(at + 1) ?? ''), dash: field.text === undefined || field.text[at + 1] === '-' }, field.range);
  }));
}
function unknownNames(scope: Scope, fields: readonly Field[]): Judgement {
  return gravest(fields.map((field) => (field.text !== undefined && NAME.test(field.text) ? scope.assign(field.text, undefined, field.range) : stop(`${shown(field)} is no plain name of a variable`, field.range))));
}

/** export, declare, local, readonly: with options that keep a value plain text. */
function declaring(options: string): ProgramRule {
  const table = optionTable(options);
  return ({ args, scope, name }) => {
    const flags = args.filter((arg) => !arg.prefix.startsWith('+'));
    if (flags.length < args.length) return stop('it takes attributes off a variable');
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    // Only shown.
    if (parsed.options.has('-p') && args.every((arg) => arg.text !== undefined && /^(?:-[pgfFx]+|[A-Za-z_]\w*)$/.test(arg.text)) && /^(?:declare|typeset)$/.test(name)) return READ;
    const set = setNames(scope, parsed.operands);
    if (name === 'readonly' || parsed.options.has('-r')) for (const field of parsed.operands) scope.freeze(field.prefix.split('=', 1)[0]!);
    // The text of an array is expanded once more.
    const array = ['-a', '-A'].some((option) => parsed.options.has(option)) ? parsed.operands.find((field) => field.prefix.includes('=')) : undefined;
    return array ? stop('the text of an array is expanded once more', array.range) : set;
  };
}

function options(line: string, rule: ProgramRule = read): ProgramRule {
  const table = optionTable(line);
  return (call) => {
    const parsed = parseOptions(call.args, table);
    return refused(parsed) ? parsed : rule({ ...call, args: parsed.operands });
  };
}

const printf: ProgramRule = ({ args, scope }) => {
  const [first, name] = args;
  if (!first?.dash) return READ;
  if (first.text === '--') return READ;
  if (first.text === '-v' && name) return unknownNames(scope, [name]);
  if (first.prefix.startsWith('-v')) return unknownNames(scope, [{ ...first, text: first.text?.slice(2) }]);
  // With a name that can't be read, "-v" and an index in the next word would run it.
  return first.text === undefined && args.length > 1 ? stop('its format can\'t be read and could be an option', first.range) : READ;
};

const test: ProgramRule = ({ args }) => {
  const at = args.findIndex((arg) => arg.text === '-v' || arg.text === '-R');
  if (at >= 0 && !NAME.test(args[at + 1]?.text ?? '')) return stop('a variable\'s name that can\'t be read', args[at]?.range);
  return READ;
};

function changeDirectory({ args, scope }: ProgramCall): Judgement {
  const parsed = parseOptions(args, optionTable('LPe@n'));
  if (refused(parsed)) return parsed;
  const [target] = parsed.operands;
  if (!target) scope.enter(scope.home === undefined ? undefined : { text: scope.home, prefix: scope.home, dash: false, numeric: false, many: false, range: [0, 0] });
  else scope.enter(target.text === '-' || target.text?.startsWith('+') ? undefined : target);
  return READ;
}

const set: ProgramRule = ({ args }) => {
  for (const [index, arg] of args.entries()) {
    if (arg.text === '--' || arg.text === '-') return READ;
    if (!arg.dash && !arg.prefix.startsWith('+')) return arg.text === undefined && arg.prefix === '' ? stop('an argument that can\'t be read could be an option', arg.range) : READ;
    if (arg.text === undefined) return stop('an argument that can\'t be read could be an option', arg.range);
    if (/^[-+][a-zA-Z]*o$/.test(arg.text)) {
      const name = args[index + 1]?.text;
      return name !== undefined && /^(?:pipefail|errexit|nounset|xtrace|noglob|errtrace|noclobber|verbose|functrace|braceexpand|monitor|notify)$/.test(name) && /^[-+][euxfCEvo]+$/.test(arg.text) ? set({ name: 'set', args: args.slice(index + 2), scope: undefined as never }) : stop(`option ${shown(arg)} is not known to be harmless`, arg.range);
    }
    if (!/^[-+][euxfCEv]+$/.test(arg.text)) return stop(`option ${shown(arg)} is not known to be harmless`, arg.range);
  }
  return READ;
};

const shopt: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('supq'));
  if (refused(parsed)) return parsed;
  const odd = parsed.operands.find((operand) => !/^(?:globstar|nullglob|dotglob|failglob|nocaseglob|lastpipe|checkwinsize|inherit_errexit|globasciiranges)$/.test(operand.text ?? ''));
  if (parsed.operands.some((operand) => operand.text !== 'globstar')) scope.freeze(PATTERNS_VANISH);
  return odd ? stop(`setting ${shown(odd)} changes how the rest is read`, odd.range) : READ;
};

const trap: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('lp'));
  if (refused(parsed)) return parsed;
  const [action] = parsed.operands;
  if (!action || parsed.operands.length === 1 || action.text === '-' || action.text === '') return READ;
  // It runs at any time later, from any folder.
  return scope.script(action);
};

const evaluate: ProgramRule = ({ args, scope }) => {
  if (args.length === 0) return READ;
  const words = args[0]?.text === '--' ? args.slice(1) : args;
  const first = words[0];
  if (!first) return READ;
  const unread = words.find((word) => word.text === undefined);
  if (unread) return stop('it runs text that can\'t be read', unread.range);
  const text = words.map((word) => word.text).join(' ');
  return scope.script({ ...first, text, prefix: text, range: [first.range[0], words.at(-1)!.range[1]] });
};

const letRule: ProgramRule = ({ args, scope }) => gravest(args.map((arg) => {
  const match = /^\s*([A-Za-z_]\w*)\s*(?:[-+*/%]?=\s*[-+*/%\d\s()]+|\+\+|--)\s*$/.exec(arg.text ?? '');
  return match ? scope.assign(match[1]!, { ...arg, text: undefined, prefix: '', dash: false, numeric: true }, arg.range) : stop('arithmetic that can\'t be read: bash runs what it holds', arg.range);
}));

const alias: ProgramRule = ({ args }) => (args.every((arg) => arg.text === '-p') ? READ : stop('an alias changes what later words run'));

/** What the shell does itself. */
export const BUILTINS: ProgramTable = new Map<string, ProgramRule>([
  ...[':', 'echo', 'pwd', 'wait', 'exit', 'return', 'break', 'continue', 'shift', 'times', 'umask', 'type', 'help', 'dirs', 'caller'].map((name) => [name, read] as const),
  ['printf', printf], ['test', test], ['[', test],
  ['cd', changeDirectory], ['pushd', changeDirectory], ['popd', ({ scope }) => { scope.enter(undefined); return READ; }],
  ['export', declaring('p')], ['readonly', declaring('paA')], ['local', declaring('raAx')], ['declare', declaring('raAxpgfF')], ['typeset', declaring('raAxpgfF')],
  ['unset', options('v', ({ args, scope }) => unknownNames(scope, args))],
  ['read', options('rse a: d: n: N: p: t: u: i:', ({ args, scope }) => unknownNames(scope, args))],
  ['mapfile', options('t d: n: O: s: u:', ({ args, scope }) => unknownNames(scope, args))],
  ['readarray', options('t d: n: O: s: u:', ({ args, scope }) => unknownNames(scope, args))],
  ['getopts', ({ args, scope }) => unknownNames(scope, args.slice(1, 2))],
  ['set', set], ['shopt', shopt], ['trap', trap], ['eval', evaluate], ['let', letRule], ['alias', alias], ['unalias', read],
  ['jobs', options('lnprs')],
  ['ulimit', options('aSHcdefilmnpqrstuvx')],
  ['hash', options('rt')],
]);
