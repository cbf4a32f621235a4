/**
 * A fast 53-bit hash of a text's UTF-16 code units, as 14 hexadecimal digits. Two multiplicative lanes, mixed at the end
 * (the scheme known as cyrb53). Good for keys and marks; no protection against someone who looks for collisions.
 */
export function hash53(text: string, seed = 0): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const mixedHigh = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const mixedLow = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3266489909);
  return ((mixedLow & 0x1fffff) >>> 0).toString(16).padStart(6, '0') + (mixedHigh >>> 0).toString(16).padStart(8, '0');
}
