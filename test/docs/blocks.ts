import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A piece of code on a page. */
export interface Block {
  readonly page: string;
  /** The line its code begins on, from 1. */
  readonly line: number;
  readonly code: string;
  readonly language: 'ts' | 'js';
  /** Marked `no-run`: it needs what a reader has and a test hasn't. */
  readonly noRun: boolean;
  /** The text block right under it: what it prints. */
  readonly prints: string | undefined;
}

/** README.md and everything under docs, as paths from the root. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md')).map((path) => `docs/${path.replaceAll('\\', '/')}`).sort(),
];

export function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

const LANGUAGES: Readonly<Record<string, 'ts' | 'js'>> = { ts: 'ts', typescript: 'ts', js: 'js', javascript: 'js', mjs: 'js' };

export function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(/^```(\w+)((?: [\w-]+)*)\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)].flatMap((match) => {
    const [, name = '', marks = '', code = '', prints] = match;
    const language = LANGUAGES[name];
    if (!language) return [];
    const line = text.slice(0, match.index).split('\n').length + 1;
    return [{ page, line, code, language, noRun: marks.split(' ').includes('no-run'), prints }];
  });
}
