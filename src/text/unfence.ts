const OPENING = /^(`{3,}|~{3,})[^\n`]*(?:\n|$)/;

/**
 * Takes the text out of a code fence when the whole text is one fenced block; a missing closing fence is forgiven.
 * Text with anything around the block, or with several blocks, stays as it is.
 */
export function unfence(text: string): string {
  const trimmed = text.trim();
  const opening = OPENING.exec(trimmed);
  if (!opening) return text;
  const mark = opening[1] ?? '```';
  const body = trimmed.slice(opening[0].length);
  const closing = body.indexOf(`\n${mark}`);
  if (body.startsWith(mark)) return body.slice(mark.length).trim() === '' ? '' : text;
  if (closing === -1) return body.endsWith(mark) ? body.slice(0, -mark.length).trim() : body.trim();
  return body.slice(closing + 1 + mark.length).trim() === '' ? body.slice(0, closing).trim() : text;
}
