import { describe } from './canonical.js';
import { readRequests } from './english/read-requests.js';
import { readWhere, Sentence, readMatching } from './english/words.js';
import type { OfflineRequest, Part } from './requests.js';

/** "Wrong", "again": the same request once more. */
const REACTION = /^(?:(?:no|nope|hmm+|sorry|well)[,.]? )*(?:(?:that(?:'s| is| was)|this is|it(?:'s| is))(?: all)? )?(?:not (?:right|correct|true)|wrong|incorrect|again|(?:please )?(?:try|do|run|check|count) (?:it |that |this )?(?:again|once more)|redo(?: it| that)?|once more|repeat(?: it| that)?|retry|no|nope)(?: please)?[.!]*$/i;
/** "In German", "shorter": the same request, said how. */
const MODIFIER = /^(?:(?:and |now |please |but |no,? )*)(?:in (?:german|french|spanish|italian|portuguese|dutch|polish|russian|turkish|arabic|hindi|chinese|japanese|korean|english|one (?:line|sentence|word)|short|detail|more detail|other words)|as (?:an? )?(?:table|list|json|csv|bullet(?: point)?s?|markdown)|(?:make it |a bit |much )?(?:shorter|longer|simpler|more detailed)|with(?:out)? (?:more |the )?(?:details?|paths?|numbers?|examples?))(?: please)?[.!?]*$/i;
/** "And in test?", "what about the .js files?": the same request for something else. */
const ELSEWHERE = /^(?:and|what about|how about|now|same for|the same for|also)(?: for| in)? (?<what>.+?)(?: too| as well| instead)?[.?!]*$/i;

/**
 * The request that the words stand for, given the earlier ones, oldest first. Words that can stand alone do. Nothing is
 * asked back: without an earlier turn the words are all there is.
 */
export function followUp(words: string, earlier: readonly string[]): string {
  let current: string | undefined;
  for (const turn of earlier) current = combine(turn, current);
  return combine(words, current);
}

function combine(words: string, before: string | undefined): string {
  const plain = words.replace(/\s+/g, ' ').trim();
  if (before === undefined) return plain;
  if (REACTION.test(plain)) return before;
  if (MODIFIER.test(plain)) return `${before.replace(/[.?!]+$/, '')}, ${plain}`;
  const other = ELSEWHERE.exec(plain)?.groups?.['what'];
  return (other !== undefined && standsAlone(plain) === false ? elsewhere(before, other) : undefined) ?? plain;
}

function standsAlone(words: string): boolean {
  return readRequests(words).every(({ part }) => part.kind !== 'unsupported');
}

/** The earlier request with another place or another kind of file. */
function elsewhere(before: string, what: string): string | undefined {
  const [only, ...rest] = readRequests(before);
  if (!only || rest.length > 0 || !('in' in only.part)) return undefined;
  const sentence = Sentence.of(what);
  const [kinds, place] = splitPlace(sentence.text);
  const matching = /files?$/i.test(kinds) || /^\.\w+$/.test(kinds) ? readMatching(kinds.replace(/ ?files?$/i, ''), sentence) : undefined;
  const where = matching === undefined ? readWhere(sentence.text, sentence) : readWhere(place, sentence);
  if (!where) return undefined;
  const changed = {
    ...only.part,
    ...(matching !== undefined || where.matching !== undefined ? { matching: matching ?? where.matching } : {}),
    ...(matching === undefined || place !== '' ? { in: where.in } : {}),
  } as Part as OfflineRequest;
  return describe(changed);
}

function splitPlace(text: string): readonly [string, string] {
  const match = /^(.*?)(?: in (.+))?$/i.exec(text);
  return [match?.[1] ?? text, match?.[2] ?? ''];
}
