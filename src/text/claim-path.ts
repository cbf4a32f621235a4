import type { GroundingSources } from './grounding-sources.js';

/** Longer runs are data. */
const MAX_PATH = 500;
/** Abbreviations, and products that are spelled like file names. */
const NO_PATH = /^(?:e\.g|i\.e|a\.m|p\.m|(?:\p{L}\.)+\p{L}|(?:Node|Next|Vue|Nuxt|Express|Three|Deno|Nest|Chart|Socket|D3|ASP)\.(?:js|io|NET))$/iu;
const PLACE = /(?::(\d{1,7})(?:[:.-](\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?|\((\d{1,7})(?:,(\d{1,7}))?\)):?$/;
const VERSION_LINE = /^v?(\d+(?:\.\d+)*)\.[x*]$/i;
const NAME = /^[\p{L}\p{N}_@+*-][\p{L}\p{N}_.@+*-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/u;
const ROOTED = /^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]/;

/** The path, file name or domain of a run of characters, if no source shows it; false where the run is none. */
export function pathIn(run: string, sources: GroundingSources): string | false | undefined {
  if (run.length > MAX_PATH) return false;
  const bare = run.replace(/^[*:#-]+(?=[\p{L}\p{N}~./\\])(?!\.[\p{L}])/u, '').replace(/[.,:;!?#]+$/, '').replace(/(?<=[\p{L}\p{N}])\*+$/u, '');
  const path = bare.replace(PLACE, '');
  if (!/[\p{L}\p{N}]/u.test(path) || !isPath(path)) return false;
  if (NO_PATH.test(path)) return undefined;
  const line = VERSION_LINE.exec(path);
  if (line) return sources.holdsWord(line[1] ?? '') || sources.text.includes(`${line[1]}.`) ? undefined : bare;
  if (!holdsPath(path, sources)) return withoutNeighbours(path, sources, bare);
  const place = PLACE.exec(bare)?.slice(1).filter((digits) => digits !== undefined) ?? [];
  return place.every((digits) => sources.holdsNumber(String(Number(digits)))) ? undefined : bare;
}

function isPath(path: string): boolean {
  if (ROOTED.test(path)) return true;
  if (/^v?[\d.]+$|^\d+(?:\.\d+)*-/.test(path)) return VERSION_LINE.test(path);
  const parts = path.split(/[/\\]/);
  const last = parts.at(-1) ?? '';
  if (parts.length > 1) return last === '' ? parts.length > 1 && /[a-z]/i.test(path) : NAME.test(last) && !path.startsWith('.');
  return VERSION_LINE.test(path) || (NAME.test(path) && !/^\d+(?:\.\d+)*\.[A-Za-z]{1,3}$/.test(path));
}

function holdsPath(path: string, sources: GroundingSources): boolean {
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/|~\/)/, '').replace(/\/$/, '');
  if (plain === '' || sources.holdsWord(plain, { path: true })) return true;
  if (plain.includes('*')) return sources.text.includes((plain.split('*').at(-1) ?? '').toLowerCase());
  // A folder that one source names and a name in it that another one lists.
  for (let slash = plain.lastIndexOf('/'), tries = 0; slash > 0 && tries < 8; slash = plain.lastIndexOf('/', slash - 1), tries += 1) {
    if (sources.holdsWord(plain.slice(0, slash), { path: true }) && /[/~]/.test(plain.slice(0, slash)) && sources.holdsWord(plain.slice(slash + 1), { path: true })) return true;
  }
  return false;
}

/** Scripts without spaces run into the path before and after it. */
function withoutNeighbours(path: string, sources: GroundingSources, bare: string): string | undefined {
  const inner = /[\p{Script=Latin}\p{N}_.~/\\-].*[\p{Script=Latin}\p{N}_/]/u.exec(path.replace(/^[^\p{Script=Latin}\p{N}_.~/\\]+/u, ''))?.[0] ?? path;
  if (inner === path) return bare;
  return holdsPath(inner, sources) ? undefined : inner;
}
