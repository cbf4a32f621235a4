import { READ, gravest, shown, stop, write } from '../judgement.js';
import { mayBeLongOption, optionTable, parseOptions, refused } from '../options.js';
import type { Field, Judgement, Scope } from '../types.js';

type GitRule = (args: readonly Field[], scope: Scope) => Judgement;
const REMOTE = /^(?:[A-Za-z0-9][\w.-]*|https:\/\/[\w.-]+(?::\d+)?\/[\w./~-]*)$/;

/** With only these options the effect is the given one. */
function only(options: string, effect: Judgement, check?: (operands: readonly Field[], scope: Scope) => Judgement): GitRule {
  const table = optionTable(options);
  return (args, scope) => {
    const parsed = parseOptions(args, table);
    return refused(parsed) ? parsed : gravest([check ? check(parsed.operands, scope) : READ, effect]);
  };
}
const texts = (args: readonly Field[]): (string | undefined)[] => args.map((arg) => arg.text);
const RECORDED = write('git keeps what was there before');

const branch: GitRule = (args) => {
  const parsed = parseOptions(args, optionTable('avrlqi --all --list --remotes --verbose --show-current --contains? --no-contains? --merged? --no-merged? --sort= --format= --color? --no-color --column? --no-column --points-at= --ignore-case --abbrev? --track? --no-track t --quiet --help'));
  if (refused(parsed)) return parsed;
  const lists = ['-a', '-r', '-l', '--all', '--list', '--remotes', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '--show-current', '--format', '--sort'].some((option) => parsed.options.has(option));
  return lists || parsed.operands.length === 0 ? READ : write('makes a branch');
};

const tag: GitRule = (args) => {
  const parsed = parseOptions(args, optionTable('lansi m: F: n? --list --annotate --sign --message= --file= --sort= --format= --contains? --no-contains? --merged? --points-at= --column? --color? --verify v --no-sign'));
  if (refused(parsed)) return parsed;
  const lists = ['-l', '-n', '-v', '--list', '--contains', '--no-contains', '--merged', '--points-at', '--sort', '--format'].some((option) => parsed.options.has(option));
  return lists || parsed.operands.length === 0 ? READ : write('makes a tag');
};

const stash: GitRule = (args) => {
  const [command, ...rest] = args;
  if (!command) return RECORDED;
  switch (command.text) {
    case 'list':
    case 'show':
      return rest.some((arg) => arg.dash && !/^-(?:p|u|-patch|-stat|-shortstat|-numstat|-oneline|-name-only|-name-status|-include-untracked|-only-untracked|-(?:format|pretty|date|color)=.*|\d+)$/s.test(arg.text ?? '')) ? stop('an option that isn\'t known to be harmless') : READ;
    case undefined:
      return stop('the git command can\'t be read from the text', command.range);
    case 'push': case 'save': case 'apply': case 'pop': case 'create': case 'branch':
      return only('uqkS m: --include-untracked --keep-index --staged --quiet --message= --index', RECORDED)(rest, undefined as never);
    default:
      return command.dash ? only('uqkS m: --include-untracked --keep-index --staged --quiet --message=', RECORDED)(args, undefined as never) : stop('it drops what was set aside', command.range);
  }
};

/** A name that is no file here can only be a branch or a commit; git then refuses to overwrite what isn't committed. */
const checkout: GitRule = (args, scope) => {
  const parsed = parseOptions(args, optionTable('qbt --quiet --track --no-track --detach --progress --no-progress --orphan'));
  if (refused(parsed)) return parsed;
  if (args.some((arg) => arg.text === '--')) return stop('it takes back what isn\'t committed');
  if (parsed.options.has('-b') || parsed.options.has('--orphan')) return parsed.operands.every((operand) => !operand.many) ? write('makes a branch') : stop('what it checks out can\'t be read from the text');
  const [name, ...others] = parsed.operands;
  if (!name) return READ;
  if (others.length > 0 || name.text === undefined || /[:*?[]|^\.{0,2}\/|^\.\.?$/.test(name.text)) return stop('it takes back what isn\'t committed', name.range);
  return name.text !== '-' && scope.mayExist(name) ? stop(`${shown(name)} is or may be a file, whose changes would be lost`, name.range) : write('changes to another branch');
};

const reset: GitRule = (args) => {
  const parsed = parseOptions(args, optionTable('qN --quiet --mixed'));
  if (refused(parsed)) return parsed;
  const words = texts(parsed.operands);
  const [first] = words;
  const separated = args.findIndex((arg) => arg.text === '--');
  const plain = words.length === 0 || separated === 0 || first === 'HEAD';
  return plain ? write('takes files out of the next commit') : stop('it moves the branch or can\'t be read');
};

const remote: GitRule = (args) => {
  const [command, ...rest] = args;
  if (!command || /^(?:-v|--verbose)$/.test(command.text ?? '')) return args.length <= 1 ? READ : stop('it changes where the repository sends to');
  if (/^(?:show|get-url)$/.test(command.text ?? '')) return rest.some((arg) => arg.dash && arg.text !== '-n' && arg.text !== '--all') ? stop('an option that isn\'t known to be harmless') : READ;
  return command.text === 'add' && rest.length === 2 && rest.every((arg) => arg.text !== undefined && !arg.dash) && REMOTE.test(rest[1]!.text!) ? write('notes another repository') : stop('it changes where the repository sends to', command.range);
};

const config: GitRule = (args) => {
  const [first, second, ...rest] = args;
  const lists = /^(?:--get|--get-all|--get-regexp|--list|-l|list|get|--show-origin|--show-scope|--name-only)$/;
  const words = texts(args).filter((text) => text !== '--global' && text !== '--local' && text !== '--system');
  if (lists.test(words[0] ?? '') && !args.some((arg) => /^(?:--unset|--add|--replace|--edit|-e|--remove|--rename|--file|-f)/.test(arg.prefix) || arg.text === undefined)) return READ;
  if (words.length === 1 && /^[\w.-]+$/.test(words[0] ?? '') && !words[0]!.startsWith('-')) return READ;
  if (rest.length === 0 && second?.text !== undefined && /^user\.(?:name|email)$/.test(first?.text ?? '')) return write('sets who commits in this repository');
  return stop('a setting may name a program to run, and the old value isn\'t kept');
};

/** Only names of remotes and plain addresses; a refspec can overwrite branches. */
function fromRemote(operands: readonly Field[]): Judgement {
  const odd = operands.find((operand, index) => operand.text === undefined || !(index === 0 ? REMOTE.test(operand.text) : /^[\w./-]+$/.test(operand.text)));
  return odd ? stop(`what comes from ${shown(odd)} and where it goes isn't known to be harmless`, odd.range) : READ;
}

const worktree: GitRule = (args, scope) => {
  if (args[0]?.text === 'list') return READ;
  const parsed = parseOptions(args.slice(1), optionTable('b: d --detach'));
  if (args[0]?.text !== 'add' || refused(parsed) || !parsed.operands[0]) return stop('it changes working folders');
  return scope.target(parsed.operands[0], 'content');
};

const commitMessage: GitRule = (args) => {
  const parsed = parseOptions(args, optionTable('avqsnS m: F: C: --all --verbose --quiet --signoff --no-verify --message= --file= --allow-empty --allow-empty-message --author= --date= --no-edit --dry-run --short --porcelain --reuse-message= --fixup= --trailer= --no-gpg-sign --status --no-status'));
  if (refused(parsed)) return parsed;
  if (['--dry-run', '--short', '--porcelain'].some((option) => parsed.options.has(option))) return READ;
  return ['-m', '-F', '-C', '--message', '--file', '--no-edit', '--reuse-message', '--fixup'].some((option) => parsed.options.has(option)) ? write('makes a commit') : stop('it starts an editor');
};

const named = (table: string, allowed: RegExp): GitRule => (args) => (allowed.test(texts(args).map((text) => text ?? '?').join(' ')) ? READ : stop(`git ${table} with these arguments is not known to be harmless`));
const ANYTHING = '(?: [\\w@{}./~^=-]+)*$';

const move: GitRule = (args, scope) => {
  const parsed = parseOptions(args, optionTable('vnk --verbose --dry-run'));
  if (refused(parsed)) return parsed;
  const [from, to] = parsed.operands;
  if (parsed.options.has('-n') || parsed.options.has('--dry-run')) return READ;
  return from && to && parsed.operands.length === 2 && !from.many ? scope.target(to.text?.endsWith('/') && from.text ? { ...to, text: `${to.text}${from.text.split('/').at(-1)}` } : to, 'place') : stop('what it moves can\'t be read from the text');
};

const clone: GitRule = (args, scope) => {
  const parsed = parseOptions(args, optionTable('qvn b: o: --depth= --branch= --single-branch --no-tags --quiet --verbose --no-checkout --bare --filter= --sparse --progress --shallow-since='));
  if (refused(parsed)) return parsed;
  const [from, to] = parsed.operands;
  if (!from?.text || !REMOTE.test(from.text)) return stop('what it clones isn\'t a plain address', from?.range);
  const name = from.text.replace(/\/+$/, '').replace(/\.git$/, '').split('/').at(-1)!;
  return scope.target(to ?? { ...from, text: name, prefix: name }, 'content');
};

/** Subcommands that change something, or read only with the right arguments. */
export const GIT_CHANGES: ReadonlyMap<string, GitRule> = new Map<string, GitRule>([
  ['branch', branch], ['tag', tag], ['stash', stash], ['checkout', checkout], ['reset', reset], ['remote', remote], ['config', config], ['worktree', worktree], ['commit', commitMessage], ['mv', move], ['clone', clone],
  ['add', (args, scope) => only('AunvNp --all --update --dry-run --verbose --intent-to-add --ignore-errors --no-all --renormalize', RECORDED)(args.map((arg) => (arg.text === undefined && arg.prefix === '' ? { ...arg, dash: false } : arg)), scope)],
  ['switch', only('cqtd --create --quiet --detach --track --no-track --guess', write('changes to another branch'))],
  ['restore', (args) => (args.some((arg) => arg.text === '--staged' || arg.text === '-S') && !args.some((arg) => arg.dash && !/^(?:--staged|-S|-q|--quiet|--)$/.test(arg.text ?? '')) ? write('takes files out of the next commit') : stop('it takes back what isn\'t committed'))],
  ['rm', (args) => (args.some((arg) => arg.text === '-n' || arg.text === '--dry-run') && args.every((arg) => arg.text !== undefined) ? READ : args.some((arg) => arg.text === '--cached') && !args.some((arg) => arg.dash && !/^(?:--cached|-r|-q|--quiet|--)$/.test(arg.text ?? '')) ? RECORDED : stop('it deletes files'))],
  ['clean', (args) => (args.some((arg) => /^(?:-[dxXq]*n[dxXq]*|--dry-run)$/.test(arg.text ?? '')) && args.every((arg) => arg.text !== undefined) ? READ : stop('it deletes files that git doesn\'t keep'))],
  ['fetch', only('aqvtn --all --quiet --verbose --tags --no-tags --depth= --unshallow --dry-run --progress j: --jobs= --shallow-since=', write('brings in what others published'), fromRemote)],
  ['pull', only('qv --ff-only --quiet --verbose --no-rebase --ff --no-edit --tags', RECORDED, fromRemote)],
  ['merge', only('qv m: --ff-only --no-ff --ff --no-edit --quiet --verbose --squash --no-commit --stat', RECORDED)],
  ['cherry-pick', only('xsn --no-commit --signoff --no-edit', RECORDED)],
  ['revert', only('n --no-edit --no-commit', RECORDED)],
  ['init', (args) => only('qb: --quiet --bare --initial-branch=', write('makes a repository'))(args.map((arg) => arg), undefined as never)],
  ['push', (args) => (args.some((arg) => arg.text === '-n' || arg.text === '--dry-run') && args.every((arg) => arg.text !== undefined && !mayBeLongOption(arg.text, ['--receive-pack', '--exec', '--no-dry-run'])) && !args.some((arg) => arg.text?.includes('::')) ? READ : stop('it sends to another machine'))],
  ['ls-remote', only('hqt --heads --tags --refs --quiet --get-url --symref --exit-code --branches', READ, fromRemote)],
  ['reflog', named('reflog', new RegExp(`^(?:$|(?:show|exists|list)${ANYTHING}|-\\d+$|-n \\d+$|--(?:oneline|all|date=\\w+)${ANYTHING}|[\\w@{}/-]*$)`))],
  ['help', named('help', /^(?:|-a|-g|--all|--guides|[a-z-]+)$/)],
  ['notes', named('notes', /^(?:|list|show(?: \w+)?)$/)],
  ['bisect', named('bisect', /^(?:log|view|visualize --oneline)$/)],
  ['submodule', named('submodule', /^(?:|status(?: --recursive)?|summary)$/)],
  ['lfs', named('lfs', /^(?:ls-files|status|env|version|locks)$/)],
  ['bundle', (args, scope) => {
    const [command, file, ...rest] = args;
    if (/^(?:verify|list-heads)$/.test(command?.text ?? '') && file && !file.dash) return READ;
    return command?.text === 'create' && file?.text !== undefined && !file.dash && rest.every((arg) => /^(?:--all|--branches|--tags|-\d+|[\w][\w./^~-]*)$/.test(arg.text ?? '')) ? scope.target(file, 'content') : stop('it isn\'t known to be harmless');
  }],
  ['symbolic-ref', named('symbolic-ref', /^(?:(?:-q|--short|--quiet) )*[A-Za-z][\w./-]*$/)],
  ['rerere', named('rerere', /^(?:status|diff)$/)],
  ['maintenance', named('maintenance', /^$/)],
  ['sparse-checkout', named('sparse-checkout', /^list$/)],
  ['hash-object', only('t: --stdin', READ)],
  ['apply', (args) => (args.some((arg) => /^--(?:check|stat|numstat|summary)$/.test(arg.text ?? '')) && !args.some((arg) => arg.dash && !/^(?:--(?:check|stat|numstat|summary|verbose|cached|index|reverse)|-[vRp0-9]+|--)$/.test(arg.text ?? '')) ? READ : stop('it changes files'))],
  ['format-patch', (args) => (args.some((arg) => arg.text === '--stdout') && args.every((arg) => arg.text !== undefined && !/^-[a-zA-Z]*o/.test(arg.text) && !mayBeLongOption(arg.text, ['--output', '--output-directory', '--ext-diff', '--textconv', '--no-stdout'], ['--text'])) ? READ : stop('it may overwrite patches that are there'))],
  ['archive', (args, scope) => {
    const parsed = parseOptions(args, optionTable('lv o: --list --format= --output= --prefix= --verbose'));
    if (refused(parsed)) return parsed;
    const output = parsed.options.get('-o') ?? parsed.options.get('--output');
    return output === undefined || output === true ? READ : scope.target(output, 'content');
  }],
]);
