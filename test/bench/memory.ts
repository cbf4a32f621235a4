/**
 * What the memory costs. A plain script, never a test: it prints a table.
 *
 *   npx esbuild test/bench/memory.ts --bundle --platform=node --format=esm --packages=external --outfile=node_modules/.cache/bench-memory.mjs
 *   node node_modules/.cache/bench-memory.mjs [largest number of megrams, default 1000000]
 */
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { calibrate, createDreamer, createLevelMemory, intentPlace, openMemory, potentials, quantize, recollect, toolPlace, toolTag, type ArtooMemory, type Megram } from '../../src/entries/memory.js';
import { keyOf, rangeOf } from '../../src/mkct/keys.js';
import { systemClock } from '../../src/signals/system-clock.js';

const LARGEST = Number(process.argv[2] ?? 1_000_000);
const SIZES = [10, 1_000, 100_000, 1_000_000].filter((size) => size <= LARGEST);
const DAY = 86_400_000;
const NOW = Date.now();
const HOT = toolPlace('grep', '/var/log/app.log');
const TOOLS = Array.from({ length: 20 }, (_, index) => `tool${index}`);
const DUE = 1_000;

function megram(id: string, change: Partial<Megram> = {}): Megram {
  const state = id.endsWith('7') ? 'abandon' : 'accept';
  return {
    id, level: 'M', createdAt: NOW - 20 * DAY, lastRecalledAt: null, ...HOT, content: `Asked: count the errors of run ${id}\nWorked: grep on /var/log/app.log (ok: 12)`, state, ...quantize(state),
    origin: { taskId: `task-${id}`, integrity: 'trusted', source: 'R7' }, ...change,
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const micros = async (times: number, work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  for (let turn = 0; turn < times; turn += 1) await work();
  return ((performance.now() - start) * 1_000) / times;
};
const milliseconds = (work: () => Promise<unknown>): Promise<number> => micros(1, work).then((value) => value / 1_000);

async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(path)) bytes += (await stat(join(path, name))).size;
  return bytes;
}

/** What a store without running sums does: walk the tag's index, read each record, add up. */
async function naive(db: ClassicLevel<string, string>): Promise<number> {
  const megrams: Megram[] = [];
  let page: string[] = [];
  const read = async (): Promise<void> => {
    for (const raw of await db.getMany(page)) if (raw !== undefined) megrams.push(JSON.parse(raw) as Megram);
    page = [];
  };
  for await (const key of db.keys(rangeOf('x', HOT.space, HOT.entity))) {
    page.push(keyOf('m', decodeURIComponent(key.slice(key.lastIndexOf('|') + 1))));
    if (page.length === 1_000) await read();
  }
  await read();
  return potentials(megrams, NOW).attention;
}

interface Filled { readonly size: number; readonly path: string; readonly db: ClassicLevel<string, string>; readonly memory: ArtooMemory; readonly seconds: number }

async function fill(folder: string, size: number): Promise<Filled> {
  const path = join(folder, `m${size}`);
  const db = new ClassicLevel<string, string>(path);
  const memory = createLevelMemory({ db });
  const start = performance.now();
  for (let index = 0; index < size; index += 1) {
    memory.append(megram(`${index}`, { createdAt: NOW - 20 * DAY + (index % 1_000_000) }));
    if (index % 5_000 === 0) await memory.flush();
  }
  await memory.flush();
  return { size, path, db, memory, seconds: (performance.now() - start) / 1_000 };
}

async function queries(stores: readonly Filled[]): Promise<void> {
  const rounds = stores.map(() => [] as number[]);
  for (let round = 0; round < 15; round += 1) {
    for (const [index, { memory }] of stores.entries()) rounds[index]?.push(await micros(200, () => memory.potentials(HOT, NOW)));
  }
  console.log('\nquery of one tag\n  megrams    potentials    naive scan       ratio   fill/s   bytes each');
  for (const [index, { size, db, path, seconds }] of stores.entries()) {
    const own = median(rounds[index] ?? []);
    const scan = (await milliseconds(() => naive(db))) * 1_000;
    console.log(`${String(size).padStart(9)} ${own.toFixed(1).padStart(10)} µs ${(scan / 1_000).toFixed(2).padStart(10)} ms ${Math.round(scan / own).toLocaleString('en').padStart(11)} ${Math.round(size / seconds).toLocaleString('en').padStart(8)} ${Math.round((await sizeOf(path)) / size).toLocaleString('en').padStart(12)}`);
  }
}

async function writes(folder: string): Promise<void> {
  const raw = new ClassicLevel<string, string>(join(folder, 'raw'));
  const memory = await openMemory({ path: join(folder, 'writes') });
  const value = JSON.stringify(megram('x'));
  const [single, ours, bulk, burst] = [[], [], [], []] as number[][];
  let next = 0;
  const four = (id: number) => ['m', 'x', 'l', 'd'].map((prefix) => ({ type: 'put' as const, key: `${prefix}|${id}`, value: prefix === 'm' ? value : '' }));
  for (let round = 0; round < 7; round += 1) {
    single?.push(await micros(1_000, () => raw.batch(four(next++))));
    ours?.push(await micros(1_000, () => {
      memory.append(megram(`s${next++}`));
      return memory.flush();
    }));
    bulk?.push((await micros(1, () => raw.batch(Array.from({ length: 5_000 }, () => four(next++)).flat()))) / 5_000);
    burst?.push((await micros(1, () => {
      for (let index = 0; index < 5_000; index += 1) memory.append(megram(`b${next++}`));
      return memory.flush();
    })) / 5_000);
  }
  const line = (name: string, own: number, floor: number): void => console.log(`  ${name}: ${own.toFixed(1)} µs each (${Math.round(1e6 / own).toLocaleString('en')}/s), raw batches of 4 keys ${floor.toFixed(1)} µs, ratio ${(own / floor).toFixed(2)}`);
  console.log('\nwrites: record, indexes and sums');
  line('one by one, flushed', median(ours ?? []), median(single ?? []));
  line('burst of 5,000     ', median(burst ?? []), median(bulk ?? []));
  await memory.close();
  await raw.close();
}

async function planning({ memory, size }: Filled): Promise<void> {
  for (const tool of TOOLS) for (let target = 0; target < 5; target += 1) for (let index = 0; index < 3; index += 1) memory.append(megram(`${tool}-${target}-${index}`, toolPlace(tool, `/data/${target}`)));
  for (let index = 0; index < 50; index += 1) memory.append(megram(`intent${index}`, { ...intentPlace(`kind_${index}`, 'local'), content: `Asked: count the lines of file ${index}` }));
  await memory.flush();
  const query = { tags: [intentPlace('count_lines', 'local'), ...TOOLS.map(toolTag)], intent: 'count the lines of the report', at: NOW };
  const rounds: number[] = [];
  for (let round = 0; round < 15; round += 1) rounds.push(await micros(20, async () => calibrate(await recollect(memory, query), { tools: TOOLS })));
  console.log(`\ncalibration of a plan, 20 tools, ${size.toLocaleString('en')} megrams: ${(median(rounds) / 1_000).toFixed(2)} ms`);
}

async function dreaming({ memory, size }: Filled): Promise<void> {
  const dreamer = createDreamer({ store: memory, clock: systemClock });
  const first = await milliseconds(() => dreamer.dream());
  for (let index = 0; index < DUE; index += 1) memory.append(megram(`old${index}`, { createdAt: NOW - 60 * DAY }));
  await memory.flush();
  let forgotten = 0;
  const pass = await milliseconds(async () => (forgotten = (await dreamer.dream()).forgotten.length));
  const idle = await milliseconds(() => dreamer.dream());
  console.log(`\nDreamer at ${size.toLocaleString('en')}: first pass (distils) ${first.toFixed(0)} ms, pass with ${forgotten.toLocaleString('en')} due ${pass.toFixed(0)} ms, pass with nothing to do ${idle.toFixed(2)} ms`);
  await dreamer.close();
}

async function opening({ memory, db, path, size }: Filled, folder: string): Promise<void> {
  const crashed = join(folder, 'crashed');
  // A copy of the folder as a process that was killed leaves it: the log is not closed.
  await cp(path, crashed, { recursive: true, filter: (source) => !source.endsWith('LOCK') });
  await memory.close();
  await db.close();
  const times: Record<string, number> = {};
  for (const [name, where] of [['clean', path], ['after a crash', crashed]] as const) {
    let opened: ArtooMemory | undefined;
    times[name] = await milliseconds(async () => (opened = await openMemory({ path: where })));
    await opened?.close();
  }
  console.log(`\nopening ${size.toLocaleString('en')}: ${Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(1)} ms`).join(', ')}`);
}

async function versions(): Promise<string> {
  const require = createRequire(import.meta.url);
  const read = async (name: string): Promise<string> => `${name} ${(JSON.parse(await readFile(join(require.resolve(name), '..', 'package.json'), 'utf8')) as { version: string }).version}`;
  return [`node ${process.version}`, await read('classic-level'), `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`, new Date().toISOString().slice(0, 10)].join(' · ');
}

const folder = await mkdtemp(join(tmpdir(), 'artoo-bench-'));
try {
  console.log(await versions());
  const stores: Filled[] = [];
  for (const size of SIZES) stores.push(await fill(folder, size));
  await queries(stores);
  await writes(folder);
  const [largest] = stores.slice(-1);
  for (const { memory, db } of stores.slice(0, -1)) {
    await memory.close();
    await db.close();
  }
  if (largest) {
    await planning(largest);
    await dreaming(largest);
    await opening(largest, folder);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
