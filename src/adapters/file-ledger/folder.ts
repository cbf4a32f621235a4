import { dirname } from 'node:path';
import { errorCode, type LedgerFileSystem } from './file-system.js';
import { GroupCommit } from './group-commit.js';

/** Systems and file systems where folders can't be synced say so in one of these ways. */
const UNSYNCABLE = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EBADF']);

/** The folder of a ledger: made when first needed, and synced when files were made in it. */
export class LedgerFolder {
  private readonly commits = new GroupCommit(() => this.syncNow());
  private made = false;
  /** The folders above that had to be made as well; their entries must reach the device once. */
  private unsyncedParents: string[] = [];

  constructor(private readonly fs: LedgerFileSystem, readonly path: string) {}

  make(): void {
    if (this.made) return;
    const first = this.fs.mkdirSync(this.path);
    this.made = true;
    if (first === undefined) return;
    const top = dirname(first);
    for (let folder = dirname(this.path); folder.length >= top.length; folder = dirname(folder)) {
      this.unsyncedParents.push(folder);
      if (folder === dirname(folder)) break;
    }
  }

  /** Resolves when the files made in it so far will be found after a power cut. */
  sync(): Promise<void> {
    return this.commits.request();
  }

  private async syncNow(): Promise<void> {
    const parents = this.unsyncedParents;
    this.unsyncedParents = [];
    for (const folder of [this.path, ...parents]) await this.syncFolder(folder);
  }

  private async syncFolder(folder: string): Promise<void> {
    let descriptor: number | undefined;
    try {
      descriptor = this.fs.openSync(folder, 'r');
      await this.fs.fsync(descriptor);
    } catch (error) {
      const code = errorCode(error) ?? '';
      const unsyncable = UNSYNCABLE.has(code) || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!unsyncable) throw error;
    } finally {
      if (descriptor !== undefined) this.fs.closeSync(descriptor);
    }
  }
}
