import { expect, test } from 'vitest';
import fc from 'fast-check';
import { decodeMarks, encodeEvent, MAX_VALUE_LENGTH } from '../../src/adapters/file-ledger/encode.js';

const roundTrip = (value: unknown): unknown => (decodeMarks(JSON.parse(encodeEvent({ value }))) as { value: unknown }).value;

test('bigint, odd numbers, undefined in a list, bytes and dates come back as they were', () => {
  const value = [12n, Number.NaN, Number.POSITIVE_INFINITY, -0, undefined, new Uint8Array([0, 255]), new Date(5), new Date(Number.NaN)];
  const read = roundTrip(value) as unknown[];
  expect(read).toEqual(value);
  expect(Object.is(read[3], -0)).toBe(true);
  expect(4 in read).toBe(true);
});

test('what can\'t come back stays marked', () => {
  const circular: Record<string, unknown> = { a: 1 };
  circular.inner = { circular };
  class Point { x = 1; none = undefined; }
  expect(roundTrip(circular)).toEqual({ a: 1, inner: { circular: { $artoo: 'circular', up: 2 } } });
  expect(roundTrip(new Map([['k', 1n]]))).toEqual({ $artoo: 'map', value: [['k', { $artoo: 'bigint', value: '1' }]] });
  expect(roundTrip(new Error('no', { cause: 'why' }))).toEqual({ $artoo: 'error', name: 'Error', message: 'no', cause: 'why' });
  expect(roundTrip(new Point())).toEqual({ $artoo: 'instance', class: 'Point', value: { x: 1 } });
  expect(roundTrip(new URL('http://a/b'))).toEqual({ $artoo: 'instance', class: 'URL', value: 'http://a/b' });
  expect(roundTrip({ get broken(): never { throw new Error('thrown'); } })).toEqual({ $artoo: 'unreadable', message: 'thrown' });
  expect(roundTrip([function named() { return 1; }, Symbol('s')])).toEqual([{ $artoo: 'function', name: 'named' }, { $artoo: 'symbol', name: 's' }]);
});

test('an object that looks like a mark comes back as the object it was', () => {
  for (const value of [{ $artoo: 'bigint', value: '12' }, { $artoo: 'escaped', value: [] }, { a: { $artoo: 1, b: 2n } }]) expect(roundTrip(value)).toEqual(value);
});

test('any JSON value, and any mixture with bigints, bytes and dates, comes back', () => {
  const value = fc.anything({ withBigInt: true, withDate: true, withUnboxed: true, withNullPrototype: false, maxDepth: 4 } as object)
    .filter((sample) => !containsOther(sample));
  fc.assert(fc.property(value, (sample) => { expect(roundTrip([sample])).toEqual([sample]); }), { seed: 7, numRuns: 500 });
});

function containsOther(value: unknown): boolean {
  if (typeof value === 'symbol' || typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.values(value).some(containsOther);
}

test('a large value is cut with its length, head and tail, and what stands beside it stays', () => {
  const text = `start${'x'.repeat(2 * MAX_VALUE_LENGTH)}end`;
  const read = roundTrip({ text, beside: 1 }) as { text: { head: string; tail: string }; beside: number };
  expect(read.text).toMatchObject({ $artoo: 'cut', of: 'string', length: text.length });
  expect([read.text.head.slice(0, 5), read.text.tail.slice(-3), read.beside]).toEqual(['start', 'end', 1]);
  expect(roundTrip(Array.from({ length: 400_000 }, () => 'part'))).toMatchObject({ $artoo: 'cut', of: 'array' });
  expect(encodeEvent({ bytes: new Uint8Array(3_000_000) }).length).toBeLessThan(20_000);
});

test('a value that shares its parts ends in time although its text would be endless', () => {
  let value: unknown = 'bottom';
  for (let level = 0; level < 60; level += 1) value = [value, value];
  expect(encodeEvent({ value }).length).toBeLessThan(8 * MAX_VALUE_LENGTH);
});
