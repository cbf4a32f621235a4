import { shown, stop } from './judgement.js';
import type { Field, Judgement } from './types.js';

/** Which options a program's harmless use has. */
export interface OptionTable {
  readonly flags: ReadonlySet<string>;
  /** Take a value, attached or as the next word. */
  readonly valued: ReadonlySet<string>;
  /** Take a value only when it is attached. */
  readonly attached: ReadonlySet<string>;
}
/** The options found, by name with their dashes; `true` for a flag. */
export interface ParsedOptions {
  readonly options: ReadonlyMap<string, Field | true>;
  readonly operands: readonly Field[];
}

/**
 * Reads a table from a line: `lah` three flags, `n:` a short option with a value, `i?` one with an attached value,
 * `--all` a flag, `--sort=` a long option with a value, `--color?` one with an attached value.
 */
export function optionTable(line: string): OptionTable {
  const flags = new Set<string>();
  const valued = new Set<string>();
  const attached = new Set<string>();
  for (const token of line.split(' ').filter((part) => part !== '')) {
    if (token.startsWith('--')) {
      if (token.endsWith('=')) valued.add(token.slice(0, -1));
      else if (token.endsWith('?')) attached.add(token.slice(0, -1));
      else flags.add(token);
    } else if (token.endsWith(':')) for (const letter of token.slice(0, -1)) valued.add(`-${letter}`);
    else if (token.endsWith('?')) for (const letter of token.slice(0, -1)) attached.add(`-${letter}`);
    else for (const letter of token) flags.add(`-${letter}`);
  }
  return { flags, valued, attached };
}

/**
 * Whether a word may be one of these long options: spelled out, with a value, or as one of the abbreviations that most
 * programs take. `fine`: options of the same program that are spelled like an abbreviation.
 */
export function mayBeLongOption(text: string, names: readonly string[], fine: readonly string[] = []): boolean {
  if (!/^--[^=]/.test(text)) return false;
  const given = text.split('=', 1)[0]!;
  return !fine.includes(given) && names.some((name) => name.startsWith(given) || given.startsWith(name));
}

/** Whether the outcome of {@link parseOptions} is a refusal. */
export function refused(parsed: ParsedOptions | Judgement): parsed is Judgement {
  return 'effect' in parsed;
}

/**
 * Splits arguments into options and operands. An option that isn't in the table, or a word that can't be read and could
 * be one, is a refusal. `stopAtOperand`: what follows the first operand belongs to it (`timeout 5 ls -l`).
 */
export function parseOptions(args: readonly Field[], table: OptionTable, { stopAtOperand = false }: { readonly stopAtOperand?: boolean } = {}): ParsedOptions | Judgement {
  const options = new Map<string, Field | true>();
  const operands: Field[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const field = args[index]!;
    if (field.text === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!field.dash || field.text === '-') {
      operands.push(field);
      if (!stopAtOperand) continue;
      operands.push(...args.slice(index + 1));
      break;
    }
    if (field.prefix === '') return stop('an argument that can\'t be read could be an option', field.range);
    const taken = field.prefix.startsWith('--') ? long(field, table, options) : short(field, table, options);
    if (taken === 'unknown') return stop(`option ${shown(field)} is not known to be harmless`, field.range);
    if (taken === 'done') continue;
    const next = args[index + 1];
    if (!next || next.many) return stop(`the value of option ${shown(field)} can't be read`, field.range);
    options.set(taken, next);
    index += 1;
  }
  return { options, operands };
}

type Taken = 'done' | 'unknown' | `-${string}`;

function long(field: Field, table: OptionTable, options: Map<string, Field | true>): Taken {
  const at = field.prefix.indexOf('=');
  const name = at < 0 ? field.text : field.prefix.slice(0, at);
  if (name === undefined) return 'unknown';
  if (at >= 0) {
    if (!table.valued.has(name) && !table.attached.has(name)) return 'unknown';
    options.set(name, cut(field, at + 1));
    return 'done';
  }
  if (table.valued.has(name)) return name as Taken;
  if (!table.flags.has(name) && !table.attached.has(name)) return 'unknown';
  options.set(name, true);
  return 'done';
}

function short(field: Field, table: OptionTable, options: Map<string, Field | true>): Taken {
  for (let at = 1; at < field.prefix.length; at += 1) {
    const name = `-${field.prefix[at]!}`;
    const last = at + 1 === field.prefix.length && field.text !== undefined;
    if (table.valued.has(name) && last) return name as Taken;
    if (table.valued.has(name) || (table.attached.has(name) && !last)) {
      options.set(name, cut(field, at + 1));
      return 'done';
    }
    if (!table.flags.has(name) && !table.attached.has(name)) return 'unknown';
    options.set(name, true);
  }
  return field.text === undefined ? 'unknown' : 'done';
}

/** The rest of a word from an offset on. */
function cut(field: Field, from: number): Field {
  const prefix = field.prefix.slice(from);
  return { ...field, text: field.text?.slice(from), prefix, dash: prefix === '' ? field.text === undefined : prefix.startsWith('-') };
}
