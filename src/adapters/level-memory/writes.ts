import type { Megram } from '../../contracts/messages.js';
import type { Place } from '../../mkct/tags.js';
import { untrustedSources } from '../../memory/sources.js';
import { DREAMER_SOURCE, type MemoryReport } from '../../memory/store-types.js';
import { keys } from './layout.js';
import { addEntry, additionOf, keysToAdd, raiseWatermark, removeEntry } from './operations.js';
import type { Operation } from './write-queue.js';

/** Adds an entry, once; refuses untrusted ones beyond their source's quota. */
export function adding(
  megram: Megram,
  { now, quota, report, added }: { readonly now: () => number; readonly quota: number; readonly report: (report: MemoryReport) => void; readonly added?: (() => void) | undefined },
): Operation {
  const addition = additionOf(megram);
  let told = false;
  return {
    expendable: true,
    keys: keysToAdd(addition),
    apply: async (draft) => {
      if ((await draft.read(addition.keys.megram)) !== undefined) return;
      const { source, integrity } = megram.origin;
      for (const from of untrustedSources(megram)) {
        if (Number((await draft.read(keys.quota(from))) ?? 0) < quota) continue;
        report({ kind: 'quota', id: megram.id, source: from });
        return;
      }
      const sequence = draft.nextSequence();
      await addEntry(draft, addition, { sequence, now: now() });
      if (source === DREAMER_SOURCE && integrity === 'trusted') await raiseWatermark(draft, megram, sequence);
      // A batch that is refused is carried out again.
      if (!told) added?.();
      told = true;
    },
  };
}

/** Removes entries; ids that aren't there are passed over. */
export function removing(ids: readonly string[]): Operation {
  const wanted = [...new Set(ids)];
  return {
    keys: wanted.map((id) => keys.megram(id)),
    apply: async (draft) => {
      for (const id of wanted) {
        const stored = await draft.stored(id);
        if (stored) await removeEntry(draft, stored);
      }
    },
  };
}

/** Puts a changed entry in the place of the one with its id, at the same place in the log. */
export function replacing(megram: Megram, now: () => number): Operation {
  return {
    apply: async (draft) => {
      const stored = await draft.stored(megram.id);
      if (!stored) return;
      await removeEntry(draft, stored);
      await addEntry(draft, additionOf(megram), { sequence: stored.sequence, now: now() });
    },
  };
}

/** Adds a rule at a place in the log that was taken before it was written, and removes those it supersedes. */
export function promoting(rule: Megram, { asOf, supersedes, now }: { readonly asOf: number; readonly supersedes: readonly string[]; readonly now: () => number }): Operation {
  const addition = additionOf(rule);
  return {
    keys: keysToAdd(addition),
    apply: async (draft) => {
      for (const id of supersedes) {
        const stored = await draft.stored(id);
        if (stored && id !== rule.id) await removeEntry(draft, stored);
      }
      if ((await draft.read(addition.keys.megram)) === undefined) await addEntry(draft, addition, { sequence: asOf, now: now() });
      await raiseWatermark(draft, rule, asOf);
    },
  };
}

/** The tag is clean, unless something was written to it after `asOf`. */
export function settling(tag: Place, asOf: number): Operation {
  return {
    apply: async (draft) => {
      const key = keys.dirty(tag);
      if (Number((await draft.read(key)) ?? Infinity) <= asOf) draft.remove(key);
    },
  };
}

/** Notes when rules were last used. */
export function recalling(ids: readonly string[], at: number): Operation {
  return {
    apply: async (draft) => {
      for (const id of ids) if ((await draft.read(keys.megram(id))) !== undefined) draft.put(keys.recalled(id), String(at));
    },
  };
}
