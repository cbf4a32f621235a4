import type { MemoryStore } from '../contracts/memory.js';
import type { Megram } from '../contracts/messages.js';
import { attentionOf } from '../mkct/decay.js';
import { potentials } from '../mkct/potentials.js';
import type { Place } from '../mkct/tags.js';
import { checkedMegrams } from './foreign.js';
import { DREAMER_SOURCE, type Consolidating } from './store-types.js';

/** Entries of a tag that are looked at. */
const MOST_ENTRIES = 10_000;

/** What this process knows of a tag beyond what the store can tell. */
interface Known {
  readonly distilled: Set<string>;
  /** For a rule of this process, the entries it stands for. */
  readonly rules: Map<string, ReadonlySet<string>>;
  /** Entries at the last look, and those at the last look that was finished. */
  looked: readonly string[];
  settled: string;
}

/**
 * The Dreamer's questions over a store that offers the port alone: entries are read one by one, and which of them a rule
 * was made of is told by this process's own record, or by age for rules of an earlier one.
 */
export function plainConsolidation(store: MemoryStore): Consolidating {
  const tags = new Map<string, Known>();
  const known = (tag: Place): Known => {
    const key = JSON.stringify([tag.space, tag.entity]);
    const entry = tags.get(key) ?? { distilled: new Set<string>(), rules: new Map<string, ReadonlySet<string>>(), looked: [], settled: '' };
    tags.set(key, entry);
    return entry;
  };
  let looks = 0;

  const read = async (tag: Place): Promise<{ readonly evidence: readonly Megram[]; readonly rules: readonly Megram[]; readonly fresh: readonly Megram[] }> => {
    const trusted = checkedMegrams(await store.list({ tag, limit: MOST_ENTRIES }), MOST_ENTRIES).filter(({ origin }) => origin.integrity === 'trusted');
    const evidence = trusted.filter(({ level }) => level === 'M' || level === 'K');
    const rules = trusted.filter(({ level }) => level === 'C');
    const { distilled, rules: own } = known(tag);
    const earlier = Math.max(-Infinity, ...rules.filter(({ id, origin }) => origin.source === DREAMER_SOURCE && !own.has(id)).map(({ createdAt }) => createdAt));
    return { evidence, rules, fresh: evidence.filter(({ id, createdAt, origin }) => !distilled.has(id) && createdAt > earlier && origin.source !== DREAMER_SOURCE) };
  };

  return {
    async consolidation(tag, at) {
      looks += 1;
      const { evidence, rules, fresh } = await read(tag);
      const memory = known(tag);
      memory.looked = evidence.map(({ id }) => id);
      // The port has no way to say that a tag was looked at: an unchanged one is passed over.
      if (memory.settled === JSON.stringify(memory.looked)) return { asOf: looks, fresh: { attention: 0, decision: 0 }, rules: [] };
      const since = (rule: Megram): readonly Megram[] => {
        const sources = memory.rules.get(rule.id);
        return evidence.filter(({ id, createdAt }) => (sources ? !sources.has(id) : createdAt > rule.createdAt));
      };
      return { asOf: looks, fresh: potentials(fresh, at), rules: rules.map((rule) => ({ rule, decision: potentials(since(rule), at).decision })) };
    },
    async fresh(tag, { at, limit }) {
      const { fresh } = await read(tag);
      return [...fresh].sort((a, b) => attentionOf(b, at) - attentionOf(a, at)).slice(0, limit);
    },
    async promote(rule, { supersedes }) {
      const memory = known(rule);
      const sources = new Set(memory.looked);
      store.append(rule);
      await store.flush();
      if (supersedes.length > 0) await store.remove(supersedes);
      for (const id of sources) memory.distilled.add(id);
      memory.rules.set(rule.id, sources);
    },
    settle(tag) {
      const memory = known(tag);
      memory.settled = JSON.stringify(memory.looked);
      return Promise.resolve();
    },
  };
}
