import { cleanText, headTail, stringifyOutput } from '../text/index.js';

/** The longest text of one output, in UTF-16 code units. */
export const LONGEST_OUTPUT = 1_048_576;
/** Objects are written out up to here. */
const LONGEST_OBJECT = 4 * LONGEST_OUTPUT;
/** Text of this many code units is measured at a time. */
const MEASURED_AT_ONCE = 1_048_576;

/** What a tool returned, as text. */
export interface OutputText {
  /** Without control and direction characters; beyond 1,048,576 characters its head and tail around a mark. */
  readonly text: string;
  /** Bytes of the whole output: UTF-8 of a text, length of binary data. Absent when an object was too big to write out whole. */
  readonly totalBytes?: number;
  /** Ran and found nothing: `''`, `[]`, `{}` or `null`. What a tool puts into fields of its own isn't guessed. */
  readonly empty: boolean;
}

/** Turns whatever a tool returned into text. Never throws: what can't be shown is said. */
export function outputText(value: unknown): OutputText {
  try {
    return express(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    const text = cleanText(`[the output could not be shown: ${reason.slice(0, 200)}]`);
    return { text, totalBytes: utf8Length(text), empty: false };
  }
}

function express(value: unknown): OutputText {
  if (value === undefined || value === null) return { text: '', totalBytes: 0, empty: value === null };
  if (typeof value === 'string') return capped(value, value === '');
  const bytes = bytesOf(value);
  if (bytes) return expressBytes(bytes);
  const written = stringifyOutput(value, { max: LONGEST_OBJECT });
  const { totalBytes, ...rest } = capped(written, isEmpty(value));
  // Shortened text fills its limit but for a character that would have been cut in half.
  return written.length > LONGEST_OBJECT - 100 ? rest : { ...rest, ...(totalBytes === undefined ? {} : { totalBytes }) };
}

/** Cut before cleaning: cleaning 100 MB to throw most of it away would block everybody. */
function capped(text: string, empty: boolean): OutputText {
  return { text: headTail(cleanText(headTail(text, { max: LONGEST_OUTPUT })), { max: LONGEST_OUTPUT }), totalBytes: utf8Length(text), empty };
}

function expressBytes(bytes: Uint8Array): OutputText {
  const text = decoded(bytes);
  if (text !== undefined) return { ...capped(text, bytes.length === 0), totalBytes: bytes.length };
  const start = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return { text: `[binary, ${bytes.length} bytes, begins with ${start}]`, totalBytes: bytes.length, empty: false };
}

/** Bytes that are valid UTF-8 without NUL and not huge are text that came as bytes. */
function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.length > 4 * LONGEST_OUTPUT || bytes.subarray(0, 8192).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Reflect.ownKeys(value).length === 0;
}

/** Bytes of the text in UTF-8, without holding all of them. */
function utf8Length(text: string): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + MEASURED_AT_ONCE);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    bytes += encoder.encode(text.slice(start, end)).length;
    start = end;
  }
  return bytes;
}
