import type { ConformanceSuite } from './case.js';
import { busDeadLetterRules } from './bus-dead-letters.js';
import { busIsolationRules } from './bus-isolation.js';
import { busOrderRules } from './bus-order.js';
import type { BusFactory } from './bus-parts.js';
import { busTapRules } from './bus-taps.js';

/**
 * What every {@link Bus} must hold. The factory makes a fresh bus; the suite closes it.
 *
 * @example
 * import { test } from 'vitest';
 * import { busConformance } from 'artoo/testing';
 * for (const rule of busConformance) test(rule.name, () => rule.run(() => createMyBus()));
 */
export const busConformance: ConformanceSuite<BusFactory> = [...busOrderRules, ...busIsolationRules, ...busTapRules, ...busDeadLetterRules];
