import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: [
      { find: /^artoo$/, replacement: new URL('./src/index.ts', import.meta.url).pathname },
      { find: /^artoo\/(.+)$/, replacement: new URL('./src/entries/$1.ts', import.meta.url).pathname },
    ],
  },
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 120_000, maxWorkers: 2 },
});
