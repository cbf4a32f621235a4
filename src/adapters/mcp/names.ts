import { hash53 } from '../../text/index.js';

const LONGEST_NAME = 64;
const LEGAL = /^[A-Za-z][A-Za-z0-9_-]*$/;
const HASH_DIGITS = 6;

/**
 * The name that a model calls a server's tool by. A legal name stays as it is; in any other the foreign characters become
 * `_`, and digits of a hash of the original are added: the name depends on nothing but the original, so it is the same in
 * each process and whatever else the server has.
 *
 * `read.file` → `read_file_` and six digits.
 */
export function toolNameOf(original: string, prefix: string | undefined): string {
  const whole = prefix === undefined ? original : `${prefix}_${original}`;
  if (LEGAL.test(whole) && whole.length <= LONGEST_NAME) return whole;
  const plain = whole.replace(/[^A-Za-z0-9_-]+/g, '_');
  const begun = /^[A-Za-z]/.test(plain) ? plain : `tool_${plain.replace(/^_+/, '')}`;
  return `${begun.slice(0, LONGEST_NAME - HASH_DIGITS - 1)}_${hash53(original).slice(-HASH_DIGITS)}`;
}
