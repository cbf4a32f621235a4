import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The few calls that a file ledger makes. Errors are Node's, with a `code` such as `ENOSPC`. A host hands in its own to
 * try what happens when one of them fails.
 */
export interface LedgerFileSystem {
  /** Returns the first folder it made, as Node does. */
  mkdirSync(path: string): string | undefined;
  existsSync(path: string): boolean;
  /** `a`: append, made when missing; `wx`: made, must not exist; `r+`: read and write; `r`: read. */
  openSync(path: string, flags: 'a' | 'wx' | 'r+' | 'r'): number;
  /** Returns the bytes written, which may be fewer than given. */
  writeSync(descriptor: number, data: string | Uint8Array, position: number | null): number;
  fstatSync(descriptor: number): { readonly size: number };
  ftruncateSync(descriptor: number, size: number): void;
  closeSync(descriptor: number): void;
  readFileSync(path: string): Uint8Array;
  linkSync(existing: string, path: string): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  fdatasync(descriptor: number): Promise<void>;
  fsync(descriptor: number): Promise<void>;
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<readonly string[]>;
  stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
}

/** Node's file system. */
export const nodeFileSystem: LedgerFileSystem = {
  mkdirSync: (path) => fs.mkdirSync(path, { recursive: true }),
  existsSync: (path) => fs.existsSync(path),
  openSync: (path, flags) => fs.openSync(path, flags),
  writeSync: (descriptor, data, position) => typeof data === 'string'
    ? fs.writeSync(descriptor, data, position)
    : fs.writeSync(descriptor, data, 0, data.byteLength, position),
  fstatSync: (descriptor) => fs.fstatSync(descriptor),
  ftruncateSync: (descriptor, size) => fs.ftruncateSync(descriptor, size),
  closeSync: (descriptor) => fs.closeSync(descriptor),
  readFileSync: (path) => fs.readFileSync(path),
  linkSync: (existing, path) => fs.linkSync(existing, path),
  renameSync: (from, to) => fs.renameSync(from, to),
  unlinkSync: (path) => fs.unlinkSync(path),
  fdatasync: promisify(fs.fdatasync),
  fsync: promisify(fs.fsync),
  readFile: (path) => promises.readFile(path),
  readdir: (path) => promises.readdir(path),
  stat: (path) => promises.stat(path),
};

/** The `code` of a system error, or undefined. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Writes all of it, however many calls that takes. `position` null appends. */
export function writeAll(fs: LedgerFileSystem, descriptor: number, text: string, position: number | null): void {
  const size = Buffer.byteLength(text);
  let written = fs.writeSync(descriptor, text, position);
  if (written >= size) return;
  const bytes = Buffer.from(text);
  while (written < size) {
    const more = fs.writeSync(descriptor, bytes.subarray(written), position === null ? null : position + written);
    if (more <= 0) throw Object.assign(new Error('no progress while writing'), { code: 'EIO' });
    written += more;
  }
}
