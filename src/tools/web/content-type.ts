/** A media type in lower case without parameters, and the charset parameter. */
export interface ContentType { readonly mime: string; readonly charset: string | undefined }

const MIME = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const TEXTS = /^(?:text\/.+|application\/(?:json|xml|javascript|ecmascript|x-javascript|typescript|x-ndjson|ndjson|jsonl|yaml|x-yaml|toml|sql|graphql|x-sh|x-www-form-urlencoded|.+\+(?:json|xml|yaml))|image\/svg\+xml|message\/.+)$/;
const SNIFFED_CHARACTERS = 1_024;

/** Reads the header content-type; undefined where there is none that can be read. */
export function readContentType(header: string | undefined): ContentType | undefined {
  // Repeated headers are joined with a comma; the first one counts.
  const [first = '', ...parameters] = (header ?? '').split(',')[0]!.split(';');
  const mime = first.trim().toLowerCase();
  if (!MIME.test(mime)) return undefined;
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]{1,60})"?\s*$/i.exec(parameter)?.[1]).find((found) => found !== undefined);
  return { mime, charset: charset?.toLowerCase() };
}

/** Whether a body of this type is text that can be shown. */
export function isTextType(mime: string): boolean {
  return TEXTS.test(mime);
}

/** Whether a body of this type is HTML. */
export function isHtmlType(mime: string): boolean {
  return mime === 'text/html' || mime === 'application/xhtml+xml';
}

/** Whether a text without a type begins as HTML does. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]{0,900}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|h1|div|p|table)\b/i.test(text.slice(0, SNIFFED_CHARACTERS));
}
