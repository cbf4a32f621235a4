import { errorCode, type LedgerFileSystem } from './file-system.js';

interface OpenFile { readonly path: string; readonly descriptor: number; pins: number; place: number }

/**
 * The descriptors of log files, reused and bounded: beyond the limit another one is closed, and opened again when it is
 * needed. Which one is as good as random: tasks that take turns would defeat any order of use.
 */
export class OpenFiles {
  private readonly files = new Map<string, OpenFile>();
  private readonly places: OpenFile[] = [];
  private hand = 0;

  constructor(private readonly fs: LedgerFileSystem, private readonly limit: number) {}

  /** A descriptor to append with, valid until the next call. */
  get(path: string): number {
    return (this.files.get(path) ?? this.add(path)).descriptor;
  }

  /** A descriptor that stays open until `unpin`. */
  pin(path: string): number {
    const file = this.files.get(path) ?? this.add(path);
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
    const last = this.places.pop() as OpenFile;
    if (last !== file) {
      this.places[file.place] = last;
      last.place = file.place;
    }
    this.fs.closeSync(file.descriptor);
  }

  /** Opens something that the caller closes again at once. Gives up resting descriptors where the host has none left. */
  open(path: string, flags: 'a' | 'wx' | 'r+'): number {
    try {
      return this.fs.openSync(path, flags);
    } catch (error) {
      if (errorCode(error) !== 'EMFILE' && errorCode(error) !== 'ENFILE') throw error;
      this.closeDownTo(0);
      return this.fs.openSync(path, flags);
    }
  }

  private add(path: string): OpenFile {
    this.closeDownTo(this.limit - 1);
    const file: OpenFile = { path, descriptor: this.open(path, 'a'), pins: 0, place: this.places.length };
    this.files.set(path, file);
    this.places.push(file);
    return file;
  }

  private closeDownTo(count: number): void {
    for (let tries = this.places.length; tries > 0 && this.places.length > count; tries -= 1) {
      // A step that shares no factor with most sizes visits places in no order that callers have.
      this.hand = (this.hand + 7_919) % this.places.length;
      const file = this.places[this.hand] as OpenFile;
      if (file.pins === 0) this.close(file.path);
    }
  }
}
