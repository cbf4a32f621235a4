import { createFileLedger } from 'artoo/ledger';

// Appends lines that may wait for the end of the turn, and does not let it come.
const [dir = '', how = 'exit'] = process.argv.slice(2);
const ledger = createFileLedger({ dir, fsync: 'never' });
for (const at of [1, 2, 3]) ledger.append({ v: 1, taskId: 'task-1', at, elapsedMs: 0, kind: 'law', law: 1, what: 'w', decision: 'd' });
if (how === 'exit') process.exit(0);
throw new Error('not caught');
