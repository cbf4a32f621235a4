import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { verifyLedger } from 'artoo/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';

const KILLS = process.env['ARTOO_SWEEP'] ? 200 : 12;
let scratch: string;
let child: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'artoo-kill-'));
  child = join(scratch, 'child.mjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, 'kill-child.ts')], outfile: child, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Runs one life. Kills it once its effect log has `lines` more lines than at birth. */
function live(folder: string, lines: number | undefined): Promise<{ readonly out: string; readonly killed: boolean; readonly errors: string }> {
  return new Promise((resolvePromise, reject) => {
    const life = spawn(process.execPath, [child, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    life.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
    life.stderr.on('data', (chunk: Buffer) => { errors += chunk.toString(); });
    let timer: ReturnType<typeof setInterval> | undefined;
    if (lines !== undefined) {
      const log = join(folder, 'effects.log');
      void count(log).then((before) => {
        timer = setInterval(() => void count(log).then((now) => { if (now >= before + lines) life.kill('SIGKILL'); }), 1);
      });
    }
    life.on('error', reject);
    life.on('close', (_code, signal) => {
      clearInterval(timer);
      resolvePromise({ out, killed: signal === 'SIGKILL', errors });
    });
  });
}

async function count(path: string): Promise<number> {
  return existsSync(path) ? (await readFile(path, 'utf8')).split('\n').length - 1 : 0;
}

test(`kill -9 at ${KILLS} moments: the task ends, no write happens twice, the record is whole`, async () => {
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    const folder = await mkdtemp(join(scratch, 'task-'));
    let last: Awaited<ReturnType<typeof live>> | undefined;
    for (let life = 0; life < 8; life++) {
      // The last lives are left in peace, so that the task can end.
      last = await live(folder, life < 4 ? 1 + ((round * 5 + life * 3) % 7) : undefined);
      if (!last.killed) break;
      kills += 1;
    }
    expect(last?.killed, last?.errors).toBe(false);
    const result = JSON.parse(last!.out) as { directive: string };
    const effects = (await readFile(join(folder, 'effects.log'), 'utf8')).trim().split('\n');
    const writes = effects.filter((line) => line.startsWith('write'));
    expect(new Set(writes).size, writes.join()).toBe(writes.length);
    // A write in doubt may cost the result, never a second write.
    expect(['accept', 'success', 'abandon']).toContain(result.directive);
    expect(await verifyLedger(join(folder, 'ledger'))).toMatchObject({ ok: true });
  }
}, 600_000);
