import * as z from 'zod/mini';
import {
  memoryBansSchema, memoryPotentialSchema, memoryRuleSchema, planConstraintSchema, type MemoryReply,
} from '../../contracts/memory-messages.js';
import { cleanText, headTail } from '../../text/index.js';

/** What a reply may hold, whoever wrote the store: more is cut off. Lengths in characters. */
const MOST_CONSTRAINTS = 10;
const MOST_ITEMS = 100;
const MOST_BANS = 1_000;
const MOST_LESSONS = 16;
const MOST_IDS = 10;
const MOST_SOURCES = 64;
const LONGEST_LINE = 800;
const LONGEST_ID = 1_000;
const LONGEST_LESSON = 2_000;
/** Longer names of tools and targets are dropped: cut, they would name something else. */
const LONGEST_NAME = 20_000;

const TEXT = z.string();

type Bans = NonNullable<MemoryReply['mustNot']>;

/**
 * What a store answered, item by item: what is none is left out and counted in the log, what is too much is cut. Throws
 * for what is no reply at all.
 */
export function checkedReply(value: unknown): MemoryReply {
  if (typeof value !== 'object' || value === null) throw new TypeError('the store answered with no reply');
  const given = value as Record<string, unknown>;
  let dropped = 0;
  const take = <T>(items: unknown, schema: z.ZodMiniType<T>, most: number): T[] => {
    if (items === undefined) return [];
    if (!Array.isArray(items)) {
      dropped += 1;
      return [];
    }
    const kept: T[] = [];
    for (const item of (items as readonly unknown[]).slice(0, most)) {
      const parsed = z.safeParse(schema, item);
      if (parsed.success) kept.push(parsed.data);
      else dropped += 1;
    }
    return kept;
  };
  const constraints = take(given['constraints'], planConstraintSchema, MOST_CONSTRAINTS)
    .filter(({ tool = '', target = '' }) => fits(tool) && fits(target))
    .map(({ megramIds, ...constraint }) => ({ ...constraint, text: line(constraint.text), ...(megramIds ? { megramIds: megramIds.filter(isId).slice(0, MOST_IDS) } : {}) }));
  const sops = take(given['sops'], memoryRuleSchema, MOST_ITEMS).map((rule) => ({ ...rule, content: headTail(rule.content, { max: LONGEST_LESSON }) }));
  const potentials = take(given['potentials'], memoryPotentialSchema, MOST_ITEMS);
  const lessons = take(given['lessons'], TEXT, MOST_LESSONS).map((lesson) => headTail(lesson, { max: LONGEST_LESSON }));
  const lessonIds = take(given['lessonIds'], TEXT, MOST_LESSONS).filter(isId);
  // A list with a gap would name the wrong entries.
  const aligned = lessons.length > 0 && [given['lessons'], given['lessonIds'], lessonIds].every((list) => (list as readonly unknown[] | undefined)?.length === lessons.length);
  const influencedBy = take(given['influencedBy'], TEXT, MOST_SOURCES).map(line).filter((source) => source !== '');
  const bans = given['mustNot'] === undefined ? undefined : take([given['mustNot']], memoryBansSchema, 1)[0];
  const log = take(given['log'], TEXT, MOST_ITEMS).map(line);
  if (dropped > 0) log.push(`The store gave ${dropped} items that could not be read; they were left out.`);
  return {
    sops, potentials, constraints,
    ...(bans ? { mustNot: cappedBans(bans) } : {}),
    ...(lessons.length > 0 ? { lessons } : {}),
    ...(aligned ? { lessonIds } : {}),
    ...(log.length > 0 ? { log } : {}),
    ...(given['untrusted'] === true ? { untrusted: true } : {}),
    ...(influencedBy.length > 0 ? { influencedBy } : {}),
  };
}

function cappedBans({ tools, targets, pairs }: Bans): Bans {
  return {
    tools: tools.filter(fits).slice(0, MOST_BANS),
    targets: targets.filter(fits).slice(0, MOST_BANS),
    pairs: pairs.filter(({ tool, target }) => fits(tool) && fits(target)).slice(0, MOST_BANS),
  };
}

function isId(id: string): boolean {
  return id !== '' && id.length <= LONGEST_ID;
}

function fits(name: string): boolean {
  return name.length <= LONGEST_NAME;
}

/** On one line, so that a constraint can't pretend to be several. */
function line(text: string): string {
  return headTail(cleanText(text.slice(0, LONGEST_LINE * 4)).replace(/\s+/g, ' ').trim(), { max: LONGEST_LINE }).replace(/\s*\n\s*/g, ' ');
}
