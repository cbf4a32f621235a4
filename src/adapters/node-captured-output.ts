import { decodeUtf8 } from '../tools/portable/file-text.js';
import type { CapturedOutput } from '../tools/portable/file-workspace.js';

/** Keeps the beginning and the end of a stream in bounded memory. */
export interface OutputCapture {
  add(chunk: Uint8Array): void;
  /** What is kept, decoded once, so that a character split over chunks is whole; with a mark where something is missing. */
  finish(): CapturedOutput;
}

/** A capture of at most `headBytes` from the beginning and `tailBytes` from the end. */
export function createOutputCapture({ headBytes, tailBytes }: { readonly headBytes: number; readonly tailBytes: number }): OutputCapture {
  const head: Uint8Array[] = [];
  let headLength = 0;
  let totalBytes = 0;
  /** Filled round and round; made only when the head is full. */
  let ring: Uint8Array | undefined;
  let ringTotal = 0;

  const addToRing = (chunk: Uint8Array): void => {
    ring ??= new Uint8Array(tailBytes);
    const part = chunk.length > tailBytes ? chunk.subarray(chunk.length - tailBytes) : chunk;
    ringTotal += chunk.length;
    const at = (ringTotal - part.length) % tailBytes;
    const first = Math.min(part.length, tailBytes - at);
    ring.set(part.subarray(0, first), at);
    ring.set(part.subarray(first), 0);
  };

  return {
    add(chunk) {
      totalBytes += chunk.length;
      const room = headBytes - headLength;
      const toHead = Math.min(room, chunk.length);
      if (toHead > 0) {
        // A copy: the stream may use its buffer again, and a slice would keep all of it.
        head.push(Uint8Array.from(chunk.subarray(0, toHead)));
        headLength += toHead;
      }
      if (toHead < chunk.length) addToRing(chunk.subarray(toHead));
    },
    finish() {
      const kept = Math.min(ringTotal, tailBytes);
      const missing = ringTotal - kept;
      const tail = new Uint8Array(kept);
      if (ring) {
        const begin = missing > 0 ? ringTotal % tailBytes : 0;
        tail.set(ring.subarray(begin, Math.min(begin + kept, tailBytes)), 0);
        tail.set(ring.subarray(0, kept - Math.min(kept, tailBytes - begin)), Math.min(kept, tailBytes - begin));
      }
      if (missing === 0) return { text: decodeUtf8(join([...head, tail])), totalBytes };
      const before = decodeUtf8(join(head), { end: true });
      return { text: `${before}\n[… ${missing} of ${totalBytes} bytes left out …]\n${decodeUtf8(tail, { start: true })}`, totalBytes };
    },
  };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
