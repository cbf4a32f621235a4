import { at, type Needle, type Place } from '../requests.js';

/** Marks that stand for a quoted passage while a sentence is read; no keyboard writes them. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const QUOTED = /"([^"]+)"|\u201c([^\u201d]+)\u201d|\u00ab([^\u00bb]+)\u00bb|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;

/** One file, folder or word in a rule's pattern. */
export const TOKEN: string = `(?:${OPEN}\\d+${CLOSE}|[^\\s,;?!:"()${OPEN}${CLOSE}]+)`;
/** What is searched for: a token, or a kind of text and a token. */
export const WHAT: string = `(?:the )?(?:(?:word|text|string|phrase|term|name|pattern|expression) )?${TOKEN}(?: (?:comments?|markers?|marks?|tags?))?`;
/** Words that lead to a place. */
export const IN: string = '(?:in|inside|within|under|below|of|from|across|at|on|throughout|over)';

/** A sentence with its quoted passages set aside, so that words inside them can't be taken for grammar. */
export class Sentence {
  private constructor(readonly text: string, private readonly passages: readonly string[]) {}

  static of(text: string): Sentence {
    const passages: string[] = [];
    const plain = text.replaceAll(OPEN, ' ').replaceAll(CLOSE, ' ').replace(QUOTED, (_whole, ...groups: (string | undefined)[]) => {
      passages.push(groups.slice(0, 5).find((group) => group !== undefined) ?? '');
      return `${OPEN}${passages.length - 1}${CLOSE}`;
    });
    return new Sentence(plain.replace(/[^\S\n]+/g, ' ').trim(), passages);
  }

  /** Another stretch of the same sentence. */
  with(text: string): Sentence {
    return new Sentence(text.trim(), this.passages);
  }

  isQuoted(token: string): boolean {
    return token.startsWith(OPEN);
  }

  /** The text with its quoted passages put back. */
  restore(text: string): string {
    return text.replace(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g'), (_whole, index: string) => JSON.stringify(this.passages[Number(index)] ?? ''));
  }

  /** What a token stands for: the passage itself, or the word without the punctuation that follows it. */
  value(token: string): string {
    const quoted = new RegExp(`^${OPEN}(\\d+)${CLOSE}$`).exec(token);
    return quoted ? (this.passages[Number(quoted[1])] ?? '') : token.replace(/(?<=.)[.,:]+$/, '');
  }
}

/** File types by the names that people give them. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['typescript', 'ts'], ['javascript', 'js'], ['markdown', 'md'], ['python', 'py'], ['json', 'json'], ['text', 'txt'], ['csv', 'csv'],
  ['yaml', '{yml,yaml}'], ['html', 'html'], ['css', 'css'], ['rust', 'rs'], ['go', 'go'], ['java', 'java'], ['ruby', 'rb'], ['php', 'php'],
  ['c++', 'cpp'], ['shell', 'sh'], ['sql', 'sql'], ['xml', 'xml'], ['log', 'log'], ['svg', 'svg'], ['toml', 'toml'],
]);
const EXTENSIONS: ReadonlySet<string> = new Set([
  ...[...TYPES.values()].filter((extension) => /^\w+$/.test(extension)), 'yml', 'tsx', 'jsx', 'mjs', 'cjs', 'c', 'h', 'cpp', 'hpp', 'cs', 'kt', 'swift', 'ini', 'cfg', 'lock', 'png', 'jpg', 'gif', 'pdf',
]);
const FILE_NAMES = /^(?:readme|licen[sc]e|changelog|makefile|dockerfile|notice|authors|contributing)$/i;

/** The glob for a kind of file (`TypeScript`, `.ts`, `*.ts`, nothing at all); undefined for words that name none. */
export function readMatching(words: string, sentence: Sentence): string | undefined {
  const word = words.trim().replace(/^(?:(?:the|all|any|every|each|of|regular|plain|existing|different) ?)+(?= |$)/i, '').trim();
  if (word === '') return '*';
  if (sentence.isQuoted(word)) return sentence.value(word);
  if (/\s/.test(word)) return undefined;
  const extension = TYPES.get(word.toLowerCase()) ?? (EXTENSIONS.has(word.toLowerCase()) ? word.toLowerCase() : undefined);
  if (extension !== undefined) return `*.${extension}`;
  if (/^\.[\w.-]+$/.test(word)) return `*${word}`;
  return /[*?{[]/.test(word) || looksLikeFile(word) ? word : undefined;
}

/** Several kinds joined by "and", each a glob of its own; undefined when one of them is none. */
export function readKinds(words: string, sentence: Sentence): readonly string[] | undefined {
  const globs = words.split(/\s*,\s*(?:and )?|\s+and\s+/i).map((kind) => readMatching(kind.replace(/ files?$/i, ''), sentence));
  return globs.some((glob) => glob === undefined) ? undefined : (globs as string[]);
}

/** Where a request looks. `matching` narrows a folder to some of its files. */
export interface Where { readonly in: Place; readonly matching?: string; readonly isFile: boolean }

export const EVERYWHERE: Where = { in: at('.'), isFile: false };
const WORKSPACE = /^(?:here|everywhere|(?:the |this |my |our )?(?:(?:current|whole|entire|root|top) )*(?:folder|directory|workspace|project|repo(?:sitory)?|root|code ?base)|all (?:the )?files|(?:all|the|any|every) files?)$/i;

/** Reads what stands behind "in"; undefined when it is no place. */
export function readWhere(words: string | undefined, sentence: Sentence): Where | undefined {
  if (words === undefined || words.trim() === '') return EVERYWHERE;
  const text = words.trim();
  if (WORKSPACE.test(text)) return EVERYWHERE;
  const typed = /^(?:(?:all|any|every|each|the|of) )*(?<kind>\S+) files?(?: (?:in|inside|within|under|of|from) (?<rest>.+))?$/i.exec(text);
  if (typed) {
    const matching = readMatching(typed.groups!['kind']!, sentence);
    const rest = readWhere(typed.groups!['rest'], sentence);
    if (matching !== undefined && rest && !rest.isFile) return { ...rest, matching };
  }
  const plain = new RegExp(`^(?:(?:all|any|every|each) )?(?:the )?(?<said>file |folder |directory |dir )?(?:called |named )?(?<token>${TOKEN})(?<after> file| folder| directory| dir)?$`, 'i').exec(text);
  return plain ? whereOf(sentence.value(plain.groups!['token']!), `${plain.groups!['said'] ?? ''}${plain.groups!['after'] ?? ''}`.trim().toLowerCase()) : undefined;
}

function whereOf(path: string, said: string): Where | undefined {
  if (path === '' || /^(?:it|that|them|this|these|those|there|both|and|or|a|an|the|all)$/i.test(path)) return undefined;
  const star = path.search(/[*?{[]/);
  if (star >= 0) {
    const slash = path.lastIndexOf('/', star);
    return { in: at(slash < 0 ? '.' : path.slice(0, slash)), matching: path.slice(slash + 1), isFile: false };
  }
  return { in: at(path), isFile: said.includes('file') || (said === '' && !path.endsWith('/') && looksLikeFile(path)) };
}

/** A name with an extension, or one that is known to have none. */
export function looksLikeFile(path: string): boolean {
  const name = path.split('/').pop() ?? '';
  return /^.+\.[\p{L}\p{N}]{1,8}$/u.test(name) || /^\.[a-z]\w+$/.test(name) || FILE_NAMES.test(name);
}

/** A word that people use as a mark in code: TODO, FIXME, snake_case, camelCase. */
export function looksLikeMark(token: string): boolean {
  return /^[A-Z][A-Z0-9_-]{2,}s?$/.test(token) || /^[a-z]+[A-Z]\w*$/.test(token) || /^\w+_\w+$/.test(token);
}

/** What is searched for. Words without a capital letter are found in any case; `/…/` is a regular expression. */
export function readNeedle(words: string, sentence: Sentence): Needle | undefined {
  const bare = words.trim().replace(/^the /i, '').replace(/ (?:comments?|markers?|marks?|tags?)$/i, '');
  const named = /^(?:word|text|string|phrase|term|name|pattern|expression) /i.exec(bare);
  const token = named ? bare.slice(named[0].length) : bare;
  const text = sentence.value(token);
  if (text === '' || /\n/.test(text)) return undefined;
  const expression = /^\/(.+)\/(i?)$/.exec(text);
  if (expression) return isExpression(expression[1]!) ? { text: expression[1]!, regex: true, ignoreCase: expression[2] === 'i' } : undefined;
  const mark = sentence.isQuoted(token) ? text : text.replace(/^([A-Z][A-Z0-9_-]{2,})s$/, '$1');
  return { text: mark, regex: false, ignoreCase: !/\p{Lu}/u.test(mark) };
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
