/** The four measurements. Each returns rows { name, ... } in the order of the names it got. */
import { execFile, spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { doorUrl } from './door.mjs';
import { openLane } from './lanes.mjs';
import { rotated, spread } from './statistics.mjs';
import { VARIANTS } from './variants.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

async function openLanes(names, options) {
  const lanes = [];
  for (const name of names) lanes.push({ name, times: [], cpu: [], ...(await openLane(name, options)) });
  return lanes;
}

/** Own time per run in µs: model calls take no time, runs one after the other, rounds interleaved. */
export async function ownTime(names, { rounds = 21, sliceMs = 120, warmupMs = 4000, warmupRuns = 2000, isolate = false } = {}) {
  const lanes = await openLanes(names, { isolate });
  for (const lane of lanes) {
    // A large library is still being compiled after a thousand runs: so both a time and a number of runs.
    let perRun = 0;
    for (let spent = 0, runs = 0; spent < warmupMs || runs < warmupRuns;) {
      const count = perRun === 0 ? 20 : Math.max(20, Math.round((warmupMs * 100) / perRun));
      perRun = (await lane.slice({ count })).time;
      spent += (perRun * count) / 1000;
      runs += count;
    }
    lane.count = Math.max(10, Math.round((sliceMs * 1000) / perRun));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const lane of rotated(lanes, round)) {
      const { time, cpu } = await lane.slice({ count: lane.count });
      lane.times.push(time);
      lane.cpu.push(cpu);
    }
  }
  for (const lane of lanes) await lane.close();
  return lanes.map(({ name, times, cpu, count }) => ({ name, ...spread(times), cpu: spread(cpu).median, runsPerSlice: count, rounds }));
}

/**
 * ms for `count` runs at once, each model call `latencyMs` long. The ideal is five calls' time. Always a process for each
 * variant: what some keep of finished runs would burden the collector of all.
 */
export async function concurrent(names, { rounds = 5, count = 1000, latencyMs = 20 } = {}) {
  const lanes = await openLanes(names, { latencyMs, isolate: true });
  for (const lane of lanes) await lane.slice({ count, atOnce: true });
  for (let round = 0; round < rounds; round += 1) {
    for (const lane of rotated(lanes, round)) lane.times.push((await lane.slice({ count, atOnce: true })).time);
  }
  for (const lane of lanes) await lane.close();
  return lanes.map(({ name, times }) => ({ name, ...spread(times), count, rounds }));
}

/** Bytes of heap that `runs` finished runs leave behind, in a fresh process for each. */
export async function heapKept(names, { runs = 10_000 } = {}) {
  const rows = [];
  for (const name of names) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', join(here, 'heap-child.mjs'), name, String(runs)], { cwd: here });
    rows.push({ name, ...JSON.parse(stdout.trim().split('\n').at(-1)) });
  }
  return rows;
}

/** ms that importing a package adds to a bare start of Node, in fresh processes, rounds interleaved. */
export function importTime(names, { rounds = 11 } = {}) {
  const packages = [...new Set(names.map((name) => VARIANTS.find((variant) => variant.name === name).package))];
  const starts = ['(bare node)', ...packages].map((name) => ({ name, times: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const start of rotated(starts, round)) {
      const from = start.name === 'artoo' ? doorUrl() : start.name;
      const code = start.name === '(bare node)' ? 'process.exit(0)' : `import(${JSON.stringify(from)}).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); })`;
      const began = performance.now();
      const ended = spawnSync(process.execPath, ['-e', code], { cwd: here, encoding: 'utf8' });
      const took = performance.now() - began;
      if (ended.status !== 0) throw new Error(`Importing ${start.name} failed: ${ended.stderr}`);
      if (round > 0) start.times.push(took); // The first round fills the file cache.
    }
  }
  const bare = spread(starts[0].times);
  return starts.map(({ name, times }) => {
    const own = spread(times);
    if (name === '(bare node)') return { name, ...own, rounds };
    return { name, median: own.median - bare.median, low: own.low - bare.median, high: own.high - bare.median, fastest: own.fastest - bare.fastest, rounds };
  });
}

/** µs to append 1 KB to a file in the temporary folder and have the device confirm it. */
export function deviceSync({ rounds = 200 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'artoo-bench-'));
  const file = openSync(join(directory, 'floor'), 'a');
  try {
    const block = Buffer.alloc(1024, 'x');
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      writeSync(file, block);
      fdatasyncSync(file);
      times.push((performance.now() - began) * 1000);
    }
    return spread(times);
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true, force: true });
  }
}
