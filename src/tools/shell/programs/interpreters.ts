import { READ, gravest, stop } from '../judgement.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';
import { isHarmlessJavaScript, isHarmlessPython, isHarmlessQuery } from './snippets.js';

const UNREAD = 'the code it runs can\'t be read from the text';
const HARM = 'the code it runs is not known to be harmless';
const all = (args: readonly Field[]): (string | undefined)[] => args.map((arg) => arg.text);

const node: ProgramRule = ({ args }) => {
  const [first, second, ...rest] = all(args);
  if (args.length === 1 && /^(?:-v|--version|-h|--help|--v8-options)$/.test(first ?? '')) return READ;
  if (/^(?:-c|--check)$/.test(first ?? '') && args.length === 2 && !args[1]!.dash && !args[1]!.many) return READ;
  if (!/^(?:-e|-p|-pe|--eval|--print)$/.test(first ?? '') || second === undefined || rest.some((text) => text === undefined || text.startsWith('-'))) return stop(UNREAD);
  return isHarmlessJavaScript(second) ? READ : stop(HARM, args[1]!.range);
};

/** Modules whose own commands only read or only make what is new. */
const MODULES = /^(?:json\.tool|platform|calendar|this|sysconfig|site|tokenize|timeit)$/;

const python: ProgramRule = (call) => {
  const { args, scope } = call;
  const [first, second, ...rest] = all(args);
  if (args.length === 1 && /^(?:-V|-VV|--version|-h|--help)$/.test(first ?? '')) return READ;
  if (first === '-c' && second !== undefined) return isHarmlessPython(second) ? READ : stop(HARM, args[1]!.range);
  if (first !== '-m' || second === undefined) return stop(UNREAD);
  if (second === 'pip') return scope.run(args.slice(1));
  if (second === 'venv' && rest.length === 1) return scope.target(args[2]!, 'content');
  if (second === 'json.tool') {
    const files = args.slice(2).filter((arg) => !/^--(?:sort-keys|compact|no-ensure-ascii|json-lines|tab)$/.test(arg.text ?? ''));
    return files.length <= 1 && files.every((file) => !file.dash && !file.many) ? READ : stop('it may write its second file');
  }
  if (second === 'timeit' && rest.length === 1 && rest[0] !== undefined && !rest[0].startsWith('-')) return isHarmlessPython(rest[0]) ? READ : stop(HARM, args[2]!.range);
  return MODULES.test(second) && second !== 'timeit' && rest.length === 0 ? READ : stop(UNREAD);
};

/** A text without anything perl would expand, a field, or the line. */
const PERL_TEXT = /(?:"(?:[^"$@\\{]|\\[nt])*"|'[^'\\]*'|\d[\d +*/.()-]*|\$_|\$F\[-?\d+\]|\$\.)/.source;
/** Only plain patterns, texts and fields: they can hold no code. */
const PERL: readonly (readonly [flags: RegExp, code: RegExp])[] = [
  [/^-[lna]*n[la]*e$/, /^\s*print (?:if|unless) \/[\w .,:^|\\=-]*\/i?;?\s*$/],
  [/^-[lnap]*e$/, /^\s*s\/[\w .,:^|\\=+*?()[\]-]*\/[\w .,:=-]*\/g?i?;?\s*$/],
  [/^-[lna]*e$/, new RegExp(`^\\s*print ${PERL_TEXT}(?:, ?${PERL_TEXT})*;?\\s*$`)],
];
/** Perl that only prints or replaces, in words that say all they do. */
const perl: ProgramRule = ({ args }) => {
  const [options, script] = all(args);
  if (args.length === 1 && /^(?:-v|--version|-V)$/.test(options ?? '')) return READ;
  // Of the files it is given it runs those whose names begin or end with a pipe.
  if (script === undefined || !args.slice(2).every((arg) => /^[\w.][\w./-]*$/.test(arg.text ?? ''))) return stop(UNREAD);
  const plain = PERL.some(([flags, code]) => flags.test(options ?? '') && code.test(script));
  return plain ? READ : stop(UNREAD);
};

const ruby: ProgramRule = ({ args }) => {
  const [option, script] = all(args);
  if (args.length === 1 && /^(?:-v|--version)$/.test(option ?? '')) return READ;
  return option === '-e' && /^\s*(?:puts|p|print) (?:[\d\s+*/().-]+|"[^"#\\]*"|'[^'\\]*'|RUBY_VERSION)\s*$/.test(script ?? '') ? READ : stop(UNREAD);
};

const php: ProgramRule = ({ args }) => {
  const [option, script] = all(args);
  if (args.length === 1 && /^(?:-v|--version|-m|-i)$/.test(option ?? '')) return READ;
  return option === '-l' && args.length === 2 ? READ : option === '-r' && /^\s*echo (?:[\d\s+*/().-]+|"[^"$\\{]*"|'[^'\\]*'|phpversion\(\)|PHP_VERSION);?\s*$/.test(script ?? '') ? READ : stop(UNREAD);
};

const sqlite: ProgramRule = ({ args }) => {
  const words = args.filter((arg) => !/^-(?:readonly|header|noheader|csv|json|column|line|list|markdown|table|box|batch|separator)$/.test(arg.text ?? ''));
  if (args.length === 1 && /^--?version$/.test(args[0]?.text ?? '')) return READ;
  const [file, ...queries] = words;
  if (!file || file.dash || queries.length === 0) return stop(UNREAD);
  return gravest(queries.map((query) => (query.text !== undefined && !query.dash && isHarmlessQuery(query.text) ? READ : stop('the query is not known to be harmless', query.range))));
};

/** psql and mysql with a query on the command line. */
const database = (flag: string): ProgramRule => ({ args }) => {
  const at = args.findIndex((arg) => arg.text === flag);
  if (args.length === 1 && /^--(?:version|help)$/.test(args[0]?.text ?? '')) return READ;
  const query = args[at + 1]?.text;
  const plain = args.every((arg, index) => index === at + 1 || (arg.text !== undefined && !/^(?:-f|-o|-L|-v|--file|--output|--set|--pager|--execute|--command|--init-command|--tee|--single)/.test(arg.text) && !/^(?:-c|-e)./.test(arg.text)));
  const listing = flag === '-c' && ((args.some((arg) => /^(?:-[a-zA-Z]*l|--list)$/.test(arg.text ?? '')) && at < 0) || /^\\(?:d[tnvifsSp+]*|l\+?|du|dn|conninfo|dt\+?)(?: [\w.*]+)?$/.test(query ?? ''));
  if (listing && args.every((arg, index) => index === at + 1 || index === at || /^(?:-[hpUdAtlXqw]+|--list|--host=[\w.-]+|--username=\w+|--dbname=\w+|--port=\d+|\w[\w.-]*)$/.test(arg.text ?? ''))) return READ;
  const once = args.filter((arg) => arg.text === flag).length === 1;
  return at >= 0 && once && plain && query !== undefined && !query.includes('\\') && isHarmlessQuery(query) ? READ : stop('the query is not known to be harmless');
};

/** Programs that run code they are given. */
export const INTERPRETERS: ProgramTable = new Map<string, ProgramRule>([
  ['node', node], ['nodejs', node], ['python', python], ['python3', python], ['perl', perl], ['ruby', ruby], ['php', php], ['dc', ({ args }) => (args.length === 2 && args[0]!.text === '-e' && /^[^!?$]*$/.test(args[1]!.text ?? '!') ? READ : stop(UNREAD))], ['sqlite3', sqlite], ['psql', database('-c')], ['mysql', database('-e')],
]);
