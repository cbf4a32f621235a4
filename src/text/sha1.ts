/** SHA-1 (FIPS 180-4) of some bytes, as five 32-bit words. Here for name-based ids only; it secures nothing. */
export function sha1(bytes: Uint8Array): number[] {
  const length = bytes.length;
  const blocks = ((length + 8) >>> 6) + 1;
  // Plain arrays: for so few words a typed array costs more to make than to use.
  const words = new Array<number>(blocks * 16).fill(0);
  for (let index = 0; index < length; index += 1) words[index >> 2]! |= bytes[index]! << (24 - (index & 3) * 8);
  words[length >> 2]! |= 0x80 << (24 - (length & 3) * 8);
  words[words.length - 2] = Math.floor(length / 0x20000000);
  words[words.length - 1] = length << 3;

  const state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  const schedule = new Array<number>(80).fill(0);
  for (let block = 0; block < words.length; block += 16) mixBlock(state, schedule, words, block);
  return state;
}

function mixBlock(state: number[], schedule: number[], words: readonly number[], block: number): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  for (let round = 0; round < 80; round += 1) {
    let word: number;
    if (round < 16) word = words[block + round]!;
    else {
      word = schedule[round - 3]! ^ schedule[round - 8]! ^ schedule[round - 14]! ^ schedule[round - 16]!;
      word = (word << 1) | (word >>> 31);
    }
    schedule[round] = word;
    let mix: number;
    if (round < 20) mix = ((b & c) | (~b & d)) + 0x5a827999;
    else if (round < 40) mix = (b ^ c ^ d) + 0x6ed9eba1;
    else if (round < 60) mix = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mix = (b ^ c ^ d) + 0xca62c1d6;
    const next = (((a << 5) | (a >>> 27)) + mix + e + word) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = (state[0]! + a) | 0;
  state[1] = (state[1]! + b) | 0;
  state[2] = (state[2]! + c) | 0;
  state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0;
}
