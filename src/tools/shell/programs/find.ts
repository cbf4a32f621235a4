import { READ, gravest, shown, stop } from '../judgement.js';
import type { Field, Judgement, ProgramRule, ProgramTable } from '../types.js';
import { substitute } from './wrappers.js';

const PLAIN = new Set(`! ( ) , -a -and -o -or -not -true -false -print -print0 -ls -prune -quit -empty -depth -d -mount -xdev -daystart -follow -noleaf -nouser -nogroup -readable -writable -executable -ignore_readdir_race -noignore_readdir_race -warn -nowarn -H -L -P -E -help --help --version -version`.split(' '));
const VALUED = new Set(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerct -newerat -maxdepth -mindepth -perm -user -group -uid -gid -inum -links -samefile -lname -ilname -fstype -used -printf -context`.split(' '));
const RUNS = new Set(['-exec', '-execdir']);

/** Only tests and printing are free; what -exec runs is judged on its own, with a name nobody knows. */
const find: ProgramRule = ({ args, scope }) => {
  const found: Judgement[] = [];
  let expression = false;
  for (let at = 0; at < args.length; at += 1) {
    const field = args[at]!;
    const { text } = field;
    if (text !== undefined && PLAIN.has(text)) {
      if (text !== '-H' && text !== '-L' && text !== '-P') expression = true;
      continue;
    }
    if (text !== undefined && VALUED.has(text)) {
      const value = args[at + 1];
      // An unquoted pattern may turn into several words, the rest of which would be taken for more of the expression.
      if (value?.many && value.prefix === '' && value.dash) return stop(`${text} gets a value that can't be read from the text`, value.range);
      expression = true;
      at += 1;
      continue;
    }
    if (text !== undefined && RUNS.has(text)) {
      const end = args.findIndex((arg, index) => index > at && (arg.text === ';' || (arg.text === '+' && args[index - 1]?.text === '{}')));
      if (end < 0) return stop('the end of what it runs is missing', field.range);
      const words = args.slice(at + 1, end);
      if (words.some((word) => word.many)) return stop('what it runs can\'t be read from the text', field.range);
      found.push(scope.run(words.map((word) => named(substitute(word, '{}'), text)), { elsewhere: text === '-execdir', repeated: true }));
      expression = true;
      at = end;
      continue;
    }
    if (field.dash || (expression && text !== undefined && /^[(!),]/.test(text))) return stop(`${shown(field)} is not known to be harmless`, field.range);
  }
  return found.length === 0 ? READ : gravest(found);
};

/** Names come with the folder they were found in, so they begin with what the search began with. */
function named(field: Field, option: string): Field {
  return field.text === undefined && field.prefix === '' ? { ...field, prefix: option === '-execdir' ? './' : '', dash: false } : field;
}

const FD_RUNS = /^(?:-[xX]|--exec(?:-batch)?)$/;

/** `fd` searches; what stands behind -x is run with each name, at its mark or at the end. */
const fd: ProgramRule = ({ args, scope }) => {
  const at = args.findIndex((arg) => FD_RUNS.test(arg.text ?? ''));
  const own = at < 0 ? args : args.slice(0, at);
  const bad = own.find((arg) => arg.dash && (arg.text === undefined || /^-[a-zA-Z]*[xX]|^--exec/.test(arg.prefix)));
  if (bad) return stop(`${shown(bad)} may run a program`, bad.range);
  if (at < 0) return READ;
  const words = args.slice(at + 1);
  if (words.length === 0 || words.some((word) => word.many || word.text === ';' || FD_RUNS.test(word.text ?? ''))) return stop('what it runs can\'t be read from the text', args[at]!.range);
  const mark = /\{(?:|\.|\/|\/\/|\/\.)\}/;
  const filled = words.map((word) => substitute(word, mark.exec(word.text ?? '')?.[0] ?? '{}'));
  const unmarked = !words.some((word) => mark.test(word.text ?? word.prefix));
  return scope.run(unmarked ? [...filled, { text: undefined, prefix: '', dash: true, numeric: false, many: true, range: args[at]!.range }] : filled, { repeated: true });
};

/** The search programs. */
export const FIND: ProgramTable = new Map<string, ProgramRule>([['find', find], ['gfind', find], ['fd', fd], ['fdfind', fd]]);
