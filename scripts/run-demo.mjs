#!/usr/bin/env node
/** `npm run demo`: builds if there is no build or the sources are newer, then runs the demo with the same arguments. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const built = join(root, 'dist/index.d.ts');

function newest(folder) {
  return Math.max(0, ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
  }));
}

function run(script, args) {
  const { status, error } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (error) console.error(`${script} could not be run: ${error.message}`);
  return status ?? 1;
}

const isFresh = existsSync(built) && statSync(built).mtimeMs >= newest(join(root, 'src'));
if (!isFresh) console.error('Building artoo …');
const status = isFresh ? 0 : run('scripts/build.mjs', []);
process.exitCode = status === 0 ? run('scripts/demo.mjs', process.argv.slice(2)) : status;
