import { binarySize } from './binary.js';
import { hash53 } from './hash.js';

const MAX_DEPTH = 64;

/**
 * JSON with sorted keys: equal values give equal texts, whatever order they were built in. Never throws.
 *
 * As in JSON, `undefined`, functions and symbols vanish from objects and are `null` in arrays, and `toJSON` is honoured.
 * Beyond JSON: a bigint is `"123n"`, a circle `"[circular]"`, what lies deeper than 64 `"[too deep]"`, bytes their size
 * and hash, a Map or Set its entries, an error its name and message, an unreadable property `"[unreadable]"`.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', []) ?? 'null';
}

/** Undefined where JSON would leave the value out. */
function write(value: unknown, key: string, path: object[]): string | undefined {
  switch (typeof value) {
    case 'string': return JSON.stringify(value);
    case 'number': return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null';
    case 'boolean': return value ? 'true' : 'false';
    case 'bigint': return `"${value}n"`;
    case 'object': return value === null ? 'null' : writeObject(value, key, path);
    default: return undefined;
  }
}

function writeObject(value: object, key: string, path: object[]): string | undefined {
  if (path.includes(value)) return '"[circular]"';
  if (path.length >= MAX_DEPTH) return '"[too deep]"';
  path.push(value);
  try {
    return writeKnown(value, key, path);
  } catch {
    return '"[unreadable]"';
  } finally {
    path.pop();
  }
}

function writeKnown(value: object, key: string, path: object[]): string | undefined {
  if (Array.isArray(value)) return writeList(value, path);
  const size = binarySize(value);
  if (size !== undefined) return `"[binary, ${size} bytes, ${hash53(bytesOf(value))}]"`;
  const toJson = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return write((toJson as (key: string) => unknown).call(value, key), key, path);
  if (value instanceof Map || value instanceof Set) return writeList([...value], path);
  if (value instanceof Error) return writeRecord({ name: value.name, message: value.message }, path);
  return writeRecord(value as Record<string, unknown>, path);
}

function writeList(list: readonly unknown[], path: object[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ',';
    text += write(list[index], String(index), path) ?? 'null';
  }
  return `${text}]`;
}

function writeRecord(record: Record<string, unknown>, path: object[]): string {
  let text = '{';
  for (const key of Object.keys(record).sort()) {
    const item = write(readProperty(record, key), key, path);
    if (item !== undefined) text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${item}`;
  }
  return `${text}}`;
}

function readProperty(record: Record<string, unknown>, key: string): unknown {
  try {
    return record[key];
  } catch {
    return '[unreadable]';
  }
}

function bytesOf(value: object): string {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value as ArrayBuffer);
  let text = '';
  for (let index = 0; index < bytes.length; index += 8_192) text += String.fromCharCode(...bytes.subarray(index, index + 8_192));
  return text;
}
