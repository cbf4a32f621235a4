import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const files = readdirSync(new URL('examples/', root)).filter((name) => name.endsWith('.mjs')).sort();
/** The examples count themselves, folders included. */
const modules = readdirSync(new URL('examples/', root), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs')).length;

/** What each example prints, in part. */
const PRINTS: Readonly<Record<string, readonly string[]>> = {
  '01-hello.mjs': ['accept\n3 occurrences of "TODO" in src, on 3 lines of 2 files.\n2 files match *.ts in src.'],
  '02-own-llm-client.mjs': ['accept - High water in Brest: 6.9 m', '5 calls, tokens counted'],
  '03-own-tool.mjs': ['asked: order on salt: 2 × salt', 'accept - There was 1 packet of salt; ordered 2 salt.'],
  '04-own-bus.mjs': ['22 of 22 rules hold', `${modules} files match *.mjs`],
  '05-ggs-alone.mjs': ['init → change_path', 'change_path → refine', 'refine → refine'],
  '06-replace-a-role.mjs': ['ARTOO_BOUNDARY', `accept - ${modules} files match *.mjs`, 'calls by R1: 0'],
  '07-express-events.mjs': ['TaskRequest TaskSpec', `{"directive":"accept","output":"${modules} files match *.mjs`],
  '08-mcp-tools.mjs': ['fs_read_text_file, fs_write_file', 'asked: fs_write_file, write_file, a tool of the MCP server "secure-filesystem-server"', 'accept - Salt is on the list, after tea.\n"tea\\nsalt\\n"'],
};

it('the built package is there to import', () => {
  expect(existsSync(new URL('dist/index.js', root)), 'dist/ is missing: run `npm run build` before these tests').toBe(true);
});

it('every example is run here', () => expect(files).toEqual(Object.keys(PRINTS)));

describe.each(files)('examples/%s', (name) => {
  const path = new URL(`examples/${name}`, root);
  it('runs as it stands with plain node and prints what it promises', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [fileURLToPath(path)], { timeout: 60_000 });
    for (const text of PRINTS[name]!) expect(stdout).toContain(text);
    expect(stderr).toBe('');
  });
  it('is short and says first what it shows', () => {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(80);
    expect(lines[0]).toMatch(/^\/\/ .+\.$/);
  });
});
