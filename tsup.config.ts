import { defineConfig } from 'tsup';

const doors = ['contracts', 'ggs', 'memory', 'bus', 'roles', 'tools', 'llm', 'openai', 'ledger', 'testing', 'offline'];

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    ...Object.fromEntries(doors.map((door) => [`entries/${door}`, `src/entries/${door}.ts`])),
    'cli/main': 'src/cli/main.ts',
  },
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
  // tsup's own type bundling does not run on this compiler; tsc writes the types.
  dts: false,
  // Bundled, because importing zod's many files costs more time than all the rest (docs/decisions/0002-zod.md).
  noExternal: ['zod'],
  // A bare `assert` would not tell a bundler that it is Node's.
  removeNodeProtocol: false,
  external: [/^node:/, 'openai', 'classic-level', 'artoo/tools'],
});
