#!/usr/bin/env node
/**
 * What the main door weighs: bundles `import { createArtoo } from 'artoo'` for the browser from dist, minified and gzipped.
 *
 *   node scripts/weight.mjs [--json] [--install]
 *
 * Ends with 1 when the bundle is over 60 KB gzipped, holds openai or classic-level, or needs a module that only Node has.
 * --install also packs the package, installs it for production into an empty project and counts what came with it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT_BYTES = 60 * 1024;
const FORBIDDEN = ['openai', 'classic-level'];
const root = fileURLToPath(new URL('../', import.meta.url));
const { values: flags } = parseArgs({ options: { json: { type: 'boolean' }, install: { type: 'boolean' } } });

/** The file behind a door of package.json, for a browser; undefined when the door isn't there. */
function doorFile(name) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  let target = exports[name === 'artoo' ? '.' : `.${name.slice('artoo'.length)}`];
  while (typeof target === 'object' && target !== null) target = target.browser ?? target.import ?? target.default;
  return target ?? (name === 'artoo' ? 'dist/index.js' : undefined);
}

/**
 * Sends `artoo` to dist, and notes who asks for what the bundle must not have. A builtin's bare name counts only when no
 * package of that name is installed: `events` and `buffer` have packages that work in a browser.
 */
function watchImports(found) {
  return {
    name: 'watch-imports',
    setup(plugin) {
      plugin.onResolve({ filter: /^artoo(\/|$)/ }, ({ path }) => {
        const file = doorFile(path);
        return file === undefined ? undefined : { path: join(root, file) };
      });
      plugin.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === 'asked' || kind === 'entry-point') return undefined;
        const by = importer.startsWith(root) ? importer.slice(root.length) : importer;
        const packageName = path.startsWith('@') ? path.split('/').slice(0, 2).join('/') : path.split('/')[0];
        if (FORBIDDEN.includes(packageName)) {
          found.forbidden.push({ path, by });
          return { path, external: true };
        }
        if (path.startsWith('node:')) {
          found.builtins.push({ path, by });
          return { path, external: true };
        }
        if (!builtinModules.includes(path)) return undefined;
        const resolved = await plugin.resolve(path, { importer, resolveDir, kind, pluginData: 'asked' });
        if (resolved.errors.length === 0) return resolved;
        found.builtins.push({ path, by });
        return { path, external: true };
      });
    },
  };
}

/** Bundles the main door. `inputs` are what is left of each file after tree shaking, before gzip, largest first. */
async function weigh() {
  const found = { forbidden: [], builtins: [] };
  const { outputFiles, metafile } = await build({
    stdin: { contents: "import { createArtoo } from 'artoo'; globalThis.createArtoo = createArtoo;", resolveDir: root, sourcefile: 'entry.js' },
    bundle: true, write: false, metafile: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', legalComments: 'none', logLevel: 'silent',
    absWorkingDir: root, plugins: [watchImports(found)],
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .filter((input) => input.bytes > 0)
    .sort((left, right) => right.bytes - left.bytes);
  for (const { path } of inputs) {
    if (FORBIDDEN.some((name) => path.includes(`node_modules/${name}/`))) found.forbidden.push({ path, by: 'the bundle' });
  }
  const code = outputFiles[0].contents;
  return { minifiedBytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length, limitBytes: LIMIT_BYTES, inputs, ...found };
}

function folderBytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? folderBytes(path) : lstatSync(path).size;
  }
  return bytes;
}

/** Packs, installs into an empty project without development dependencies, counts packages (artoo among them). */
function weighInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'artoo-weight-'));
  const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'weight', version: '1.0.0', private: true }));
    npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, packed.filename)], folder);
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    return { tarballBytes: packed.size, packages: Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')).sort(), bytes: folderBytes(join(folder, 'node_modules')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** Files of one package as one line, so that the list stays short enough to read. */
function byPackage(inputs) {
  const totals = new Map();
  for (const { path, bytes } of inputs) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
    totals.set(name, (totals.get(name) ?? 0) + bytes);
  }
  return [...totals].sort((left, right) => right[1] - left[1]);
}

async function main() {
  const entry = join(root, doorFile('artoo'));
  if (!existsSync(entry)) throw new Error(`artoo is not built: ${entry} does not exist. Run \`npm run build\` first.`);
  const weight = await weigh();
  const failures = [];
  if (weight.gzipBytes > LIMIT_BYTES) failures.push(`The main door weighs ${kilobytes(weight.gzipBytes)} gzipped; ${kilobytes(LIMIT_BYTES)} is the limit.`);
  for (const { path, by } of weight.forbidden) failures.push(`The main door pulls in ${path} (from ${by}).`);
  for (const { path, by } of weight.builtins) failures.push(`The main door needs ${path}, which a browser lacks (from ${by}).`);
  const report = { ...weight, failures, ...(flags.install && { install: weighInstall() }) };
  if (failures.length > 0) process.exitCode = 1;
  if (flags.json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  console.log(`import { createArtoo } from 'artoo': ${weight.minifiedBytes} bytes minified, ${weight.gzipBytes} bytes gzipped (${kilobytes(weight.gzipBytes)} of ${kilobytes(LIMIT_BYTES)})`);
  console.log('\nBy package and own file, bytes before gzip:');
  for (const [name, bytes] of byPackage(weight.inputs)) console.log(`${String(bytes).padStart(8)}  ${name}`);
  console.log('\nBy file:');
  for (const { path, bytes } of weight.inputs) console.log(`${String(bytes).padStart(8)}  ${path}`);
  if (report.install) {
    const { packages, bytes, tarballBytes } = report.install;
    console.log(`\nInstalled for production: ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB (tarball ${kilobytes(tarballBytes)})\n${packages.join(', ')}`);
  }
  for (const failure of failures) console.error(`FAILED: ${failure}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
