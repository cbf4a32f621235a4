#!/usr/bin/env node
/** `npm run check`: packs the built package and has publint and arethetypeswrong look at the tarball. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'artoo-check-'));
const tool = (file, ...args) => spawnSync(process.execPath, [join(root, 'node_modules', file), ...args], { cwd: root, stdio: 'inherit' }).status === 0;
try {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  const tarball = join(folder, filename);
  const lint = tool('publint/src/cli.js', 'run', '--strict', tarball);
  // ESM only: CommonJS gets the same files by require(), which Node has from 20.19 on (docs/decisions/0006-esm-only.md).
  const types = tool('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only');
  process.exitCode = lint && types ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
