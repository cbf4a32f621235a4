import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileLedger } from 'artoo/ledger';
import { expect, test } from 'vitest';

test('two who release a task while it is being synced both get through', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'artoo-release-'));
  const ledger = createFileLedger({ dir });
  const begin = { v: 1, taskId: 'task-1', at: 0, elapsedMs: 0, kind: 'task.begin', library: 'x', request: {}, date: '', nonce: '', configuration: {} } as const;
  void ledger.append(begin, { sync: true });
  await Promise.all([ledger.release('task-1'), ledger.release('task-1'), ledger.close()]);
  expect((await readdir(dir)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  await rm(dir, { recursive: true, force: true });
});
