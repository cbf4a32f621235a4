import picomatch from 'picomatch/posix.js';
import { ToolError } from '../tool-error.js';
import type { FileWorkspace } from './file-workspace.js';

const LONGEST_PATTERN = 1_000;
/** Each further star multiplies what a mismatch costs. */
const MOST_CHEAP_STARS = 3;

/** Which of the paths match; with a limit in ms where the pattern could take long. */
export type GlobMatch = (paths: readonly string[], options: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<readonly boolean[]>;

/**
 * Compiles a glob: `*`, `?`, `[a-z]`, `{a,b}` and `**` for any number of folders. Without a slash it matches the name
 * in any folder. Names that begin with a dot match as others do. Extended groups such as `+(a)` are plain characters.
 * Throws ARTOO_TOOL_FAILED (logical) for a pattern that leads out or is none.
 */
export function compileGlob(workspace: FileWorkspace, pattern: string): GlobMatch {
  if (pattern.length > LONGEST_PATTERN) throw ToolError.logical(`The pattern is longer than ${LONGEST_PATTERN} characters.`);
  if (pattern.startsWith('/') || pattern.startsWith('~') || pattern.split('/').includes('..')) {
    throw ToolError.logical(`The pattern ${JSON.stringify(pattern)} leads out of the workspace.`, { hint: 'Write it relative to the workspace, such as "src/**/*.ts".' });
  }
  const expression = toExpression(pattern);
  const stars = pattern.match(/\*+/g)?.length ?? 0;
  if (stars <= MOST_CHEAP_STARS) return (paths) => Promise.resolve(paths.map((path) => expression.test(path)));
  // What many stars cost on an unlucky name has no useful limit: there it can be stopped.
  return async (paths, options) => {
    const matcher = workspace.lineMatcher(expression);
    try {
      return await matcher.match(paths, options);
    } finally {
      await matcher.close();
    }
  };
}

function toExpression(pattern: string): RegExp {
  const relative = pattern.replace(/^(\.\/)+/, '');
  try {
    return picomatch.makeRe(relative.includes('/') ? relative : `**/${relative}`, { dot: true, noextglob: true, nonegate: true });
  } catch (cause) {
    throw ToolError.logical(`The pattern ${JSON.stringify(pattern)} is no glob.`, { cause });
  }
}
