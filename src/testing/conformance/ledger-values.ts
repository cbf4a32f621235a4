import type { ConformanceSuite } from './case.js';
import { check, checkEqual } from './check.js';
import { lawEvent, outcomeEvent, type LedgerFactory } from './ledger-parts.js';
import { withLedger } from './ledger-order.js';

/** Values as tools and models make them. */
export const ledgerValueRules: ConformanceSuite<LedgerFactory> = [
  {
    name: 'ledger: text comes back to the last character, also control characters and lone surrogates',
    run: (factory) => withLedger(factory, async (ledger) => {
      const texts = ['', '\u0000\u0001\u001b[31m', '\r\n\u2028\u2029', '\ud800', '😀', '"}\n{"line":2', '\\u0041', '\ufeff'];
      for (const [index, text] of texts.entries()) await ledger.append(outcomeEvent('task-1', index + 1, { text }));
      const lines = await ledger.read('task-1');
      checkEqual(lines.map((line) => valueOf(line)), texts.map((text) => ({ text })), 'Text was changed.');
    }),
  },
  {
    name: 'ledger: a key such as __proto__ or $artoo comes back as a key',
    run: (factory) => withLedger(factory, async (ledger) => {
      const hostile: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"$artoo":"bigint","value":"12","toJSON":3}');
      await ledger.append(outcomeEvent('task-1', 1, hostile));
      const read = valueOf((await ledger.read('task-1'))[0]);
      checkEqual(Object.entries(read as object).sort(), Object.entries(hostile as object).sort(), 'Keys were changed.');
      check(({} as Record<string, unknown>).polluted === undefined, 'A prototype was polluted.');
    }),
  },
  {
    name: 'ledger: what JSON can\'t say comes back as it was or as an object that says so, never as something else',
    run: (factory) => withLedger(factory, async (ledger) => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const odd: readonly unknown[] = [
        12n, Number.NaN, Number.POSITIVE_INFINITY, -0, undefined, new Uint8Array([1, 2, 255]), new Date(5), new Map([[1, 2]]), new Set([1]),
        () => 1, Symbol('s'), new Error('e'), circular, { get broken(): never { throw new Error('thrown by a getter'); } }, new (class Odd { x = 1n; })(),
      ];
      for (const [index, value] of odd.entries()) await ledger.append(outcomeEvent('task-1', index + 1, [value]));
      await ledger.append(lawEvent('task-1', odd.length + 1));
      const lines = await ledger.read('task-1');
      check(lines.length === odd.length + 1, 'A line was lost.', { expected: odd.length + 1, actual: lines.length });
      for (const [index, value] of odd.entries()) {
        const items = valueOf(lines[index]);
        check(Array.isArray(items) && items.length === 1, `Value ${index + 1} was lost.`);
        const item: unknown = items[0];
        const kept = Object.is(item, value) || (typeof item === 'object' && item !== null);
        check(kept, `Value ${index + 1} (${typeof value}) came back as something else.`, { actual: typeof item });
      }
    }),
  },
  {
    name: 'ledger: a value of 5 MB, a deep one and one with 100,000 parts neither throw nor harm the lines around them',
    run: (factory) => withLedger(factory, async (ledger) => {
      let deep: unknown = 'bottom';
      for (let level = 0; level < 5_000; level += 1) deep = [deep];
      const large: readonly unknown[] = ['x'.repeat(5_000_000), deep, Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'part of a list' }))];
      await ledger.append(lawEvent('task-1', 1));
      for (const [index, value] of large.entries()) await ledger.append(outcomeEvent('task-1', index + 2, { value, after: 'kept' }));
      await ledger.append(lawEvent('task-1', 5));
      const lines = await ledger.read('task-1');
      checkEqual(lines.map(({ kind }) => kind), ['law', 'tool.outcome', 'tool.outcome', 'tool.outcome', 'law'], 'A line was lost.');
      check(lines.slice(1, 4).every((line) => (valueOf(line) as { readonly after?: unknown } | undefined)?.after === 'kept'), 'A large value took what stands beside it along.');
    }),
  },
  {
    name: 'ledger: an event is not changed, also one that is not frozen',
    run: (factory) => withLedger(factory, async (ledger) => {
      const value = { list: [1, { two: 2 }], none: undefined };
      const before = JSON.stringify(value);
      const event = { ...outcomeEvent('task-1', 1, value) };
      const keys = Object.keys(event);
      await ledger.append(event);
      checkEqual([JSON.stringify(value), Object.keys(event), 'none' in value], [before, keys, true], 'append changed the event.');
    }),
  },
];

function valueOf(line: unknown): unknown {
  return (line as { readonly value?: unknown } | undefined)?.value;
}
