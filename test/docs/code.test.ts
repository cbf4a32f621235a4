import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { blocksOf, pages, read, root } from './blocks.js';

// Compilers and package managers are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

/** Pages for authors of plug-ins and guides hold fragments: they are type-checked, not run. */
const FRAGMENTS = /^docs\/(?:ports|guides)\//;
const blocks = pages.flatMap((page) => blocksOf(page, read(page)));
const nameOf = ({ page, line }: { page: string; line: number }): string => `${page.replace(/[^\w]+/g, '-')}-${line}`;

/** Inside of the project, so that imports are found; ignored by git. */
const scratch = join(root, '.artoo', `docs-${process.pid}`);
beforeAll(() => {
  mkdirSync(scratch, { recursive: true });
  for (const block of blocks) writeFileSync(join(scratch, `${nameOf(block)}.${block.language}`), `${block.code}\nexport {};\n`);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('the code on the pages', () => {
  it('is there', () => expect(blocks.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(2));

  it('type-checks', () => {
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noUnusedLocals: false, noUnusedParameters: false, allowJs: true, checkJs: false, types: ['node'],
        paths: { artoo: [join(root, 'src/index.ts')], 'artoo/*': [join(root, 'src/entries/*.ts')] },
      },
      include: ['./*.ts', './*.js', join(root, 'test/docs/given.d.ts')], exclude: [],
    }));
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', scratch, '--pretty', 'false'], { cwd: scratch, encoding: 'utf8' });
    // Errors of the sources are found by the type check of the project itself.
    const found = stdout.split('\n').filter((line) => blocks.some((block) => line.includes(`${nameOf(block)}.`)));
    // A fragment may import a file of the reader's.
    expect(found.filter((line) => !/^docs-(?:ports|guides)-.*TS2307: Cannot find module '\.\//.test(line))).toEqual([]);
    expect(stdout).not.toMatch(/error TS(?:5\d{3}|18\d{3}|6053)/);
  });

  const runnable = blocks.filter(({ page, noRun }) => !noRun && !FRAGMENTS.test(page));
  describe('runs', () => {
    const before = process.cwd();
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'artoo-docs-'));
      cpSync(join(root, 'test/docs/fixture'), folder, { recursive: true });
      process.chdir(folder);
    });
    afterAll(() => {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    });
    afterEach(() => vi.restoreAllMocks());

    it.each(runnable.map((block) => [block.page, block.line, block] as const))('%s, line %d', async (_page, _line, block) => {
      const printed: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => void printed.push(`${format(...values)}\n`));
      await import(/* @vite-ignore */ pathToFileURL(join(scratch, `${nameOf(block)}.${block.language}`)).href);
      if (block.prints !== undefined) expect(printed.join('')).toBe(block.prints);
    });
  });
});
