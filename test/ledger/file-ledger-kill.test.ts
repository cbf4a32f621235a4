import { spawn } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { createFileLedger, verifyLedger, type FsyncPolicy } from 'artoo/ledger';
import { seededRandom } from '../../src/testing/faults/random.js';
import { bundleChild } from './child.js';
import { temporaryFolder } from './support.js';

const KILLS = process.env.ARTOO_SWEEP ? 200 : 20;
const SEED = Number(process.env.ARTOO_SEED ?? 1);
let script = '';
let leaver = '';
beforeAll(async () => {
  const folder = await temporaryFolder();
  [script, leaver] = [await bundleChild('writer-child.ts', folder), await bundleChild('leaver-child.ts', folder)];
});

/** Lets a writer run until it has acknowledged so many lines, then kills it. Returns what it acknowledged. */
async function writeAndKill(dir: string, fsync: FsyncPolicy, acknowledgements: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [script, dir, fsync], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let trouble = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    if (text.split('\n').length > acknowledgements) child.kill('SIGKILL');
  });
  child.stderr.on('data', (data: Buffer) => {
    trouble += data.toString();
  });
  await new Promise<void>((resolve) => child.once('close', () => resolve()));
  expect(trouble).toBe('');
  const newest = new Map<string, number>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [taskId = '', number] = line.split(' ');
    newest.set(taskId, Math.max(newest.get(taskId) ?? 0, Number(number)));
  }
  return newest;
}

test.each([['intent', 0.6], ['never', 0.2], ['always', 0.2]] as const)('killed at random points, fsync %s: every acknowledged line is there and the chain holds', async (fsync, share) => {
  const random = seededRandom(SEED);
  const dir = await temporaryFolder();
  const kills = Math.max(1, Math.round(KILLS * share));
  let acknowledged = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const newest = await writeAndKill(dir, fsync, 1 + Math.floor(random() * 60));
    const where = `seed ${SEED}, kill ${kill}`;
    expect(newest.size, where).toBeGreaterThan(0);
    expect(await verifyLedger(dir), where).toMatchObject({ ok: true, problems: [] });
    const ledger = createFileLedger({ dir });
    for (const [taskId, number] of newest) {
      const lines = await ledger.read(taskId);
      expect(lines.length, `${where}: ${taskId}`).toBeGreaterThanOrEqual(number);
      expect(lines.every(({ at }, index) => at === index + 1), `${where}: ${taskId} is not what was written`).toBe(true);
      acknowledged += 1;
    }
    await ledger.close();
  }
  expect(acknowledged).toBeGreaterThanOrEqual(kills);
}, 300_000);

test.each(['exit', 'throw'])('a process that ends by %s in the turn of an append loses no line', async (how) => {
  const dir = await temporaryFolder();
  const child = spawn(process.execPath, [leaver, dir, how], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(how === 'exit' ? 0 : 1);
  const ledger = createFileLedger({ dir });
  expect((await ledger.read('task-1')).map(({ at }) => at)).toEqual([1, 2, 3]);
  await ledger.close();
});
