#!/usr/bin/env node
/**
 * What one message of 1 KB to three listeners costs on artoo's bus, beside the least it could cost: build, deep freeze and
 * emit on a raw eventemitter3. Rounds interleave, medians count.
 *
 *   node test/bench/bus.mjs [--floor] [--json]
 *
 * Needs a built artoo; --floor leaves it out.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { EventEmitter } from 'eventemitter3';
import { z } from 'zod';
import { doorUrl } from './overhead/door.mjs';
import { rotated, spread } from './overhead/statistics.mjs';

const BATCH = 2_000;
const ROUNDS = 21;
/** Messages published before the benchmark lets the bus deliver: a role rarely sends more in one go. */
const BURST = 10;
const LISTENERS = 3;

const { values: flags } = parseArgs({ options: { floor: { type: 'boolean' }, json: { type: 'boolean' } } });

const OUTPUT = 'notes.txt: 3 open points (renew the lease, call the printer, book the train); 2 points are done. '.repeat(4);
let built = 0;

/** A new ExecutionResult with one tool call: about 1 KB as JSON. */
function build() {
  built += 1;
  return {
    v: 1, id: `task-1:${built}`, type: 'ExecutionResult', from: 'R3', to: ['R4a'], taskId: 'task-1', seq: built, at: 1_700_000_000_000,
    causeId: 'task-1:0', integrity: 'untrusted',
    payload: {
      subtaskId: 'task-1-1', attempt: 1, status: 'completed', output: 'notes.txt holds 3 open points.',
      toolCalls: [{
        id: 'call-1', tool: 'readNotes', input: { path: 'notes.txt' }, target: 'notes.txt', effect: 'read', ok: true,
        evidence: OUTPUT.slice(-120), output: OUTPUT, startedAt: 1_700_000_000_000, durationMs: 3,
      }],
    },
  };
}

const messageSchema = z.object({
  v: z.literal(1), id: z.string(), type: z.string(), from: z.string(), to: z.array(z.string()), taskId: z.string(), seq: z.number(), at: z.number(),
  causeId: z.string(), integrity: z.enum(['trusted', 'untrusted']),
  payload: z.object({
    subtaskId: z.string(), attempt: z.number(), status: z.enum(['completed', 'failed']), output: z.unknown(),
    toolCalls: z.array(z.object({
      id: z.string(), tool: z.string(), input: z.unknown(), target: z.string(), effect: z.enum(['read', 'write', 'irreversible']), ok: z.boolean(),
      evidence: z.string(), output: z.string(), startedAt: z.number(), durationMs: z.number(),
    })),
  }),
});

function deepFreeze(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Object.keys(value)) deepFreeze(value[key]);
  return value;
}

/** Rows that need no artoo. Each `batch` does the work `BATCH` times. */
function floorRows() {
  const emitter = new EventEmitter();
  let heard = 0;
  for (let listener = 0; listener < LISTENERS; listener += 1) emitter.on('ExecutionResult', () => { heard += 1; });
  const sample = build();
  let kept;
  const repeat = (work) => () => { for (let index = 0; index < BATCH; index += 1) kept = work(); return kept; };
  return [
    { name: 'floor: build + deep freeze + emit', floor: true, batch: repeat(() => emitter.emit('ExecutionResult', deepFreeze(build()))), heard: () => heard },
    { name: 'build alone', batch: repeat(build) },
    { name: 'zod parse alone', batch: repeat(() => messageSchema.parse(sample)) },
    { name: 'structuredClone alone', batch: repeat(() => structuredClone(sample)) },
  ];
}

/** artoo's bus: each batch ends when every handler has run. */
async function busRow(name, prepare) {
  const { createBus } = await import(doorUrl('./bus'));
  const bus = createBus();
  let heard = 0;
  for (let listener = 0; listener < LISTENERS; listener += 1) bus.subscribe({ type: 'ExecutionResult', to: 'R4a' }, () => { heard += 1; });
  return {
    name,
    heard: () => heard,
    async batch() {
      for (let index = 0; index < BATCH; index += BURST) {
        for (let message = 0; message < BURST; message += 1) bus.publish(prepare(build()));
        await bus.drain();
      }
    },
  };
}

async function main() {
  const rows = floorRows();
  if (!flags.floor) {
    rows.push(await busRow('artoo bus: build + publish', (message) => message));
    rows.push(await busRow('artoo bus: build + deep freeze + publish', deepFreeze));
  }
  for (const row of rows) {
    row.times = [];
    for (let round = 0; round < 10; round += 1) await row.batch();
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of rotated(rows, round)) {
      const began = performance.now();
      await row.batch();
      row.times.push(((performance.now() - began) * 1000) / BATCH);
    }
  }
  const wanted = (ROUNDS + 10) * BATCH * LISTENERS;
  for (const row of rows) {
    if (row.heard && row.heard() !== wanted) throw new Error(`${row.name}: the listeners heard ${row.heard()} messages, ${wanted} were sent to them.`);
  }

  const floor = spread(rows[0].times);
  const report = {
    date: new Date().toISOString(), node: process.versions.node, cores: cpus().length, cpu: cpus()[0].model,
    bytes: JSON.stringify(build()).length, listeners: LISTENERS,
    rows: rows.map(({ name, times }) => ({ name, microseconds: spread(times), toFloor: spread(times).median / floor.median })),
  };
  if (flags.json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  console.log(`${report.date} · Node ${report.node} · ${report.cores} × ${report.cpu} · ${report.bytes} bytes as JSON, ${LISTENERS} listeners`);
  for (const { name, microseconds, toFloor } of report.rows) {
    console.log(`${name.padEnd(42)} ${microseconds.median.toFixed(2).padStart(7)} µs   fastest ${microseconds.fastest.toFixed(2).padStart(6)}   ${toFloor.toFixed(1).padStart(4)}× the floor`);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
