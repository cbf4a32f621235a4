import type { MemoryReport } from '../../memory/store-types.js';
import type { Database } from './database.js';
import { Draft } from './draft.js';

/** A change that waits its turn. `keys` are read ahead for a whole batch at once. */
export interface Operation {
  readonly keys?: readonly string[];
  readonly apply: (draft: Draft) => Promise<void> | void;
  /** An entry that nobody waits for: may be given up when the disk fails and the queue is full. */
  readonly expendable?: boolean;
}

interface Waiting { readonly operation: Operation; readonly done?: (error?: unknown) => void }

/** Operations of one batch. */
const BATCH = 256;

/**
 * The one writer of a store. Operations are carried out in order and coalesced into atomic batches. When the disk
 * refuses a batch, nothing is lost: it is tried again with the next operation; only a full queue gives up the oldest
 * entries, counts them and says so.
 */
export class WriteQueue {
  private waiting: Waiting[] = [];
  private running = false;
  private failing = false;
  private draft: Draft;
  /** Entries given up, in total. */
  dropped = 0;
  /** Of these, those that no flush has told of yet. */
  private untold = 0;

  constructor(
    private readonly options: {
      readonly database: Database;
      readonly report: (report: MemoryReport) => void;
      /** Resolves when the store is open. */
      readonly ready: Promise<{ readonly sequence: number }>;
      readonly limit: number;
      /** Called before a failed batch is tried again, e.g. to reopen the database. */
      readonly recover?: (() => Promise<void>) | undefined;
      /** Called with keys of tags whose sums wait for a recount. */
      readonly stale: (keys: readonly string[]) => void;
    },
  ) {
    this.draft = new Draft(options.database, options.report, 1);
  }

  /** True when there is nothing to wait for. */
  get idle(): boolean {
    return this.waiting.length === 0 && !this.running;
  }

  /** Adds an operation that nobody waits for. */
  post(operation: Operation): void {
    if (this.failing && this.waiting.length >= this.options.limit) this.giveUpOldest();
    this.waiting.push({ operation });
    this.start();
  }

  /** Adds an operation; resolves when it is on disk, rejects when the disk refused it or the operation failed. */
  carryOut(operation: Operation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ operation, done: (error) => (error === undefined ? resolve() : reject(error as Error)) });
      this.start();
    });
  }

  /** Resolves when everything posted so far was tried once, whether the disk took it or not. */
  async settled(): Promise<void> {
    if (this.idle) return;
    await this.carryOut({ apply: () => undefined }).catch(() => undefined);
  }

  /** Entries not yet on disk. */
  get pending(): number {
    return this.waiting.filter(({ operation }) => operation.expendable === true).length;
  }

  /** Entries given up since this was last asked. */
  takeLost(): number {
    const lost = this.untold;
    this.untold = 0;
    return lost;
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  /** Never rejects. Ends in the same turn in which it finds the queue empty: what is posted later starts it again. */
  private async run(): Promise<void> {
    try {
      const { sequence } = await this.options.ready;
      this.draft.raiseSequence(sequence);
      if (this.failing) await this.options.recover?.();
    } catch (error) {
      return this.refuse(this.waiting, error);
    }
    while (this.waiting.length > 0) if (!(await this.writeBatch())) return;
    this.running = false;
  }

  /** False when the disk refused. */
  private async writeBatch(): Promise<boolean> {
    const batch = this.waiting.slice(0, BATCH);
    let current: Waiting | undefined;
    try {
      await this.draft.fetch(batch.flatMap(({ operation }) => operation.keys ?? []));
      for (current of batch) await current.operation.apply(this.draft);
      current = undefined;
      const stale = this.draft.staleTags();
      await this.draft.commit();
      if (stale.length > 0) this.options.stale(stale);
    } catch (error) {
      this.draft.discard();
      if (current) this.skip(current, error);
      else this.refuse(batch, error);
      return current !== undefined;
    }
    this.failing = false;
    this.waiting.splice(0, batch.length);
    for (const { done } of batch) done?.();
    return true;
  }

  /** One operation can't be carried out, for what it read: the others must not wait for it for ever. */
  private skip(entry: Waiting, error: unknown): void {
    this.waiting = this.waiting.filter((other) => other !== entry);
    if (entry.operation.expendable === true) this.giveUp();
    entry.done?.(error);
  }

  /** Those who wait hear of the failure; entries nobody waits for stay first in the queue. */
  private refuse(batch: readonly Waiting[], error: unknown): void {
    this.failing = true;
    // At once: whoever hears of it may try again before this turn ends.
    this.running = false;
    const tried = new Set(batch);
    const heard = this.waiting.filter((entry) => tried.has(entry) && entry.done);
    // Whoever queued behind the refused batch would wait for a retry that nobody starts.
    const behind = this.waiting.filter((entry) => !tried.has(entry) && entry.done);
    this.waiting = this.waiting.filter(({ done }) => done === undefined);
    for (const entry of [...heard, ...behind]) entry.done?.(error);
    this.options.report({ kind: 'write_failed', error, waiting: this.waiting.length });
  }

  private giveUpOldest(): void {
    const index = this.waiting.findIndex(({ operation }) => operation.expendable === true);
    if (index < 0) return;
    this.waiting.splice(index, 1);
    this.giveUp();
  }

  private giveUp(): void {
    this.dropped += 1;
    this.untold += 1;
    this.options.report({ kind: 'dropped', count: this.dropped });
  }
}
