import type { CountHits, OfflineRequest } from '../requests.js';
import { rule, type Caught, type Rule } from './rule.js';
import { IN, looksLikeMark, readKinds, readNeedle, readWhere, TOKEN, WHAT, type Sentence, type Where } from './words.js';

export const NUMBER = "(?:how many(?: of the| of)?|count(?: up)?(?: all)?(?: (?:of )?the)?|(?:what is |what's )?(?:the )?(?:total |overall )?(?:number|count|amount) of(?: all)?(?: the)?)";
const ARE = '(?:(?: are| is| do we have| do i have| exist| do you see| can be found)?(?: there)?(?: left| still| here)*)';
const HOLD = '(?:that |which )?(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|hold(?:s|ing)?|match(?:es|ing)?|us(?:e|es|ing)|with|hav(?:e|ing)|has)';

const hits = (kind: CountHits['kind']) => (caught: Caught, sentence: Sentence): OfflineRequest | undefined => {
  const needle = readNeedle(caught('what'), sentence);
  const where = readWhere(caught('where') || caught('first'), sentence);
  return needle && where ? { kind, needle, ...placeOf(where) } : undefined;
};

export function placeOf({ in: place, matching }: Where): Pick<CountHits, 'in' | 'matching'> {
  return { in: place, ...(matching === undefined ? {} : { matching }) };
}

function lines(caught: Caught, sentence: Sentence): OfflineRequest | undefined {
  const where = readWhere(caught('where'), sentence);
  if (!where || (where.in.path === '.' && caught('where') === '')) return undefined;
  const kind = /^word/i.test(caught('unit')) ? 'count words' : 'count lines';
  return where.isFile ? { kind, in: where.in } : { kind, in: where.in, matching: where.matching ?? '*' };
}

/** Counting: hits before files and lines, since "files that contain X" begins like "files". */
export const COUNT_RULES: readonly Rule[] = [
  rule(`(?:how many times|how often) (?:does|do|is|are|did) (?<what>${WHAT}) (?:appear|occur|show up|come up|stand|used|mentioned|written|found)(?:s|ed)?(?: ${IN} (?<where>.+))?`, hits('count occurrences')),
  rule(`${NUMBER} (?:occurrences?|mentions?|instances?|appearances?|hits?|uses|usages) (?:of|for) (?<what>${WHAT})${ARE}(?: ${IN} (?<where>.+))?`, hits('count occurrences')),
  rule(`${NUMBER} lines?(?: ${IN} (?<first>.+?))? ${HOLD} (?<what>${WHAT})(?: ${IN} (?<where>.+))?`, hits('count lines with')),
  rule(`${NUMBER} (?<kinds>(?:\\S+ )?)files?(?: ${IN} (?<first>.+?))? ${HOLD} (?<what>${WHAT})(?: ${IN} (?<where>.+))?`, (caught, sentence) => {
    const kinds = readKinds(caught('kinds'), sentence);
    const found = hits('count files with')(caught, sentence);
    if (!found || !kinds || kinds.length !== 1) return undefined;
    return kinds[0] === '*' ? found : { ...(found as CountHits), matching: kinds[0]! };
  }),
  rule(`${NUMBER} (?<unit>lines?|words?)(?: of (?:code|text|prose))?${ARE} ${IN} (?<where>.+?)(?: has| have| contains?)?`, lines),
  rule('how many (?<unit>lines?|words?)(?: of (?:code|text|prose))? (?:does|do) (?<where>.+?) (?:have|contain|hold)', lines),
  rule('how many (?<unit>lines?|words?)(?: long)? (?:is|has) (?<where>.+)', lines),
  rule("(?:how long is|(?:what is |what's )?the length of) (?<where>.+)", lines),
  rule(`${NUMBER} (?<kinds>.*?) ?files?(?: (?:named|called|matching|with the name|with names? matching) (?<name>${TOKEN})| (?:ending (?:in|with|on)|with (?:the )?(?:extension|ending|suffix)) (?<ending>${TOKEN}))?${ARE}(?: ${IN} (?<where>.+))?`, (caught, sentence) => {
    const where = readWhere(caught('where'), sentence);
    const kinds = readKinds(caught('kinds'), sentence);
    if (!where || where.isFile || !kinds) return undefined;
    const name = sentence.value(caught('name')) || (caught('ending') === '' ? '' : `*.${sentence.value(caught('ending')).replace(/^\*?\./, '')}`);
    return (name === '' ? kinds : [name]).map((matching) => ({ kind: 'count files', matching: matching === '*' ? where.matching ?? '*' : matching, in: where.in }));
  }),
  rule(`${NUMBER} (?<what>${WHAT})${ARE}(?: ${IN} (?<where>.+))?`, (caught, sentence) => {
    const what = caught('what');
    const said = / (?:comments?|markers?|marks?|tags?)$/i.test(what) || /^(?:the )?(?:word|text|string|phrase|term|pattern|expression) /i.test(what);
    const token = what.replace(/^the /i, '');
    return said || sentence.isQuoted(token) || looksLikeMark(token) ? hits('count occurrences')(caught, sentence) : undefined;
  }),
];
export { ARE, HOLD };
