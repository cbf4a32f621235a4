import type { MemoryTag, Megram, PlanConstraint } from '../contracts/messages.js';
import { classify, ATTENTION_THRESHOLD, DECISION_THRESHOLD, type Action, type Channels } from './potentials.js';
import { evidenceText, ruleText, describeTag } from './constraint-text.js';
import type { Recollection, RelatedIntent, TagRecollection } from './recollection.js';
import { targetOfEntity, toolOfSpace } from './tags.js';

/** Constraints that a plan gets to see. */
export const MOST_CONSTRAINTS = 10;
/** From this overlap on, a related intent's failures are a MUST NOT; below, they are a CAUTION. */
export const CLOSE_OVERLAP = 0.5;

/** A piece of the past to be shown as data, fenced and labelled, never as an instruction. */
export interface Lesson { readonly tag: MemoryTag; readonly content: string; readonly sigma: number; readonly integrity: Megram['origin']['integrity']; readonly id: string }

/** Tools and targets that code must refuse. A pair is refused together only. */
export interface MustNot {
  readonly tools: readonly string[];
  readonly targets: readonly string[];
  readonly pairs: readonly { readonly tool: string; readonly target: string }[];
}

/** What a plan has to respect. */
export interface Calibration {
  /** At most ten, weightiest first. Their text is written by code; only rules are quoted in it. */
  readonly constraints: readonly PlanConstraint[];
  readonly mustNot: MustNot;
  /** Tools that need the host's confirmation in this task. */
  readonly cautionTools: readonly string[];
  readonly lessons: readonly Lesson[];
  /** Conflicts and what became of them, one line each. */
  readonly log: readonly string[];
}

/** What calibration needs beside memory. */
export interface CalibrationOptions {
  /** Tools that the task may use. */
  readonly tools: readonly string[];
  readonly blockedTools?: readonly string[];
  readonly blockedTargets?: readonly string[];
  /** T level: constraints that no memory can override. */
  readonly laws?: readonly PlanConstraint[];
}

type Kind = PlanConstraint['kind'];
type Words = Omit<PlanConstraint, 'kind' | 'tool' | 'target'>;

/** A constraint in the making. Its words are written only if it is kept: most are not among the ten. */
interface Draft extends Pick<PlanConstraint, 'kind' | 'tool' | 'target'> {
  readonly weight: number;
  /** Two drafts with the same key say the same. */
  readonly key: string;
  readonly words: () => Words;
}

const MOST_LESSONS = 8;
/** Entries named for one constraint. */
const MOST_SPEAKERS = 3;

/**
 * Turns what memory holds into constraints for one plan, without a model (paper §6.5). Exploit is SHOULD PREFER, avoid
 * MUST NOT, caution CAUTION; rules follow their sign. Live evidence silences a rule that it contradicts (M over C), laws
 * and blocked sets silence memory (T over all), and a MUST NOT that would leave no tool becomes a CAUTION. Untrusted
 * entries can make a plan more careful; they never make it prefer anything and never lift a MUST NOT.
 *
 * @example
 * import { calibrate, recollect } from 'artoo/memory';
 * const { constraints, mustNot } = calibrate(await recollect(store, query), { tools: ['grep', 'shell'] });
 */
export function calibrate(recollection: Recollection, options: CalibrationOptions): Calibration {
  const log: string[] = [];
  const drafts: Draft[] = [];
  for (const known of recollection.tags) {
    const rules = fromRules(known, log);
    // A rule says the same in better words: it takes the place of the bare numbers.
    const said = new Set(rules.map(({ kind }) => kind));
    drafts.push(...rules, ...fromPotentials(known, recollection.tags).filter(({ kind }) => !said.has(kind)));
  }
  for (const known of recollection.related) drafts.push(...fromRelated(known));
  drafts.sort((a, b) => b.weight - a.weight);

  const laws = options.laws ?? [];
  const blocked = new Set([...(options.blockedTools ?? []), ...laws.filter(isToolBan).map(({ tool }) => tool)]);
  const kept = vetoed(weakened(drafts, { tools: options.tools, blocked, log }), { laws, blocked, log });
  const constraints = [...new Map([...laws.map(asDraft), ...kept].map((draft) => [draft.key, draft])).values()];
  const bans = constraints.filter(({ kind }) => kind === 'must_not');
  return {
    constraints: constraints.slice(0, MOST_CONSTRAINTS).map(written),
    mustNot: {
      tools: distinct([...blocked, ...bans.filter(isToolBan).map(({ tool }) => tool)]),
      targets: distinct([...(options.blockedTargets ?? []), ...bans.flatMap(({ tool, target }) => (tool === undefined && target !== undefined ? [target] : []))]),
      pairs: [...new Map(bans.flatMap(({ tool, target }) => (tool !== undefined && target !== undefined ? [[JSON.stringify([tool, target]), { tool, target }]] : []))).values()],
    },
    cautionTools: distinct(constraints.flatMap(({ kind, tool, target }) => (kind === 'caution' && tool !== undefined && target === undefined ? [tool] : []))),
    lessons: lessonsOf(recollection),
    log,
  };
}

/** The action of a tag: untrusted entries count where they make it more careful, and not where they would encourage. */
function actionOf({ all, trusted }: { readonly all: Channels; readonly trusted: Channels }): Action {
  const [total, sure] = [classify(all), classify(trusted)];
  if (sure === 'avoid' || total === 'avoid') return 'avoid';
  if (sure === 'caution' || total === 'caution') return 'caution';
  return sure === 'exploit' ? 'exploit' : 'ignore';
}

function fromPotentials(known: TagRecollection, all: readonly TagRecollection[]): readonly Draft[] {
  const action = actionOf(known);
  if (action === 'ignore') return [];
  const place = placeOf(known.tag);
  // Blocked paths have no valence: many of them say nothing against the tool itself.
  if (action === 'caution' && place.tool !== undefined && place.target === undefined && known.valenced < ATTENTION_THRESHOLD) return [];
  const kind = action === 'exploit' ? 'prefer' : action === 'avoid' ? 'must_not' : 'caution';
  const words = (): Words => ({ text: evidenceText(kind, known), source: `memory of ${describeTag(known.tag)}`, ...speakersFor(kind, known, all) });
  return [{ kind, ...place, weight: weightOf(kind, known.all), key: JSON.stringify([kind, known.tag.space, known.tag.entity]), words }];
}

/** The entries that speak for a constraint. Those of a whole tool stand under its targets. */
function speakersFor(kind: PlanConstraint['kind'], known: TagRecollection, all: readonly TagRecollection[]): { readonly megramIds?: string[] } {
  const places = known.tag.entity === undefined ? all.filter(({ tag }) => tag.space === known.tag.space) : [known];
  const side = kind === 'prefer' ? 1 : -1;
  const ids = places.flatMap(({ lessons }) => lessons).filter(({ sigma }) => kind === 'caution' || Math.sign(sigma) === side).map(({ id }) => id);
  return ids.length === 0 ? {} : { megramIds: [...new Set(ids)].slice(0, MOST_SPEAKERS) };
}

function fromRules(known: TagRecollection, log: string[]): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const rule of known.rules) {
    if (rule.origin.integrity !== 'trusted') continue;
    const kind = rule.sigma > 0 ? 'prefer' : 'must_not';
    if (isContradicted(kind, known)) {
      log.push(`The rule ${rule.id} about ${describeTag(known.tag)} is left out: live evidence (attention ${known.all.attention.toFixed(2)}, decision ${known.all.decision.toFixed(2)}) points the other way.`);
      continue;
    }
    const words = (): Words => ({ text: ruleText(kind, rule), source: `rule ${rule.id}`, megramIds: [rule.id] });
    drafts.push({ kind, ...placeOf(known.tag), weight: weightOf(kind, known.all) + 1, key: JSON.stringify([kind, rule.content, known.tag.space, known.tag.entity]), words });
  }
  return drafts;
}

/** M over C. Only trusted evidence lifts a ban; any evidence takes a recommendation back. */
function isContradicted(kind: 'prefer' | 'must_not', { all, trusted }: TagRecollection): boolean {
  if (kind === 'must_not') return trusted.attention >= ATTENTION_THRESHOLD && trusted.decision > DECISION_THRESHOLD;
  return [all, trusted].some(({ attention, decision }) => attention >= ATTENTION_THRESHOLD && decision < -DECISION_THRESHOLD);
}

/** What related kinds of tasks say. Their past is a hint: only a close relative's failure is a MUST NOT. */
function fromRelated(known: RelatedIntent & TagRecollection): readonly Draft[] {
  const draft = (asked: Kind, text: (kind: Kind) => string, rule?: Megram): Draft => {
    const kind = asked === 'must_not' && known.overlap < CLOSE_OVERLAP ? 'caution' : asked;
    const words = (): Words => ({
      text: text(kind), source: `memory of a related task, ${describeTag(known.tag)} (${Math.round(known.overlap * 100)}% alike)`,
      ...(rule ? { megramIds: [rule.id] } : speakersFor(kind, known, [known])),
    });
    return { kind, weight: weightOf(kind, known.all) * known.overlap, key: JSON.stringify(['related', kind, known.tag.space, rule?.content]), words };
  };
  const rules = known.rules
    .filter((rule) => rule.origin.integrity === 'trusted' && !isContradicted(rule.sigma > 0 ? 'prefer' : 'must_not', known))
    .map((rule) => draft(rule.sigma > 0 ? 'prefer' : 'must_not', (kind) => ruleText(kind, rule), rule));
  const action = actionOf(known);
  if (rules.length > 0 || action === 'ignore') return rules;
  return [draft(action === 'exploit' ? 'prefer' : action === 'avoid' ? 'must_not' : 'caution', (kind) => evidenceText(kind, known, known))];
}

/** A ban on the last tool that is left becomes a caution: memory may make careful, never helpless. Strongest bans first. */
function weakened(drafts: readonly Draft[], options: { readonly tools: readonly string[]; readonly blocked: ReadonlySet<string>; readonly log: string[] }): readonly Draft[] {
  const left = new Set(options.tools.filter((tool) => !options.blocked.has(tool)));
  return drafts.map((draft) => {
    if (!isToolBan(draft) || !left.has(draft.tool)) return draft;
    if (left.size > 1) {
      left.delete(draft.tool);
      return draft;
    }
    options.log.push(`MUST NOT use ${draft.tool} is weakened to CAUTION: it would leave no tool at all.`);
    const words = (): Words => {
      const before = draft.words();
      return { ...before, text: before.text.replace(/^MUST NOT/, 'CAUTION: it is the only tool left. Avoid if at all possible:') };
    };
    return { ...draft, kind: 'caution', key: `weakened ${draft.key}`, words };
  });
}

/** T over all: nothing is recommended that a law or a blocked set forbids. */
function vetoed(drafts: readonly Draft[], options: { readonly laws: readonly PlanConstraint[]; readonly blocked: ReadonlySet<string>; readonly log: string[] }): readonly Draft[] {
  const banned = new Set([...options.blocked, ...drafts.filter(isToolBan).map(({ tool }) => tool)]);
  return drafts.filter(({ kind, tool, target }) => {
    if (kind !== 'prefer' || tool === undefined) return true;
    const law = options.laws.some((other) => other.kind === 'must_not' && (other.tool ?? tool) === tool && (other.target ?? target) === target && (other.tool !== undefined || other.target !== undefined));
    if (!law && !banned.has(tool)) return true;
    options.log.push(`SHOULD PREFER ${tool} is left out: ${law ? 'a law' : 'a MUST NOT'} stands above it.`);
    return false;
  });
}

function lessonsOf(recollection: Recollection): readonly Lesson[] {
  const sorted = [...recollection.tags, ...recollection.related]
    .flatMap(({ tag, lessons }) => lessons.map((megram) => ({ tag, megram })))
    .concat(recollection.knowledge.map((megram) => ({ tag: { space: megram.space, entity: megram.entity }, megram })));
  // The same thing learned twice is one lesson: it must not take the place of another.
  const lessons = new Map<string, Lesson>();
  for (const { tag, megram } of sorted) {
    const said = JSON.stringify([megram.space, megram.entity, megram.content]);
    if (lessons.size < MOST_LESSONS && !lessons.has(said)) {
      lessons.set(said, { tag, content: megram.content, sigma: megram.sigma, integrity: megram.origin.integrity, id: megram.id });
    }
  }
  return [...lessons.values()];
}

/** Bans before cautions before recommendations; within, the stronger evidence first. */
function weightOf(kind: PlanConstraint['kind'], { attention, decision }: Channels): number {
  const rank = kind === 'must_not' ? 2 : kind === 'caution' ? 1 : 0;
  const strength = attention + Math.abs(decision);
  return rank * 1_000 + Math.min(999, strength);
}

function placeOf(tag: MemoryTag): { readonly tool?: string; readonly target?: string } {
  const tool = toolOfSpace(tag.space);
  if (tool === undefined) return {};
  const target = targetOfEntity(tag.entity);
  return target === undefined ? { tool } : { tool, target };
}

function isToolBan<T extends Pick<PlanConstraint, 'kind' | 'tool' | 'target'>>(constraint: T): constraint is T & { tool: string } {
  return constraint.kind === 'must_not' && constraint.tool !== undefined && constraint.target === undefined;
}

/** A law is worded already. */
function asDraft({ kind, tool, target, ...words }: PlanConstraint): Draft {
  return { kind, ...(tool === undefined ? {} : { tool }), ...(target === undefined ? {} : { target }), weight: Infinity, key: JSON.stringify([kind, words.text, tool, target]), words: () => words };
}

function written({ kind, tool, target, words }: Draft): PlanConstraint {
  return { kind, ...(tool === undefined ? {} : { tool }), ...(target === undefined ? {} : { target }), ...words() };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
