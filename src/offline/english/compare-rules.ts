import { isCount } from '../canonical.js';
import type { CountRequest, OfflineRequest } from '../requests.js';
import { COUNT_RULES } from './count-rules.js';
import { readByRules, rule, type Caught, type Rule } from './rule.js';
import { IN, readWhere, TOKEN, type Sentence } from './words.js';

const LONGER = '(?:the )?(?:longer|longest|bigger|biggest|larger|largest|shorter|shortest|smaller|smallest)(?: file| one)?';
const MORE = '(?:more|fewer|less|the most|the fewest)';
const UNIT = '(?<unit>lines|words|text)';
const PAIR = `(?<left>(?:the )?(?:file |folder )?${TOKEN}),? (?:or|and|with|to|against|vs\\.?|than) (?<right>(?:in )?(?:the )?(?:file |folder )?${TOKEN})`;

const pairOf = (by?: 'lines' | 'words' | 'content') => (caught: Caught, sentence: Sentence): OfflineRequest | undefined => {
  const [left, right] = [readWhere(caught('left'), sentence), readWhere(caught('right'), sentence)];
  if (!left || !right || left.matching !== undefined || right.matching !== undefined) return undefined;
  if (left.isFile && right.isFile) return { kind: 'compare files', left: left.in, right: right.in, by: by ?? (caught('unit') === 'words' ? 'words' : caught('unit') === 'content' ? 'content' : 'lines') };
  if (left.isFile || right.isFile || by === 'content') return undefined;
  return { kind: 'compare counts', left: { kind: 'count files', matching: '*', in: left.in }, right: { kind: 'count files', matching: '*', in: right.in } };
};

function countOf(words: string, sentence: Sentence): CountRequest | undefined {
  const found = readByRules(COUNT_RULES, sentence.with(`number of ${words}`));
  return found?.length === 1 && isCount(found[0]!) ? found[0] : undefined;
}

/** The same thing counted in two places. */
function inBoth(caught: Caught, sentence: Sentence): OfflineRequest | undefined {
  const right = caught('right').replace(/^in /i, '');
  const [left, other] = [countOf(`${caught('what')} in ${caught('left')}`, sentence), countOf(`${caught('what')} in ${right}`, sentence)];
  return left && other ? { kind: 'compare counts', left, right: other } : undefined;
}

/** Two things counted in one place, or one thing in two. */
function moreOf(caught: Caught, sentence: Sentence): OfflineRequest | undefined {
  const [first, second] = [caught('first'), caught('second')];
  const where = caught('where') === '' ? '' : ` in ${caught('where')}`;
  const thing = first.replace(new RegExp(` ${IN} .+$`, 'i'), '');
  const left = countOf(thing === first ? `${first}${where}` : first, sentence);
  const right = /^in /i.test(second) ? countOf(`${thing} ${second}`, sentence) : countOf(`${second}${where}`, sentence) ?? countOf(`${second}${first.slice(thing.length)}`, sentence);
  return left && right ? { kind: 'compare counts', left, right } : undefined;
}

/** Comparing two files, or two counts. */
export const COMPARE_RULES: readonly Rule[] = [
  rule(`which(?: file| one| of (?:these|the two|the files))? (?:is ${LONGER}|has ${MORE} ${UNIT})[,:]? (?:of )?${PAIR}`, pairOf()),
  rule(`which of ${PAIR} (?:is ${LONGER}|has ${MORE} ${UNIT})`, pairOf()),
  rule(`(?:is (?<left>${TOKEN}) ${LONGER} than|does (?<left2>${TOKEN}) have ${MORE} ${UNIT} than) (?<right>${TOKEN})`, (caught, sentence) =>
    pairOf()((name) => (name === 'left' ? caught('left') || caught('left2') : caught(name)), sentence)),
  rule(`(?:are|is) ${PAIR} (?:identical|the same|equal|different|alike)`, pairOf('content')),
  rule(`is (?<left>${TOKEN}) (?:identical to|the same as|equal to|different from) (?<right>${TOKEN})`, pairOf('content')),
  rule(`(?:how )?do ${PAIR} differ`, pairOf('content')),
  rule(`(?:what(?:'s| is| are) )?the differences? between ${PAIR}`, pairOf('content')),
  rule(`compare the (?:number|count) of (?<what>.+?) in ${PAIR}`, inBoth),
  rule(`which (?:of them |folder |directory |file |one )?has ${MORE} (?<what>.+?)[,:]? (?:in )?${PAIR}`, inBoth),
  rule(`compare(?: the)?(?: files?| folders?| lengths? of| sizes? of| contents? of)?(?: the)? ${PAIR}(?: by (?<unit>lines|words|content))?`, (caught, sentence) =>
    pairOf(/^compare(?: the)? contents? of/i.test(sentence.text) ? 'content' : undefined)(caught, sentence)),
  rule(`(?:are there|do we have) ${MORE} (?<first>.+?) (?:or|than) (?<second>.+?)(?: ${IN} (?<where>\\S+))?`, moreOf),
];
