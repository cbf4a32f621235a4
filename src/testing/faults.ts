import type { Bus } from '../contracts/bus.js';
import type { Ledger } from '../contracts/ledger.js';
import type { LLMClient } from '../contracts/llm.js';
import type { MemoryStore } from '../contracts/memory.js';
import type { Clock } from '../contracts/runtime.js';
import type { Tool } from '../contracts/tool.js';
import { faultyBus, type BusFault } from './faults/faulty-bus.js';
import { faultyClock, type ClockFault } from './faults/faulty-clock.js';
import { faultyLedger, type LedgerFault } from './faults/faulty-ledger.js';
import { faultyLLM, type LLMFault } from './faults/faulty-llm.js';
import { faultyMemory, type MemoryFault } from './faults/faulty-memory.js';
import { faultyTool, type ToolFault } from './faults/faulty-tool.js';
import { FaultSource, type FaultOptions, type InjectedFault } from './faults/fault-source.js';

/** A run's faults: wrappers for each port, and what they did. */
export interface Faults {
  readonly seed: number;
  /** What was injected so far, in order. */
  readonly injected: readonly InjectedFault[];
  faultyLLM(client: LLMClient, options?: FaultOptions<LLMFault>): LLMClient;
  faultyTool(tool: Tool, options?: FaultOptions<ToolFault>): Tool;
  faultyBus(bus: Bus, options?: FaultOptions<BusFault>): Bus;
  faultyLedger(ledger: Ledger, options?: FaultOptions<LedgerFault>): Ledger;
  faultyMemory(store: MemoryStore, options?: FaultOptions<MemoryFault>): MemoryStore;
  faultyClock(clock: Clock, options?: FaultOptions<ClockFault>): Clock;
  /** The seed and what was injected, in a few lines: print it when a test fails. */
  describe(): string;
}

/**
 * Faults by a seed: the same seed over the same calls injects the same faults. Each wrapped port draws from a sequence
 * of its own (by the order of wrapping), so that a fault in one does not shift those of another.
 *
 * `rate` is the share of calls that go wrong, default 0.1; `kinds` limits which faults; `most` limits their number.
 *
 * @example
 * import { createFaults, ScriptedLLM } from 'artoo/testing';
 * const faults = createFaults(42);
 * const llm = faults.faultyLLM(new ScriptedLLM(steps), { rate: 0.2, kinds: ['rate_limited', 'cut'] });
 * // … run …; on failure: console.error(faults.describe());
 */
export function createFaults(seed: number): Faults {
  const injected: InjectedFault[] = [];
  let wrapped = 0;
  const source = <Kind extends string>(port: string, all: readonly Kind[], options: FaultOptions<Kind> = {}): FaultSource<Kind> => {
    wrapped += 1;
    return new FaultSource({ seed: seed + wrapped * 7_919, port: `${port}#${wrapped}`, all, ...options, record: (fault) => void injected.push(fault) });
  };
  return {
    seed,
    get injected() {
      return [...injected];
    },
    faultyLLM: (client, options) => faultyLLM(client, (all) => source('llm', all, options)),
    faultyTool: (tool, options) => faultyTool(tool, (all) => source(`tool ${tool.name}`, all, options)),
    faultyBus: (bus, options) => faultyBus(bus, (all) => source('bus', all, options)),
    faultyLedger: (ledger, options) => faultyLedger(ledger, (all) => source('ledger', all, options)),
    faultyMemory: (store, options) => faultyMemory(store, (all) => source('memory', all, options)),
    faultyClock: (clock, options) => faultyClock(clock, (all) => source('clock', all, options)),
    describe: () => [`seed ${seed}, ${injected.length} fault(s)`, ...injected.map(({ port, call, kind }) => `${port} call ${call}: ${kind}`)].join('\n'),
  };
}
