import { READ, stop } from '../judgement.js';
import type { Effect } from '../../../contracts/tool.js';
import type { ProgramRule } from '../types.js';

/** How a call begins and which further words it may have. */
export interface Phrase {
  /** Matches the exact words, joined by blanks. */
  readonly matches: RegExp;
  readonly effect?: Exclude<Effect, 'irreversible'>;
}

/**
 * A rule from patterns over a program's words: for programs with subcommands, of which only the reading ones are known.
 * Options that write or run something are refused wherever they stand. A word that can't be read refuses as well, unless
 * it can be no option and stands behind the subcommand. `help`: `--help` behind one subcommand only explains it.
 */
export function phrases(patterns: readonly string[], { refuse = /^$/, otherwise, help = false }: { readonly refuse?: RegExp; readonly otherwise: string; readonly help?: boolean }): ProgramRule {
  const known = patterns.map((pattern) => new RegExp(`^(?:${pattern})(?: |$)`));
  return ({ args }) => {
    const words: string[] = [];
    for (const [index, arg] of args.entries()) {
      if (arg.text === undefined && ((index < 2 && !known.some((pattern) => pattern.test(words.join(' ')))) || (arg.dash && arg.prefix === ''))) return stop('an argument that can\'t be read could change what it does', arg.range);
      const text = arg.text ?? `${arg.prefix}?`;
      if (refuse.test(text)) return stop(`option ${JSON.stringify(text)} is not known to be harmless`, arg.range);
      words.push(text);
    }
    if (words.length === 1 && /^(?:--version|--help|-h|-V|version|help)$/.test(words[0]!)) return READ;
    if (help && words.length === 2 && words[1] === '--help' && /^[a-z][a-z-]*$/.test(words[0]!)) return READ;
    const line = words.join(' ');
    return known.some((pattern) => pattern.test(line)) ? READ : stop(otherwise);
  };
}
