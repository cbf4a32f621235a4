import { readFileSync } from 'node:fs';
import { analyzeShell } from '../../src/tools/shell/analyze-shell.js';
import type { AnalyzeShellOptions } from '../../src/tools/shell/types.js';
import type { Effect } from '../../src/contracts/tool.js';

/** The files of an imaginary project. */
export const FILES: ReadonlySet<string> = new Set([
  'a.txt', 'b.txt', 'src', 'src/index.ts', 'src/a.ts', 'dist', 'existingaa', 'data.json', 'data.db', 'a.bin', 'a.gz', 'archive.tar', 'archive.tgz', 'archive.zip', 'package.json', 'script.sh', 'main.c', 'README.md', 'lock',
]);
export const CWD = '/work/project';
export const OPTIONS: AnalyzeShellOptions = {
  cwd: CWD, home: '/home/user', exists: (path) => (path.startsWith(`${CWD}/`) ? FILES.has(path.slice(CWD.length + 1)) : /^\/(?:etc|dev|home\/user\/\.bashrc)/.test(path)),
};
export const effectOf = (command: string, options: Partial<AnalyzeShellOptions> = {}): Effect => analyzeShell(command, { ...OPTIONS, ...options }).effect;

export interface Labelled { readonly group: string; readonly effect: Effect; readonly command: string }
export const CORPUS = JSON.parse(readFileSync(new URL('../fixtures/shell-commands.json', import.meta.url), 'utf8')) as readonly Labelled[];
