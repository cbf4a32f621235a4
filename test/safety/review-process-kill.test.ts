import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { createFileLedger, verifyLedger } from 'artoo/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';

const STRIDE = process.env['ARTOO_SWEEP'] ? 1 : 10;
const LAST_APPEND = 50;
let scratch: string;
let child: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'artoo-review-kill-'));
  child = join(scratch, 'child.mjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, 'review-kill-child.ts')], outfile: child, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

function live(folder: string, at: number, when: string): Promise<{ readonly out: string; readonly killed: boolean; readonly errors: string }> {
  return new Promise((resolvePromise, reject) => {
    const life = spawn(process.execPath, [child, folder, String(at), when], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    life.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
    life.stderr.on('data', (chunk: Buffer) => { errors += chunk.toString(); });
    life.on('error', reject);
    life.on('close', (_code, signal) => { resolvePromise({ out, killed: signal === 'SIGKILL', errors }); });
  });
}

test('F43 kill -9 around questions that are put off and answered: no call without a yes of its own on disk, and the task ends', async () => {
  let kills = 0;
  for (const when of ['before', 'after']) {
    for (let at = 1; at <= LAST_APPEND; at += STRIDE) {
      const folder = await mkdtemp(join(scratch, 'task-'));
      let ended = '';
      // The first life dies at this append, the second a few appends into its own, the others go on in peace.
      for (let life = 0; life < 9 && !['accept', 'success', 'abandon'].includes(ended); life++) {
        const { out, killed, errors } = await live(folder, [at, 1 + (at % 11)][life] ?? 0, when);
        if (killed) kills += 1;
        else ended = (JSON.parse(out || JSON.stringify({ ended: errors })) as { ended: string }).ended;
        if (!killed) expect(['accept', 'success', 'abandon', 'ARTOO_APPROVAL_PENDING'], `${when} ${at} life ${life}`).toContain(ended);
      }
      const note = `${when} ${at}`;
      expect(['accept', 'success', 'abandon'], note).toContain(ended);
      const effects = (await readFile(join(folder, 'effects.log'), 'utf8').catch(() => '')).trim().split('\n').filter((line) => line !== '');
      if (ended === 'accept') expect([...effects].sort(), note).toEqual(['send one', 'send two']);
      const ledger = createFileLedger({ dir: join(folder, 'ledger') });
      const [task] = await ledger.list();
      const yeses = (await ledger.read(task!.taskId)).filter(({ kind }) => kind === 'approval.answered').length;
      await ledger.close();
      expect(effects.length, note).toBeLessThanOrEqual(yeses);
      expect(await verifyLedger(join(folder, 'ledger')), note).toMatchObject({ ok: true });
    }
  }
  expect(kills).toBeGreaterThan(8);
}, 600_000);
