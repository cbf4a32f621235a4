import type { MemoryReport } from '../../memory/store-types.js';
import type { Change, Database } from './database.js';
import { keys } from './layout.js';
import { decodeStored, decodeTag, EMPTY_TAG, encodeTag, type Stored, type TagRecord } from './records.js';

/**
 * Places in the log that are taken at a time: the mark on disk stands so far ahead and is written once for as many
 * entries. After a crash the log goes on from the mark; places that nobody used are no harm.
 */
const RESERVED = 1_000;
/** Records of tags kept decoded between batches. */
const CACHED_TAGS = 512;

/**
 * Changes that become one batch. Reads see what was changed before. Records of tags stay decoded until they are written:
 * a burst of entries under one tag costs one encoding.
 */
export class Draft {
  private readonly changes = new Map<string, string | undefined>();
  private readonly changedTags = new Set<string>();
  private readonly fetched = new Map<string, string | undefined>();
  private readonly tags = new Map<string, TagRecord>();
  private firstSequence: number;
  /** Places under this one are taken on disk. */
  private reserved: number;

  constructor(
    private readonly database: Database,
    private readonly report: (report: MemoryReport) => void,
    /** The next place in the log. */
    private sequence: number,
  ) {
    this.firstSequence = sequence;
    this.reserved = sequence;
  }

  /** Reads ahead what the coming operations will ask for. */
  async fetch(wanted: readonly string[]): Promise<void> {
    const missing = [...new Set(wanted)].filter((key) => !this.changes.has(key) && !this.tags.has(key) && !this.fetched.has(key));
    const values = await this.database.getMany(missing);
    for (const [index, key] of missing.entries()) this.fetched.set(key, values[index]);
  }

  async read(key: string): Promise<string | undefined> {
    if (this.changes.has(key)) return this.changes.get(key);
    if (this.fetched.has(key)) return this.fetched.get(key);
    return this.database.get(key);
  }

  put(key: string, value: string): void {
    this.changes.set(key, value);
  }

  remove(key: string): void {
    this.changes.set(key, undefined);
  }

  async stored(id: string): Promise<Stored | undefined> {
    const key = keys.megram(id);
    const raw = await this.read(key);
    if (raw === undefined) return undefined;
    const stored = decodeStored(raw);
    if (typeof stored !== 'string') return stored;
    this.report({ kind: 'damaged', key, reason: stored });
    return undefined;
  }

  /** The record of a tag, by its key. A damaged one starts anew and waits for a recount. */
  async tag(key: string, watermarkKey?: string): Promise<TagRecord> {
    const known = this.tags.get(key);
    if (known) return known;
    const raw = await this.read(key);
    let record = raw === undefined ? undefined : decodeTag(raw);
    if (!record) {
      const watermark = watermarkKey === undefined ? 0 : Number((await this.read(watermarkKey)) ?? 0);
      record = { ...EMPTY_TAG, watermark };
      if (raw !== undefined) {
        this.report({ kind: 'damaged', key, reason: 'not the sums of a tag' });
        record = { ...record, aggregate: { ...record.aggregate, stale: true } };
      }
    }
    this.tags.set(key, record);
    return record;
  }

  setTag(key: string, record: TagRecord): void {
    this.tags.set(key, record);
    this.changedTags.add(key);
  }

  nextSequence(): number {
    return this.sequence++;
  }

  /** Never goes back: places in the log that a store from elsewhere brought along stay taken. */
  raiseSequence(to: number): void {
    this.sequence = Math.max(this.sequence, to);
  }

  get position(): number {
    return this.sequence;
  }

  /** Keys of changed tags whose sums wait for a recount. */
  staleTags(): readonly string[] {
    return [...this.changedTags].filter((key) => this.tags.get(key)?.aggregate.stale === true);
  }

  /** Writes everything in one batch. Afterwards the draft is empty and reads what is on disk. */
  async commit(): Promise<void> {
    const batch: Change[] = [];
    for (const [key, value] of this.changes) batch.push(value === undefined ? { type: 'del', key } : { type: 'put', key, value });
    for (const key of this.changedTags) {
      const record = this.tags.get(key);
      if (record) batch.push({ type: 'put', key, value: encodeTag(record) });
    }
    const reserved = this.sequence > this.reserved ? this.sequence + RESERVED : this.reserved;
    if (reserved !== this.reserved) batch.push({ type: 'put', key: keys.sequence, value: String(reserved) });
    await this.database.batch(batch);
    this.reserved = reserved;
    this.firstSequence = this.sequence;
    this.changes.clear();
    this.changedTags.clear();
    this.fetched.clear();
    if (this.tags.size > CACHED_TAGS) this.tags.clear();
  }

  /** Forgets what was not written. */
  discard(): void {
    this.sequence = this.firstSequence;
    this.changes.clear();
    this.changedTags.clear();
    this.fetched.clear();
    this.tags.clear();
  }
}
