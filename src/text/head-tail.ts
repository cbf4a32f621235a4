export interface HeadTailOptions {
  /** The longest result, in UTF-16 code units, marker included. */
  readonly max: number;
  /** How much of what is kept comes from the beginning, 0 to 1. Default one third: errors stand at the end. */
  readonly headShare?: number;
}

/**
 * Shortens a text from its middle. What was left out is counted in a marker, and no character is cut in half.
 * Where `max` has no room for the marker, the beginning alone is kept.
 */
export function headTail(text: string, options: HeadTailOptions): string {
  const max = Math.max(0, Math.floor(options.max));
  if (text.length <= max) return text;
  const room = max - marker(text.length).length;
  if (room < 2) return text.slice(0, boundary(text, max));
  const share = Math.min(1, Math.max(0, options.headShare ?? 1 / 3));
  const headEnd = boundary(text, Math.floor(room * share));
  const tailStart = boundaryAfter(text, text.length - (room - Math.floor(room * share)));
  return text.slice(0, headEnd) + marker(tailStart - headEnd) + text.slice(tailStart);
}

function marker(count: number): string {
  return `\n[… ${count} characters left out …]\n`;
}

/** The nearest index at or before `index` that doesn't split a surrogate pair. */
function boundary(text: string, index: number): number {
  return splitsPair(text, index) ? index - 1 : index;
}

function boundaryAfter(text: string, index: number): number {
  return splitsPair(text, index) ? index + 1 : index;
}

function splitsPair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
