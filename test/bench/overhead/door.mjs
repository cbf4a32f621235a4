/** Finds the built doors of artoo in the repository above, by the exports of its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The condition that Node would take for an ESM import. */
function target(entry) {
  if (typeof entry === 'string' || entry === undefined) return entry;
  return target(entry.node ?? entry.import ?? entry.default);
}

/** The file URL of `artoo` ('.') or of a subpath ('./ledger'). Throws with what to do when it is not built. */
export function doorUrl(subpath = '.') {
  const { exports = {} } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const name = subpath === '.' ? 'index' : subpath.slice(2);
  const url = new URL(target(exports[subpath]) ?? `dist/${name}.js`, root);
  if (!existsSync(url)) {
    throw new Error(`artoo is not built: ${fileURLToPath(url)} does not exist. Run \`npm ci && npm run build\` in ${fileURLToPath(root)}, or leave artoo out.`);
  }
  return pathToFileURL(fileURLToPath(url)).href;
}

export function artooVersion() {
  return JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version;
}
