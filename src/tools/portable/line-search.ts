import { ToolError } from '../tool-error.js';
import type { FileWorkspace } from './file-workspace.js';

/** Regular expressions see only so much of a line; what they cost grows with it. */
const LONGEST_LINE = 2_000;
const META = /[\\^$.*+?()[\]{}|]/;

/** Answers which lines hold what is searched. */
export interface LineSearch {
  match(lines: readonly string[], options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<readonly boolean[]>;
  /** How many lines were searched only in their first 2,000 characters. */
  readonly cutLines: number;
  close(): Promise<void>;
}

/**
 * A search for a plain text, or for a regular expression. Plain text, and expressions that are one, are compared here;
 * real expressions run where they can be stopped, as some take forever on the wrong line.
 */
export function lineSearch(workspace: FileWorkspace, { pattern, literal, ignoreCase }: { readonly pattern: string; readonly literal: boolean; readonly ignoreCase: boolean }): LineSearch {
  if (literal || !META.test(pattern)) {
    const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
    return {
      cutLines: 0,
      match: (lines) => Promise.resolve(lines.map((line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted))),
      close: () => Promise.resolve(),
    };
  }
  const matcher = workspace.lineMatcher(compile(pattern, ignoreCase));
  let cutLines = 0;
  return {
    get cutLines() {
      return cutLines;
    },
    match(lines, options) {
      const short = lines.map((line) => {
        if (line.length <= LONGEST_LINE) return line;
        cutLines += 1;
        return line.slice(0, LONGEST_LINE);
      });
      return matcher.match(short, options);
    },
    close: () => matcher.close(),
  };
}

function compile(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (cause) {
    throw ToolError.logical(`The pattern ${JSON.stringify(pattern.slice(0, 200))} is no regular expression of JavaScript.`, {
      cause, hint: 'Set `literal` to true to search for the text as it stands.',
    });
  }
}
