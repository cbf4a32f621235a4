import type { CriterionInput } from '../contracts/criterion.js';
import { describe, readCanonical } from './canonical.js';
import type { Skill, Skills } from './methods.js';
import { asMeant, type OfflineRequest } from './requests.js';

/** By what it shows that a subtask is done: code where a check fits, a judge for whether the answer follows. */
export function subtaskCriteria(request: OfflineRequest, method: readonly Skill[], skills: Skills, earlier: readonly OfflineRequest[]): CriterionInput[] {
  const tool = skills.get(method[0]!)!;
  if (request.kind === 'write report') {
    return [
      { criterion: `${tool} wrote ${request.to}`, mode: 'verifiable', check: { type: 'toolSucceeded', tool } },
      { criterion: `${request.to} exists`, mode: 'verifiable', check: { type: 'fileExists', path: request.to } },
      ...earlier.map((part): CriterionInput => ({ criterion: `${request.to} has a section for ${part.kind}`, mode: 'verifiable', check: { type: 'fileContains', path: request.to, text: headingOf(part) } })),
      { criterion: `The output of ${tool} names ${request.to} as written`, mode: 'verifiable', about: 'world' },
    ];
  }
  return [
    { criterion: `${tool} ran without an error`, mode: 'verifiable', check: { type: 'toolSucceeded', tool } },
    { criterion: `The answer has its form: ${FORMS[request.kind][0]}`, mode: 'verifiable', about: 'result', check: formCheck(request) },
    { criterion: FOLLOWS, mode: 'verifiable', about: 'result' },
  ];
}

/** Judged by working the answer out again from the records of the calls. */
export const FOLLOWS = 'The answer is the one that follows from what the tools showed';

function formCheck(request: Exclude<OfflineRequest, { readonly kind: 'write report' }>): { type: string } & Record<string, unknown> {
  return request.kind.startsWith('count ') ? { type: 'numberInRange', min: 0 } : { type: 'outputMatches', pattern: FORMS[request.kind][1] };
}

const FORMS: Readonly<Record<Exclude<OfflineRequest['kind'], 'write report'>, readonly [words: string, pattern: string]>> = {
  'count files': ['a number of files', ''], 'count lines': ['a number of lines', ''], 'count words': ['a number of words', ''],
  'count occurrences': ['a number of occurrences', ''], 'count lines with': ['a number of lines', ''], 'count files with': ['a number of files', ''],
  'find files': ['the files found, or that there are none', '^\\d+ files? '],
  'find lines': ['the lines found, or that there are none', '^\\d+ lines? '],
  'find files with': ['the files found, or that there are none', '^\\d+ files? '],
  'list folder': ['the entries of the folder', '^\\d+ (?:entry|entries) '],
  'summarise file': ['size, headings and beginning of the file', '(?:line|is empty)'],
  'show file': ['the text of the file', '^(?:Text of |.* is empty)'],
  'compare files': ['which of the two is longer, or whether they are the same', '(?:longer|identical|differ)'],
  'compare counts': ['both numbers and which is more', '\\d+ against \\d+'],
};

/** What must hold of the whole: one statement for each part of the user's words. */
export function taskCriteria(parts: readonly OfflineRequest[]): CriterionInput[] {
  return parts.map((part): CriterionInput => part.kind === 'write report'
    ? { criterion: `${part.to} exists`, mode: 'verifiable', check: { type: 'fileExists', path: part.to } }
    : { criterion: `The result has the answer to: ${describe(asMeant(part))}`, mode: 'verifiable', about: 'result' });
}

/** The part that such a statement is about. */
export function partOf(criterion: string): OfflineRequest | undefined {
  const text = /^The result has the answer to: (.+)$/s.exec(criterion)?.[1];
  const part = text === undefined ? undefined : readCanonical(text);
  return part === undefined || part.kind === 'unsupported' ? undefined : part;
}

/** How a report heads a part: in the user's own places, wherever the answer was found in the end. */
export function headingOf(part: OfflineRequest): string {
  return `## ${describe(asMeant(part))}`;
}
