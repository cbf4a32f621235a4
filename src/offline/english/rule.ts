import type { OfflineRequest } from '../requests.js';
import type { Sentence } from './words.js';

/** What a pattern caught, by name; a group that took no part is the empty text. */
export type Caught = (name: string) => string;
/** One way of asking. The pattern must fit the whole sentence; `read` may still say no. */
export interface Rule {
  readonly pattern: RegExp;
  readonly read: (caught: Caught, sentence: Sentence) => readonly OfflineRequest[] | OfflineRequest | undefined;
}

export function rule(pattern: string, read: Rule['read']): Rule {
  return { pattern: new RegExp(`^(?:${pattern})$`, 'i'), read };
}

/** The first rule that reads the sentence. */
export function readByRules(rules: readonly Rule[], sentence: Sentence): readonly OfflineRequest[] | undefined {
  for (const { pattern, read } of rules) {
    const match = pattern.exec(sentence.text);
    if (!match) continue;
    const found = read((name) => match.groups?.[name] ?? '', sentence);
    if (found !== undefined) return Array.isArray(found) ? (found as readonly OfflineRequest[]) : [found as OfflineRequest];
  }
  return undefined;
}
