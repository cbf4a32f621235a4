import { ArtooError } from '../../contracts/errors.js';
import type { Megram } from '../../contracts/messages.js';
import { segmentsOf } from '../../mkct/keys.js';
import type { Database } from './database.js';
import { allOf } from './layout.js';
import type { Reader } from './reader.js';

const CHUNK = 256;

/** Every entry as one line of JSON, in the order of writing: a rule follows what it was made of. */
export async function* exportLines(database: Database, reader: Reader): AsyncGenerator<string> {
  const order: { readonly id: string; readonly sequence: number }[] = [];
  for await (const page of database.pages(allOf('l'))) {
    for (const [key, sequence] of page) order.push({ id: segmentsOf(key)[1] ?? '', sequence: Number(sequence) });
  }
  order.sort((a, b) => a.sequence - b.sequence);
  for (let start = 0; start < order.length; start += CHUNK) {
    const entries = await reader.byId(order.slice(start, start + CHUNK).map(({ id }) => id));
    for (const megram of entries) yield JSON.stringify(megram);
  }
}

/** Reads lines of JSON, each a megram; blank ones are skipped. What stands before a bad line is kept. */
export async function importLines(
  lines: AsyncIterable<string> | Iterable<string>,
  { add, flush }: { readonly add: (megram: Megram) => void; readonly flush: () => Promise<void> },
): Promise<void> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      add(JSON.parse(line) as Megram);
    } catch (error) {
      await flush();
      throw new ArtooError('ARTOO_MEMORY_INVALID', `Line ${number} is no megram.`, { cause: error, hint: 'The lines before it were imported. Correct the line and import again: entries that are there already are left as they are.', details: { line: number } });
    }
    if (number % CHUNK === 0) await flush();
  }
  await flush();
}
