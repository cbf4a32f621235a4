import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { createLevelMemory, type LevelDatabase } from '../../src/entries/memory.js';
import { memoryStoreConformance } from '../../src/memory/conformance.js';

const page = await readFile(new URL('../../docs/ports/memory.md', import.meta.url), 'utf8');
const adapter = /```ts sqlite-database\.ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

test('the page’s adapter is short', () => {
  const lines = adapter.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.length).toBeLessThanOrEqual(52);
});
test('the page names only what the public door exports', async () => {
  const door = await import('../../src/entries/memory.js');
  const types = await readFile(new URL('../../src/entries/memory.ts', import.meta.url), 'utf8');
  for (const [, names = ''] of page.matchAll(/import (?:type )?\{([^}]*)\} from 'artoo\/memory'/g)) {
    for (const name of names.split(',').map((part) => part.trim().replace(/^type /, ''))) expect(name in door || types.includes(`type ${name}`), name).toBe(true);
  }
});

// The driver that sqlite-level brings along.
const sqlite = createRequire(import.meta.resolve('sqlite-level')).resolve('better-sqlite3');
describe('the page’s SQLite adapter', () => {
  for (const { name, needs, run } of memoryStoreConformance) {
    test.skipIf(needs === 'damage')(name, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'artoo-docs-'));
      const { code } = await transform(adapter.replace("'better-sqlite3'", JSON.stringify(sqlite)), { loader: 'ts', format: 'esm' });
      const file = join(folder, 'sqlite-database.mjs');
      await writeFile(file, code);
      const { SqliteDatabase } = (await import(/* @vite-ignore */ file)) as { SqliteDatabase: new (file: string) => LevelDatabase };
      await run(() => {
        const db = new SqliteDatabase(':memory:');
        return Promise.resolve({ store: createLevelMemory({ db }), reopen: () => Promise.resolve(createLevelMemory({ db })), dispose: async () => {
          await db.close();
          await rm(folder, { recursive: true, force: true });
        } });
      });
    });
  }
});
