const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const ANY_SURROGATE = /[\uD800-\uDFFF]/;
const ESCAPED_SURROGATE = /%u([0-9A-F]{4})/g;

/** First after `|`: the end of every range that starts with a whole segment. */
const AFTER_SEPARATOR = '}';

/**
 * Percent-encodes one segment, so that no text can reach into another segment and a prefix never matches half a
 * segment. Half a surrogate pair, which UTF-8 can't hold, becomes `%uXXXX`, which the usual encoding never makes.
 */
export function encodeSegment(text: string): string {
  if (!ANY_SURROGATE.test(text)) return encodeURIComponent(text);
  let encoded = '';
  let from = 0;
  for (const match of text.matchAll(LONE_SURROGATE)) {
    encoded += encodeURIComponent(text.slice(from, match.index));
    encoded += `%u${match[0].charCodeAt(0).toString(16).toUpperCase()}`;
    from = match.index + 1;
  }
  return encoded + encodeURIComponent(text.slice(from));
}

/** Undoes {@link encodeSegment}. */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  let decoded = '';
  let from = 0;
  for (const match of segment.matchAll(ESCAPED_SURROGATE)) {
    decoded += decodeURIComponent(segment.slice(from, match.index)) + String.fromCharCode(Number.parseInt(match[1] ?? '', 16));
    from = match.index + match[0].length;
  }
  return decoded + decodeURIComponent(segment.slice(from));
}

/** A key: the prefix, then each segment encoded, separated by `|`. */
export function keyOf(prefix: string, ...segments: readonly string[]): string {
  let key = prefix;
  for (const segment of segments) key += `|${encodeSegment(segment)}`;
  return key;
}

/** The decoded segments of a key, without its prefix. */
export function segmentsOf(key: string): readonly string[] {
  return key.split('|').slice(1).map(decodeSegment);
}

/** Every key that begins with these whole segments and has more. */
export function rangeOf(prefix: string, ...segments: readonly string[]): { readonly gte: string; readonly lt: string } {
  const start = keyOf(prefix, ...segments);
  return { gte: `${start}|`, lt: start + AFTER_SEPARATOR };
}

const TIME_DIGITS = 16;
/** Has 16 digits as well, and is the last whole number that is exact. */
const LAST_TIME = Number.MAX_SAFE_INTEGER;

/** A moment in epoch ms as text that sorts like the number; times outside of [0, 2^53) go to the nearest end. */
export function timeSegment(time: number): string {
  return String(Math.min(LAST_TIME, Math.max(0, Math.ceil(time)))).padStart(TIME_DIGITS, '0');
}
