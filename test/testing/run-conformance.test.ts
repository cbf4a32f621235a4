import { expect, test } from 'vitest';
import { createBus } from 'artoo/bus';
import { createMemoryLedger, type Ledger, type LedgerLine } from 'artoo/ledger';
import { busConformance, ledgerConformance, runConformance, type ConformanceCase } from 'artoo/testing';
import type { Bus } from '../../src/contracts/bus.js';
import type { Envelope } from '../../src/contracts/envelope.js';

/** Runs the rules that begin so; a broken adapter may break others in ways that no runner can hold. */
const failedNames = async <F>(suite: readonly ConformanceCase<F>[], rule: string, factory: F): Promise<string[]> => {
  const results = await runConformance(suite.filter(({ name }) => name.startsWith(rule)), factory, { supports: { reopen: 'in RAM' }, print: () => undefined, timeoutMs: 3_000 });
  return results.filter(({ status }) => status === 'failed').map(({ name }) => name);
};

test('results tell passed, failed with the error, and skipped with the reason; skips are printed', async () => {
  const printed: string[] = [];
  const suite: ConformanceCase<() => number>[] = [
    { name: 'good', run: async () => undefined },
    { name: 'bad', run: async () => { throw new Error('broken'); } },
    { name: 'needs a', needs: ['a'], run: async () => undefined },
    { name: 'needs b', needs: ['a+', 'b'], run: async () => undefined },
    { name: 'needs c', needs: ['c'], run: async () => undefined },
    { name: 'hangs', run: () => new Promise(() => undefined) },
  ];
  const results = await runConformance(suite, () => 1, { supports: { a: 'no disk', b: false, c: true }, print: (line) => void printed.push(line), timeoutMs: 5 });
  expect(results).toEqual([
    { name: 'good', status: 'passed' },
    { name: 'bad', status: 'failed', error: new Error('broken') },
    { name: 'needs a', status: 'skipped', reason: 'needs a: no disk' },
    { name: 'needs b', status: 'skipped', reason: 'needs b, which this adapter does not support' },
    { name: 'needs c', status: 'passed' },
    { name: 'hangs', status: 'failed', error: expect.objectContaining({ code: 'ARTOO_CONFORMANCE' }) },
  ]);
  expect(printed).toEqual(['skipped: needs a (needs a: no disk)', 'skipped: needs b (needs b, which this adapter does not support)']);
});

const brokenLedgers: readonly [string, (ledger: Ledger) => Partial<Ledger>, string][] = [
  ['loses a line', (ledger) => ({ append: (event) => (event.at % 5 === 0 ? undefined : ledger.append(event)) }), 'ledger: every kind of line'],
  ['numbers from 0', (ledger) => ({ read: async (id) => (await ledger.read(id)).map((line) => ({ ...line, line: line.line - 1 })) }), 'ledger: every kind of line'],
  ['mixes tasks up', (ledger) => ({ append: (event) => ledger.append({ ...event, taskId: event.taskId.toLowerCase() }), read: (id) => ledger.read(id.toLowerCase()) }), 'ledger: tasks are kept apart'],
  ['knows every task', (ledger) => ({ read: (id) => ledger.read(id).catch(() => []) }), 'ledger: a task without a record'],
  ['keeps JSON alone', (ledger) => ({ append: (event) => ledger.append(JSON.parse(JSON.stringify(event)) as typeof event) }), 'ledger: what JSON can\'t say'],
  ['hands out its own lines', (ledger) => {
    const cache = new Map<string, LedgerLine[]>();
    return { read: async (id) => {
      const lines = cache.get(id) ?? (await ledger.read(id)).map((line) => ({ ...line }));
      cache.set(id, lines);
      return lines;
    } };
  }, 'ledger: a read sees every line'],
  ['never finishes a task', (ledger) => ({ list: async () => (await ledger.list()).map((task) => ({ ...task, status: 'running' as const })) }), 'ledger: list tells running'],
];

test.each(brokenLedgers)('a ledger that %s fails its rule', async (_name, change, rule) => {
  const names = await failedNames(ledgerConformance, rule, () => {
    const ledger = createMemoryLedger();
    return { ...ledger, ...change(ledger) };
  });
  expect(names).toHaveLength(1);
});

const brokenBuses: readonly [string, (bus: Bus) => Partial<Bus>, string][] = [
  ['delivers inside publish, so that a throw reaches the sender', () => {
    const handlers = new Set<(envelope: Envelope) => unknown>();
    return {
      publish: (envelope) => { for (const handler of handlers) handler(envelope); },
      subscribe: (_filter: unknown, handler: (envelope: never) => unknown) => {
        handlers.add(handler as (envelope: Envelope) => unknown);
        return () => void handlers.delete(handler as (envelope: Envelope) => unknown);
      },
    };
  }, 'bus: a handler that throws'],
  ['loses the 64th message and those after it', (bus) => {
    let count = 0;
    return { publish: (envelope) => { if ((count += 1) < 64) bus.publish(envelope); } };
  }, 'bus: a burst of 10,000'],
  ['ignores filters', (bus) => ({ subscribe: ((filter: { type?: never }, handler: () => unknown) => bus.subscribe({ ...(filter.type ? { type: filter.type } : {}) }, handler)) as Bus['subscribe'] }), 'bus: a message is delivered once to each subscription that fits'],
  ['does not drain', () => ({ drain: async () => undefined }), 'bus: drain waits'],
  ['drops dead letters in silence', (bus) => ({ publish: (envelope) => { if (envelope?.v === 1) bus.publish(envelope); } }), 'bus: a message of an unknown version'],
  ['goes on after close', () => ({ close: async () => undefined }), 'bus: close delivers'],
  ['has no taps', () => ({ tap: () => ({ dropped: 0, close: () => undefined }) }), 'bus: a tap sees every message'],
];

test.each(brokenBuses)('a bus that %s fails its rule', async (_name, change, rule) => {
  const names = await failedNames(busConformance, rule, () => {
    const bus = createBus();
    return { ...bus, ...change(bus) };
  });
  expect(names).toHaveLength(1);
});
