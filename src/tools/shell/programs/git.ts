import { READ, shown, stop } from '../judgement.js';
import { mayBeLongOption, optionTable, parseOptions, refused } from '../options.js';
import type { Field, Judgement, ProgramRule, ProgramTable, Scope } from '../types.js';
import { GIT_CHANGES } from './git-changes.js';

export type GitRule = (args: readonly Field[], scope: Scope) => Judgement;
/** Options that write a file or run a configured program, also when they are abbreviated. */
const HARMFUL = ['--output', '--ext-diff', '--textconv', '--filters', '--open-files-in-pager', '--upload-pack', '--exec', '--receive-pack', '--show-signature', '--paginate', '--contents', '--run', '--lost-found'];
/** Harmless ones that are spelled like the beginning of another. */
const NOT_HARMFUL = ['--text', '--filter'];
const READING = `status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep name-rev merge-base for-each-ref show-ref show-branch count-objects check-ignore check-attr diff-tree
diff-index diff-files var version whatchanged range-diff cherry verify-commit verify-tag fsck get-tar-commit-id merge-tree check-ref-format check-mailmap patch-id stripspace`.split(/\s+/);
const SAFE_SETTING = /^(?:color\.|user\.(?:name|email)$|core\.quotepath$|core\.pager=(?:cat)?$|advice\.|log\.|diff\.(?:renames|context|colorMoved)$|pager\.\w+=false$|init\.defaultBranch$|commit\.gpgsign=false|safe\.directory)/i;
const GLOBAL = optionTable('P C: c: --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects --version --help --html-path --man-path --info-path vh');

const git: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, GLOBAL, { stopAtOperand: true });
  if (refused(parsed)) return parsed;
  const command = parsed.operands[0];
  // Options before the subcommand, as they stand: one name may come several times.
  const own = command ? args.slice(0, args.indexOf(command)) : args;
  for (const [index, field] of own.entries()) {
    if (!/^-c/.test(field.prefix)) continue;
    const setting = field.text === '-c' ? own[index + 1]?.text : field.text?.slice(2);
    if (setting === undefined || !(SAFE_SETTING.test(setting) || SAFE_SETTING.test(setting.split('=')[0]!))) return stop('a setting that may name a program to run', own[index + 1]?.range ?? field.range);
  }
  if (parsed.options.has('-C')) {
    const folder = parsed.options.get('-C');
    if (folder !== undefined && folder !== true) scope.enter(folder);
  }
  if (!command) return READ;
  const name = command.text;
  if (name === undefined) return stop('the git command can\'t be read from the text', command.range);
  const rest = parsed.operands.slice(1);
  if (rest.length === 1 && rest[0]!.text === '--help' && /^[a-z-]+$/.test(name)) return READ;
  if (rest.some((field) => field.text === '--help') && READING.includes(name)) return READ;
  const rule = GIT_CHANGES.get(name) ?? (READING.includes(name) ? reading : undefined);
  return rule ? rule(rest, scope) : stop(`git ${name} is not known to be harmless`, command.range);
};

function reading(args: readonly Field[]): Judgement {
  for (const field of args) {
    if (field.text === '--') break;
    if (field.dash && field.prefix === '') return stop('an argument that can\'t be read could be an option', field.range);
    if (field.dash && field.text === undefined && /^--?[a-z-]*$/.test(field.prefix) && !/^-[SGnL]$/.test(field.prefix)) return stop('an option that can\'t be read', field.range);
    if (field.dash && (/^-O/.test(field.prefix) || mayBeLongOption(field.prefix, HARMFUL, NOT_HARMFUL))) return stop(`option ${shown(field)} writes or runs something`, field.range);
  }
  return READ;
}

/** The version control program. */
export const GIT: ProgramTable = new Map<string, ProgramRule>([['git', git]]);
