import type { CriterionInput } from '../../contracts/criterion.js';
import { headTail, tokenOverlap } from '../../text/index.js';
import { toCriterion } from '../to-criterion.js';

/** "The task is done correctly": true of anything, shown by nothing. */
const VACUOUS = new RegExp(
  '^(the |all |each |every )*(task|subtask|step|work|job|goal|request|action|it|everything|output|result|answer|all)?s? ?' +
  '(is|are|was|were|has been|have been|must be|should be|gets)? ?' +
  '(done|complete|completed|finished|executed|performed|handled|successful|success|succeeds|works|correct|accurate|valid|good|ok|okay|fine|as expected)' +
  '( (correctly|properly|successfully|well|accurately|as expected|as requested))?[.!]?$', 'i',
);
const SAME_AS_INTENT = 0.9;
/** In characters. */
const LONGEST_CRITERION = 4_000;

/** What is wrong with a set of criteria, as sentences; empty when each can fail on something that can be seen. */
export function lintCriteria(criteria: readonly CriterionInput[], intent: string, where: string, knownChecks: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  for (const input of criteria) {
    const { criterion, check } = toCriterion(input);
    const named = headTail(criterion, { max: 200 });
    if (check && !knownChecks.has(check.type)) {
      problems.push(`${where}: there is no check "${headTail(check.type, { max: 80 })}"; known: ${[...knownChecks].join(', ')}`);
    } else if (criterion === '') problems.push(`${where}: a criterion is empty`);
    else if (criterion.length > LONGEST_CRITERION) problems.push(`${where}: a criterion is longer than ${LONGEST_CRITERION} characters`);
    else if (check) continue;
    else if (VACUOUS.test(criterion)) problems.push(`${where}: "${named}" names nothing that can be observed`);
    else if (/[?？]$/.test(criterion)) problems.push(`${where}: "${named}" is a question, not a statement that can fail`);
    else if (tokenOverlap(criterion, intent) >= SAME_AS_INTENT) problems.push(`${where}: "${named}" only repeats the intent; name the sign by which it shows`);
  }
  return problems;
}
