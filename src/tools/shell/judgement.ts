import type { Field, Judgement, ShellRange } from './types.js';

/** Nothing changes. */
export const READ: Judgement = { effect: 'read', reason: '' };
const RANK = { read: 0, write: 1, irreversible: 2 } as const;

/** Makes something new, which can be put right again. */
export function write(reason: string, range?: ShellRange): Judgement {
  return { effect: 'write', reason, range };
}

/** Must be asked about. */
export function stop(reason: string, range?: ShellRange): Judgement {
  return { effect: 'irreversible', reason, range };
}

/** The gravest of several; the first of equals. */
export function gravest(judgements: readonly Judgement[]): Judgement {
  return judgements.reduce((worst, next) => (RANK[next.effect] > RANK[worst.effect] ? next : worst), READ);
}

/** A word for people, also when it can't be read. */
export function shown(field: Field): string {
  const text = field.text ?? `${field.prefix}…`;
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
