#!/usr/bin/env node
/**
 * What redaction costs on records without secrets, which is what it runs on nearly always: each record is walked by the
 * default redactor and, beside it, by a walk that visits the same texts and only reads their length. Rounds interleave,
 * medians count.
 *
 *   node test/bench/redact.mjs [--json]
 */
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundled = await build({ entryPoints: [join(root, 'src/text/redact.ts')], bundle: true, format: 'esm', platform: 'node', write: false });
const { createRedactor } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].contents).toString('base64')}`);

const ROUNDS = 31;
const redactor = createRedactor();

/** Reads each text and builds nothing. */
function walk(value) {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let total = 0;
  if (Array.isArray(value)) for (const item of value) total += walk(item);
  else for (const key of Object.keys(value)) total += key.length + walk(value[key]);
  return total;
}

/** A record of a tool call with a text of the given length. */
const record = (text) => ({
  v: 1, id: 'task-1:17', type: 'ExecutionResult', from: 'R3', to: ['R4a'], taskId: 'task-1', seq: 17, at: 1_700_000_000_000, causeId: 'task-1:16', integrity: 'untrusted',
  payload: { subtaskId: 'task-1-1', attempt: 1, status: 'completed', output: text.slice(0, 80), toolCalls: [{ id: 'call-1', tool: 'readFile', input: { path: 'notes.txt' }, effect: 'read', ok: true, output: text }] },
});
const page = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => readFileSync(join(root, 'docs', name), 'utf8')).join('\n');
const code = readdirSync(join(root, 'src/text')).map((name) => readFileSync(join(root, 'src/text', name), 'utf8')).join('\n');
const cases = {
  'short record, 300 characters of prose': Array.from({ length: 40 }, (_, index) => record(page.slice(index * 300, index * 300 + 300))),
  'record with 8,000 characters of prose': Array.from({ length: 4 }, (_, index) => record(page.slice(index * 8_000, index * 8_000 + 8_000))),
  'record with 8,000 characters of code': Array.from({ length: 4 }, (_, index) => record(code.slice(index * 8_000, index * 8_000 + 8_000))),
};

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const time = (work, records, times) => {
  const start = performance.now();
  for (let turn = 0; turn < times; turn += 1) for (const item of records) work(item);
  return ((performance.now() - start) * 1_000) / (times * records.length);
};

const rows = Object.entries(cases).map(([name, records]) => {
  const walks = [];
  const redactions = [];
  const times = Math.ceil(4_000_000 / records.reduce((sum, item) => sum + walk(item), 0));
  for (let round = 0; round < ROUNDS; round += 1) {
    walks.push(time(walk, records, times));
    redactions.push(time(redactor.value, records, times));
  }
  const characters = records.reduce((sum, item) => sum + walk(item), 0) / records.length;
  return { name, characters: Math.round(characters), walkMicros: median(walks), redactMicros: median(redactions), nanosPerCharacter: (median(redactions) * 1_000) / characters, changed: records.filter((item) => redactor.value(item) !== item).length };
});
if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else {
  console.log(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, medians of ${ROUNDS} rounds`);
  for (const row of rows) console.log(`${row.name} (${row.characters} characters): walk ${row.walkMicros.toFixed(2)} µs, redact ${row.redactMicros.toFixed(2)} µs, ${row.nanosPerCharacter.toFixed(2)} ns per character${row.changed ? `, ${row.changed} of ${cases[row.name].length} changed` : ''}`);
}
