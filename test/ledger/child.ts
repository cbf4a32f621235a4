import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles a script of this folder, so that a child process can run it. */
export async function bundleChild(script: string, folder: string): Promise<string> {
  const outfile = join(folder, script.replace(/\.ts$/, '.mjs'));
  const source = new URL('../../src/', import.meta.url).pathname;
  await build({
    entryPoints: [new URL(script, import.meta.url).pathname], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error',
    alias: { 'artoo/ledger': join(source, 'entries/ledger.ts') },
  });
  return outfile;
}

/** A child process that talks by messages. `next` resolves with its next message, undefined once it has ended. */
export class Child {
  readonly messages: unknown[] = [];
  private readonly process: ChildProcess;
  private readonly waiting: ((message: unknown) => void)[] = [];
  private read = 0;
  private readonly ended: Promise<void>;

  constructor(script: string, args: readonly string[]) {
    this.process = fork(script, args, { execArgv: [], serialization: 'json' });
    this.process.on('message', (message) => {
      this.messages.push(message);
      this.waiting.shift()?.(this.messages[this.read++]);
    });
    this.ended = new Promise((resolve) => {
      this.process.once('close', () => {
        for (const tell of this.waiting.splice(0)) tell(undefined);
        resolve();
      });
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  next(): Promise<unknown> {
    if (this.read < this.messages.length) return Promise.resolve(this.messages[this.read++]);
    return new Promise((resolve) => void this.waiting.push(resolve));
  }

  send(message: string): void {
    this.process.send(message);
  }

  /** Ends it at once and waits until it is gone. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async end(): Promise<void> {
    await this.ended;
  }
}
