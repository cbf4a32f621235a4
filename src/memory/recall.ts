import type { MemoryStore, RecallQuery } from '../contracts/memory.js';
import type { MemoryReply, Megram } from '../contracts/messages.js';
import { calibrate, type Lesson } from '../mkct/calibrate.js';
import { describeTag } from '../mkct/constraint-text.js';
import { classify } from '../mkct/potentials.js';
import type { Recollection, RelatedIntent, TagRecollection } from '../mkct/recollection.js';
import { toolOfSpace } from '../mkct/tags.js';
import { headTail } from '../text/head-tail.js';
import { recollect, relatedByWords } from './recollect.js';
import { relatedByMeaning } from './related-by-meaning.js';
import { untrustedSources } from './sources.js';

/** Of one lesson, in characters. */
const LONGEST_LESSON = 800;
const MOST_KNOWLEDGE = 3;
const MOST_SOURCES = 64;

/**
 * Everything that memory has to say about one plan, for any store: reads what belongs to the question and calibrates it.
 * This is what `recall` of the stores in artoo/memory does; a store of your own can hand its question on to it.
 *
 * `constraints` are written by code, at most ten. `lessons` are the words of earlier tasks, what is known of the
 * surroundings last: to be fenced, never obeyed. `log` says what was left out and why.
 *
 * @throws what the store rejects with.
 * @example
 * import { intentPlace, recall, toolTag } from 'artoo/memory';
 * const tags = [intentPlace('count_lines', 'local'), toolTag('grep')];
 * const { constraints, lessons } = await recall(store, { tags, intent: 'count the lines', at: Date.now() });
 */
export async function recall(store: MemoryStore, query: RecallQuery): Promise<MemoryReply> {
  const { tags, intent, at, embed } = query;
  const log: string[] = [];
  const byMeaning = embed && relatedByMeaning(embed);
  const related = byMeaning && (async (from: MemoryStore, text: string, limit: number): Promise<readonly RelatedIntent[]> => {
    try {
      return await byMeaning(from, text);
    } catch (error) {
      log.push(`Related tasks were looked up by shared words, since the embedding failed: ${error instanceof Error ? error.message : String(error)}`);
      return relatedByWords(from, text, limit);
    }
  });
  const recollection = await recollect(store, { tags, intent, at, related });
  const named = tags.flatMap(({ space }) => toolOfSpace(space) ?? []);
  const tools = query.tools ?? [...new Set(named)];
  const calibrated = calibrate(recollection, { tools, blockedTools: named.filter((tool) => !tools.includes(tool)) });
  const lessons = withKnowledge(calibrated.lessons, recollection);
  const known = [...recollection.tags, ...recollection.related];
  const { mustNot } = calibrated;
  return {
    sops: known.flatMap(({ tag, rules }) => rules.map(({ content, sigma }) => ({ tag, content, sigma }))),
    potentials: known.flatMap(({ tag, all }) => {
      const action = classify(all);
      return action === 'ignore' ? [] : [{ tag, attention: all.attention, decision: all.decision, action }];
    }),
    constraints: [...calibrated.constraints],
    mustNot: { tools: [...mustNot.tools], targets: [...mustNot.targets], pairs: [...mustNot.pairs] },
    lessons: lessons.map(lessonText),
    lessonIds: lessons.map(({ id }) => id),
    log: [...log, ...calibrated.log],
    ...influences([...known.flatMap((tag) => tag.lessons), ...recollection.knowledge]),
    untrusted: lessons.some(({ integrity }) => integrity === 'untrusted') || known.some(swayedByUntrusted),
  };
}

/** What is known of the surroundings has its own places: the lessons of tasks would leave none. */
function withKnowledge(lessons: readonly Lesson[], { knowledge }: Recollection): readonly Lesson[] {
  const ids = new Set(knowledge.map(({ id }) => id));
  return [
    ...lessons.filter(({ id }) => !ids.has(id)),
    ...distinctKnowledge(knowledge).slice(0, MOST_KNOWLEDGE).map(({ id, space, entity, content, sigma, origin }) => ({ tag: { space, entity }, content, sigma, integrity: origin.integrity, id })),
  ];
}

/** What was learned in several tasks is told once. */
function distinctKnowledge(knowledge: Recollection['knowledge']): Recollection['knowledge'] {
  const said = new Set<string>();
  return knowledge.filter(({ entity, content }) => {
    const what = JSON.stringify([entity, content]);
    return !said.has(what) && said.add(what);
  });
}

function lessonText({ tag, content, integrity }: Lesson): string {
  return `${describeTag(tag)}${integrity === 'untrusted' ? ' (nobody vouched for this)' : ''}: ${headTail(content, { max: LONGEST_LESSON })}`;
}

/** Where the untrusted entries that were looked at came from: whoever reads of them is influenced by the same. */
function influences(megrams: readonly Megram[]): { readonly influencedBy?: string[] } {
  const sources = [...new Set(megrams.flatMap(untrustedSources))];
  return sources.length === 0 ? {} : { influencedBy: sources.slice(0, MOST_SOURCES) };
}

/** A constraint that trusted entries alone would not have brought about. */
function swayedByUntrusted({ all, trusted }: TagRecollection): boolean {
  return classify(all) !== classify(trusted);
}
