import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFileLedger, createMemoryLedger, type FsyncPolicy } from 'artoo/ledger';
import { ledgerConformance, runConformance, type LedgerFactory } from 'artoo/testing';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Each empty ledger in a folder of its own; a reopened one in the folder of the one it follows. */
function fileLedgers(fsync: FsyncPolicy, maxOpenFiles?: number): LedgerFactory {
  const folderOf = new WeakMap<object, string>();
  return async (from) => {
    const dir = (from && folderOf.get(from)) ?? await mkdtemp(join(tmpdir(), 'artoo-ledger-'));
    folders.push(dir);
    const ledger = createFileLedger({ dir, fsync, ...(maxOpenFiles === undefined ? {} : { maxOpenFiles }) });
    folderOf.set(ledger, dir);
    return ledger;
  };
}

for (const fsync of ['intent', 'always', 'never'] as const) {
  describe(`file ledger, fsync ${fsync}`, () => {
    for (const rule of ledgerConformance) test(rule.name, () => rule.run(fileLedgers(fsync)));
  });
}

describe('file ledger with one descriptor', () => {
  for (const rule of ledgerConformance) test(rule.name, () => rule.run(fileLedgers('intent', 1)));
});

test('the ledger in RAM holds every rule but those of reopening, whose reason is printed', async () => {
  const printed: string[] = [];
  const results = await runConformance(ledgerConformance, () => createMemoryLedger(), {
    supports: { reopen: 'it is gone with the process' }, print: (line) => void printed.push(line),
  });
  expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(printed).toHaveLength(2);
  expect(printed[0]).toMatch(/^skipped: ledger: .* \(needs reopen: it is gone with the process\)$/);
});
