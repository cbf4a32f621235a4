import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The doors as they are imported: `artoo`, `artoo/ggs`, … */
export const doors: readonly string[] = Object.keys(manifest.exports).filter((door) => door !== './package.json').map((door) => `artoo${door.slice(1)}`);

export interface Ran { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** An empty project with the packed artoo installed, as a stranger has it. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'artoo-consumer-'));
  /** What the tarball holds, by path. */
  readonly packed: readonly string[];

  /** Packs what is built, and installs it with its dependencies. Needs the package registry or a filled npm cache. */
  constructor(extra: Readonly<Record<string, string>>) {
    if (!existsSync(join(root, 'dist/index.d.ts'))) throw new Error('artoo is not built: run `npm run build` before the package tests.');
    const [tarball] = JSON.parse(this.npm(['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder], root)) as { filename: string; files: { path: string }[] }[];
    this.packed = tarball!.files.map(({ path }) => path);
    this.write('package.json', JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies: { artoo: `file:./${tarball!.filename}`, ...extra } }));
    try {
      this.npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional', '--omit=peer'], this.folder);
    } catch (error) {
      throw new Error('The packed artoo could not be installed. This test needs the package registry, or an npm cache that has the dependencies.', { cause: error });
    }
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Runs a program of Node in the project. */
  node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8', timeout: 120_000, env: { ...cleanEnvironment(), ...env } });
    return { status, stdout, stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private npm(args: readonly string[], cwd: string): string {
    return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment() });
  }
}

/** What npm and vitest set for themselves would change what the child does. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_(?!config_(?:registry|cafile|cache|userconfig|globalconfig)$)|NODE_OPTIONS|VITEST)/i.test(name)));
}
