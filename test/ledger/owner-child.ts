import { createFileLedger } from 'artoo/ledger';

// Tries to take a task when told to; says how that went; holds it until it is told to leave, or is killed.
const [dir = '', taskId = ''] = process.argv.slice(2);
const ledger = createFileLedger({ dir });
process.on('message', (message) => {
  if (message === 'leave') void ledger.close().then(() => process.disconnect());
  else void ledger.acquire(taskId).then(() => process.send?.('owner'), (error: { readonly code?: string }) => process.send?.(error.code ?? String(error)));
});
process.send?.('ready');
