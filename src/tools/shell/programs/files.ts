import { READ, gravest, shown, stop, write } from '../judgement.js';
import { optionTable, parseOptions, refused, type OptionTable, type ParsedOptions } from '../options.js';
import type { Field, Judgement, ProgramCall, ProgramRule, ProgramTable, Scope } from '../types.js';

const COPY = optionTable('rRapdvnufixbLPHTlsZ t: S: --recursive --archive --verbose --no-clobber --update? --preserve? --parents --no-dereference --dereference --backup? --suffix= --target-directory= --no-target-directory --reflink? --sparse= --link --symbolic-link --one-file-system --force --interactive --help --version --attributes-only');
const MOVE = optionTable('vnufibT t: S: --verbose --no-clobber --update? --backup? --suffix= --target-directory= --no-target-directory --force --interactive --help --version');
const LINK = optionTable('svrnLPT t: --symbolic --verbose --relative --no-dereference --target-directory= --no-target-directory --help --version');

/** Every path that a copy, move or link makes. */
function targets({ options, operands }: ParsedOptions, scope: Scope): { readonly sources: readonly Field[]; readonly paths: readonly Field[] } | Judgement {
  const given = options.get('-t') ?? options.get('--target-directory');
  const folder = given === undefined || given === true ? undefined : given;
  const last = folder ?? operands.at(-1);
  const sources = folder ? operands : operands.slice(0, -1);
  if (!last || sources.length === 0) return READ;
  if (last.many || last.text === undefined) return stop(`it writes to ${shown(last)}, a path that can't be read from the text`, last.range);
  const intoFolder = folder !== undefined || last.text.endsWith('/') || /(?:^|\/)\.\.?$/.test(last.text) || scope.isFolder(last);
  if (!intoFolder) {
    const several = sources.length > 1 || sources.some((source) => source.many);
    if (several && scope.mayExist(last)) return stop(`what it changes in ${shown(last)} can't be read from the text`, last.range);
    return { sources, paths: [last] };
  }
  // With a slash at its end and nothing there, a copied folder becomes the target itself.
  if (!scope.mayExist(last) && folder === undefined) return { sources, paths: [{ ...last, text: last.text.replace(/\/+$/, '') || last.text }] };
  const paths: Field[] = [];
  for (const source of sources) {
    const name = source.many ? undefined : source.text?.replace(/\/+$/, '').split('/').at(-1);
    if (name === undefined || name === '' || name === '.' || name === '..') return stop(`what it writes into ${shown(last)} can't be read from the text`, source.range);
    const text = `${last.text.replace(/\/+$/, '') || '/'}/${name}`;
    paths.push({ ...last, text, prefix: text });
  }
  return { sources, paths };
}

function isJudgement(value: object): value is Judgement {
  return 'effect' in value;
}

function copying(table: OptionTable, kind: 'copy' | 'move' | 'link'): ProgramRule {
  return ({ args, scope, name }) => {
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    if (parsed.options.has('--help') || parsed.options.has('--version')) return READ;
    const links = kind === 'link' || parsed.options.has('-s') || parsed.options.has('-l') || parsed.options.has('--link') || parsed.options.has('--symbolic-link');
    const operands = kind === 'link' && parsed.operands.length === 1 ? [...parsed.operands, { ...parsed.operands[0]!, text: '.', prefix: '.' }] : parsed.operands;
    const found = targets({ ...parsed, operands }, scope);
    if (isJudgement(found)) return found;
    if (scope.repeated && kind !== 'copy') return stop(`${name} in something that repeats could replace what it placed before`);
    const odd = found.sources.find((source) => (kind === 'move' ? source.many || source.text === undefined : /^\/dev\//.test(source.prefix)));
    if (odd) return stop(`what becomes of ${shown(odd)} can't be read from the text`, odd.range);
    // A move takes its sources away from where they are: what was there is gone from that place, and nothing recorded it.
    const gone = kind === 'move' ? found.sources.find((source) => scope.mayExist(source)) : undefined;
    if (gone) return stop(`it takes ${shown(gone)} away from where it is`, gone.range);
    const taken = kind === 'move' ? found.sources.map((source) => scope.target({ ...source, text: `${source.text!.replace(/\/+$/, '')}/x` }, 'folder')).filter((judgement) => judgement.effect === 'irreversible') : [];
    const keeps = (parsed.options.has('-n') || parsed.options.has('--no-clobber')) && !parsed.options.has('-f') && !parsed.options.has('--force');
    const made = found.paths.map((path) => (keeps && scope.mayExist(path) && path.text !== undefined ? scope.target(path, 'stamp') : scope.target(path, kind === 'copy' && !links ? 'content' : 'place')));
    return gravest([...taken, ...made]);
  };
}

const mkdir: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('pv m: --parents --verbose --mode= --help --version'));
  return refused(parsed) ? parsed : gravest(parsed.operands.map((operand) => scope.target(operand, 'folder')));
};

const touch: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('acmhf d: t: r: --no-create --date= --reference= --time= --no-dereference --help --version'));
  if (refused(parsed)) return parsed;
  const dated = ['-d', '-t', '-r', '--date', '--reference'].some((option) => parsed.options.has(option));
  return gravest(parsed.operands.map((operand) => scope.target(operand, dated ? 'content' : 'stamp')));
};

const tee: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('aip --append --ignore-interrupts --output-error? --help --version'));
  return refused(parsed) ? parsed : gravest(parsed.operands.map((operand) => scope.target(operand, 'content')));
};

/** Adding the right to run a file can be taken back; every other mode is gone once it is changed. */
const chmod: ProgramRule = ({ args, scope }) => {
  const [mode, ...files] = args;
  if (args.length === 1 && /^--(?:help|version)$/.test(mode?.text ?? '')) return READ;
  if (!mode || !/^[ugoa]*\+x$/.test(mode.text ?? '')) return stop('it changes who may do what with files', mode?.range);
  return gravest(files.map((file) => (file.text === undefined || file.dash ? stop(`what it changes can't be read from the text`, file.range) : scope.target(file, 'stamp'))));
};

const dd: ProgramRule = ({ args, scope }) => {
  let output: Field | undefined;
  let count = false;
  let endless = false;
  for (const field of args) {
    const match = /^(if|of|bs|count|skip|seek|status|ibs|obs|iflag|cbs|conv)=(.*)$/s.exec(field.text ?? '');
    if (!match) return field.text === '--version' || field.text === '--help' ? READ : stop(`${shown(field)} is not known to be harmless`, field.range);
    if (match[1] === 'of') output = { ...field, text: match[2], prefix: match[2]! };
    if (match[1] === 'count') count = /^\d+[kKMGc]?$/.test(match[2]!);
    if (match[1] === 'if' && match[2]!.startsWith('/dev/')) endless = true;
  }
  if (!output) return READ;
  return endless && !count ? stop('it fills a file without end', output.range) : scope.target(output, 'content');
};

const truncate: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('co s: r: --size= --no-create --reference= --help --version'));
  return refused(parsed) ? parsed : gravest(parsed.operands.map((operand) => scope.target(operand, 'content')));
};

const mktemp: ProgramRule = ({ args }) => {
  const parsed = parseOptions(args, optionTable('dqtu p: --directory --suffix= --tmpdir? --dry-run --quiet'));
  if (refused(parsed)) return parsed;
  const odd = [...parsed.operands, parsed.options.get('-p'), parsed.options.get('--tmpdir')].find((field) => field !== undefined && field !== true && !/^(?:\/tmp\/)?[\w.-]+$|^\/tmp\/?$/.test(field.text ?? ''));
  return odd !== undefined && odd !== true ? stop(`it writes to ${shown(odd)}`, odd.range) : write('makes a new file with a name of its own');
};

/** Pieces are named after the prefix; the first one shows whether the names are free. */
const split: ProgramRule = ({ args, scope }: ProgramCall) => {
  const parsed = parseOptions(args, optionTable('dxeu l: b: C: n: a: --lines= --bytes= --number= --suffix-length= --numeric-suffixes? --verbose --help --version'));
  if (refused(parsed)) return parsed;
  if (parsed.operands.some((operand) => operand.many)) return stop('what it writes can\'t be read from the text');
  const prefix = parsed.operands[1] ?? { text: 'x', prefix: 'x', dash: false, numeric: false, many: false, range: [0, 0] as const };
  const plain = ['-d', '-x', '-a', '--suffix-length', '--numeric-suffixes'].every((option) => !parsed.options.has(option));
  const first = plain ? 'aa' : parsed.options.has('-d') && !parsed.options.has('-a') ? '00' : undefined;
  if (prefix.text === undefined || first === undefined) return stop('what it writes can\'t be read from the text', prefix.range);
  return scope.target({ ...prefix, text: `${prefix.text}${first}`, prefix: `${prefix.text}${first}` }, 'content');
};

/** Copies one file with a mode of its own, or makes folders. */
const install: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('dDvp m: --directory --verbose --mode='));
  if (refused(parsed)) return parsed;
  const { operands, options } = parsed;
  if (options.has('-d') || options.has('--directory')) return gravest(operands.map((operand) => scope.target(operand, 'folder')));
  const [source, target] = operands;
  return operands.length === 2 && source!.text !== undefined && target!.text !== undefined && !target!.text.endsWith('/') && !scope.isFolder(target!) && !/^\/dev\//.test(source!.text) ? scope.target(target!, 'content') : stop('what it writes can\'t be read from the text');
};

/** Makes exactly the files it names. */
function makes(options: string): ProgramRule {
  const table = optionTable(options);
  return ({ args, scope }) => {
    const parsed = parseOptions(args, table);
    return refused(parsed) ? parsed : gravest(parsed.operands.map((operand) => scope.target(operand, 'content')));
  };
}

/** Prints the content of a database, or writes it to one file. */
function dump(options: string, outputs: readonly string[]): ProgramRule {
  const table = optionTable(options);
  return ({ args, scope }) => {
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    return gravest(outputs.map((name) => parsed.options.get(name)).filter((field): field is Field => field !== undefined && field !== true).map((field) => scope.target(field, 'content')));
  };
}

/** Only what a copy would do. */
const rsync: ProgramRule = ({ args }) => {
  const parsed = parseOptions(args, optionTable('avzrnhiuclptgoDHAXSmWxPqR0 f: --dry-run --archive --verbose --recursive --compress --delete --delete-after --delete-before --delete-during --delete-excluded --exclude= --include= --exclude-from= --include-from= --filter= --itemize-changes --stats --progress --checksum --update --human-readable --size-only --existing --ignore-existing --max-size= --min-size= --no-perms --no-owner --no-group --links --times --perms --list-only --info= --version --help'));
  if (refused(parsed)) return parsed;
  const { options } = parsed;
  return ['-n', '--dry-run', '--list-only', '--version', '--help'].some((option) => options.has(option)) && !args.some((arg) => arg.text === undefined || /::|^rsync:|[^\w@.:/~*=,+-]/.test(arg.text)) && !parsed.operands.some((operand) => operand.dash) ? READ : stop('it overwrites, deletes or sends');
};

/** Programs that make files and folders. */
export const FILES: ProgramTable = new Map<string, ProgramRule>([
  ['cp', copying(COPY, 'copy')], ['mv', copying(MOVE, 'move')], ['ln', copying(LINK, 'link')], ['mkdir', mkdir], ['touch', touch], ['tee', tee], ['chmod', chmod], ['dd', dd], ['truncate', truncate], ['mktemp', mktemp], ['split', split],
  ['install', install], ['mkfifo', makes('m: --mode=')], ['fallocate', makes('vx l: --length=')], ['rsync', rsync],
  ['pg_dump', dump('asCcOxvw h: p: U: d: t: n: T: N: F: f: --schema-only --data-only --no-owner --no-privileges --clean --create --if-exists --inserts --column-inserts --table= --schema= --exclude-table= --host= --port= --username= --dbname= --file=', ['-f', '--file'])],
  ['mysqldump', dump('dtB h: u: P: r: --no-data --no-create-info --single-transaction --skip-lock-tables --databases --all-databases --routines --triggers --events --quick --host= --user= --port= --result-file=', ['-r', '--result-file'])],
]);
