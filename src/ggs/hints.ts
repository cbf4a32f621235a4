import type { SubTaskOutcome } from '../contracts/messages.js';
import { isFailed } from './grade.js';

const MOST_HINTS = 5;
const LONGEST_HINT = 160;
const LONGEST_LINE = 400;

// What tools commonly say when a name is wrong but a neighbour exists, and what they list when a thing isn't there.
const SUGGESTION = /\b(did you mean|perhaps you meant|most similar|closest match)\b/i;
const SIBLINGS = /\b(siblings|neighbours|neighbors|similar (names|files|entries)|available( \w{1,20})?|(files|entries) (here|in this folder)|(folder|directory) (contains|holds|has))\s*:\s*\S/i;

/**
 * Facts in the tool output of failing subtasks that point to another path: "did you mean …", siblings listed. At most
 * five lines of at most 160 characters, each once, latest first. They are a tool's words, so whoever shows them
 * to a model treats them as untrusted.
 */
export function hintsFrom(outcomes: readonly SubTaskOutcome[]): string[] {
  const hints = new Set<string>();
  for (const outcome of outcomes.filter(isFailed)) {
    for (const call of [...(outcome.toolCalls ?? [])].reverse()) {
      if (call.ok && call.empty !== true) continue;
      for (const line of linesOf(call.output ?? '')) {
        if (!SUGGESTION.test(line) && !SIBLINGS.test(line)) continue;
        hints.add(clip(line));
        if (hints.size === MOST_HINTS) return [...hints];
      }
    }
  }
  return [...hints];
}

function linesOf(output: string): string[] {
  return output.split(/\r?\n/).map((line) => line.slice(0, LONGEST_LINE).trim());
}

function clip(line: string): string {
  return line.length <= LONGEST_HINT ? line : `${line.slice(0, LONGEST_HINT - 1)}…`;
}
