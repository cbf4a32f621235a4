import type { OfflineRequest } from '../requests.js';
import { rule, type Rule } from './rule.js';
import { readWhere, TOKEN, type Sentence } from './words.js';

const CONTENT = '(?:(?: the)? (?:files?|contents?|entries|folders|everything|things|stuff)(?: and (?:the )?(?:folders|files|directories|subfolders))?)';

const aFile = (kind: 'summarise file' | 'show file', words: string, sentence: Sentence): OfflineRequest | undefined => {
  const where = readWhere(words, sentence);
  return where && where.matching === undefined && where.in.path !== '.' ? { kind, in: where.in } : undefined;
};

function listOrShow(words: string, sentence: Sentence): OfflineRequest | undefined {
  const where = readWhere(words, sentence);
  if (!where) return undefined;
  if (where.matching !== undefined) return { kind: 'find files', matching: where.matching, in: where.in };
  return where.isFile ? { kind: 'show file', in: where.in } : { kind: 'list folder', in: where.in };
}

/** Listing folders, showing files, and saying how a file is built. */
export const TEXT_RULES: readonly Rule[] = [
  rule(`(?:summari[sz]e|sum up|outline|describe)(?: the (?:structure|content|contents) of)? (?<where>.+)`, (caught, sentence) => aFile('summarise file', caught('where'), sentence)),
  rule(`(?:(?:give|show|make|write|get)(?: me)? )?(?:an?|the) (?:short |brief |quick )?(?:summary|overview|outline)(?: of| for| on)? (?<where>.+)`, (caught, sentence) => aFile('summarise file', caught('where'), sentence)),
  rule(`what(?:'s| is) (?<where>(?:the )?(?:file )?${TOKEN}) about`, (caught, sentence) => aFile('summarise file', caught('where'), sentence)),
  rule(`(?:list|ls|show(?: me)?|display|print)(?: all)?${CONTENT}(?: (?:in|of|inside|under|within) (?<where>.+))?`, (caught, sentence) => listOrShow(caught('where'), sentence)),
  rule(`(?:list|ls)(?: (?:in|of))?(?: (?<where>.+))?`, (caught, sentence) => listOrShow(caught('where'), sentence)),
  rule(`(?:what|which)(?:'s| is| are)?${CONTENT}?(?: (?:are|is|lie|lies|do we have|exist))?(?: there)? (?:in|inside|under|within) (?<where>.+)`, (caught, sentence) => listOrShow(caught('where'), sentence)),
  rule(`what does (?<where>.+?) (?:say|contain|hold)`, (caught, sentence) => listOrShow(caught('where'), sentence)),
  rule(`(?:show|print|read|display|open|cat|view|output)(?: me)?(?: out)?(?: the)?(?: (?:contents?|text) of)? (?<where>.+)`, (caught, sentence) => {
    const where = readWhere(caught('where'), sentence);
    if (!where || where.matching !== undefined || where.in.path === '.') return undefined;
    return where.isFile ? { kind: 'show file', in: where.in } : /folder|directory/i.test(caught('where')) ? { kind: 'list folder', in: where.in } : undefined;
  }),
  rule(`the (?:contents?|text) of (?<where>.+)`, (caught, sentence) => listOrShow(caught('where'), sentence)),
];
