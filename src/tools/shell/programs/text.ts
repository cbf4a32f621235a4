import { READ, gravest, stop } from '../judgement.js';
import { optionTable, parseOptions, refused } from '../options.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';
import { harmInAwk } from './awk-script.js';
import { harmInSed } from './sed-script.js';

/** The values of an option that may stand several times. */
function scripts(args: readonly Field[], names: readonly string[]): Field[] {
  return args.flatMap((arg, index) => (names.includes(arg.text ?? '') ? args.slice(index + 1, index + 2) : names.filter((name) => name.startsWith('--') && arg.prefix.startsWith(`${name}=`)).map((name) => ({ ...arg, text: arg.text?.slice(name.length + 1) }))));
}

const sed: ProgramRule = ({ args }) => {
  if (args.some((arg) => arg.text !== undefined && /^(?:-[a-zA-Z]*i|--in-place)/.test(arg.text) && !/^-[nErsuz]*e/.test(arg.text))) return stop('it edits files in place');
  const parsed = parseOptions(args, optionTable('nErsuz e: l: --quiet --silent --regexp-extended --expression= --separate --unbuffered --null-data --posix --sandbox --version --help --debug --line-length='));
  if (refused(parsed)) return parsed;
  if (parsed.options.has('--version') || parsed.options.has('--help') || parsed.options.has('--sandbox')) return READ;
  const given = parsed.options.has('-e') || parsed.options.has('--expression');
  const found = given ? scripts(args, ['-e', '--expression', '-ne', '-nEe', '-nre', '-Ene', '-rne', '-Ee', '-re', '-se']) : parsed.operands.slice(0, 1);
  const attached = args.some((arg) => /^-[nErsuz]*e./.test(arg.prefix));
  if (attached || found.length === 0) return args.length === 0 ? READ : stop('its script can\'t be read from the text');
  return gravest(found.map((script) => {
    if (script.text === undefined) return stop('its script can\'t be read from the text', script.range);
    const harm = harmInSed(script.text);
    return harm === undefined ? READ : stop(`its script: ${harm}`, script.range);
  }));
};

const awk: ProgramRule = ({ args }) => {
  const parsed = parseOptions(args, optionTable('F: v: --version --help --posix --re-interval --csv S --sandbox --field-separator= --assign= V'), { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  if (parsed.options.has('--version') || parsed.options.has('-V') || parsed.options.has('--help')) return READ;
  const [program] = parsed.operands;
  if (!program?.text) return stop('its program can\'t be read from the text', program?.range);
  const harm = harmInAwk(program.text);
  return harm === undefined ? READ : stop(`its program: ${harm}`, program.range);
};

/** Programs that are given a script to work on text. */
export const TEXT: ProgramTable = new Map<string, ProgramRule>([['sed', sed], ['gsed', sed], ['awk', awk], ['gawk', awk], ['mawk', awk], ['nawk', awk]]);
