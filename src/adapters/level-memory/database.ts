interface Encodings { readonly keyEncoding: 'utf8'; readonly valueEncoding: 'utf8' }

/** What a range reads. */
export interface Range { readonly gte: string; readonly lt: string }

/** One change of a batch. */
export type Change = { readonly type: 'put'; readonly key: string; readonly value: string } | { readonly type: 'del'; readonly key: string };

/** Entries in the order of their keys, read in pages; an empty page is the end. */
export interface LevelIterator {
  nextv(size: number): Promise<readonly (readonly [unknown, unknown])[]>;
  close(): Promise<void>;
}

/**
 * The part of an abstract-level database (version 1 to 3) that a memory needs: classic-level, memory-level, a sublevel,
 * or any other. Its default encodings don't matter. Keys are ASCII and sort by byte; `batch` is all or nothing; `getMany`
 * gives undefined for a key that isn't there; `iterator` reads the keys from `gte` up to, not including, `lt`.
 */
export interface LevelDatabase {
  readonly status: string;
  open(): Promise<void>;
  close(): Promise<void>;
  getMany(keys: string[], options: Encodings): Promise<unknown[]>;
  batch(changes: Change[], options: Encodings): Promise<void>;
  iterator(options: Encodings & { gte: string; lt: string; limit?: number }): LevelIterator;
}

interface Capable {
  readonly supports?: { readonly getSync?: boolean };
  getSync?(key: string, options?: Encodings): unknown;
  get?(key: string, options?: Encodings): Promise<unknown>;
  keyEncoding?(): { readonly commonName: string };
  valueEncoding?(): { readonly commonName: string };
}

const UTF8: Encodings = { keyEncoding: 'utf8', valueEncoding: 'utf8' };
const PAGE = 1_000;
/** So many values are read at once rather than by a worker thread. */
const FEW = 8;

/** Text keys and values over a database, whatever its encodings. */
export class Database {
  private readonly synchronous: boolean;
  /** Options cost time per operation: none are passed where the defaults are right. */
  private readonly plain: boolean;
  /** `getMany` finds nothing that `get` finds. */
  private oneByOne = false;

  constructor(private readonly db: LevelDatabase, private readonly sync = false) {
    const capable = db as Capable;
    this.synchronous = capable.supports?.getSync === true && typeof capable.getSync === 'function';
    this.plain = capable.keyEncoding?.().commonName === 'utf8' && capable.valueEncoding?.().commonName === 'utf8';
  }

  async open(): Promise<void> {
    if (this.db.status !== 'open') await this.db.open();
  }

  close(): Promise<void> {
    return this.db.close();
  }

  /**
   * Finds out by a key that should be there whether many keys can be read at once. Databases over an older abstract-level
   * inherit a `getMany` that answers undefined to everything: such a store would look empty and be written over.
   */
  async probe(key: string): Promise<void> {
    const db = this.db as Capable;
    if (this.oneByOne || typeof db.get !== 'function') return;
    const [value] = await this.db.getMany([key], UTF8);
    if (value !== undefined) return;
    const one = await this.one(key).catch(() => undefined);
    if (one !== undefined) this.oneByOne = true;
  }

  private async one(key: string): Promise<string | undefined> {
    try {
      return (await (this.db as Capable).get?.(key, UTF8)) as string | undefined;
    } catch (error) {
      if ((error as { readonly code?: unknown } | null)?.code === 'LEVEL_NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** One value. Read at once where the database can: one small record is cheaper than a trip to a worker thread. */
  get(key: string): string | undefined | Promise<string | undefined> {
    if (!this.synchronous) return this.getMany([key]).then(([value]) => value);
    const db = this.db as Capable;
    return (this.plain ? db.getSync?.(key) : db.getSync?.(key, UTF8)) as string | undefined;
  }

  async getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    if (keys.length <= FEW && this.synchronous) return keys.map((key) => this.get(key) as string | undefined);
    if (keys.length === 0) return [];
    if (this.oneByOne) return Promise.all(keys.map((key) => this.one(key)));
    return (await this.db.getMany([...keys], UTF8)) as (string | undefined)[];
  }

  /** All changes or none. With `sync`, they survive a power cut as well. */
  async batch(changes: Change[]): Promise<void> {
    if (changes.length === 0) return;
    const options = { ...(this.plain ? {} : UTF8), ...(this.sync ? { sync: true } : {}) };
    const db = this.db as { batch(changes: Change[], options?: object): Promise<void> };
    await (Object.keys(options).length === 0 ? db.batch(changes) : db.batch(changes, options));
  }

  /** The entries of a range in pages, in the order of their keys. */
  async *pages(range: Range, limit?: number): AsyncGenerator<readonly (readonly [string, string])[]> {
    const iterator = this.db.iterator({ ...range, ...UTF8, ...(limit === undefined ? {} : { limit }) });
    try {
      for (;;) {
        const page = await iterator.nextv(limit === undefined ? PAGE : Math.min(PAGE, limit));
        if (page.length === 0) return;
        yield page as readonly (readonly [string, string])[];
      }
    } finally {
      await iterator.close();
    }
  }

  /** The first entries of a range. */
  async first(range: Range, limit: number): Promise<readonly (readonly [string, string])[]> {
    const entries: (readonly [string, string])[] = [];
    for await (const page of this.pages(range, limit)) entries.push(...page);
    return entries;
  }
}
