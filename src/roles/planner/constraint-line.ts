import type { PlanConstraint } from '../../contracts/messages.js';

const WORDS: Readonly<Record<PlanConstraint['kind'], string>> = { prefer: 'SHOULD PREFER', must_not: 'MUST NOT', caution: 'CAUTION' };

/** A constraint as plans and subtasks show it. Its kind always leads, whether or not its text says it. */
export function constraintLine({ kind, text }: PlanConstraint): string {
  return text.startsWith(WORDS[kind]) ? text : `${WORDS[kind]}: ${text}`;
}
