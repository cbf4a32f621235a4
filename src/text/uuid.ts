import { sha1 } from './sha1.js';

/** The namespace of artoo's own ids. */
export const ARTOO_NAMESPACE = '6f1d0c1e-8f5b-5a3e-9b7d-2a9d3c4e5f60';

/**
 * A name-based id (RFC 9562, version 5): the same name in the same namespace always gives the same id.
 * A namespace that is no UUID throws a TypeError.
 */
export function uuidV5(name: string, namespace: string = ARTOO_NAMESPACE): string {
  const encoded = ENCODER.encode(name);
  const bytes = new Uint8Array(16 + encoded.length);
  bytes.set(namespace === ARTOO_NAMESPACE ? ARTOO_BYTES : bytesOf(namespace));
  bytes.set(encoded, 16);

  const words = sha1(bytes);
  words[1] = (words[1]! & 0xffff0fff) | 0x5000;
  words[2] = (words[2]! & 0x3fffffff) | 0x80000000;
  const text = hex(words[0]!) + hex(words[1]!) + hex(words[2]!) + hex(words[3]!);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

function bytesOf(namespace: string): Uint8Array {
  const hexadecimal = namespace.replaceAll('-', '');
  if (!/^[0-9a-fA-F]{32}$/.test(hexadecimal)) throw new TypeError(`Not a UUID: ${namespace}`);
  return Uint8Array.from({ length: 16 }, (_, index) => Number.parseInt(hexadecimal.slice(index * 2, index * 2 + 2), 16));
}

const ENCODER = new TextEncoder();
const ARTOO_BYTES = bytesOf(ARTOO_NAMESPACE);

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
