#!/usr/bin/env node
/**
 * Every check of the project, one after the other; the last line is the sum over all of them: `N passed, N failed`.
 *
 *   node scripts/test.mjs                  types, build, unit, package
 *   node scripts/test.mjs build package    only these steps
 *   node scripts/test.mjs build sweep      all tests but the package's, with the long sweeps
 *
 * `types` and `build` count as one test each. A step that can't start, crashes or runs no test counts as one failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'artoo-test-'));
/** A step that takes longer hangs. The sweep has no limit. */
const STEP_LIMIT_MS = 20 * 60_000;

/** The environment of every step: without keys, so that no test can pass on somebody's model. */
function environment(extra) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:OPENAI|BRAIN|TOOL)_/.test(name) && !name.startsWith('VITEST'));
  return { ...Object.fromEntries(kept), ...extra };
}

function run(file, args, { limitMs = STEP_LIMIT_MS, env = {} } = {}) {
  const { status, signal, error } = spawnSync(process.execPath, [join(root, file), ...args], {
    cwd: root, env: environment(env), stdio: ['ignore', 'inherit', 'inherit'], ...(limitMs === undefined ? {} : { timeout: limitMs }),
  });
  if (error) console.error(`${file} could not be run to its end: ${error.message}`);
  else if (signal) console.error(`${file} was ended by ${signal}`);
  return status === 0;
}

const single = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** Runs vitest and counts from its own record, wherever it prints. */
function vitest(name, args, options) {
  const record = join(scratch, `${name}.json`);
  const ok = run('node_modules/vitest/vitest.mjs', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${record}`, '--retry=0', '--allowOnly=false', ...args], options);
  let counted;
  try {
    counted = JSON.parse(readFileSync(record, 'utf8'));
  } catch (error) {
    console.error(`${name}: vitest left no record (${error.message})`);
    return single(false);
  }
  const { numPassedTests: passed, numPendingTests: pending, numTodoTests: todo, testResults } = counted;
  // A file that could not be loaded has no failed test to count.
  const broken = testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')).length;
  const failed = counted.numFailedTests + broken;
  const unseen = failed === 0 && (!ok || passed === 0) ? 1 : 0;
  if (unseen) console.error(`${name}: vitest ${passed === 0 ? 'ran no test' : 'reported an error outside of the tests'}`);
  return { passed, failed: failed + unseen, skipped: pending + todo };
}

const steps = {
  types: () => single(run('node_modules/typescript/bin/tsc', ['-p', '.'])),
  build: () => single(run('scripts/build.mjs', [])),
  unit: () => vitest('unit', ['--exclude', 'test/package/**']),
  sweep: () => vitest('sweep', ['--exclude', 'test/package/**'], { limitMs: undefined, env: { ARTOO_SWEEP: '1' } }),
  package: () => vitest('package', ['test/package/']),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
try {
  let built = true;
  for (const name of asked.length > 0 ? asked : ['types', 'build', 'unit', 'package']) {
    console.log(`\n— ${name} —`);
    const startedAt = performance.now();
    const skip = name === 'package' && !built;
    if (skip) console.error('package: not run, because the build failed');
    const counts = skip ? single(false) : steps[name]();
    if (name === 'build') built = counts.failed === 0;
    for (const key of Object.keys(total)) total[key] += counts[key];
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    lines.push(`${name.padEnd(8)} ${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''} (${seconds} s)`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${lines.join('\n')}\n\nNode ${process.versions.node}`);
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
