/** How many bytes decide whether a file is text. */
const SNIFFED_BYTES = 8_192;
const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['PNG image', [0x89, 0x50, 0x4e, 0x47]], ['JPEG image', [0xff, 0xd8, 0xff]], ['GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['PDF document', [0x25, 0x50, 0x44, 0x46]], ['ZIP archive or office document', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip archive', [0x1f, 0x8b]], ['ELF program', [0x7f, 0x45, 0x4c, 0x46]], ['SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
  ['UTF-16 text', [0xff, 0xfe]], ['UTF-16 text', [0xfe, 0xff]],
];

/** Whether bytes from a file's beginning are no text in an encoding that is read here. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0) || startsWith(bytes, [0x25, 0x50, 0x44, 0x46]) || startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);
}

/** What a binary file is, in words. */
export function describeBinary(bytes: Uint8Array, size: number): string {
  const kind = SIGNATURES.find(([, signature]) => startsWith(bytes, signature))?.[0] ?? 'binary file';
  const start = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return `[${kind}, ${size} bytes, begins with ${start}; it has no text to show]`;
}

/** UTF-8 to text. Bytes of a character that was cut at either end are dropped, all other wrong bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, cut: { readonly start?: boolean; readonly end?: boolean } = {}): string {
  let from = 0;
  let to = bytes.length;
  if (cut.start) while (from < Math.min(3, to) && isContinuation(bytes[from])) from += 1;
  if (cut.end) to = wholeCharacters(bytes);
  return new TextDecoder('utf-8').decode(bytes.subarray(from, to));
}

/** The length without an unfinished character at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
