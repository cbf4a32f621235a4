import { cleanText } from '../../text/index.js';
import { oneLine } from './client.js';
import { isRecord } from './schemas.js';

const LONGEST_ADDRESS = 500;
const LONGEST_TYPE = 100;

/** The parts of a result as texts: text as it is, everything else by what it is and how big. Throws for what is no part. */
export function* partTexts(content: readonly unknown[]): Generator<string> {
  for (const part of content) {
    if (!isRecord(part)) throw new TypeError('a part of the result is no object');
    yield partText(part);
  }
}

function partText(part: Readonly<Record<string, unknown>>): string {
  switch (part['type']) {
    case 'text': return textOf(part['text']);
    case 'image':
    case 'audio': return `[${part['type']} ${typeOf(part)}, ${bytesOf(part['data'])} bytes, not shown]`;
    case 'resource': {
      const resource = isRecord(part['resource']) ? part['resource'] : {};
      const head = `resource ${addressOf(resource)}, ${typeOf(resource)}`;
      return typeof resource['text'] === 'string' ? `[${head}]\n${resource['text']}` : `[${head}, ${bytesOf(resource['blob'])} bytes, not shown]`;
    }
    case 'resource_link': {
      const size = typeof part['size'] === 'number' && Number.isFinite(part['size']) ? `, ${part['size']} bytes` : '';
      return `[link to resource ${addressOf(part)}, ${typeOf(part)}${size}]`;
    }
    default: throw new TypeError('a part of the result is of an unknown type');
  }
}

function textOf(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError('a text of the result is no text');
  return text;
}

function addressOf({ uri }: Readonly<Record<string, unknown>>): string {
  return typeof uri === 'string' ? oneLine(uri, LONGEST_ADDRESS) : 'without an address';
}

function typeOf({ mimeType }: Readonly<Record<string, unknown>>): string {
  return typeof mimeType === 'string' ? oneLine(mimeType, LONGEST_TYPE) : 'of unknown type';
}

/** Of base64, without decoding it. */
function bytesOf(data: unknown): number {
  if (typeof data !== 'string') return 0;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

/**
 * Joins texts line by line, at most `maxBytes` of UTF-8: of more, a third from the beginning and the rest from the end, with
 * what was left out counted between them. What is returned keeps nothing of the given texts in memory when it was cut.
 */
export function joinWithin(texts: Iterable<string>, maxBytes: number): string {
  let head = '';
  let total = 0;
  let first = true;
  const tail: string[] = [];
  let kept = 0;
  let dropped = 0;
  for (const text of texts) {
    const piece = first ? text : `\n${text}`;
    first = false;
    total += piece.length;
    const taken = piece.slice(0, maxBytes - head.length);
    head += taken;
    const rest = piece.slice(Math.max(taken.length, piece.length - maxBytes));
    if (rest === '') continue;
    tail.push(rest);
    kept += rest.length;
    while (kept - tail[dropped]!.length >= maxBytes) {
      kept -= tail[dropped]!.length;
      tail[dropped] = '';
      dropped += 1;
    }
  }
  if (total <= maxBytes && new TextEncoder().encode(head).length <= maxBytes) return cleanText(head);
  const end = tail.length === 0 ? head : (head.length + kept === total ? head : '') + tail.join('');
  return cleanText(ends(head, end, total, maxBytes));
}

function ends(head: string, end: string, total: number, maxBytes: number): string {
  const room = maxBytes - marker(total).length - 4;
  const start = detached(head, Math.floor(room / 3));
  const bytes = new TextEncoder().encode(end.slice(-room));
  let from = Math.max(0, bytes.length - (room - Math.floor(room / 3)));
  // Not in the middle of a character.
  while (from < bytes.length && (bytes[from]! & 0xc0) === 0x80) from += 1;
  const last = new TextDecoder().decode(bytes.subarray(from));
  return start + marker(Math.max(0, total - start.length - last.length)) + last;
}

/** The beginning of a text as a text of its own; a slice would keep all of it alive. */
function detached(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}

function marker(count: number): string {
  return `\n[… ${count} characters left out …]\n`;
}
