import type { MemoryStore, MemoryTag, Megram } from '../contracts/memory.js';
import { classify } from '../mkct/potentials.js';
import type { Recollection, RelatedIntent, TagRecollection } from '../mkct/recollection.js';
import { isEnvironmentSpace, slugOfSpace, targetOfEntity, toolOfSpace, toolPlace, type Place } from '../mkct/tags.js';
import { relatedByScan, weighEntries } from './foreign.js';
import { hasExtras, type Weighed } from './store-types.js';

/** What to look up for one plan: the payload of a MemoryQuery, at a moment in epoch ms. */
export interface RecollectQuery {
  /** The intent's place and a tag for each tool; targets may be named, the strongest are looked up anyway. */
  readonly tags: readonly MemoryTag[];
  /** The text whose relatives are looked up. */
  readonly intent?: string | undefined;
  readonly at: number;
  /** Finds related kinds of tasks instead of shared words, see `relatedByMeaning`. */
  readonly related?: ((store: MemoryStore, intent: string, limit: number) => Promise<readonly RelatedIntent[]>) | undefined;
}

const TARGETS_PER_TOOL = 3;
const MOST_TARGETS = 16;
const MOST_RELATED = 3;
const MOST_KNOWLEDGE = 5;
/** Paths of an intent that are looked up, and how far into it they are looked for. */
const MOST_NAMED = 4;
const LONGEST_INTENT = 4_000;
const LESSONS = 6;
const LESSONS_PER_TARGET = 2;

/**
 * Reads what calibration needs: the tags, the targets with the strongest history, related kinds of tasks, and knowledge
 * of the surroundings. Works on any MemoryStore; one without extras is read entry by entry, checked and capped.
 *
 * @throws what the store rejects with.
 * @example
 * import { calibrate, intentPlace, recollect, toolTag } from 'artoo/memory';
 * const query = { tags: [intentPlace('count_lines', 'local'), toolTag('grep')], intent: 'count lines', at: Date.now() };
 * const plan = calibrate(await recollect(store, query), { tools: ['grep'] });
 */
export async function recollect(store: MemoryStore, query: RecollectQuery): Promise<Recollection> {
  const { at } = query;
  const weigh = (tag: MemoryTag, lessons: number): Promise<Weighed> => (hasExtras(store) ? store.weigh(tag, at, { lessons }) : weighEntries(store, tag, { at, lessons }));
  // What there is to tell of a tool stands under its targets.
  const asked = await Promise.all(query.tags.map((tag) => weigh(tag, tag.entity === undefined && toolOfSpace(tag.space) !== undefined ? 0 : LESSONS)));
  const targets = await Promise.all(targetsOf(asked).map((tag) => weigh(tag, LESSONS_PER_TARGET)));
  const own = query.tags.find(({ space }) => slugOfSpace(space) !== undefined);
  const related = await relatedTo(store, query, own);
  const relatives = await Promise.all(related.map(async (relative) => ({ ...relative, ...(await weigh(own?.entity === undefined ? { space: relative.space } : { space: relative.space, entity: own.entity }, LESSONS_PER_TARGET)) })));
  return {
    at,
    tags: [...asked.map(withoutTargetRules), ...targets.filter(({ all, rules }) => rules.length > 0 || classify(all) !== 'ignore')],
    related: relatives,
    knowledge: await knowledgeOf(own, query.intent ?? '', weigh),
  };
}

/** The targets worth a look: each tool's strongest, and those that have a rule. */
function targetsOf(asked: readonly Weighed[]): readonly Place[] {
  const known = new Set(asked.map(({ tag }) => placeKey(tag)));
  const places = new Map<string, Place>();
  for (const { tag, entities, rules } of asked) {
    if (tag.entity !== undefined || toolOfSpace(tag.space) === undefined) continue;
    const ruled = rules.map(({ entity }) => entity).filter((entity) => targetOfEntity(entity) !== undefined);
    for (const entity of [...ruled, ...entities.slice(0, TARGETS_PER_TOOL)]) {
      const place = { space: tag.space, entity };
      if (!known.has(placeKey(place)) && places.size < MOST_TARGETS) places.set(placeKey(place), place);
    }
  }
  return [...places.values()];
}

/** A rule about one target stands under that target, not under the whole tool. */
function withoutTargetRules(known: Weighed): TagRecollection {
  if (known.tag.entity !== undefined) return known;
  return { ...known, rules: known.rules.filter(({ entity }) => targetOfEntity(entity) === undefined) };
}

async function relatedTo(store: MemoryStore, { intent, related }: RecollectQuery, own: MemoryTag | undefined): Promise<readonly RelatedIntent[]> {
  if (intent === undefined || intent.trim() === '') return [];
  const limit = MOST_RELATED + 1;
  const found = await (related ? related(store, intent, limit) : relatedByWords(store, intent, limit));
  return found.filter(({ space }) => space !== own?.space).slice(0, MOST_RELATED);
}

/** Kinds of tasks that share words with a text, closest first. */
export function relatedByWords(store: MemoryStore, intent: string, limit: number): Promise<readonly RelatedIntent[]> {
  return hasExtras(store) ? store.related(intent, { limit }) : relatedByScan(store, intent, limit);
}

/** What is known of the things that the intent names, and the strongest of the rest. */
async function knowledgeOf(own: MemoryTag | undefined, intent: string, weigh: (tag: MemoryTag, lessons: number) => Promise<Weighed>): Promise<readonly Megram[]> {
  const space = own?.entity;
  if (space === undefined || !isEnvironmentSpace(space)) return [];
  const named = await Promise.all(pathsNamedIn(intent).map((path) => weigh({ space, entity: toolPlace('', path).entity }, 1)));
  const { lessons } = await weigh({ space }, MOST_KNOWLEDGE);
  const found = new Map([...named.flatMap((known) => known.lessons), ...lessons].filter(({ level }) => level === 'K').map((megram) => [megram.id, megram]));
  return [...found.values()].slice(0, MOST_KNOWLEDGE);
}

/** Words that look like paths, as they stand in the text and without the marks around them. */
function pathsNamedIn(intent: string): readonly string[] {
  const words = intent.slice(0, LONGEST_INTENT).split(/\s+/u).map((word) => word.replace(/^["'`(\[{<]+|["'`)\]}>.,;:!?]+$/gu, ''));
  return [...new Set(words.filter((word) => /[^./\\][./\\][^./\\]/u.test(word)))].slice(0, MOST_NAMED);
}

function placeKey({ space, entity }: MemoryTag): string {
  return JSON.stringify([space, entity]);
}
