import { cleanText } from '../../text/index.js';
import { attribute, elementsBelow, parseHtml, textBelow, type HtmlDocument, type HtmlElement } from './html-tree.js';
import { isHidden, isJunk, isNeverText } from './html-visible.js';
import { writeBlocks } from './html-blocks.js';

/** A page as a reader takes it in. */
export interface ReadableText {
  readonly title: string | undefined;
  readonly text: string;
  /** What a reader should know about the text: where it comes from, what is missing. */
  readonly notes: readonly string[];
}

export interface ReadableHtmlOptions {
  /** What relative links are relative to. */
  readonly url: URL;
  /** Whether links are followed by their addresses. */
  readonly links: boolean;
  readonly monotonic: () => number;
}

/** A part that calls itself the main one must hold this many characters to stand for the page. */
const MAIN_CHARACTERS = 200;
const LONGEST_TITLE = 200;

/**
 * The text of a page: headings, paragraphs, lists, tables as rows, links with absolute addresses. Scripts, hidden parts and, where
 * enough remains, navigation are left out. A heuristic: what a page marks wrongly comes out wrongly.
 */
export async function readableHtml(html: string, { url, links, monotonic }: ReadableHtmlOptions): Promise<ReadableText> {
  const { document, cut } = await parseHtml(html, { monotonic });
  const base = baseOf(document, url);
  const write = (root: HtmlElement, everything: boolean): string => cleanText(writeBlocks(root, { base, page: url, links, skip: everything ? isHidden : (element) => isHidden(element) || isJunk(element) }));
  const notes: string[] = cut ? ['the page holds more than was read'] : [];
  const body = first(document, 'body');
  if (!body) return { title: titleOf(document), text: '', notes };

  const main = mainPart(body);
  let text = main ? write(main, false) : '';
  if (text.length >= MAIN_CHARACTERS) notes.push('the main part of the page');
  else text = write(body, false);
  if (text === '') text = write(body, true);
  if (text.length < MAIN_CHARACTERS && first(document, 'script')) {
    const description = metaDescription(document);
    const substitute = cleanText([...elementsBelow(document)].filter(({ tagName }) => tagName === 'noscript').map((element) => textBelow(element, (one) => !isNeverText(one))).join('\n').replace(/[ \t]+/g, ' ').trim());
    text = [text, description, substitute].filter((part) => part !== undefined && part !== '').join('\n\n');
    notes.push('the page has scripts, which were not run, and little text without them');
  }
  return { title: titleOf(document), text, notes };
}

/** The one part that the page itself calls the main one, or its only article. */
function mainPart(body: HtmlElement): HtmlElement | undefined {
  const visible = [...elementsBelow(body, (element) => !isHidden(element) && !isJunk(element))];
  const mains = visible.filter((element) => element.tagName === 'main' || attribute(element, 'role') === 'main');
  if (mains.length > 0) return mains.length === 1 ? mains[0] : undefined;
  const articles = visible.filter(({ tagName }) => tagName === 'article');
  return articles.length === 1 ? articles[0] : undefined;
}

function titleOf(document: HtmlDocument): string | undefined {
  const head = first(document, 'title');
  const title = oneLine(head ? textBelow(head) : '').slice(0, LONGEST_TITLE);
  return title === '' ? undefined : title;
}

function metaDescription(document: HtmlDocument): string | undefined {
  const metas = [...elementsBelow(document)].filter(({ tagName }) => tagName === 'meta');
  const found = metas.find((meta) => /^(?:description|og:description)$/i.test(attribute(meta, 'name') ?? attribute(meta, 'property') ?? ''));
  return found && oneLine(attribute(found, 'content') ?? '');
}

function baseOf(document: HtmlDocument, url: URL): URL {
  const base = first(document, 'base');
  try {
    return new URL((base && attribute(base, 'href')) ?? '', url);
  } catch {
    return url;
  }
}

function first(document: HtmlDocument, tagName: string): HtmlElement | undefined {
  // Not in an SVG drawing: those have titles and scripts of their own.
  for (const element of elementsBelow(document, (one) => one.tagName !== 'svg')) if (element.tagName === tagName) return element;
  return undefined;
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
