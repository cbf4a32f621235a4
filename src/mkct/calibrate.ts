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

interface Draft { readonly constraint: PlanConstraint; readonly weight: number }

const MOST_LESSONS = 8;

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
    const said = new Set(rules.map(({ constraint }) => constraint.kind));
    drafts.push(...rules, ...fromPotentials(known).filter(({ constraint }) => !said.has(constraint.kind)));
  }
  for (const known of recollection.related) drafts.push(...fromRelated(known));
  drafts.sort((a, b) => b.weight - a.weight);

  const laws = options.laws ?? [];
  const blocked = new Set([...(options.blockedTools ?? []), ...laws.filter(isToolBan).map(({ tool }) => tool)]);
  const kept = vetoed(weakened(drafts, { tools: options.tools, blocked, log }), { laws, blocked, log });
  const constraints = unique([...laws.map((constraint) => ({ constraint, weight: Infinity })), ...kept]).map(({ constraint }) => constraint);
  const bans = constraints.filter(({ kind }) => kind === 'must_not');
  return {
    constraints: constraints.slice(0, MOST_CONSTRAINTS),
    mustNot: {
      tools: distinct([...blocked, ...bans.filter(isToolBan).map(({ tool }) => tool)]),
      targets: distinct([...(options.blockedTargets ?? []), ...bans.flatMap(({ tool, target }) => (tool === undefined && target !== undefined ? [target] : []))]),
      pairs: bans.flatMap(({ tool, target }) => (tool !== undefined && target !== undefined ? [{ tool, target }] : [])),
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

function fromPotentials(known: TagRecollection): readonly Draft[] {
  const action = actionOf(known);
  if (action === 'ignore') return [];
  const place = placeOf(known.tag);
  // Blocked paths have no valence: many of them say nothing against the tool itself.
  if (action === 'caution' && place.tool !== undefined && place.target === undefined && known.valenced < ATTENTION_THRESHOLD) return [];
  const kind = action === 'exploit' ? 'prefer' : action === 'avoid' ? 'must_not' : 'caution';
  return [{ constraint: { kind, text: evidenceText(kind, known), ...place, source: `memory of ${describeTag(known.tag)}` }, weight: weightOf(kind, known.all) }];
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
    drafts.push({ constraint: { kind, text: ruleText(kind, rule), ...placeOf(known.tag), source: `rule ${rule.id}` }, weight: weightOf(kind, known.all) + 1 });
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
  const source = `memory of a related task, ${describeTag(known.tag)} (${Math.round(known.overlap * 100)}% alike)`;
  const draft = (kind: PlanConstraint['kind'], text: (kind: PlanConstraint['kind']) => string): Draft => {
    const softened = kind === 'must_not' && known.overlap < CLOSE_OVERLAP ? 'caution' : kind;
    return { constraint: { kind: softened, text: text(softened), source }, weight: weightOf(softened, known.all) * known.overlap };
  };
  const rules = known.rules
    .filter((rule) => rule.origin.integrity === 'trusted' && !isContradicted(rule.sigma > 0 ? 'prefer' : 'must_not', known))
    .map((rule) => draft(rule.sigma > 0 ? 'prefer' : 'must_not', (kind) => ruleText(kind, rule)));
  const action = actionOf(known);
  if (rules.length > 0 || action === 'ignore') return rules;
  return [draft(action === 'exploit' ? 'prefer' : action === 'avoid' ? 'must_not' : 'caution', (kind) => evidenceText(kind, known, known))];
}

/** A ban on the last tool that is left becomes a caution: memory may make careful, never helpless. Strongest bans first. */
function weakened(drafts: readonly Draft[], options: { readonly tools: readonly string[]; readonly blocked: ReadonlySet<string>; readonly log: string[] }): readonly Draft[] {
  const left = new Set(options.tools.filter((tool) => !options.blocked.has(tool)));
  return drafts.map((draft) => {
    const { constraint } = draft;
    if (constraint.kind !== 'must_not' || !isToolBan(constraint) || !left.has(constraint.tool)) return draft;
    if (left.size > 1) {
      left.delete(constraint.tool);
      return draft;
    }
    options.log.push(`MUST NOT use ${constraint.tool} is weakened to CAUTION: it would leave no tool at all.`);
    return { ...draft, constraint: { ...constraint, kind: 'caution' as const, text: constraint.text.replace(/^MUST NOT/, 'CAUTION: it is the only tool left. Avoid if at all possible:') } };
  });
}

/** T over all: nothing is recommended that a law or a blocked set forbids. */
function vetoed(drafts: readonly Draft[], options: { readonly laws: readonly PlanConstraint[]; readonly blocked: ReadonlySet<string>; readonly log: string[] }): readonly Draft[] {
  const banned = new Set([...options.blocked, ...drafts.map(({ constraint }) => constraint).filter((constraint) => constraint.kind === 'must_not' && isToolBan(constraint)).map(({ tool }) => tool)]);
  return drafts.filter(({ constraint }) => {
    if (constraint.kind !== 'prefer' || constraint.tool === undefined) return true;
    const law = options.laws.some((other) => other.kind === 'must_not' && (other.tool ?? constraint.tool) === constraint.tool && (other.target ?? constraint.target) === constraint.target && (other.tool !== undefined || other.target !== undefined));
    if (!law && !banned.has(constraint.tool)) return true;
    options.log.push(`SHOULD PREFER ${constraint.tool} is left out: ${law ? 'a law' : 'a MUST NOT'} stands above it.`);
    return false;
  });
}

function lessonsOf(recollection: Recollection): readonly Lesson[] {
  const sorted = [...recollection.tags, ...recollection.related]
    .flatMap(({ tag, lessons }) => lessons.map((megram) => ({ tag, megram })))
    .concat(recollection.knowledge.map((megram) => ({ tag: { space: megram.space, entity: megram.entity }, megram })));
  const lessons = new Map<string, Lesson>();
  for (const { tag, megram } of sorted) {
    if (lessons.size < MOST_LESSONS && !lessons.has(megram.id)) {
      lessons.set(megram.id, { tag, content: megram.content, sigma: megram.sigma, integrity: megram.origin.integrity, id: megram.id });
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

function isToolBan(constraint: PlanConstraint): constraint is PlanConstraint & { tool: string } {
  return constraint.kind === 'must_not' && constraint.tool !== undefined && constraint.target === undefined;
}

function unique(drafts: readonly Draft[]): readonly Draft[] {
  return [...new Map(drafts.map((draft) => [JSON.stringify([draft.constraint.kind, draft.constraint.text, draft.constraint.tool, draft.constraint.target]), draft])).values()];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
