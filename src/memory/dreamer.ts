import type { Megram } from '../contracts/messages.js';
import type { Distil, Dreamer, DreamerServices, DreamReport, MemoryStore } from '../contracts/memory.js';
import { judgeRule, promotes, ruleNumbers, templateRule, trimRule } from '../mkct/consolidate.js';
import { describeTag } from '../mkct/constraint-text.js';
import type { Place } from '../mkct/tags.js';
import { plainConsolidation } from './plain-consolidation.js';
import { DREAMER_SOURCE, hasExtras, type Consolidation, type Consolidating } from './store-types.js';

export type { Distil, Dreamer, DreamReport };

/** Options of {@link createDreamer}. */
export interface DreamerOptions extends DreamerServices { readonly store: MemoryStore }

const INTERVAL_MS = 300_000;
const FORGET_CHUNK = 500;
/** Contents shown to the model, strongest first. */
const CONTENTS = 24;
/** Entries whose sources a rule remembers, strongest first, and sources of one rule. */
const EVIDENCE = 2_000;
const MOST_SOURCES = 64;

/**
 * Forgets what has decayed, demotes rules that were contradicted, and makes rules of what was confirmed often enough
 * (paper §7). Never two passes at once; looks only at tags that changed since the last pass.
 *
 * @example
 * import { createDreamer } from 'artoo/memory';
 * const dreamer = createDreamer({ store, clock });
 * const { forgotten, demoted, promoted } = await dreamer.dream();
 */
export function createDreamer(options: DreamerOptions): Dreamer {
  const { store, clock, intervalMs = INTERVAL_MS, onAction, onError } = options;
  const consolidating: Consolidating = hasExtras(store) ? store : plainConsolidation(store);
  const stop = new AbortController();
  let running: Promise<DreamReport> | undefined;
  let cancel: (() => void) | undefined;
  let started = false;

  const dream = (): Promise<DreamReport> => {
    running ??= pass({ ...options, consolidating, at: clock.now(), signal: stop.signal })
      .then((report) => {
        const { forgotten, demoted, promoted } = report;
        if (forgotten.length + demoted.length + promoted.length > 0) onAction?.({ forgotten, demoted, promoted });
        return report;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const arm = (): void => {
    if (stop.signal.aborted) return;
    cancel = clock.setTimeout(() => {
      dream().catch((error: unknown) => onError?.(error)).finally(arm).catch(() => undefined);
    }, intervalMs);
  };
  return {
    start(): void {
      if (started) return;
      started = true;
      arm();
    },
    dream,
    async close(): Promise<void> {
      stop.abort();
      cancel?.();
      await running?.catch(() => undefined);
    },
  };
}

interface Pass extends Pick<DreamerOptions, 'store' | 'distil'> { readonly consolidating: Consolidating; readonly at: number; readonly signal: AbortSignal }

type Done = { readonly [K in keyof DreamReport]: DreamReport[K][number][] };

async function pass(options: Pass): Promise<DreamReport> {
  const done: Done = { forgotten: [], demoted: [], promoted: [], left: [] };
  await forget(options, done);
  for (const { space, entity } of await options.store.dirtyTags()) {
    if (options.signal.aborted) break;
    if (entity === undefined) continue;
    const tag = { space, entity };
    const look = await options.consolidating.consolidation(tag, options.at);
    const demoted = await demote(options, look, done);
    const settled = await promote(options, { tag, look, demoted }, done);
    if (settled) await options.consolidating.settle(tag, look.asOf);
  }
  return done;
}

async function forget({ store, at, signal }: Pass, done: Done): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    const due = await store.due(at);
    const [first] = due;
    // A store that names the same entry again did not remove it: the next pass may.
    if (first === undefined || first === last) return;
    last = first;
    for (let start = 0; start < due.length; start += FORGET_CHUNK) {
      const ids = due.slice(start, start + FORGET_CHUNK);
      await store.remove(ids);
      done.forgotten.push(...ids.map((id) => ({ id, why: 'its attention fell under 0.1' })));
    }
  }
}

/** Ids of the rules that lost their standing. */
async function demote({ store }: Pass, look: Consolidation, done: Done): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { rule, decision } of look.rules) {
    const verdict = judgeRule(rule, decision);
    if (!verdict) continue;
    await store.demote(verdict.id, { level: verdict.level, k: verdict.k });
    ids.add(verdict.id);
    done.demoted.push({ id: verdict.id, why: verdict.why });
  }
  return ids;
}

/** True when the tag needs no second look; false when its rule could not be written. */
async function promote(
  { consolidating, at, distil, signal }: Pass,
  { tag, look, demoted }: { readonly tag: Place; readonly look: Consolidation; readonly demoted: ReadonlySet<string> },
  done: Done,
): Promise<boolean> {
  const sigma = promotes(look.fresh);
  if (sigma === undefined) return true;
  const evidence = await consolidating.fresh(tag, { at, limit: EVIDENCE, asOf: look.asOf });
  const sources = evidence.slice(0, CONTENTS);
  const own = look.rules.map(({ rule }) => rule).filter(({ id, origin, sigma: sign }) => !demoted.has(id) && origin.source === DREAMER_SOURCE && Math.sign(sign) === sigma);
  const contents = [...own, ...sources].map(({ content }) => content);
  let content: string;
  try {
    content = distil ? trimRule(await distil({ tag, sigma, contents, signal })) : templateRule(tag, sigma, sources.filter((source) => Math.sign(source.sigma) === sigma).map((source) => source.content));
    if (content === '') throw new Error('the rule came back empty');
  } catch (error) {
    done.left.push({ tag, why: error instanceof Error ? error.message : String(error) });
    return false;
  }
  const { f, why } = ruleNumbers(look.fresh, sigma);
  const rule: Megram = {
    id: `rule/${at}/${look.asOf}`,
    level: 'C',
    createdAt: at,
    lastRecalledAt: null,
    ...tag,
    content,
    state: 'promoted',
    f,
    sigma,
    k: 0,
    origin: { taskId: DREAMER_SOURCE, integrity: 'trusted', source: DREAMER_SOURCE, influencedBy: sourcesOf([...own, ...evidence]) },
  };
  await consolidating.promote(rule, { asOf: look.asOf, supersedes: own.map(({ id }) => id) });
  done.promoted.push({ id: rule.id, why: `${describeTag(tag)}: ${why}` });
  done.forgotten.push(...own.map(({ id }) => ({ id, why: `superseded by ${rule.id}` })));
  return true;
}

/** Whose entries a rule is made of: they are forgotten long before it, and a source may have to be taken out later. */
function sourcesOf(megrams: readonly Megram[]): string[] {
  const sources = megrams.flatMap(({ origin }) => [...(origin.influencedBy ?? []), ...(origin.source === DREAMER_SOURCE ? [] : [origin.source])]);
  return [...new Set(sources)].slice(0, MOST_SOURCES);
}
