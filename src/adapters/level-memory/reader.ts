import type { MemoryFilter, MemoryTag, Megram, Potentials } from '../../contracts/memory.js';
import { answersAt, sumOf, sumsAt, type Contribution, type Selection, type Sums } from '../../mkct/aggregate.js';
import { segmentsOf, timeSegment } from '../../mkct/keys.js';
import { classify } from '../../mkct/potentials.js';
import type { MemoryReport } from '../../memory/store-types.js';
import type { Database } from './database.js';
import { allOf, keys, under } from './layout.js';
import { decodeIndex, decodeStored, decodeTag, EMPTY_TAG, isEvidence, contributionOf, type Stored, type TagRecord } from './records.js';
import type { Place } from '../../mkct/tags.js';
import { strongestFirst } from './top.js';

/** Hits of one question: a store that holds more says the rest with its sums. */
export const MOST_RULES = 100;
const MOST_DUE = 10_000;
const ENTITIES_READ = 4;

/** Reads a store. Damaged records are reported and skipped. */
export class Reader {
  constructor(private readonly database: Database, private readonly report: (report: MemoryReport) => void, private readonly recount: (key: string) => void) {}

  async potentials(tag: MemoryTag, at: number): Promise<Potentials> {
    const { attention, decision } = await this.sums(tag, await this.tag(tag), at, 'all');
    return { attention, decision, action: classify({ attention, decision }) };
  }

  /** A tag's record; for a damaged one an empty one whose sums answer nothing. */
  async tag(tag: MemoryTag): Promise<TagRecord> {
    const key = keys.tag(tag);
    const raw = await this.database.get(key);
    if (raw === undefined) return EMPTY_TAG;
    const record = decodeTag(raw);
    if (record) return record;
    this.report({ kind: 'damaged', key, reason: 'not the sums of a tag' });
    this.recount(key);
    return { ...EMPTY_TAG, rules: 1, aggregate: { ...EMPTY_TAG.aggregate, stale: true }, watermark: await this.watermark(tag) };
  }

  /** Sums of a tag at a moment: from its record, or entry by entry for a moment before its newest entries. */
  async sums(tag: MemoryTag, record: TagRecord, at: number, selection: Selection): Promise<Sums> {
    if (answersAt(record.aggregate, at)) return sumsAt(record.aggregate, at, selection);
    const sums = { attention: 0, decision: 0, valenced: 0 };
    for await (const page of this.contributions(tag, record.watermark)) {
      const part = sumOf(page, at, selection);
      sums.attention += part.attention;
      sums.decision += part.decision;
      sums.valenced += part.valenced;
    }
    return sums;
  }

  /** The numbers of a tag's entries in pages, from its index; an unreadable number is taken from the entry itself. */
  async *contributions(tag: MemoryTag, watermark: number): AsyncGenerator<readonly Contribution[]> {
    for await (const page of this.database.pages(under('x', tag))) {
      const contributions: Contribution[] = [];
      for (const [key, value] of page) {
        const entry = decodeIndex(value, watermark);
        if (entry === 'damaged') {
          this.report({ kind: 'damaged', key, reason: 'not the numbers of an entry' });
          const stored = await this.storedAt(key);
          if (stored && isEvidence(stored.megram)) contributions.push(contributionOf(stored, watermark));
        } else if (entry) contributions.push(entry);
      }
      yield contributions;
    }
  }

  async rules(tag: MemoryTag): Promise<readonly Stored[]> {
    const entries = await this.database.first(under('c', tag), MOST_RULES);
    return this.withRecall(await this.many(entries.map(([key]) => segmentsOf(key)[2] ?? '')));
  }

  /** The entries that weigh most under a tag, strongest first; of a space, those of its strongest entities. */
  async strongest(tag: MemoryTag, record: TagRecord, { at, limit }: { readonly at: number; readonly limit: number }): Promise<readonly Megram[]> {
    let top = record.top;
    if (tag.entity === undefined) {
      const raw = await this.database.getMany(record.entities.slice(0, ENTITIES_READ).map(({ entity }) => keys.tag({ space: tag.space, entity })));
      top = raw.flatMap((value) => (value === undefined ? [] : (decodeTag(value)?.top ?? [])));
    }
    const stored = await this.many(strongestFirst(top, at).slice(0, limit).map(({ id }) => id));
    return stored.map(({ megram }) => megram);
  }

  async get(id: string): Promise<Megram | undefined> {
    const [megram] = await this.byId([id]);
    return megram;
  }

  async byId(ids: readonly string[]): Promise<readonly Megram[]> {
    return (await this.withRecall(await this.many(ids))).map(({ megram }) => megram);
  }

  async list(filter: MemoryFilter): Promise<readonly Megram[]> {
    const limit = filter.limit ?? Infinity;
    const found: Megram[] = [];
    for await (const stored of this.matching(filter)) {
      for (const { megram } of stored) {
        if (found.length >= limit) return found;
        if (filter.level === undefined || megram.level === filter.level) found.push(megram);
      }
      if (found.length >= limit) return found;
    }
    return found;
  }

  /** Entries in pages, in the order of their keys. */
  async *matching(filter: Pick<MemoryFilter, 'level' | 'tag'>): AsyncGenerator<readonly Stored[]> {
    const { level, tag } = filter;
    if (!tag && level === undefined) {
      for await (const page of this.database.pages(allOf('m'))) yield this.withRecall(page.flatMap(([key, value]) => this.decode(key, value)));
      return;
    }
    const range = tag ? under(level === 'C' ? 'c' : 'x', tag) : { gte: `l|${level ?? ''}|`, lt: `l|${level ?? ''}}` };
    for await (const page of this.database.pages(range)) {
      yield this.withRecall(await this.many(page.map(([key]) => segmentsOf(key).at(-1) ?? '')));
    }
  }

  async due(at: number): Promise<readonly string[]> {
    // Keys are whole milliseconds: the moment itself is still in.
    const entries = await this.database.first({ gte: 'd|', lt: `d|${timeSegment(Math.floor(at) + 1)}|` }, MOST_DUE);
    return entries.map(([key]) => segmentsOf(key)[1] ?? '');
  }

  async dirtyTags(): Promise<readonly Place[]> {
    const tags: Place[] = [];
    for await (const page of this.database.pages(allOf('q'))) {
      for (const [key] of page) {
        const [space, entity] = segmentsOf(key);
        if (space !== undefined && entity !== undefined) tags.push({ space, entity });
      }
    }
    return tags;
  }

  async watermark({ space, entity }: MemoryTag): Promise<number> {
    if (entity === undefined) return 0;
    return Number((await this.database.get(keys.watermark({ space, entity }))) ?? 0);
  }

  async many(ids: readonly string[]): Promise<readonly Stored[]> {
    const wanted = ids.map((id) => keys.megram(id));
    const values = await this.database.getMany(wanted);
    return wanted.flatMap((key, index) => this.decode(key, values[index]));
  }

  private decode(key: string, raw: string | undefined): readonly Stored[] {
    if (raw === undefined) return [];
    const stored = decodeStored(raw);
    if (typeof stored !== 'string') return [stored];
    this.report({ kind: 'damaged', key, reason: stored });
    return [];
  }

  private async storedAt(indexKey: string): Promise<Stored | undefined> {
    const [stored] = await this.many([segmentsOf(indexKey)[2] ?? '']);
    return stored;
  }

  /** Adds the last recall, which only rules and laws have beside their record. */
  private async withRecall(stored: readonly Stored[]): Promise<readonly Stored[]> {
    const recallable = stored.filter(({ megram }) => !isEvidence(megram));
    if (recallable.length === 0) return stored;
    const values = await this.database.getMany(recallable.map(({ megram }) => keys.recalled(megram.id)));
    const recalls = new Map(recallable.map(({ megram }, index) => [megram.id, Number(values[index] ?? Number.NaN)]));
    return stored.map((entry) => {
      const at = recalls.get(entry.megram.id);
      return at === undefined || Number.isNaN(at) ? entry : { ...entry, megram: { ...entry.megram, lastRecalledAt: at } };
    });
  }
}
