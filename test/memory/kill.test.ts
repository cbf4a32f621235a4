import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMemory } from '../../src/entries/memory.js';

const KILLS = process.env['ARTOO_SWEEP'] === '1' ? 100 : 20;
const SEED = 20_240_604;

let folder = '';
let script = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artoo-kill-'));
  script = join(folder, 'child.cjs');
  const classicLevel = createRequire(import.meta.url).resolve('classic-level');
  await build({ entryPoints: [new URL('./kill-child.ts', import.meta.url).pathname], outfile: script, bundle: true, platform: 'node', format: 'cjs', alias: { 'classic-level': classicLevel }, external: [classicLevel], logLevel: 'error' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lets the child write until it has acknowledged `lines` times, kills it, and gives the last number acknowledged. */
function killAfter(lines: number, path: string, first: number): Promise<{ readonly acknowledged: number; readonly signal: string | null; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, path, String(first)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let acknowledged = first - 1;
    let seen = 0;
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      acknowledged = Number(line);
      seen += 1;
      if (seen === lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (_, signal) => resolve({ acknowledged, signal, errors }));
  });
}

test(`after ${KILLS} kills in the middle of writing the memory opens, is clean, and keeps all that was flushed`, { timeout: 600_000 }, async () => {
  const path = join(folder, 'memory');
  let random = SEED;
  let first = 0;
  let flushed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const { acknowledged, signal, errors } = await killAfter(1 + (random % 9), path, first);
    expect([errors, signal]).toEqual(['', 'SIGKILL']);
    const memory = await openMemory({ path });
    try {
      const check = await memory.check();
      expect(check.problems, `kill ${kill}`).toEqual([]);
      const kept = new Set((await memory.list()).map(({ id }) => id));
      for (let number = first; number <= acknowledged; number += 1) {
        if (number % 10 !== 3) expect(kept.has(`n${number}`), `n${number} was flushed before kill ${kill}`).toBe(true);
      }
      flushed += acknowledged - first + 1;
      first = acknowledged + 10_000;
    } finally {
      await memory.close();
    }
  }
  expect(flushed).toBeGreaterThan(KILLS * 17);
});
