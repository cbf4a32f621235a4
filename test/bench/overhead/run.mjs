#!/usr/bin/env node
/**
 * Own time per run of artoo beside plain async functions and other libraries doing the same five steps.
 *
 *   node run.mjs [--only floor,artoo] [--scenario own,concurrent,heap,import] [--isolate] [--quick] [--json]
 *
 * Needs `npm ci` in this folder, and a built artoo in the repository above unless --only leaves it out.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { artooVersion } from './door.mjs';
import { concurrent, deviceSync, heapKept, importTime, ownTime } from './scenarios.mjs';
import { VARIANTS } from './variants.mjs';

// Before any peer is loaded: nothing may leave the machine, and nobody may trace.
Object.assign(process.env, {
  LANGSMITH_TRACING: 'false', LANGCHAIN_TRACING_V2: 'false', OPENAI_AGENTS_DISABLE_TRACING: '1', MASTRA_TELEMETRY_DISABLED: '1',
  MASTRA_AUTO_REFRESH_PROVIDERS: 'false', DO_NOT_TRACK: '1',
});

const SCENARIOS = ['own', 'concurrent', 'heap', 'import'];
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' }, scenario: { type: 'string' }, json: { type: 'boolean' }, isolate: { type: 'boolean' }, quick: { type: 'boolean' }, help: { type: 'boolean' },
  },
});

function choose(list, wanted, what) {
  if (!wanted) return list;
  const unknown = wanted.filter((name) => !list.some((entry) => entry.name === name || entry.group === name));
  if (unknown.length > 0) {
    console.error(`There is no ${what} ${unknown.join(', ')}. Known: ${list.map((entry) => entry.name).join(', ')}.`);
    process.exit(2);
  }
  return list.filter((entry) => wanted.includes(entry.name) || wanted.includes(entry.group));
}

function versions(names) {
  const packages = new Set(names.map((name) => VARIANTS.find((variant) => variant.name === name).package));
  return Object.fromEntries([...packages].map((name) => [
    name,
    name === 'artoo' ? artooVersion() : JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version,
  ]));
}

function table(title, header, rows) {
  const lines = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...lines.map((row) => row[column].length)));
  const format = (row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('   ');
  console.log(`\n${title}\n${format(lines[0])}\n${widths.map((width) => '-'.repeat(width)).join('   ')}\n${lines.slice(1).map(format).join('\n')}`);
}

const number = (value, digits = 0) => value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const micros = (value) => number(value, value < 100 ? 1 : 0);
const titleOf = (name) => VARIANTS.find((variant) => variant.name === name)?.title ?? name;

function print(report) {
  const { machine } = report;
  console.log(`${report.date} · Node ${machine.node} · ${machine.cores} × ${machine.cpu}`);
  console.log(Object.entries(report.versions).map(([name, version]) => `${name} ${version}`).join(' · '));
  // Beyond one, other programs had a share of the processors.
  console.log(`Load (1 min): ${number(report.load.before, 1)} before, ${number(report.load.after, 1)} after, on ${machine.cores} cores.`);
  const ratio = (row, rows, of = 'median') => {
    const floor = rows.find((other) => other.name === 'floor');
    return floor ? `${number(row[of] / floor[of], 1)}×` : '–';
  };
  if (report.own) {
    table(`Own time per run: 5 model calls, 1 tool call, model without latency; ${report.isolate ? 'a process for each variant' : 'all variants in one process'}`, ['', 'µs (median)', 'to floor', 'middle half', 'fastest', 'to floor', 'processor µs', 'to floor'],
      report.own.map((row) => [titleOf(row.name), micros(row.median), ratio(row, report.own), `${micros(row.low)}–${micros(row.high)}`, micros(row.fastest), ratio(row, report.own, 'fastest'), micros(row.cpu), ratio(row, report.own, 'cpu')]));
  }
  if (report.device) console.log(`Device: append 1 KB + fdatasync ${micros(report.device.median)} µs (${micros(report.device.low)}–${micros(report.device.high)}).`);
  if (report.concurrent) {
    table(`${number(report.concurrent[0].count)} runs at once, each model call 20 ms (ideal 100 ms)`, ['', 'ms (median)', 'to floor', 'middle half', 'fastest'],
      report.concurrent.map((row) => [titleOf(row.name), number(row.median), ratio(row, report.concurrent), `${number(row.low)}–${number(row.high)}`, number(row.fastest)]));
  }
  if (report.heap) {
    table(`Heap kept after ${number(report.heap[0].runs)} finished runs`, ['', 'MB'], report.heap.map((row) => [titleOf(row.name), number(row.keptBytes / 1e6, 2)]));
  }
  if (report.import) {
    table('Import in a fresh process, beyond a bare start of Node', ['', 'ms (median)', 'middle half', 'fastest'],
      report.import.map((row) => [row.name, number(row.median), `${number(row.low)}–${number(row.high)}`, number(row.fastest)]));
  }
}

async function main() {
  const names = choose(VARIANTS, flags.only?.split(','), 'variant').map((variant) => variant.name);
  const scenarios = choose(SCENARIOS.map((name) => ({ name })), flags.scenario?.split(','), 'scenario').map((entry) => entry.name);
  const isolate = flags.isolate ?? false;
  const quick = flags.quick ?? false;
  const report = {
    date: new Date().toISOString(),
    machine: { node: process.versions.node, cores: cpus().length, cpu: cpus()[0].model, platform: `${process.platform} ${process.arch}` },
    load: { before: loadavg()[0] },
    isolate,
    versions: versions(names),
  };
  if (scenarios.includes('import')) report.import = importTime(names, quick ? { rounds: 3 } : {});
  if (scenarios.includes('heap')) report.heap = await heapKept(names, quick ? { runs: 2_000 } : {});
  if (scenarios.includes('own')) {
    report.own = await ownTime(names, { isolate, ...(quick && { rounds: 5, warmupMs: 500, warmupRuns: 200, sliceMs: 60 }) });
    if (names.includes('artoo-file')) report.device = deviceSync();
  }
  if (scenarios.includes('concurrent')) report.concurrent = await concurrent(names, quick ? { rounds: 2 } : {});
  report.load.after = loadavg()[0];
  if (flags.json) console.log(JSON.stringify(report, null, 2));
  else print(report);
}

if (flags.help) {
  console.log('node run.mjs [--only floor,artoo] [--scenario own,concurrent,heap,import] [--isolate] [--quick] [--json]');
  console.log(`Variants: ${VARIANTS.map((variant) => variant.name).join(', ')}`);
} else {
  try {
    await main();
    process.exit(0); // Some peers keep timers that would hold the process open.
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
