import { ArtooError } from '../../contracts/errors.js';
import type { Dreamer, DreamerServices, MemoryCheck, MemoryFilter, MemoryReply, MemoryTag, Megram, Potentials, RecallQuery } from '../../contracts/memory.js';
import { createDreamer } from '../../memory/dreamer.js';
import { recall } from '../../memory/recall.js';
import type { RelatedIntent } from '../../mkct/recollection.js';
import type { ArtooMemory, Consolidation, MemoryReport, Weighed } from '../../memory/store-types.js';
import { validMegram } from '../../memory/validated.js';
import type { LevelMemoryOptions } from '../level-memory.js';
import { checkStore } from './check.js';
import { consolidationOf, freshEntries } from './consolidation.js';
import { Database } from './database.js';
import { lostEntries, storeError } from './failures.js';
import { openLayout } from './open.js';
import { Reader } from './reader.js';
import { rebuildStore } from './rebuild.js';
import { recountTag } from './recount.js';
import { knownIntents, relatedIntents } from './related.js';
import { exportLines, importLines } from './transfer.js';
import type { Place } from '../../mkct/tags.js';
import { WriteQueue, type Operation } from './write-queue.js';
import { adding, promoting, recalling, removing, replacing, settling } from './writes.js';

const QUEUE_LIMIT = 10_000;
const UNTRUSTED_QUOTA = 1_000;
const RELATED = 5;
const LESSONS = 6;

/** A memory over an abstract-level database: one writer, readers beside it. */
export class LevelMemory implements ArtooMemory {
  private readonly database: Database;
  private readonly queue: WriteQueue;
  private readonly reader: Reader;
  private readonly ready: Promise<{ readonly sequence: number }>;
  private readonly now: () => number;
  private readonly report: (report: MemoryReport) => void;
  private readonly quota: number;
  private readonly recounting = new Set<string>();
  private closing: Promise<void> | undefined;

  constructor(private readonly options: LevelMemoryOptions & { readonly reopen?: boolean }) {
    const { db, clock, onReport, queueLimit = QUEUE_LIMIT, untrustedQuota = UNTRUSTED_QUOTA, sync = false } = options;
    this.now = () => (clock ? clock.now() : Date.now());
    this.report = reporter(onReport);
    this.quota = untrustedQuota;
    this.database = new Database(db, sync);
    this.reader = new Reader(this.database, this.report, (key) => this.recount([key]));
    this.ready = openLayout(this.database, { report: this.report, now: this.now() });
    // Whoever asks first hears of it; a memory that nobody uses must not end the process.
    this.ready.catch(() => undefined);
    this.queue = new WriteQueue({
      database: this.database,
      report: this.report,
      ready: this.ready,
      limit: queueLimit,
      recover: options.reopen === true ? () => this.reopen() : undefined,
      stale: (stale) => this.recount(stale),
    });
  }

  /** Resolves when the store is open. */
  async opened(): Promise<void> {
    await this.ready;
  }

  get dropped(): number {
    return this.queue.dropped;
  }

  append(megram: Megram): void {
    this.refuseWhenClosed();
    this.queue.post(this.adding(validMegram(megram)));
  }

  async flush(): Promise<void> {
    let refused: ArtooError | undefined;
    try {
      await (this.queue.idle ? this.ready : this.queue.carryOut({ apply: () => undefined }));
    } catch (error) {
      refused = storeError(error, 'written');
    }
    const lost = this.queue.takeLost();
    if (lost > 0) throw lostEntries(lost, { cause: refused, waiting: this.queue.pending, closing: false });
    if (refused) throw refused;
  }

  potentials(tag: MemoryTag, at = this.now()): Promise<Potentials> {
    return this.asking(() => this.reader.potentials(tag, at));
  }

  async sops(tag: MemoryTag, at = this.now()): Promise<readonly Megram[]> {
    return this.asking(async () => this.recalled((await this.reader.rules(tag)).map(({ megram }) => megram), at));
  }

  weigh(tag: MemoryTag, at = this.now(), { lessons: limit = LESSONS }: { readonly lessons?: number } = {}): Promise<Weighed> {
    return this.asking(async () => {
      const record = await this.reader.tag(tag);
      const [all, trusted] = [await this.reader.sums(tag, record, at, 'all'), await this.reader.sums(tag, record, at, 'trusted')];
      const rules = record.rules === 0 ? [] : this.recalled((await this.reader.rules(tag)).map(({ megram }) => megram), at);
      const lessons = limit === 0 ? [] : await this.reader.strongest(tag, record, { at, limit });
      return { tag, all, trusted, valenced: all.valenced, rules, lessons, entities: record.entities.map(({ entity }) => entity) };
    });
  }

  recall(query: RecallQuery): Promise<MemoryReply> {
    return recall(this, query);
  }

  createDreamer(services: DreamerServices): Dreamer {
    return createDreamer({ ...services, store: this });
  }

  related(intent: string, { limit = RELATED }: { readonly limit?: number } = {}): Promise<readonly RelatedIntent[]> {
    return this.asking(() => relatedIntents(this.database, intent, limit));
  }

  intents({ limit = QUEUE_LIMIT }: { readonly limit?: number } = {}): Promise<readonly { readonly space: string; readonly text: string }[]> {
    return this.asking(() => knownIntents(this.database, this.reader, limit));
  }

  list(filter: MemoryFilter = {}): Promise<readonly Megram[]> {
    return this.asking(() => this.reader.list(filter));
  }

  get(id: string): Promise<Megram | undefined> {
    return this.asking(() => this.reader.get(id));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.changing('changed', removing(ids));
  }

  async demote(id: string, change: { readonly level: Megram['level']; readonly k: number }): Promise<void> {
    const known = await this.get(id);
    if (!known) {
      throw new ArtooError('ARTOO_INVALID_ARGUMENT', `There is no entry ${JSON.stringify(id)} to demote.`, { hint: 'Take the id from list() or get().' });
    }
    await this.changing('changed', replacing(validMegram({ ...known, ...change }), this.now));
  }

  due(at: number): Promise<readonly string[]> {
    return this.asking(() => this.reader.due(at));
  }

  dirtyTags(): Promise<readonly Place[]> {
    return this.asking(() => this.reader.dirtyTags());
  }

  consolidation(tag: Place, at: number): Promise<Consolidation> {
    return this.changingWith((draft) => {
      // A place in the log is taken for a rule that may follow: what is written from now on is not part of it.
      const asOf = draft.nextSequence();
      return () => this.asking(() => consolidationOf(this.reader, { tag, at, asOf }));
    });
  }

  fresh(tag: Place, options: { readonly at: number; readonly limit: number; readonly asOf: number }): Promise<readonly Megram[]> {
    return this.asking(() => freshEntries(this.reader, tag, options));
  }

  async promote(rule: Megram, { asOf, supersedes }: { readonly asOf: number; readonly supersedes: readonly string[] }): Promise<void> {
    await this.changing('changed', promoting(validMegram(rule), { asOf, supersedes, now: this.now }));
  }

  settle(tag: Place, asOf: number): Promise<void> {
    return this.changing('changed', settling(tag, asOf));
  }

  check(): Promise<MemoryCheck> {
    return this.asking(() => checkStore(this.database));
  }

  rebuild(): Promise<void> {
    return this.changing('rebuilt', { apply: (draft) => rebuildStore(draft, { database: this.database, now: this.now(), report: this.report }) });
  }

  async *export(): AsyncIterable<string> {
    await this.asking(() => Promise.resolve());
    yield* exportLines(this.database, this.reader);
  }

  import(lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
    let added = 0;
    return importLines(lines, {
      add: (megram) => this.queue.post(this.adding(validMegram(megram), () => (added += 1))),
      flush: () => this.flush(),
    }).then(() => added);
  }

  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  private async shut(): Promise<void> {
    try {
      // Recounts that the last batch asked for are queued behind it.
      await this.flush();
      await this.queue.settled();
    } catch (error) {
      throw this.lossOnClosing(error as ArtooError);
    } finally {
      if (this.options.closeDatabase === true) await this.database.close();
    }
  }

  /** What still waits when the disk refuses the last flush has nobody left to write it. */
  private lossOnClosing(error: ArtooError): ArtooError {
    if (error.code !== 'ARTOO_STORE_FULL' && error.code !== 'ARTOO_MEMORY_WRITE') return error;
    const told = error.details?.['dropped'];
    const lost = this.queue.pending + (typeof told === 'number' ? told : 0);
    return lost === 0 ? error : lostEntries(lost, { cause: typeof told === 'number' ? error.cause : error, waiting: 0, closing: true });
  }

  private adding(megram: Megram, added?: () => void): Operation {
    return adding(megram, { now: this.now, quota: this.quota, report: this.report, added });
  }

  /** Notes that rules were used. It costs the caller nothing: the note is written later. */
  private recalled(rules: readonly Megram[], at: number): readonly Megram[] {
    const hit = rules.filter(({ lastRecalledAt }) => (lastRecalledAt ?? -Infinity) < at);
    if (hit.length > 0 && !this.closing) this.queue.post(recalling(hit.map(({ id }) => id), at));
    return rules.filter(({ origin }) => origin.integrity === 'trusted');
  }

  private recount(stale: readonly string[]): void {
    for (const key of stale) {
      if (this.recounting.has(key)) continue;
      this.recounting.add(key);
      this.queue.post({
        apply: async (draft) => {
          this.recounting.delete(key);
          await recountTag(draft, this.reader, { key, now: this.now() });
        },
      });
    }
  }

  private async changing(doing: string, operation: Operation): Promise<void> {
    this.refuseWhenClosed();
    await this.attempt(doing, () => this.queue.carryOut(operation));
  }

  /** Takes something from the writer, in its turn, and goes on with it. */
  private async changingWith<T>(take: (draft: Parameters<Operation['apply']>[0]) => () => Promise<T>): Promise<T> {
    let go: (() => Promise<T>) | undefined;
    await this.changing('changed', { apply: (draft) => void (go = take(draft)) });
    return (go as () => Promise<T>)();
  }

  /** Questions see what was queued before them. */
  private async asking<T>(question: () => Promise<T>): Promise<T> {
    this.refuseWhenClosed();
    return this.attempt('read', async () => {
      if (!this.queue.idle) await this.queue.settled();
      await this.ready;
      return question();
    });
  }

  private async attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, doing);
    }
  }

  private refuseWhenClosed(): void {
    if (this.closing) throw new ArtooError('ARTOO_CLOSED', 'The memory is closed.', { hint: 'Open it again, or close it after everything that uses it.' });
  }

  private async reopen(): Promise<void> {
    await this.database.close();
    await this.database.open();
  }
}

/** Reports go to code of the host: what it throws must not stop the writer. */
function reporter(onReport: ((report: MemoryReport) => void) | undefined): (report: MemoryReport) => void {
  return (report) => {
    try {
      onReport?.(report);
    } catch {
      // There is nobody left to tell.
    }
  };
}
