import { addTo, EMPTY_AGGREGATE } from '../../mkct/aggregate.js';
import { keys } from './layout.js';
import { segmentsOf } from '../../mkct/keys.js';
import type { MemoryTag } from '../../contracts/messages.js';
import type { Draft } from './draft.js';
import type { Reader } from './reader.js';

/** The tag that a key of sums belongs to. */
export function tagOfKey(key: string): MemoryTag {
  const [space = '', entity] = segmentsOf(key);
  return key.startsWith('e|') && entity !== undefined ? { space, entity } : { space };
}

/** Sums a tag up anew from its entries. What waits in the draft is written first: the entries are read from disk. */
export async function recountTag(draft: Draft, reader: Reader, options: { readonly key: string; readonly now: number }): Promise<void> {
  const { key, now } = options;
  await draft.commit();
  const tag = tagOfKey(key);
  const { space, entity } = tag;
  const record = await draft.tag(key, entity === undefined ? undefined : keys.watermark({ space, entity }));
  let aggregate = EMPTY_AGGREGATE;
  let newest = record.newest;
  for await (const page of reader.contributions(tag, entity === undefined ? 0 : record.watermark)) {
    for (const entry of page) {
      aggregate = addTo(aggregate, entry, now);
      newest = Math.max(newest, entry.sequence);
    }
  }
  const rules = (await reader.rules(tag)).length;
  draft.setTag(key, { ...record, aggregate, newest, rules });
}
