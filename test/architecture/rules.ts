import { strip } from './strip.js';

/** Who may import whom. A folder (or a file beside the folders) that isn't listed may not exist. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  text: ['contracts'],
  ggs: ['contracts'],
  mkct: ['contracts', 'text'],
  signals: ['contracts'],
  bus: ['contracts', 'text'],
  llm: ['contracts', 'signals', 'text'],
  tools: ['contracts', 'signals', 'text'],
  memory: ['contracts', 'mkct', 'signals', 'text'],
  roles: ['contracts', 'ggs', 'llm', 'mkct', 'signals', 'text', 'tools'],
  kernel: ['bus', 'contracts', 'ggs', 'llm', 'mkct', 'signals', 'text'],
  adapters: ['contracts', 'llm', 'memory', 'mkct', 'signals', 'text', 'tools'],
  testing: ['contracts', 'signals', 'text'],
  offline: ['contracts', 'llm', 'text'],
  cli: ['entries', 'index.ts'],
  entries: ['adapters', 'bus', 'contracts', 'ggs', 'kernel', 'llm', 'memory', 'mkct', 'offline', 'roles', 'testing', 'tools'],
  'index.ts': ['contracts', 'create-artoo.ts', 'kernel', 'options.ts', 'roles', 'tools', 'version.ts'],
  'create-artoo.ts': ['bus', 'contracts', 'ggs', 'kernel', 'llm', 'options.ts', 'read-configuration.ts', 'read-request.ts', 'roles', 'signals', 'text', 'tools', 'version.ts', 'wire-roles.ts'],
  'read-configuration.ts': ['contracts', 'text'],
  'read-request.ts': ['contracts', 'roles', 'text'],
  'options.ts': ['contracts', 'ggs', 'kernel', 'llm', 'roles'],
  'wire-roles.ts': ['contracts', 'kernel', 'llm', 'options.ts', 'roles', 'text', 'tools'],
  'version.ts': [],
};

/** Packages, and the only places that may name them. Vendors stand in adapters alone. */
const PACKAGES: readonly (readonly [name: RegExp, places: readonly RegExp[]])[] = [
  [/^zod\/mini$/, [/./]],
  [/^eventemitter3$/, [/^bus\//]],
  [/^(?:picomatch(?:\/posix\.js)?|@cfworker\/json-schema|unbash|parse5)$/, [/^tools\//]],
  [/^jsonrepair$/, [/^text\//]],
  [/^(?:openai(?:\/.*)?|classic-level|memory-level|abstract-level)$/, [/^adapters\//]],
  [/^node:assert(?:\/strict)?$/, [/^testing\//, /(?:^|\/)conformance\.ts$/, /^adapters\//]],
  [/^node:/, [/^adapters\//, /^cli\//]],
];

/** What roles share: helpers without a role of their own, and the files beside the roles' folders. */
const SHARED_BY_ROLES: ReadonlySet<string> = new Set(['checks', 'judging']);
const PURE: ReadonlySet<string> = new Set(['ggs', 'mkct', 'text']);
const IMPURE = /\b(?:async|await|Promise|Date|console|performance|crypto|fetch|globalThis|queueMicrotask|structuredClone|set(?:Timeout|Interval|Immediate))\b|\bprocess\.|\bMath\.random\b|\bimport\s*\(/;
const ANY = /[:<,|&(]\s*any\b\s*(?=[;,)\]>=|&}[\n])|\bas any\b|\bz\.any\(/;
const MOST_LINES = 400;

export interface Violation { readonly rule: string; readonly file: string; readonly what: string }
interface Import { readonly specifier: string; readonly target: string | undefined }

/** Every rule over one file. `file` is its path in src. */
export function violationsOf(file: string, source: string): Violation[] {
  const found: Violation[] = [];
  const report = (rule: string, what: string): void => { found.push({ rule, file, what }); };
  const code = strip(source, { strings: true });
  const bare = strip(source, { strings: false });
  const [top = ''] = file.split('/');
  const imports = importsOf(file, code);

  const allowed = ALLOWED[top];
  if (!allowed) report('every folder has a rule', top);
  for (const { specifier, target } of imports) {
    if (target === undefined) {
      const places = PACKAGES.find(([name]) => name.test(specifier))?.[1];
      if (!places?.some((place) => place.test(file))) report('packages stay where they belong', specifier);
      continue;
    }
    const to = target.split('/')[0]!;
    if (to !== top && allowed && !allowed.includes(to)) report('arrows point at contracts', target);
    if (top === 'roles' && to === 'roles' && !maySee(file, target)) report('roles never see each other', target);
  }
  if (PURE.has(top)) {
    const impure = IMPURE.exec(bare);
    if (impure) report('pure zones are pure', impure[0]);
  }
  const any = ANY.exec(bare);
  if (any) report('no any', any[0].trim());
  if (/\bexport\s+default\b/.test(bare)) report('no default export', 'export default');
  if (/^(?:export\s+)?(?:let|var)\s/m.test(bare)) report('no module-level mutable state', 'let or var');
  // With its comments: an empty catch may stand where it says why.
  if (/\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(source)) report('no empty catch', 'catch {}');
  if (top !== 'signals' && /\baddEventListener\(\s*['"]abort['"]|\.onabort\s*=/.test(code)) report('abort listeners live in signals', 'addEventListener');
  if (source.replace(/\n$/, '').split('\n').length > MOST_LINES) report('no file over 400 lines', `more than ${MOST_LINES}`);
  if (!/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(file)) report('names are kebab-case', file);
  if ((top === 'entries' || top === 'index.ts') && !/^(?:\s*export\s+(?:type\s+)?\{[^}]*\}(?:\s+from\s+'[^']+')?;?)*\s*$/.test(code)) report('doors list their names and hold no logic', file);
  return found;
}

function importsOf(file: string, code: string): Import[] {
  const specifiers = [
    ...code.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
    ...code.matchAll(/\bimport\s*\(\s*['"]([^'"]+)['"]/g),
  ].map((match) => match[1]!);
  return specifiers.map((specifier) => ({ specifier, target: specifier.startsWith('.') ? resolve(file, specifier) : undefined }));
}

function resolve(file: string, specifier: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const step of specifier.replace(/\.js$/, '.ts').split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

/** A role's folder sees itself, the shared folders and the files beside them. */
function maySee(file: string, target: string): boolean {
  const [, from] = file.split('/');
  const [, to, ...inside] = target.split('/');
  return inside.length === 0 || from === to || SHARED_BY_ROLES.has(to!);
}
