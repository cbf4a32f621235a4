import { join } from 'node:path';
import type { LedgerTask } from '../../contracts/ledger.js';
import { HEAD_ENDING, LOG_ENDING } from './file-names.js';
import { errorCode, type LedgerFileSystem } from './file-system.js';
import { describeTask, readLog, taskStems } from './read-folder.js';

interface Known { readonly stamp: string; readonly task: LedgerTask | undefined }

/** Reads at once: enough to keep the disk busy, few enough to need no care for descriptors and memory. */
const READERS = 4;
const MAX_KNOWN = 10_000;

/** Describes the tasks of a folder, reading again only what has changed since it last looked. */
export class TaskList {
  private known = new Map<string, Known>();

  constructor(private readonly fs: LedgerFileSystem, private readonly folder: string, private readonly boot: string) {}

  /** One task that can't be read at all is listed as damaged and stops nobody. */
  async read(): Promise<readonly LedgerTask[]> {
    const stems = await taskStems(this.fs, this.folder);
    const found = new Map<string, Known>();
    const left = stems.values();
    const work = async (): Promise<void> => {
      for (const stem of left) found.set(stem, await this.describe(stem));
    };
    await Promise.all(Array.from({ length: READERS }, work));
    this.known = new Map([...found].slice(-MAX_KNOWN));
    return stems.map((stem) => found.get(stem)?.task).filter((task) => task !== undefined);
  }

  private async describe(stem: string): Promise<Known> {
    try {
      const stamp = `${await this.stamp(stem + LOG_ENDING)} ${await this.stamp(stem + HEAD_ENDING)}`;
      const known = this.known.get(stem);
      if (known?.stamp === stamp) return known;
      const reading = await readLog(this.fs, this.folder, stem, this.boot);
      return { stamp, task: reading && Object.freeze(describeTask(reading)) };
    } catch (error) {
      const reason = `could not be read: ${error instanceof Error ? error.message : String(error)}`;
      return { stamp: '', task: Object.freeze({ taskId: join(this.folder, stem + LOG_ENDING), status: 'damaged', lines: 0, startedAt: 0, updatedAt: 0, reason }) };
    }
  }

  private async stamp(name: string): Promise<string> {
    try {
      const { size, mtimeMs } = await this.fs.stat(join(this.folder, name));
      return `${size}:${mtimeMs}`;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return '-';
      throw error;
    }
  }
}
