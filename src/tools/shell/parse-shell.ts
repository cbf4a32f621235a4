import { forEachChild, parse } from 'unbash';
import type { ParsedScript, SyntaxNode } from 'unbash';

export type {
  ArithmeticExpression, Assignment, Command, ParsedScript, Redirection, Statement, SyntaxNode, TestExpression, Word, WordPart,
} from 'unbash';

/** Longer commands are not read at all. In UTF-16 units. */
export const LONGEST_COMMAND = 20_000;

/** More openings than this are no command of anybody, and cost the parser more than they are worth. */
const MOST_OPENINGS = 1_000;
const MOST_DOCUMENTS = 60;
const MOST_SEPARATORS = 3_000;

/** A tree without errors at its top; nested scripts carry their own. */
export type ParseOutcome = { readonly script: ParsedScript } | { readonly error: string; readonly at: number };

/** Parses bash. The only place that knows which parser does it. Never throws. */
export function parseShell(source: string): ParseOutcome {
  if (source.length > LONGEST_COMMAND) return { error: `it is longer than ${LONGEST_COMMAND} characters`, at: 0 };
  if (['(', '{', '`', '[', 'if ', 'case '].some((opening) => count(source, opening) > MOST_OPENINGS) || count(source, '<<') > MOST_DOCUMENTS || [';', '|', '&', '\n'].some((separator) => count(source, separator) > MOST_SEPARATORS)) return { error: 'it has too many parts', at: 0 };
  try {
    const script = parse(source);
    const error = script.errors?.[0];
    return error ? { error: error.message, at: error.pos } : { script };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'the parser failed', at: 0 };
  }
}

function count(source: string, part: string): number {
  let found = 0;
  for (let at = source.indexOf(part); at >= 0; at = source.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** The direct children of a node, those of lazy parts included. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}
