/** Control characters, and characters that reorder or hide text. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Words of visible ASCII, one space between: nothing to fold or to take out. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A text on one line, without control, bidirectional and zero-width characters, cut to `limit` characters. */
export function plainLine(text: string, limit: number): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  // Cut before the folding as well: a megabyte of text is not walked for one line.
  const line = text.slice(0, limit * 4 + 256).replace(/\s+/gu, ' ').replace(UNSEEN, '').trim();
  if (line.length <= limit) return line;
  const characters = [...line];
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`;
}
