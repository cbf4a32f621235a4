import { errorCode, type LedgerFileSystem } from './file-system.js';

interface OpenFile { readonly descriptor: number; pins: number }

/**
 * The descriptors of log files, reused and bounded: beyond the limit the one that was used longest ago is closed, and
 * opened again when it is needed.
 */
export class OpenFiles {
  /** In order of last use. */
  private readonly files = new Map<string, OpenFile>();

  constructor(private readonly fs: LedgerFileSystem, private readonly limit: number) {}

  /** A descriptor to append with, valid until the next call. */
  get(path: string): number {
    return this.touch(path).descriptor;
  }

  /** A descriptor that stays open until `unpin`. */
  pin(path: string): number {
    const file = this.touch(path);
    file.pins += 1;
    return file.descriptor;
  }

  unpin(path: string): void {
    const file = this.files.get(path);
    if (file) file.pins -= 1;
  }

  close(path: string): void {
    const file = this.files.get(path);
    if (!file || file.pins > 0) return;
    this.files.delete(path);
    this.fs.closeSync(file.descriptor);
  }

  private touch(path: string): OpenFile {
    const known = this.files.get(path);
    if (known) {
      // While there is room the order is of no use.
      if (this.files.size >= this.limit / 2) {
        this.files.delete(path);
        this.files.set(path, known);
      }
      return known;
    }
    this.closeUnused(this.limit - 1);
    const file: OpenFile = { descriptor: this.open(path), pins: 0 };
    this.files.set(path, file);
    return file;
  }

  private open(path: string): number {
    try {
      return this.fs.openSync(path, 'a');
    } catch (error) {
      // The host uses up its descriptors elsewhere: ours that rest are the first to go.
      if (errorCode(error) !== 'EMFILE' && errorCode(error) !== 'ENFILE') throw error;
      this.closeUnused(0);
      return this.fs.openSync(path, 'a');
    }
  }

  private closeUnused(keep: number): void {
    if (this.files.size <= keep) return;
    for (const [path, file] of this.files) {
      if (this.files.size <= keep) return;
      if (file.pins === 0) this.close(path);
    }
  }
}
