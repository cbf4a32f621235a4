import { writeSync } from 'node:fs';
import { createFileLedger, type FsyncPolicy, type LedgerEvent } from 'artoo/ledger';

// Appends lines to some tasks without an end; writes "task number" to its standard output for each that was acknowledged.
const [dir = '', fsync = 'intent', tasks = '3'] = process.argv.slice(2);
const ledger = createFileLedger({ dir, fsync: fsync as FsyncPolicy, maxOpenFiles: 2 });

function event(taskId: string, number: number, body: object): LedgerEvent {
  return { v: 1, taskId, at: number, elapsedMs: 0, ...body } as LedgerEvent;
}

async function write(taskId: string): Promise<void> {
  let number = (await ledger.read(taskId).catch(() => [])).length;
  await ledger.acquire(taskId);
  for (;;) {
    for (let step = 0; step < number % 4; step += 1) {
      number += 1;
      await ledger.append(event(taskId, number, { kind: 'law', law: 1, what: 'x'.repeat((number * 37) % 3_000), decision: 'refused' }));
    }
    number += 1;
    const address = { role: 'R3', kind: 'tool', ordinal: number };
    // Without a sync the line must be safe from the death of the process as soon as append returns.
    const sync = number % 3 !== 0;
    const kept = ledger.append(event(taskId, number, { kind: 'tool.intent', address, tool: 't', effect: 'write', target: '', hash: '', input: number }), { sync });
    if (!sync) writeSync(1, `${taskId} ${number}\n`);
    await kept;
    if (sync) writeSync(1, `${taskId} ${number}\n`);
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

for (let task = 0; task < Number(tasks); task += 1) void write(`task-${task}`);
