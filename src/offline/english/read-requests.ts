import { readCanonical, unsupported } from '../canonical.js';
import type { OfflineRequest, Part } from '../requests.js';
import { COMPARE_RULES } from './compare-rules.js';
import { COUNT_RULES } from './count-rules.js';
import { FIND_RULES } from './find-rules.js';
import { readByRules, type Rule } from './rule.js';
import { TEXT_RULES } from './text-rules.js';
import { looksLikeFile, Sentence, TOKEN } from './words.js';

/** A part of a request and the step it belongs to; parts of the same step don't wait for each other. */
export interface Step { readonly part: Part; readonly step: number }

const MOST_PARTS = 4;
/** Longer texts are no request of this family, and reading them by rules would take its time. */
const MOST_CHARACTERS = 1_500;
/** "and" and commas in one stretch, and stretches: each multiplies the ways to read it. Four parts need fewer. */
const MOST_JOINTS = 8;
const MOST_STRETCHES = 12;
export const CANNOT = "I can't do this offline";
/** What is said where nothing more special is known. */
export const FAMILY = `${CANNOT}: counting, finding, listing, comparing, showing, summarising by structure, and writing a report of these, over files of the workspace, is all that these rules know.`;
const RULES: readonly Rule[] = [...COMPARE_RULES, ...COUNT_RULES, ...FIND_RULES, ...TEXT_RULES];

const POLITE = /^(?:(?:please|hey|hi|hello|ok(?:ay)?|artoo|now|also|so|and|then|first(?:ly)?|second(?:ly)?|finally|next|after that|could you|can you|would you|will you|i(?:'d| would) like (?:you )?to(?: know)?|i (?:want|need) (?:you )?to(?: know)?|let me know|tell me|find out|figure out|work out|i wonder|do you know|check(?: whether| if| that)?|show me(?= how many| the number| which| where| what)|give me(?= the (?:number|count)))[,:]? )+/i;
const TAIL = /(?:,? (?:please|for me|thanks|thank you|in total|altogether|overall|exactly|right now))*[\s.?!]*$/i;

const SAVE = '(?:write|save|put|store|record|export|note)';
const SUBJECT = '(?: (?:it|them|this|that|these|both|everything|(?:all|both) of (?:it|that|this|them)|(?:all )?the (?:results?|findings?|answers?|outputs?|numbers?|counts?|lists?|summary|report)|an? (?:short )?report(?: (?:of|on|about) (?:it|that|this|them|the (?:results|findings)))?|results?|findings))?(?: down)?';
const INTO = '(?:into|to|in|as)';
const FILE = `(?:an? |the )?(?:new )?(?:file |report )?(?:called |named )?(?<to>${TOKEN})(?: file)?`;
const SAVE_ALONE = new RegExp(`^${SAVE}${SUBJECT} ${INTO} ${FILE}$`, 'i');
const REPORT_FIRST = new RegExp(`^(?:write|create|make|produce|generate)(?: me)?(?: an?| the)?(?: short)? report(?: file)? (?:${INTO}|at|called|named) ${FILE}[,:]? (?:with|about|on|of|containing|listing|saying|stating|that (?:says|states|lists|contains))[:]? (?<rest>.+)$`, 'i');
const REPORT_LAST = new RegExp(`^(?:${SAVE}|create|make|produce|generate)(?: me)? (?:(?:an?|the)(?: short)? report (?:of|on|about|with|containing|listing) )?(?<rest>.+) ${INTO} ${FILE}$`, 'i');

/**
 * What a text asks for, in its order: at most four parts, each a request of the offline family or said to be none.
 * A report comes after everything before it.
 */
export function readRequests(text: string): readonly Step[] {
  if (text.length > MOST_CHARACTERS) return [{ part: unsupported(`${text.slice(0, 200)}…`, `${CANNOT}: the request is too long to be read by rules`), step: 0 }];
  const canonical = readCanonical(text);
  if (canonical) return [{ part: canonical, step: 0 }];
  const sentence = Sentence.of(text);
  const steps: Step[] = [];
  let step = 0;
  const stretches = sentence.text.split(/\s*;\s*|\s*[.?!]\s+(?=\p{Lu}|then\b)|\s*\n+\s*|,?\s+(?:and )?then\s+/u).filter((piece) => piece.trim() !== '');
  if (stretches.length > MOST_STRETCHES) return [{ part: unsupported(text, `${CANNOT}: it asks for more than ${MOST_PARTS} things`), step: 0 }];
  let end = 0;
  for (const stretch of stretches) {
    const start = sentence.text.indexOf(stretch, end);
    if (/\bthen\s+$/i.test(sentence.text.slice(end, start))) step = nextStep(steps);
    end = start + stretch.length;
    for (const part of readStretch(sentence.with(stretch))) {
      if (part.kind === 'write report') step = nextStep(steps);
      steps.push({ part, step });
      if (part.kind === 'write report') step += 1;
    }
  }
  if (steps.length === 0) return [{ part: unsupported(text, `${CANNOT}: nothing was asked`), step: 0 }];
  if (steps.length > MOST_PARTS) return [{ part: unsupported(text, `${CANNOT}: it asks for ${steps.length} things, and ${MOST_PARTS} at once are the most`), step: 0 }];
  return steps;
}

function nextStep(steps: readonly Step[]): number {
  return steps.reduce((highest, { step }) => Math.max(highest, step + 1), 0);
}

function readStretch(sentence: Sentence): Part[] {
  const text = sentence.text.replace(POLITE, '').replace(TAIL, '').trim();
  const plain = sentence.with(text);
  return readWhole(plain) ?? readJoined(plain, true) ?? readJoined(plain, false) ?? [none(plain)];
}

function readWhole(sentence: Sentence): Part[] | undefined {
  const saved = SAVE_ALONE.exec(sentence.text);
  const to = saved && sentence.value(saved.groups!['to']!);
  if (to && looksLikeFile(to)) return [{ kind: 'write report', to }];
  for (const pattern of [REPORT_FIRST, REPORT_LAST]) {
    const match = pattern.exec(sentence.text);
    const path = match && sentence.value(match.groups!['to']!);
    if (!path || !looksLikeFile(path)) continue;
    for (const words of [match.groups!['rest']!, `count ${match.groups!['rest']!}`]) {
      const rest = readStretch(sentence.with(words));
      if (rest.every(({ kind }) => kind !== 'unsupported' && kind !== 'write report')) return [...rest, { kind: 'write report', to: path }];
    }
  }
  const found = readByRules(RULES, sentence);
  return found ? [...found] : undefined;
}

/** Requests joined by "and" or a comma. Strictly, every one must be understood; else one is enough. */
function readJoined(sentence: Sentence, strict: boolean): Part[] | undefined {
  const joints = [...sentence.text.matchAll(/,?\s+and\s+|,\s+/gi)];
  if (joints.length > MOST_JOINTS) return undefined;
  for (const joint of joints) {
    const [left, right] = [sentence.text.slice(0, joint.index), sentence.text.slice(joint.index + joint[0].length)].map((piece) => sentence.with(piece.replace(POLITE, '').replace(TAIL, ''))) as [Sentence, Sentence];
    const first = readWhole(left);
    const rest = readWhole(right) ?? readJoined(right, strict) ?? (first && readWithVerb(left, right, strict));
    if (first && rest) return inheritPlace(first, left, rest);
    if (!strict && (first || rest)) return [...(first ?? [none(left)]), ...(rest ?? [none(right)])];
  }
  return undefined;
}

/** "Count the .ts files in src and the .md files in docs": the verb is said once. */
function readWithVerb(left: Sentence, right: Sentence, strict: boolean): Part[] | undefined {
  const verb = /^(?:how many|count|number of|the number of|find|list|show|summari[sz]e|search for)(?= )/i.exec(left.text.replace(POLITE, ''))?.[0];
  if (verb === undefined) return undefined;
  const whole = left.with(`${verb} ${right.text}`);
  return readWhole(whole) ?? readJoined(whole, strict);
}

/** "How many .ts files and how many .md files are in src": the first has its place from the second. */
function inheritPlace(first: readonly Part[], words: Sentence, rest: readonly Part[]): Part[] {
  const next = rest[0];
  if (!next || !('in' in next) || / (?:in|under|of|inside|within|from) /i.test(words.text.replace(/^.*?number of/i, ''))) return [...first, ...rest];
  return [...first.map((part): Part => ('in' in part && part.kind === next.kind && part.in.path === '.' ? { ...part, in: next.in } as OfflineRequest : part)), ...rest];
}

function none(sentence: Sentence): Part {
  return unsupported(sentence.restore(sentence.text), '');
}
