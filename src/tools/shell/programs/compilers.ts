import { READ, gravest, shown, stop } from '../judgement.js';
import { mayBeLongOption, optionTable, parseOptions, refused } from '../options.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';

const TSC = optionTable('pbvh p: --noEmit --project= --version --help --showConfig --listFiles --listFilesOnly --strict --pretty --skipLibCheck --target= --module= --moduleResolution= --lib= --jsx= --allowJs --checkJs --esModuleInterop --noUnusedLocals --noUnusedParameters --extendedDiagnostics --diagnostics --traceResolution --explainFiles --all --types= --outDir= --noErrorTruncation --isolatedModules --resolveJsonModule');

const tsc: ProgramRule = ({ args, scope }) => {
  // Its long options may have one dash, and take true or false as a word of their own.
  const words = args.map((arg) => (/^-[a-zA-Z]{2,}/.test(arg.text ?? '') ? { ...arg, text: `-${arg.text!}`, prefix: `-${arg.prefix}` } : arg));
  if (words.some((word) => word.text === 'false' || word.text === '-w' || word.text?.startsWith('@'))) return stop('it may write files');
  const parsed = parseOptions(words, TSC);
  if (refused(parsed)) return parsed;
  if (['--noEmit', '--version', '--help', '--showConfig', '--listFilesOnly', '-v', '-h', '--all'].some((option) => parsed.options.has(option)) && !parsed.options.has('-b')) return READ;
  const folder = parsed.options.get('--outDir');
  return folder !== undefined && folder !== true ? scope.target(folder, 'content') : stop('it may overwrite what it compiled before (--noEmit only checks)');
};

/** Checkers that read files and the project's own settings, and change nothing without being told to. */
function checker(refuse: RegExp, needs?: RegExp, long: readonly string[] = []): ProgramRule {
  return ({ args }) => {
    for (const arg of args) {
      if (arg.dash && arg.text === undefined) return stop('an argument that can\'t be read could be an option', arg.range);
      if (arg.dash && (refuse.test(arg.text ?? '') || mayBeLongOption(arg.text ?? '', long))) return stop(`option ${shown(arg)} writes files or loads code`, arg.range);
    }
    return !needs || args.some((arg) => needs.test(arg.text ?? '')) ? READ : stop('it changes files unless it is told only to check');
  };
}

const CC = optionTable('cSEvwgPMH o: O? I: D: U: L: l: W? f? m? x: i: --version --help g? s');

/** Makes one new file. Options after -f and -W that load or run something are refused. */
const cc: ProgramRule = ({ args, scope }) => {
  const words = args.map((arg) => (/^-(?:std=[\w+]+|pedantic|pthread|shared|static|pie|no-pie|ansi|dumpversion|dumpmachine|nostdlib|g\w*|O\w?|fsyntax-only|fPIC|fPIE|fsanitize=\w+|march=\w+|mtune=\w+|W[\w=+-]+)$/.test(arg.text ?? '') ? { ...arg, text: '-w', prefix: '-w' } : arg));
  const bad = words.find((word) => word.dash && /^-(?:f|W[alp],|m|i|-?wrapper|B|specs|save-temps|x$|M)/.test(word.text ?? '?') && word.text !== '-w');
  const list = args.find((arg) => arg.prefix.startsWith('@'));
  if (list) return stop('its options stand in a file', list.range);
  if (bad) return stop(`option ${shown(bad)} is not known to be harmless`, bad.range);
  const parsed = parseOptions(words, CC);
  if (refused(parsed)) return parsed;
  if (args.some((arg) => /^-(?:fsyntax-only|-version|-help|v|dumpversion|dumpmachine)$/.test(arg.text ?? ''))) return READ;
  if (parsed.operands.length === 0) return READ;
  const output = parsed.options.get('-o');
  if (output !== undefined && output !== true) return scope.target(output, 'content');
  if (parsed.options.has('-E')) return READ;
  const made: Field[] = parsed.options.has('-c') || parsed.options.has('-S')
    ? parsed.operands.map((file) => ({ ...file, text: file.text?.replace(/^.*\//, '').replace(/\.\w+$/, parsed.options.has('-c') ? '.o' : '.s') }))
    : [{ ...parsed.operands[0]!, text: 'a.out', prefix: 'a.out' }];
  return gravest(made.map((file) => scope.target(file, 'content')));
};

const gofmt = checker(/^--?(?:w|cpuprofile)/);

/** Compilers and checkers. */
export const COMPILERS: ProgramTable = new Map<string, ProgramRule>([
  ['tsc', tsc],
  ['eslint', checker(/^--(?:fix|output-file|cache|rulesdir|plugin|config|resolve-plugins|parser|format=\.|format=\/|init|suppress|prune)|^-[a-zA-Z]*[oc]/)],
  ['prettier', checker(/^--(?:write|plugin|config(?:=|$)|cache|parser=\.)|^-[a-zA-Z]*w/)],
  ['stylelint', checker(/^--(?:fix|output|cache|config|custom|plugin)|^-o/)],
  ['biome', checker(/^--(?:write|fix|apply|unsafe|config-path|suppress)/, /^(?:check|lint|ci|--version)$/)],
  ['ruff', checker(/^--(?:fix|unsafe|output|config|cache|add-noqa|watch)|^-o/, /^(?:check|--check|--version|rule|--diff)$/)],
  ['flake8', checker(/^--(?:output|tee|config|append-config|enable-ext|install)/, undefined, ['--output-file', '--tee', '--config', '--append-config', '--enable-extensions', '--install-hook'])], ['black', checker(/^--(?:config|code)/, /^(?:--check|--diff|--version)$/)], ['isort', checker(/^--(?:settings|config|sp)/, /^(?:--check|--check-only|--diff|--version|-c)$/, ['--settings-path', '--settings-file', '--config-root'])],
  ['mypy', checker(/^--(?:config|python-exec|install|cache-dir|.*-report|junit|plugin)|^--\w+-r/, undefined, ['--config-file', '--python-executable', '--install-types', '--cache-dir', '--junit-xml', '--any-exprs-report', '--cobertura-xml-report', '--html-report', '--linecount-report', '--linecoverage-report', '--lineprecision-report', '--txt-report', '--xml-report', '--xslt-html-report', '--xslt-txt-report'])], ['pylint', checker(/^--(?:rcfile|init|load|output|generate|py-version=$)/, undefined, ['--rcfile', '--init-hook', '--load-plugins', '--output', '--import-graph', '--ext-import-graph', '--int-import-graph'])],
  ['shfmt', checker(/^-(?:w|-write|\w*-to-)/)], ['markdownlint', checker(/^-(?:[fcorp]|-(?:fix|config|output|rules|ignore-path))/)],
  ['shellcheck', checker(/^$/)], ['hadolint', checker(/^$/)], ['yamllint', checker(/^$/)], ['cspell', checker(/^--(?:config|cache)|^-c/)],
  ['gofmt', gofmt], ['rustfmt', checker(/^--(?:config|emit|backup|print-config)/, /^(?:--check|--version)$/)], ['clang-format', checker(/^-(?:i|-style=file:)/)],
  ['gcc', cc], ['cc', cc], ['g++', cc], ['c++', cc], ['clang', cc], ['clang++', cc],
]);
