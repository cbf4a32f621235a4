import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { ArtooError } from '../contracts/errors.js';
import { ToolError } from '../tools/tool-error.js';

/** How many times larger than on the wire a body may get. One line over and over reaches 404 with gzip, zeros 1,027. */
const MOST_GROWTH = 500;
/** Below this many bytes no growth is looked at. */
const GROWTH_MATTERS_FROM = 262_144;
/** A bomb may be packed several times over. */
const MOST_ENCODINGS = 2;

export interface BodyOptions {
  /** On the wire and unpacked each, in bytes. */
  readonly limit: number;
  /** The header content-encoding. */
  readonly encoding: string;
}
export interface Body { readonly body: Uint8Array; readonly truncated: boolean }

type Bytes = AsyncIterable<Uint8Array>;
type Unpacker = Duplex & { readonly bytesWritten: number };

/**
 * Reads and unpacks a body up to a limit. What lies beyond is neither read nor unpacked, so that nothing more is ever held. Rejects
 * when the connection is cut, the packed data is damaged, or it unpacks to what only a bomb does.
 */
export async function readBody(response: IncomingMessage, { limit, encoding }: BodyOptions): Promise<Body> {
  const names = encoding.toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity').reverse();
  const strange = names.find((name) => !PACKINGS.has(name));
  if (strange !== undefined || names.length > MOST_ENCODINGS) {
    throw ToolError.environmental(`The answer is packed as ${JSON.stringify(encoding.slice(0, 60))}, which was not asked for and can't be unpacked.`, { hint: 'Use another source.' });
  }
  const wire = { cut: false };
  let bytes: Bytes = limited(response, limit, wire);
  for (const name of names) bytes = unpacked(bytes, name);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  try {
    for await (const chunk of bytes) {
      const room = limit - size;
      truncated = chunk.length > room;
      chunks.push(truncated ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (truncated) break;
    }
  } catch (error) {
    // Packed data that was cut at the limit ends in the middle: what was unpacked until then is what there is.
    if (!wire.cut || ArtooError.is(error)) throw error;
  }
  return { body: Buffer.concat(chunks, size), truncated: truncated || wire.cut };
}

async function* limited(response: IncomingMessage, limit: number, wire: { cut: boolean }): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of response as Bytes) {
    const room = limit - read;
    read += chunk.length;
    wire.cut = chunk.length > room;
    if (!wire.cut) yield chunk;
    else {
      yield chunk.subarray(0, room);
      return;
    }
  }
}

async function* unpacked(packed: Bytes, name: string): AsyncGenerator<Uint8Array> {
  const source = packed[Symbol.asyncIterator]();
  const first = await nonEmpty(source);
  if (!first) return;
  const unpacker = await PACKINGS.get(name)!(first);
  let size = 0;
  try {
    // An error of the source or the unpacker reaches the loop below as the stream's own.
    pipeline(rest(first, source), unpacker, () => undefined);
    for await (const chunk of unpacker as Bytes) {
      size += chunk.length;
      if (size > GROWTH_MATTERS_FROM && size > MOST_GROWTH * unpacker.bytesWritten) {
        throw ToolError.environmental(`The answer grew to more than ${MOST_GROWTH} times its size while it was unpacked, as only a decompression bomb does. It was refused.`, { hint: 'Use another source.' });
      }
      yield chunk;
    }
  } finally {
    unpacker.destroy();
  }
}

const PACKINGS: ReadonlyMap<string, (first: Uint8Array) => Promise<Unpacker>> = new Map<string, (first: Uint8Array) => Promise<Unpacker>>([
  ['gzip', async () => (await import('node:zlib')).createGunzip()],
  ['x-gzip', async () => (await import('node:zlib')).createGunzip()],
  ['br', async () => (await import('node:zlib')).createBrotliDecompress()],
  ['deflate', async (first: Uint8Array) => {
    const zlib = await import('node:zlib');
    // Some servers leave out the wrapper that RFC 9110 asks for.
    return ((first[0] ?? 0) & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
  }],
]);

async function nonEmpty(source: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return undefined;
    if (value.length > 0) return value;
  }
}

async function* rest(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
