export { createFileLedger } from '../adapters/file-ledger.js';
export type { FileLedger, FileLedgerOptions, FsyncPolicy } from '../adapters/file-ledger.js';
export { nodeFileSystem } from '../adapters/file-ledger/file-system.js';
export type { LedgerFileSystem } from '../adapters/file-ledger/file-system.js';
export { verifyLedger } from '../adapters/file-ledger/verify-ledger.js';
export type { LedgerFinding, LedgerVerification } from '../adapters/file-ledger/verify-ledger.js';
export { createMemoryLedger } from '../kernel/memory-ledger.js';
export type { MemoryLedgerOptions } from '../kernel/memory-ledger.js';
export type { EffectAddress, EffectKind, Ledger, LedgerBody, LedgerEvent, LedgerKind, LedgerLine, LedgerTask, RecordedError } from '../contracts/ledger.js';
