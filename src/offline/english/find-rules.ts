import type { OfflineRequest } from '../requests.js';
import { HOLD, placeOf } from './count-rules.js';
import { rule, type Caught, type Rule } from './rule.js';
import { IN, looksLikeFile, looksLikeMark, readKinds, readNeedle, readWhere, TOKEN, WHAT, type Sentence } from './words.js';

const FIND = '(?:find|locate|search for|look for|look up|show(?: me)?|get|list|print|name|which are|what are|give me)(?: me)?(?: all)?(?: of)?(?: the)?';
const SEARCH = '(?:find|search(?: for)?|grep(?: for)?|look for|scan for|where (?:is|are)|where do we (?:use|have))';

const linesWith = (kind: 'find lines' | 'find files with') => (caught: Caught, sentence: Sentence): OfflineRequest | undefined => {
  const needle = readNeedle(caught('what'), sentence);
  const where = readWhere(caught('where') || caught('first'), sentence);
  const kinds = readKinds(caught('kinds'), sentence);
  if (!needle || !where || !kinds || kinds.length !== 1) return undefined;
  return { kind, needle, ...placeOf(where), ...(kinds[0] === '*' ? {} : { matching: kinds[0]! }) };
};

function files(caught: Caught, sentence: Sentence): readonly OfflineRequest[] | undefined {
  const where = readWhere(caught('where'), sentence);
  const kinds = readKinds(caught('kinds'), sentence);
  if (!where || where.isFile || !kinds) return undefined;
  const name = sentence.value(caught('name'));
  const part = sentence.value(caught('part'));
  const ending = sentence.value(caught('ending')).replace(/^\*?\./, '');
  const asked = name || (part === '' ? '' : `*${part}*`) || (ending === '' ? '' : `*.${ending}`);
  if (asked === '' && kinds.length === 1 && kinds[0] === '*' && !/\ball\b/i.test(sentence.text)) return undefined;
  return (asked === '' ? kinds : [asked]).map((matching) => ({ kind: 'find files', matching: matching === '*' ? where.matching ?? '*' : matching, in: where.in }));
}

/** Finding files by name, and lines or files by what they hold. */
export const FIND_RULES: readonly Rule[] = [
  rule(`${FIND} lines?(?: ${IN} (?<first>.+?))? ${HOLD} (?<what>${WHAT})(?: ${IN} (?<where>.+))?`, linesWith('find lines')),
  rule(`(?:which|what) lines?(?: ${IN} (?<first>.+?))? ${HOLD} (?<what>${WHAT})(?: ${IN} (?<where>.+))?`, linesWith('find lines')),
  rule(`(?:${FIND}|which|what) ?(?<kinds>(?:\\S+ )?)files?(?: ${IN} (?<first>.+?))? ${HOLD} (?<what>${WHAT})(?: ${IN} (?<where>.+))?`, linesWith('find files with')),
  rule(`(?:search|grep|scan) (?<where>.+?) for (?<what>${WHAT})`, linesWith('find lines')),
  rule(`${FIND} ?(?<kinds>.*?) ?files? (?:(?:named|called|matching|with the name) (?<name>${TOKEN})|(?:whose names? contains?|with (?:a )?names? containing|with names? like) (?<part>${TOKEN})|(?:ending (?:in|with|on)|with (?:the )?(?:extension|ending|suffix)) (?<ending>${TOKEN}))(?: ${IN} (?<where>.+))?`, files),
  rule(`(?:${FIND}|which|what) ?(?<kinds>.*?) ?files?(?: (?:are|exist|lie|live|do we have))?(?: there)?(?: ${IN} (?<where>.+))?`, files),
  rule(`(?:find|locate|search for|look for|where (?:is|are|lies|can i find))(?: the)?(?: files?)?(?: called| named)? (?<name>${TOKEN})(?: ${IN} (?<where>.+))?`, (caught, sentence) => {
    const name = sentence.value(caught('name'));
    const where = readWhere(caught('where'), sentence);
    const isName = looksLikeFile(name) || /[*?]/.test(name) || /\bfiles? (?:called |named )?\S+/i.test(sentence.text.slice(0, 40));
    if (!where || where.isFile || !isName || (sentence.isQuoted(caught('name')) && !looksLikeFile(name))) return undefined;
    return { kind: 'find files', matching: name, in: where.in };
  }),
  rule(`${SEARCH}(?: all)?(?: the)?(?: (?:occurrences|mentions|uses|lines) (?:of|with))? (?<what>${WHAT})(?: mentioned| used| defined| written)?(?: ${IN} (?<where>.+))?`, (caught, sentence) => {
    const what = caught('what').replace(/^the /i, '');
    const clear = sentence.isQuoted(what) || looksLikeMark(what) || /^(?:grep|search|scan)/i.test(sentence.text) || / (?:mentioned|used|defined|written|comments?)\b/i.test(sentence.text) || /^(?:word|text|string|pattern) /i.test(what);
    return clear && !looksLikeFile(sentence.value(what)) ? linesWith('find lines')(caught, sentence) : undefined;
  }),
];
