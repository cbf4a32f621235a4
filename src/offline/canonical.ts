import { at, type CountRequest, type Needle, type OfflineRequest, type Part, type Place, type Search, type Unsupported } from './requests.js';

/**
 * The wording in which requests travel as the intents of subtasks: `Count files (matching: *.ts, in: src)`. Whoever
 * reads one gets back exactly what was written; people can read it too.
 */
export function describe(part: Part): string {
  return `${part.kind[0]!.toUpperCase()}${part.kind.slice(1)} (${fieldsOf(part).map(([key, value]) => `${key}: ${quote(value)}`).join(', ')})`;
}

/** Reads that wording; undefined for any other text. */
export function readCanonical(text: string): Part | undefined {
  const match = /^([A-Z][a-z]+(?: [a-z]+)*) \((.*)\)$/s.exec(text.trim());
  const fields = match && readFields(match[2]!);
  return fields ? build(match[1]!.toLowerCase(), fields) : undefined;
}

type Field = readonly [key: string, value: string];

function fieldsOf(part: Part): Field[] {
  switch (part.kind) {
    case 'unsupported': return [['words', part.words], ...(part.why === '' ? [] : [['why', part.why] as const])];
    case 'write report': return [['to', part.to]];
    case 'compare files': return [...placeFields('left', part.left), ...placeFields('right', part.right), ['by', part.by]];
    case 'compare counts': return [['left', describe(part.left)], ['right', describe(part.right)]];
    default: return [
      ...('needle' in part ? needleFields(part.needle) : []),
      ...('matching' in part && part.matching !== undefined ? [['matching', part.matching] as const] : []),
      ...placeFields('in', part.in),
    ];
  }
}

function needleFields({ text, regex, ignoreCase }: Needle): Field[] {
  return [[regex ? 'pattern' : 'text', text], ...(ignoreCase ? [['case', 'ignored'] as const] : [])];
}

function placeFields(key: string, { path, search, meant }: Place): Field[] {
  return [
    [key, path],
    ...(search === 'exact' ? [] : [[`${key} searched`, search] as const]),
    ...(meant === undefined ? [] : [[`${key} meant`, meant] as const]),
  ];
}

function quote(value: string): string {
  return /^[\p{L}\p{N}_./*@+-][\p{L}\p{N}_./*@+ -]*$/u.test(value) && !/ $/.test(value) ? value : JSON.stringify(value);
}

function readFields(text: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  const field = /([a-z]+(?: [a-z]+)?): ("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/sy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) return undefined;
    const value = unquote(match[2]!);
    if (value === undefined) return undefined;
    fields.set(match[1]!, value);
  }
  return fields;
}

function unquote(value: string): string | undefined {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return undefined;
  }
}

const SEARCHES: ReadonlySet<string> = new Set<Search>(['by name']);

function build(kind: string, fields: ReadonlyMap<string, string>): Part | undefined {
  const place = (key: string): Place | undefined => {
    const path = fields.get(key);
    const search = fields.get(`${key} searched`);
    const meant = fields.get(`${key} meant`);
    if (path === undefined || (search !== undefined && !SEARCHES.has(search))) return undefined;
    return { ...at(path), search: (search ?? 'exact') as Search, ...(meant === undefined ? {} : { meant }) };
  };
  const text = fields.get('text') ?? fields.get('pattern');
  const needle: Needle | undefined = text === undefined ? undefined : { text, regex: fields.has('pattern'), ignoreCase: fields.get('case') === 'ignored' };
  const matching = fields.get('matching');
  const only = matching === undefined ? {} : { matching };
  const where = place('in');
  switch (kind) {
    case 'unsupported': return unsupported(fields.get('words') ?? '', fields.get('why') ?? '');
    case 'write report': return fields.has('to') ? { kind, to: fields.get('to')! } : undefined;
    case 'compare files': {
      const [left, right, by] = [place('left'), place('right'), fields.get('by')];
      return left && right && (by === 'lines' || by === 'words' || by === 'content') ? { kind, left, right, by } : undefined;
    }
    case 'compare counts': {
      const [left, right] = [readCount(fields.get('left')), readCount(fields.get('right'))];
      return left && right ? { kind, left, right } : undefined;
    }
    case 'count files':
    case 'find files': return where && matching !== undefined ? { kind, matching, in: where } : undefined;
    case 'count lines':
    case 'count words': return where ? { kind, in: where, ...only } : undefined;
    case 'count occurrences':
    case 'count lines with':
    case 'count files with':
    case 'find lines':
    case 'find files with': return where && needle ? { kind, needle, in: where, ...only } : undefined;
    case 'list folder':
    case 'summarise file':
    case 'show file': return where ? { kind, in: where } : undefined;
    default: return undefined;
  }
}

export function unsupported(words: string, why: string): Unsupported {
  return { kind: 'unsupported', words, why };
}

function readCount(text: string | undefined): CountRequest | undefined {
  const part = text === undefined ? undefined : readCanonical(text);
  return part && isCount(part) ? part : undefined;
}

export function isCount(part: Part): part is CountRequest {
  return part.kind.startsWith('count ');
}

/** Two texts for the same request, whatever the path it was tried on? Both must be canonical. */
export function sameRequest(left: OfflineRequest, right: OfflineRequest): boolean {
  return describe(left) === describe(right);
}
