import { ArtooError, createArtoo, type FinalResult } from 'artoo';
import { createBus } from 'artoo/bus';
import type { Clock } from 'artoo/contracts';
import { createMemoryLedger } from 'artoo/ledger';
import { createMemory } from 'artoo/memory';
import { CountingIds, createFaults, ManualClock, RecordingBus, type Faults } from 'artoo/testing';
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { finals, settle } from '../hostile/scene.js';
import { scenarioModel, World } from '../run/scenario.js';

const SEEDS = process.env['ARTOO_SWEEP'] ? 2_000 : 60;
const PORTS = ['llm', 'tool', 'bus', 'ledger', 'memory', 'clock'] as const;
type Port = (typeof PORTS)[number];

/** Every pair of ports, and each port alone, comes up again and again over the seeds. */
function portsOf(seed: number): ReadonlySet<Port> {
  return new Set([PORTS[seed % PORTS.length]!, PORTS[Math.floor(seed / PORTS.length) % PORTS.length]!]);
}

interface Outcome { readonly result: FinalResult | undefined; readonly error: unknown; readonly kinds: readonly string[] }

async function runWith(faults: Faults, ports: ReadonlySet<Port>): Promise<Outcome> {
  const world = new World();
  const manual = new ManualClock();
  const rate = 0.08;
  const clock: Clock = ports.has('clock') ? faults.faultyClock(manual, { rate }) : manual;
  const llm = ports.has('llm') ? faults.faultyLLM(scenarioModel(), { rate }) : scenarioModel();
  const tools = world.tools().map((tool) => (ports.has('tool') ? faults.faultyTool(tool, { rate: 0.2 }) : tool));
  const inner = createMemoryLedger();
  const recording = new RecordingBus(createBus());
  const bus = ports.has('bus') ? faults.faultyBus(recording, { rate }) : recording;
  const store = createMemory();
  const artoo = createArtoo({
    models: { brain: llm, tool: llm }, tools, ids: new CountingIds(), clock, bus,
    ledger: ports.has('ledger') ? faults.faultyLedger(inner, { rate: 0.02 }) : inner,
    memory: ports.has('memory') ? faults.faultyMemory(store, { rate: 0.3 }) : store,
    limits: { callTimeoutMs: 20_000, callRetries: 2, stallMs: 60_000 },
  });
  const controller = new AbortController();
  const run = artoo.run({ input: 'sum the files', budget: { calls: 120 }, signal: controller.signal });
  const { result, error } = await settle(run, manual, { stepMs: 20_000, most: 300 });
  await artoo.close().catch((problem: unknown) => { if (!faults.injected.some(({ kind }) => kind === 'flush_fails')) throw problem; });
  await store.close();

  // The record can fail on the very line that closes the task: its result was said then, and is said again on a resume.
  const ends = new Set(finals(recording).map(({ id }) => id)).size;
  if (result) expect(ends).toBe(1);
  else expect(ends).toBeLessThanOrEqual(1);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  expect(manual.pending).toBe(0);
  if (result) {
    expect(result.usage.calls).toBeLessThanOrEqual(120);
    expect(result.directive === 'abandon').toBe(result.output === null && result.reason !== undefined);
    // What is accepted was shown: the sum was really written.
    if (result.directive === 'accept') expect(world.files.get('sum.txt')).toBe('8');
  } else {
    // Only a record that can't be kept lets a task rest instead of ending.
    expect(ports.has('ledger')).toBe(true);
    expect(ArtooError.is(error, 'ARTOO_STORE_FULL') || ArtooError.is(error, 'ARTOO_LEDGER_WRITE')).toBe(true);
  }
  return { result, error, kinds: faults.injected.map(({ kind }) => kind) };
}

test(`${SEEDS} runs with seeded faults, alone and in pairs of ports, each end in one result or rest with a code`, async () => {
  const met = new Set<string>();
  let ended = 0;
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const faults = createFaults(seed);
    try {
      const { result, kinds } = await runWith(faults, portsOf(seed));
      if (result) ended += 1;
      for (const kind of kinds) met.add(kind);
    } catch (error) {
      throw new Error(`${[...portsOf(seed)].join(' and ')}, ${faults.describe()}`, { cause: error });
    }
  }
  // The sweep must have met what it is about, and most runs end.
  expect(met.size).toBeGreaterThan(20);
  expect(ended).toBeGreaterThan(SEEDS / 2);
}, 600_000);

test('a seed is a run: the same faults lead to the same end', async () => {
  const once = async (): Promise<unknown> => {
    const { result, kinds } = await runWith(createFaults(4_711), new Set(['llm', 'tool']));
    return { kinds, directive: result?.directive, reason: result?.reason, calls: result?.usage.calls };
  };
  expect(await once()).toEqual(await once());
});
