import type * as z from 'zod/mini';
import { cleanText } from '../text/clean-text.js';

const MAX_ISSUES = 8;
const MAX_LENGTH = 1_000;

/**
 * What a schema found wrong, in words that a model can act on. Written here because zod/mini ships no messages, and
 * without the rejected values: text of a model must not come back as an error's text.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => `${place(issue.path)}: ${describe(issue)}`);
  if (issues.length > MAX_ISSUES) lines.push(`and ${issues.length - MAX_ISSUES} more`);
  return cleanText(lines.join('; ')).slice(0, MAX_LENGTH);
}

function place(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the value';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key).slice(0, 60)}`)).join('');
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': return `must be ${article(issue.expected)}`;
    case 'invalid_value': return `must be ${issue.values.map((value) => JSON.stringify(value) ?? String(value)).join(' or ')}`;
    case 'too_small': return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big': return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'unrecognized_keys': return `has keys that are not known: ${issue.keys.slice(0, 3).map((key) => key.slice(0, 40)).join(', ')}`;
    case 'invalid_union': {
      const first = issue.errors?.find((branch) => branch.length > 0)?.[0];
      return first ? `fits none of the allowed forms (one of them: ${place(first.path)} ${describe(first)})` : 'fits none of the allowed forms';
    }
    case 'invalid_format': return `must have the format ${issue.format}`;
    case 'not_multiple_of': return `must be a multiple of ${issue.divisor}`;
    case 'custom': return issue.message && issue.message !== 'Invalid input' ? issue.message : 'is not accepted';
    default: return 'is not accepted';
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' || origin === 'set' ? ' items long' : '';
}
