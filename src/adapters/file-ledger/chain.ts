import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { LedgerEvent, LedgerLine } from '../../contracts/ledger.js';
import { decodeMarks, encodeEvent, MARK } from './encode.js';
import type { LedgerProblem } from './ledger-errors.js';

/** The version of lines that this library writes and reads. */
export const LEDGER_VERSION = 1;

/** How far a chain has come: its lines, the SHA-256 of the newest, and the bytes they take. */
export interface ChainPosition { readonly line: number; readonly hash: string; readonly bytes: number }

/** A line as it stands in a file: `prev` is the SHA-256 of the raw line before it, `crc` the CRC-32 of what follows. */
export type ChainedLine = LedgerLine & { readonly prev: string; readonly crc: string };

/** Where a chain begins. Bound to the task, so that files can't be swapped. */
export function chainStart(taskId: string): ChainPosition {
  return { line: 0, hash: hash('sha256', `artoo ledger of ${JSON.stringify(taskId)}`), bytes: 0 };
}

/** The raw text of the next line, with its newline, and the position after it. */
export function chainLine(position: ChainPosition, event: LedgerEvent): { readonly text: string; readonly position: ChainPosition } {
  const line = position.line + 1;
  const rest = encodeEvent(withoutChainKeys(event)).slice(1);
  const raw = `${linePrefix(line, position.hash)}${checksum(rest)}",${rest}`;
  return { text: `${raw}\n`, position: { line, hash: hash('sha256', raw), bytes: position.bytes + Buffer.byteLength(raw) + 1 } };
}

/** The text that a parsed line was read from. */
export function rawLine(parsed: ChainedLine): string {
  const { line, prev, crc, ...rest } = parsed;
  return `${linePrefix(line, prev)}${crc}",${encodeEvent(rest).slice(1)}`;
}

function linePrefix(line: number, prev: string): string {
  return `{"line":${line},"prev":"${prev}","crc":"`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** A line that was read and is appended again brings its old place along. */
function withoutChainKeys(event: LedgerEvent): object {
  if (!('line' in event) && !('prev' in event) && !('crc' in event)) return event;
  const { line: _line, prev: _prev, crc: _crc, ...rest } = event as Partial<ChainedLine>;
  return rest;
}

/** What a file holds: the good lines up to the first problem, and a torn last line's bytes. */
export interface ChainScan {
  readonly taskId: string | undefined;
  readonly lines: readonly ChainedLine[];
  /** The SHA-256 of each line. */
  readonly hashes: readonly string[];
  readonly position: ChainPosition;
  /** Bytes after the last newline: a write that a crash cut short. */
  readonly tornBytes: number;
  readonly problem?: LedgerProblem;
}

const NEWLINE = 0x0a;

/** Reads and checks a whole file. */
export function scanChain(bytes: Uint8Array): ChainScan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: ChainedLine[] = [];
  const hashes: string[] = [];
  let position = chainStart('');
  let taskId: string | undefined;
  let problem: LedgerProblem | undefined;
  for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, position.bytes)) {
    const checked = checkLine(buffer.toString('utf8', position.bytes, end), position, taskId);
    if ('message' in checked) {
      problem = checked;
      break;
    }
    taskId ??= checked.parsed.taskId;
    lines.push(checked.parsed);
    hashes.push(checked.hash);
    position = { line: position.line + 1, hash: checked.hash, bytes: end + 1 };
  }
  const tornBytes = problem ? 0 : buffer.length - position.bytes;
  // A torn line is the beginning of one. A whole line that ends in another byte than a newline was changed.
  if (tornBytes > 1 && !('message' in checkLine(buffer.toString('utf8', position.bytes, buffer.length - 1), position, taskId))) {
    problem = { line: position.line + 1, message: 'the newline at its end was changed.' };
  }
  return { taskId, lines, hashes, position, tornBytes, ...(problem ? { problem } : {}) };
}

/** Checks one raw line, without its newline, against the place where it should stand. */
export function checkLine(raw: string, before: ChainPosition, taskId: string | undefined): LedgerProblem | { readonly parsed: ChainedLine; readonly hash: string } {
  const line = before.line + 1;
  const wrong = (message: string): LedgerProblem => ({ line, message });
  let parsed: ChainedLine;
  try {
    parsed = JSON.parse(raw) as ChainedLine;
  } catch {
    return wrong('it is no JSON: bytes were changed or lost.');
  }
  if (typeof parsed !== 'object' || parsed === null || typeof parsed.taskId !== 'string') return wrong('it is no line of a ledger.');
  if (parsed.line !== line) return wrong(`it calls itself line ${String(parsed.line)}: lines were removed, added or swapped.`);
  const prev = line === 1 ? chainStart(parsed.taskId).hash : before.hash;
  if (parsed.prev !== prev) return wrong(`its prev is not the hash of ${line === 1 ? 'the task\'s begin' : `line ${line - 1}`}: this line or the one before was changed.`);
  const prefix = linePrefix(line, prev);
  const rest = raw.slice(prefix.length + 10);
  if (!raw.startsWith(prefix) || parsed.crc !== checksum(rest) || raw.slice(prefix.length, prefix.length + 10) !== `${parsed.crc}",`) {
    return wrong('its checksum does not match: bytes were changed.');
  }
  if (taskId !== undefined && parsed.taskId !== taskId) return wrong(`it belongs to task ${JSON.stringify(parsed.taskId.slice(0, 200))}.`);
  if (parsed.v !== LEDGER_VERSION) {
    return { ...wrong(`it has version ${String(parsed.v)}; this library knows version ${LEDGER_VERSION}.`), newerVersion: Number(parsed.v) };
  }
  return { parsed: raw.includes(`"${MARK}"`) ? (decodeMarks(parsed) as ChainedLine) : parsed, hash: hash('sha256', raw) };
}
