/** Text of a body, and the name of the encoding it was read in. */
export interface DecodedText { readonly text: string; readonly charset: string }

const SNIFFED_BYTES = 1_024;
const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]], ['utf-16be', [0xfe, 0xff]], ['utf-16le', [0xff, 0xfe]],
];

export interface DecodeOptions {
  /** From the header. */
  readonly charset: string | undefined;
  /** Look for a charset inside: in HTML's meta, in XML's declaration. */
  readonly declared: boolean;
  /** The end is missing: an unfinished character there is no fault. */
  readonly truncated: boolean;
}

/**
 * Bytes to text: a byte order mark counts first, then the header, then what the text says of itself, then UTF-8, or windows-1252
 * where it is no UTF-8. Bytes that mean nothing become U+FFFD.
 */
export function decodeBytes(bytes: Uint8Array, { charset, declared, truncated }: DecodeOptions): DecodedText {
  const mark = markOf(bytes);
  for (const label of [mark, charset, declared ? declaredCharset(bytes) : undefined]) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder) return { text: decoder.decode(bytes, { stream: truncated }), charset: decoder.encoding };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: truncated }), charset: 'utf-8' };
  } catch {
    const decoder = decoderFor('windows-1252');
    // A host without that table still gets its text.
    return decoder && declared ? { text: decoder.decode(bytes), charset: decoder.encoding } : { text: new TextDecoder('utf-8').decode(bytes), charset: 'utf-8' };
  }
}

/** Whether bytes are no text in any encoding: NUL stands in no text but UTF-16. */
export function looksBinary(bytes: Uint8Array, charset: string | undefined): boolean {
  if (markOf(bytes) !== undefined || /^(?:utf-?16|ucs-?2|unicode)/.test(charset ?? '')) return false;
  return bytes.subarray(0, 8_192).includes(0) || startsWith(bytes, [0x25, 0x50, 0x44, 0x46, 0x2d]);
}

/** The charset that the beginning names. Read as ASCII, as a charset that could not be read so would not be found by anyone. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, SNIFFED_BYTES));
  const found = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([\w:.-]{1,60})["']/i.exec(start)?.[1]
    ?? /<meta\b[^>]{0,400}?\bcharset\s*=\s*["']?\s*([\w:.-]{1,60})/i.exec(start.replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  // What says so in ASCII can't be UTF-16.
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found?.toLowerCase();
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // A name that stands for no encoding, or for one that no browser reads.
    return undefined;
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => startsWith(bytes, mark))?.[0];
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}
