import type { Place } from '../requests.js';
import { elsewhereNote, locate } from './files.js';
import { call, readListing, type Hands, type Procedure } from './procedure.js';
import { lineCount, readHit, textOf, wordsIn } from './texts.js';

const MOST_HEADINGS = 40;
const MOST_SENTENCE_CHARACTERS = 300;

/** A file by its structure: size, headings, first sentences. Says nothing about what it means. */
export function* summarise(hands: Hands, place: Place): Procedure<string> {
  const path = yield* locate(hands, place, 'file');
  const { text, whole } = yield* textOf(hands, path);
  if (text.trim() === '') return `${path} is empty.${elsewhereNote(place, path)}`;
  const lines = yield* lineCount(hands, path);
  const headings = whole ? headingsIn(text) : (yield* searchedHeadings(hands, path)) ?? headingsIn(text);
  const facts = [`${lines} ${lines === 1 ? 'line' : 'lines'}`, ...(whole ? [`${wordsIn(text)} words`] : []), `${headings.length} ${headings.length === 1 ? 'heading' : 'headings'}${whole ? '' : ' found'}`];
  const shown = headings.slice(0, MOST_HEADINGS);
  const opening = firstSentences(text);
  return [
    `${path}: ${facts.join(', ')}.${elsewhereNote(place, path)}`,
    ...(shown.length > 0 ? ['Headings:', ...shown.map(({ level, title }) => `${'  '.repeat(level - 1)}- ${title}`)] : []),
    ...(headings.length > shown.length ? [`(${headings.length - shown.length} more)`] : []),
    ...(opening === '' ? [] : [`It begins: ${opening}`]),
  ].join('\n');
}

interface Heading { readonly level: number; readonly title: string }

function headingsIn(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? readHeading(line) : undefined;
    if (heading) headings.push(heading);
  }
  return headings;
}

function readHeading(line: string): Heading | undefined {
  const match = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*$/.exec(line.slice(0, 500));
  return match ? { level: match[1]!.length, title: match[2]! } : undefined;
}

/** Of a long file the headings are searched for; those in blocks of code can't be told apart then. */
function* searchedHeadings(hands: Hands, path: string): Procedure<Heading[] | undefined> {
  if (!hands.skills.has('grep')) return undefined;
  const result = yield* call(hands, 'grep', { pattern: '^ {0,3}#{1,6}[ \\t]', path });
  const found = readListing(result);
  return result.ok && found.complete ? found.lines.flatMap((line) => readHeading(readHit(line)?.text ?? '') ?? []) : undefined;
}

/** The beginning of the first paragraph that is prose. */
function firstSentences(text: string): string {
  const prose = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim()).find((paragraph) => /^[\p{L}\p{N}"'(*_]/u.test(paragraph) && !/^(?:[-*+]|\d+\.) /.test(paragraph));
  if (prose === undefined) return '';
  const plain = prose.split('\n').filter((line) => !readHeading(line)).join(' ').replace(/\s+/g, ' ').slice(0, 2_000);
  const sentences = /^(?:.+?[.!?](?= |$)){1}(?: .+?[.!?](?= |$))?/.exec(plain)?.[0] ?? plain;
  return sentences.length > MOST_SENTENCE_CHARACTERS ? `${sentences.slice(0, MOST_SENTENCE_CHARACTERS)} …` : sentences;
}
