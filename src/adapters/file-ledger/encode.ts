/** The key that marks what JSON can't say. An object of the user with this key is wrapped, so that no value is mistaken. */
export const MARK = '$artoo';
/** Tells a mark that came out of a record from an object of the user that looks like one. */
const FROM_RECORD = Symbol.for('artoo.ledger.mark');

/** Characters of JSON that one value of a line may take before it is cut. */
export const MAX_VALUE_LENGTH = 1_000_000;
const CUT_KEEPS = 4_000;
const MAX_DEPTH = 200;
/** Values that share parts can be exponentially larger as text than in memory. */
const MAX_PARTS = 250_000;
interface Allowance { left: number }

/**
 * JSON of an event. Plain data is written as it is; a property that is undefined is left out. Everything else is
 * marked: `{ "$artoo": "bigint", "value": "12" }`. Marks of bigint, number (NaN, infinities, −0), undefined, bytes
 * and date are turned back when read. Those of map, set, error, function, symbol, instance, circular, deep and cut
 * stay, since the value itself is not in the record.
 */
export function encodeEvent(event: object): string {
  const text = keepsEveryBit(event) ? JSON.stringify(event) : JSON.stringify(encode(event, [], { left: MAX_PARTS }));
  return text.length <= MAX_VALUE_LENGTH ? text : JSON.stringify(cutLarge(JSON.parse(text)));
}

function keepsEveryBit(event: object): boolean {
  try {
    return isPlain(event, 0, { left: MAX_PARTS });
  } catch {
    // A getter or a proxy that throws: the slow path marks it.
    return false;
  }
}

/** Turns marks back in freshly parsed JSON, in place where it can. */
export function decodeMarks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = decodeMarks(value[index]);
    return value;
  }
  const record = value as Record<string, unknown>;
  if (Object.hasOwn(record, MARK)) return decodeMark(record);
  for (const key of Object.keys(record)) {
    const decoded = decodeMarks(record[key]);
    if (decoded !== record[key]) setOwn(record, key, decoded);
  }
  return record;
}

function decodeMark(record: Record<string, unknown>): unknown {
  const content = record.value;
  switch (record[MARK]) {
    case 'bigint': return BigInt(content as string);
    case 'number': return content === '-0' ? -0 : Number(content);
    case 'undefined': return undefined;
    case 'bytes': return new Uint8Array(Buffer.from(content as string, 'base64'));
    case 'date': return new Date(content === null ? Number.NaN : (content as number));
    case 'escaped': return Object.fromEntries((content as [string, unknown][]).map(([key, item]) => [key, decodeMarks(item)]));
    default: return Object.defineProperty(record, FROM_RECORD, { value: true });
  }
}

/** True when JSON.stringify keeps every bit of it, undefined properties aside. */
function isPlain(value: unknown, depth: number, allowance: Allowance): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return isJsonNumber(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  allowance.left -= 1;
  // Circular values end here too; the slow path tells them apart.
  if (depth > MAX_DEPTH || allowance.left < 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index], depth + 1, allowance)) return false;
    return true;
  }
  if (!hasPlainPrototype(value)) return false;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (key === MARK || (item !== undefined && !isPlain(item, depth + 1, allowance))) return false;
  }
  return true;
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !(value === 0 && 1 / value < 0);
}

function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function mark(kind: string, content: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { [MARK]: kind, ...content };
}

function encode(value: unknown, ancestors: object[], allowance: Allowance): unknown {
  if (typeof value === 'object') return value === null || FROM_RECORD in value ? value : encodeNested(value, ancestors, allowance);
  switch (typeof value) {
    case 'number': return isJsonNumber(value) ? value : mark('number', { value: Object.is(value, -0) ? '-0' : String(value) });
    case 'bigint': return mark('bigint', { value: String(value) });
    case 'undefined': return mark('undefined');
    case 'function': return mark('function', { name: value.name });
    case 'symbol': return mark('symbol', { name: value.description ?? '' });
    default: return value;
  }
}

function encodeNested(value: object, ancestors: object[], allowance: Allowance): unknown {
  if (ancestors.includes(value)) return mark('circular', { up: ancestors.length - ancestors.indexOf(value) });
  allowance.left -= 1;
  if (ancestors.length > MAX_DEPTH || allowance.left < 0) return mark('deep');
  ancestors.push(value);
  try {
    return encodeObject(value, (item) => encode(item, ancestors, allowance));
  } catch (error) {
    return mark('unreadable', { message: error instanceof Error ? error.message : String(error) });
  } finally {
    ancestors.pop();
  }
}

function encodeObject(value: object, part: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, part);
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    return value instanceof Uint8Array ? mark('bytes', { value: bytes }) : mark('instance', { class: className(value), value: bytes });
  }
  if (value instanceof Date) return mark('date', { value: Number.isNaN(value.getTime()) ? null : value.getTime() });
  if (value instanceof Map) return mark('map', { value: Array.from(value, (pair: readonly unknown[]) => pair.map(part)) });
  if (value instanceof Set) return mark('set', { value: Array.from(value, part) });
  if (value instanceof Error) {
    const { code } = value as { readonly code?: unknown };
    return mark('error', {
      name: value.name, message: value.message,
      ...(code === undefined ? {} : { code: part(code) }),
      ...(value.cause === undefined ? {} : { cause: part(value.cause) }),
    });
  }
  if (!hasPlainPrototype(value)) return mark('instance', { class: className(value), value: instanceValue(value, part) });
  const entries = encodedEntries(value, part);
  return Object.hasOwn(value, MARK) ? mark('escaped', { value: entries }) : Object.fromEntries(entries);
}

function encodedEntries(value: object, part: (item: unknown) => unknown): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [key, part(item)]);
}

/** What an instance calls its JSON, else its own properties. */
function instanceValue(value: object, part: (item: unknown) => unknown): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? part(toJSON.call(value, '')) : Object.fromEntries(encodedEntries(value, part));
}

function className(value: object): string {
  const name: unknown = (value.constructor as { readonly name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

/** Cuts what is too large as deep down as possible, so that the line keeps its shape. */
function cutLarge(value: unknown, depth = 0): unknown {
  const text = JSON.stringify(value);
  if (text.length <= MAX_VALUE_LENGTH) return value;
  if (typeof value === 'string') return cutMark(value, 'string');
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => cutLarge(item, depth + 1));
    return isStillLarge(items, items.length, depth) ? cutMark(text, 'array') : items;
  }
  // A mark that lost a part could not be read any more.
  if (Object.hasOwn(value as object, MARK)) return cutMark(text, 'object');
  const entries = Object.entries(value as object).map(([key, item]): [string, unknown] => [key, cutLarge(item, depth + 1)]);
  const smaller = Object.fromEntries(entries);
  return isStillLarge(smaller, entries.length, depth) ? cutMark(text, 'object') : smaller;
}

/** Near the top a container of few large parts keeps its shape; one of very many small parts is cut as a whole. */
function isStillLarge(value: unknown, parts: number, depth: number): boolean {
  return (parts > 32 || depth > 6) && JSON.stringify(value).length > MAX_VALUE_LENGTH;
}

/** `of` says what was cut: a string itself, else the JSON text of an array or object. Lengths in UTF-16 units. */
function cutMark(text: string, of: 'string' | 'array' | 'object'): Readonly<Record<string, unknown>> {
  return mark('cut', { of, length: text.length, head: text.slice(0, CUT_KEEPS), tail: text.slice(-CUT_KEEPS) });
}

/** Assignment would change the prototype for the key `__proto__`. */
function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
