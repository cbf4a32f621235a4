import { createArtoo } from 'artoo';
import { createBus } from 'artoo/bus';
import { createMemoryLedger } from 'artoo/ledger';
import { expect, test } from 'vitest';
import { Model } from '../hostile/scene.js';

test('a ledger that cannot be listed is reported: resumeOnStart never does nothing without a word', async () => {
  const model = new Model();
  const told = new Promise<string>((resolve) => {
    const bus = createBus({ onReport: (report) => { if (report.kind === 'dead_letter') resolve(report.reason); } });
    createArtoo({ models: { brain: model, tool: model }, bus, resumeOnStart: true, ledger: { ...createMemoryLedger(), list: () => Promise.reject(new Error('no such disk')) } });
  });
  expect(await told).toBe('resumeOnStart resumed nothing: no such disk');
});
