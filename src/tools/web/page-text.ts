import { cleanText } from '../../text/index.js';
import { isHtmlType, isTextType, looksLikeHtml, readContentType } from './content-type.js';
import { decodeBytes, looksBinary } from './decode-bytes.js';
import { readableHtml } from './readable-html.js';
import type { ResponseHead } from './web-transport.js';

/** What an answer says, or, without `text`, that it is nothing to be read as text. */
export interface PageText {
  /** Media type and, for text, the encoding it was read in. */
  readonly type: string;
  readonly title?: string | undefined;
  readonly text?: string;
  readonly notes: readonly string[];
}

export interface PageTextOptions {
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly links: boolean;
  readonly monotonic: () => number;
}

/** Whether a body is worth reading: one that says that it is text, or doesn't say what it is. */
export function mayBeText({ headers }: ResponseHead): boolean {
  const type = readContentType(headers.get('content-type'));
  return type === undefined || isTextType(type.mime) || isHtmlType(type.mime);
}

/** The text of an answer: readable text of a page, any other text as it is. What turns out to be no text is only named. */
export async function pageText({ url, headers, body, truncated, links, monotonic }: PageTextOptions): Promise<PageText> {
  const type = readContentType(headers.get('content-type'));
  const mime = type?.mime ?? 'no type given';
  if (type && !isTextType(type.mime) && !isHtmlType(type.mime)) return { type: mime, notes: [] };
  if (looksBinary(body, type?.charset)) return { type: mime, notes: ['it is binary, whatever its type says'] };
  const declared = type === undefined || isHtmlType(type.mime) || type.mime.endsWith('xml');
  const { text, charset } = decodeBytes(body, { charset: type?.charset, declared: declared || type.mime === 'text/plain', truncated });
  const shownType = `${mime}, ${charset}`;
  if (type ? isHtmlType(type.mime) : looksLikeHtml(text)) {
    const readable = await readableHtml(text, { url, links, monotonic });
    return { type: shownType, ...readable };
  }
  return { type: shownType, text: cleanText(text).trim(), notes: [] };
}
