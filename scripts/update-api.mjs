#!/usr/bin/env node
/**
 * Writes what each door exports, with its declarations, to test/package/api/<door>.txt: the record that a change of the
 * public API has to pass. Reads the built types: run `npm run build` first.
 *
 *   node scripts/update-api.mjs [--check]
 *
 * --check writes nothing, prints what differs and ends with 1 if anything does.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'test/package/api');
/** Types of constants that are longer say more about zod than about artoo. */
const LONGEST_CONSTANT = 400;

const cache = new Map();
function source(file) {
  if (!cache.has(file)) cache.set(file, readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ''));
  return cache.get(file);
}

/** The names of `export { a, type B as C } from './x.js'` in a file, each with where it comes from. */
function reexports(file) {
  return [...source(file).matchAll(/\bexport\s+(type\s+)?\{([^}]*)\}(?:\s*from\s*['"]([^'"]+)['"])?/g)].flatMap(([, type, list, from]) => list.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => {
    const [, own, original, alias] = /^(type\s+)?(\w+)(?:\s+as\s+(\w+))?$/.exec(entry) ?? [];
    if (!original) throw new Error(`${file}: can't read the export "${entry}"`);
    return { name: alias ?? original, original, isType: Boolean(type ?? own), from };
  }));
}

/** The declarations of a name in a file, or in the file that this one has it from. */
function declarations(file, name, depth = 0) {
  const text = source(file);
  const own = [...text.matchAll(new RegExp(`^(?:export )?(?:declare )?(?:abstract )?(?:function|class|const|let|interface|type|enum) ${name}\\b`, 'gm'))].map((match) => statement(text, match.index));
  if (own.length > 0) return own;
  const again = reexports(file).find((entry) => entry.name === name && entry.from?.startsWith('.'));
  const imported = new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from ['"](\\.[^'"]+)['"]`).exec(text)?.[1];
  const next = again?.from ?? imported;
  if (next === undefined || depth > 5) throw new Error(`${file}: no declaration of ${name}`);
  return declarations(join(dirname(file), next.replace(/\.js$/, '.d.ts')), again?.original ?? name, depth + 1);
}

/** From a declaration's first word to its end, on one line. */
function statement(text, start) {
  let depth = 0;
  const hasBody = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|enum)\b/.test(text.slice(start));
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if ('{(['.includes(char)) depth += 1;
    if ('})]'.includes(char)) depth -= 1;
    const isEnd = depth === 0 && (char === ';' || (hasBody && char === '}'));
    if (isEnd) return text.slice(start, at + 1).replace(/^export /, '').replace(/\s+/g, ' ').replace(/;$/, '');
  }
  throw new Error(`a declaration without an end: ${text.slice(start, start + 80)}`);
}

function describeDoor(file) {
  return reexports(file).filter(({ from }) => from).map(({ name, original, from }) => {
    const found = declarations(join(dirname(file), from.replace(/\.js$/, '.d.ts')), original);
    const lines = found.map((line) => line.replace(/^(declare )?/, ''));
    const short = lines.map((line) => (line.startsWith('const ') && line.length > LONGEST_CONSTANT ? `const ${original}: …` : line.replace(/ private (?:readonly )?\w+;/g, '')));
    return `${name}${name === original ? '' : ` (${original})`}\n${short.map((line) => `    ${line}`).join('\n')}`;
  }).sort().join('\n');
}

const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const expected = new Map();
for (const [door, target] of Object.entries(doors)) {
  if (!target.types) continue;
  const file = join(root, target.types);
  if (!existsSync(file)) {
    console.error(`${target.types} is not there. Run \`npm run build\` first.`);
    process.exit(1);
  }
  expected.set(door === '.' ? 'artoo.txt' : `${door.slice(2)}.txt`, `${describeDoor(file)}\n`);
}

mkdirSync(folder, { recursive: true });
const there = new Set(readdirSync(folder));
if (process.argv.includes('--check')) {
  const differences = [...there].filter((name) => !expected.has(name)).map((name) => `${name}: no such door`);
  for (const [name, text] of expected) {
    const recorded = there.has(name) ? readFileSync(join(folder, name), 'utf8') : '';
    const [old, now] = [new Set(recorded.split('\n')), new Set(text.split('\n'))];
    for (const line of old) if (!now.has(line)) differences.push(`${name}: - ${line}`);
    for (const line of now) if (!old.has(line)) differences.push(`${name}: + ${line}`);
    if (differences.length === 0 && recorded !== text) differences.push(`${name}: the order of the names`);
  }
  if (differences.length > 0) {
    console.error(`The public API is not what test/package/api records. If that is meant, run \`npm run api:update\` and say so in CHANGELOG.md.\n${differences.join('\n')}`);
    process.exitCode = 1;
  }
} else {
  for (const name of there) if (!expected.has(name)) rmSync(join(folder, name));
  for (const [name, text] of expected) writeFileSync(join(folder, name), text);
  console.log(`${expected.size} doors recorded in test/package/api`);
}
