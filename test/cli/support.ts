import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CLI: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended { readonly code: number | null; readonly out: string; readonly err: string }
export interface Started { readonly child: ChildProcess; readonly ended: Promise<Ended>; seen(text: string): Promise<void> }

/** Settings of the machine must not reach the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:BRAIN|TOOL|OPENAI)_|^NO_COLOR$|^FORCE_COLOR$/.test(name)));
}

/** Starts the built command line as a process of its own. */
export function start(words: readonly string[], options: { readonly cwd: string; readonly input?: string; readonly env?: NodeJS.ProcessEnv }): Started {
  if (!existsSync(CLI)) throw new Error('dist/cli/main.js is missing: run `npm run build` before these tests.');
  const child = spawn(process.execPath, [CLI, ...words], { cwd: options.cwd, env: { ...cleanEnvironment(), ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  const watchers: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => { out += text; watchers.forEach((watch) => watch()); });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { err += text; watchers.forEach((watch) => watch()); });
  if (options.input !== undefined) child.stdin.end(options.input);
  const ended = new Promise<Ended>((resolve, reject) => child.on('error', reject).on('close', (code) => resolve({ code, out, err })));
  return {
    child, ended,
    seen: (text) => new Promise((resolve, reject) => {
      const look = (): void => { if (err.includes(text) || out.includes(text)) resolve(); };
      watchers.push(look);
      look();
      void ended.then(() => reject(new Error(`ended without ${JSON.stringify(text)}:\n${out}\n${err}`)));
    }),
  };
}

export function artoo(words: readonly string[], options: Parameters<typeof start>[1]): Promise<Ended> {
  return start(words, { input: '', ...options }).ended;
}
