import type { ConformanceSuite } from './case.js';
import { ledgerListRules } from './ledger-list.js';
import { ledgerOrderRules } from './ledger-order.js';
import type { LedgerFactory } from './ledger-parts.js';
import { ledgerReopenRules } from './ledger-reopen.js';
import { ledgerValueRules } from './ledger-values.js';

/**
 * What every {@link Ledger} must hold. The factory makes an empty ledger; called with one that the suite has closed, a
 * ledger on what that one kept. The suite closes what it got.
 *
 * @example
 * import { ledgerConformance, runConformance } from 'artoo/testing';
 * await runConformance(ledgerConformance, () => createMyLedger(), { supports: { reopen: 'it is in RAM' } });
 */
export const ledgerConformance: ConformanceSuite<LedgerFactory> = [...ledgerOrderRules, ...ledgerValueRules, ...ledgerListRules, ...ledgerReopenRules];
