import { binarySize } from './binary.js';
import { headTail } from './head-tail.js';

export interface StringifyOutputOptions {
  /** The longest result in UTF-16 code units. Default 1,000,000. */
  readonly max?: number;
}

interface Writer { text: string; readonly limit: number; readonly path: object[] }

const MAX_DEPTH = 64;
const DEFAULT_MAX = 1_000_000;

/**
 * The text form of any value, for prompts and evidence. Strings stay as they are, `undefined` is empty, everything else
 * is compact JSON with marks for what JSON lacks (`"[circular]"`, `"[too deep]"`, `"[unreadable]"`); bytes read
 * "binary, N bytes". Never throws, stops early on huge values; a longer text keeps its head and tail.
 */
export function stringifyOutput(value: unknown, options: StringifyOutputOptions = {}): string {
  const max = options.max ?? DEFAULT_MAX;
  if (typeof value === 'string') return headTail(value, { max });
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null) {
    const size = binarySize(value);
    if (size !== undefined) return `binary, ${size} bytes`;
    if (value instanceof Error) return headTail(describeError(value), { max });
  }
  // Twice the limit, so that the shortened text says that there was more.
  const writer: Writer = { text: '', limit: max * 2, path: [] };
  write(writer, value, '');
  return headTail(writer.text, { max });
}

function write(writer: Writer, value: unknown, key: string): void {
  if (writer.text.length > writer.limit) return;
  switch (typeof value) {
    case 'string': writer.text += JSON.stringify(value.length > writer.limit ? headTail(value, { max: writer.limit }) : value); return;
    case 'number':
    case 'boolean': writer.text += String(value); return;
    case 'bigint': writer.text += `"${value}n"`; return;
    case 'undefined': writer.text += 'null'; return;
    case 'object': if (value === null) writer.text += 'null'; else writeObject(writer, value, key); return;
    default: writer.text += JSON.stringify(`[${typeof value}]`);
  }
}

function writeObject(writer: Writer, value: object, key: string): void {
  if (writer.path.includes(value)) { writer.text += '"[circular]"'; return; }
  if (writer.path.length >= MAX_DEPTH) { writer.text += '"[too deep]"'; return; }
  const before = writer.text;
  writer.path.push(value);
  try {
    writeKnown(writer, value, key);
  } catch {
    writer.text = `${before}"[unreadable]"`;
  } finally {
    writer.path.pop();
  }
}

function writeKnown(writer: Writer, value: object, key: string): void {
  if (Array.isArray(value)) { writeList(writer, value); return; }
  const size = binarySize(value);
  if (size !== undefined) { writer.text += `"binary, ${size} bytes"`; return; }
  const toJson = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') { write(writer, (toJson as (key: string) => unknown).call(value, key), key); return; }
  if (value instanceof Map || value instanceof Set) { writeList(writer, value); return; }
  if (value instanceof Error) { writer.text += JSON.stringify(describeError(value)); return; }
  writer.text += '{';
  let first = true;
  for (const name of Object.keys(value)) {
    if (writer.text.length > writer.limit) break;
    const item: unknown = (value as Record<string, unknown>)[name];
    if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
    writer.text += `${first ? '' : ','}${JSON.stringify(name)}:`;
    first = false;
    write(writer, item, name);
  }
  writer.text += '}';
}

function writeList(writer: Writer, list: Iterable<unknown>): void {
  writer.text += '[';
  let index = 0;
  for (const item of list) {
    if (writer.text.length > writer.limit) break;
    if (index > 0) writer.text += ',';
    write(writer, item, String(index));
    index += 1;
  }
  writer.text += ']';
}

function describeError(error: Error): string {
  return `${error.name}: ${error.message}`;
}
