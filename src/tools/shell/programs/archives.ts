import { READ, gravest, stop, write } from '../judgement.js';
import { optionTable, parseOptions, refused } from '../options.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';

const TAR = optionTable('ctxvzjJapkhOmSwW f: C: T: X: --create --list --extract --get --file= --gzip --bzip2 --xz --zstd --verbose --directory= --exclude= --exclude-vcs --strip-components= --keep-old-files --skip-old-files --to-stdout --wildcards --no-same-owner --same-permissions --preserve-permissions --totals --auto-compress --transform= --sort= --mtime= --owner= --group= --numeric-owner --version --help --exclude-from= --files-from= --dereference');

const tar: ProgramRule = ({ args, scope }) => {
  // The old style: letters without a dash.
  const first = args[0];
  const words = first?.text !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}`, prefix: `-${first.text}`, dash: true }, ...args.slice(1)] : args;
  // A name that a pattern brings in could be one of the options that run programs.
  const wild = words.find((word) => word.text === undefined && word.prefix === '');
  if (wild) return stop('a name that a pattern brings in could be an option that runs a program', wild.range);
  const parsed = parseOptions(words, TAR);
  if (refused(parsed)) return parsed;
  const { options } = parsed;
  const has = (...names: string[]): boolean => names.some((name) => options.has(name));
  const value = (...names: string[]): Field | undefined => names.map((name) => options.get(name)).find((field): field is Field => field !== undefined && field !== true);
  // GNU tar takes "s/x/y/e" for a command to run.
  if (has('--transform')) return stop('it may rewrite names to where they must not be');
  const archive = value('-f', '--file');
  if (archive?.prefix.includes(':')) return stop('the archive is on another machine', archive.range);
  if (has('-c', '--create')) return !archive || archive.text === '-' ? READ : scope.target(archive, 'content');
  if (has('-t', '--list') || has('--version', '--help')) return READ;
  if (has('-O', '--to-stdout')) return READ;
  if (has('-k', '--keep-old-files', '--skip-old-files')) return write('extracts what isn\'t there yet');
  const folder = value('-C', '--directory');
  if (folder && !scope.mayExist(folder) && words.filter((word) => /^(?:-[a-zA-Z]*C|--directory)/.test(word.prefix)).length === 1) return gravest([scope.target(folder, 'folder'), write('extracts into a new folder', folder.range)]);
  return stop('extracting may overwrite what is there');
};

const zip: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('rqv9876543210jXyx i: --recurse-paths --quiet --version'));
  if (refused(parsed)) return parsed;
  const [archive] = parsed.operands;
  if (!archive) return READ;
  if (archive.text === '-') return READ;
  const text = archive.text === undefined || /\.\w+$/.test(archive.text) ? archive.text : `${archive.text}.zip`;
  return scope.target({ ...archive, text }, 'content');
};

const unzip: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, optionTable('lvtpzZqnjC1 d: x:'));
  if (refused(parsed)) return parsed;
  const { options } = parsed;
  if (['-l', '-v', '-t', '-p', '-z', '-Z'].some((option) => options.has(option))) return READ;
  const folder = options.get('-d');
  if (options.has('-n')) return write('extracts what isn\'t there yet');
  if (folder !== undefined && folder !== true && !scope.mayExist(folder)) return scope.target(folder, 'folder');
  return stop('extracting may overwrite what is there');
};

/** With -k the original stays; without it, it is replaced. */
function compressor(suffix: string): ProgramRule {
  const table = optionTable('cdkltvqn123456789eT0 --stdout --to-stdout --decompress --keep --list --test --verbose --quiet --best --fast --version --help');
  return ({ args, scope }) => {
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    const has = (...names: string[]): boolean => names.some((name) => parsed.options.has(name));
    if (parsed.operands.length === 0 || has('-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test', '--version', '--help')) return READ;
    if (!has('-k', '--keep') || has('-d', '--decompress')) {
      const file = parsed.operands.length === 1 ? parsed.operands[0]! : undefined;
      if (has('-k', '--keep') && file?.text?.endsWith(suffix)) return scope.target({ ...file, text: file.text.slice(0, -suffix.length) }, 'content');
      return stop('it takes the original away');
    }
    return gravest(parsed.operands.map((file) => (file.text === undefined ? stop('what it writes can\'t be read from the text', file.range) : scope.target({ ...file, text: `${file.text}${suffix}` }, 'content'))));
  };
}

const listing = (flags: string): ProgramRule => ({ args }) => (new RegExp(`^(?:${flags})$`).test(args[0]?.text ?? '') ? READ : stop('extracting may overwrite what is there'));

/** Programs that pack and unpack. */
export const ARCHIVES: ProgramTable = new Map<string, ProgramRule>([
  ['tar', tar], ['gtar', tar], ['bsdtar', tar], ['zip', zip], ['unzip', unzip],
  ['gzip', compressor('.gz')], ['bzip2', compressor('.bz2')], ['xz', compressor('.xz')],
  ['zipinfo', () => READ], ['7z', listing('l|t')], ['unrar', listing('l|lb|lt|t|v')], ['ar', listing('t|tv|p')], ['cpio', listing('-it|-itv|-t')],
]);
