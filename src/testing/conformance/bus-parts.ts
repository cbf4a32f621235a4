import type { Bus, BusReport } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import type { ConformanceFactory } from './case.js';
import { turns } from './check.js';

export type BusFactory = ConformanceFactory<Bus>;

/**
 * Runs a rule on a fresh bus and closes it, also when the rule fails. A bus that broke may never close: after some turns
 * it is left alone, so that the rule's own error is seen.
 */
export async function withBus(factory: BusFactory, rule: (bus: Bus) => Promise<void>): Promise<void> {
  const bus = await factory();
  try {
    await rule(bus);
  } finally {
    await Promise.race([bus.close(), turns(200)]);
  }
}

/** Subscribes and keeps the texts of what comes. */
export function collectTexts(bus: Bus, filter: Omit<Parameters<Bus['subscribe']>[0], 'type'> = {}): string[] {
  const texts: string[] = [];
  bus.subscribe({ ...filter, type: 'Progress' }, (envelope: Envelope<'Progress'>) => void texts.push(envelope.payload.text));
  return texts;
}

/** Keeps what the bus reports. */
export function collectReports(bus: Bus): BusReport[] {
  const reports: BusReport[] = [];
  bus.tap({ message: () => undefined, report: (report) => void reports.push(report) });
  return reports;
}

export function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
