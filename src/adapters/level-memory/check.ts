import type { MemoryCheck } from '../../contracts/memory.js';
import { addTo, countOf, EMPTY_AGGREGATE, sumsAt, type Aggregate } from '../../mkct/aggregate.js';
import { segmentsOf } from '../../mkct/keys.js';
import type { Database } from './database.js';
import { allOf, keys, keysOf } from './layout.js';
import { contributionOf, decodeStored, decodeTag, isEvidence, type Stored } from './records.js';

/** Sums may differ from a recount by this much, relative to the attention of the tag. */
const TOLERANCE = 1e-9;
/** Problems listed; the rest is counted. */
const LISTED = 100;

/** Reads the whole store and compares what is derived with what it derives from. */
export async function checkStore(database: Database): Promise<MemoryCheck> {
  const problems: string[] = [];
  let more = 0;
  const problem = (text: string): void => {
    if (problems.length < LISTED) problems.push(text);
    else more += 1;
  };
  const { megrams, sums } = await checkEntries(database, problem);
  await checkSums(database, sums, problem);
  await checkOrphans(database, problem);
  if (more > 0) problems.push(`and ${more} more`);
  return { ok: problems.length === 0, megrams, problems };
}

async function checkEntries(database: Database, problem: (text: string) => void): Promise<{ readonly megrams: number; readonly sums: ReadonlyMap<string, Aggregate> }> {
  const sums = new Map<string, Aggregate>();
  const watermarks = new Map<string, number>();
  for await (const page of database.pages(allOf('p'))) for (const [key, value] of page) watermarks.set(key, Number(value));
  let megrams = 0;
  for await (const page of database.pages(allOf('m'))) {
    const stored: Stored[] = [];
    for (const [key, raw] of page) {
      const entry = decodeStored(raw);
      if (typeof entry === 'string') problem(`${key}: ${entry}`);
      else stored.push(entry);
    }
    megrams += stored.length;
    const wanted = stored.map(expectedKeys);
    const values = await database.getMany(wanted.flat());
    let position = 0;
    for (const [index, expected] of wanted.entries()) {
      for (const key of expected) if (values[position++] === undefined) problem(`${key}: missing for ${stored[index]?.megram.id ?? ''}`);
    }
    for (const entry of stored) {
      if (!isEvidence(entry.megram)) continue;
      const { space, entity } = entry.megram;
      const own = contributionOf(entry, watermarks.get(keys.watermark({ space, entity })) ?? 0);
      add(sums, keys.tag({ space, entity }), own);
      add(sums, keys.tag({ space }), { ...own, consolidated: false });
    }
  }
  return { megrams, sums };
}

function add(sums: Map<string, Aggregate>, key: string, entry: Parameters<typeof addTo>[1]): void {
  // Far in the future: nothing has to stay in the tail, which would cost a sort for each entry.
  sums.set(key, addTo(sums.get(key) ?? EMPTY_AGGREGATE, entry, Number.MAX_SAFE_INTEGER));
}

function expectedKeys({ megram }: Stored): readonly string[] {
  const { index, level, rule, due } = keysOf(megram);
  return [index, level, rule, due].filter((key) => key !== undefined);
}

async function checkSums(database: Database, sums: ReadonlyMap<string, Aggregate>, problem: (text: string) => void): Promise<void> {
  const seen = new Set<string>();
  for (const prefix of ['e', 's']) {
    for await (const page of database.pages(allOf(prefix))) {
      for (const [key, raw] of page) {
        seen.add(key);
        const record = decodeTag(raw);
        if (!record) problem(`${key}: not the sums of a tag`);
        else if (!agree(record.aggregate, sums.get(key) ?? EMPTY_AGGREGATE)) problem(`${key}: differs from the sum of its entries`);
      }
    }
  }
  for (const key of sums.keys()) if (!seen.has(key)) problem(`${key}: missing`);
}

function agree(kept: Aggregate, counted: Aggregate): boolean {
  if (kept.stale || countOf(kept) !== countOf(counted)) return false;
  const at = Math.max(kept.latest, counted.latest, 0);
  return (['all', 'trusted', 'fresh'] as const).every((selection) => {
    const [a, b] = [sumsAt(kept, at, selection), sumsAt(counted, at, selection)];
    // Sums that have decayed to nothing are equal, whatever their last digits.
    const scale = Math.max(a.attention, b.attention, 1e-12);
    return Math.abs(a.attention - b.attention) <= TOLERANCE * scale && Math.abs(a.decision - b.decision) <= TOLERANCE * scale;
  });
}

async function checkOrphans(database: Database, problem: (text: string) => void): Promise<void> {
  for (const prefix of ['x', 'l', 'd', 'c', 'r']) {
    for await (const page of database.pages(allOf(prefix))) {
      const ids = page.map(([key]) => segmentsOf(key).at(-1) ?? '');
      const values = await database.getMany(ids.map((id) => keys.megram(id)));
      for (const [index, [key]] of page.entries()) if (values[index] === undefined) problem(`${key}: belongs to no entry`);
    }
  }
}
