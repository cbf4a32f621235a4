import type { Megram, MemoryTag } from '../contracts/messages.js';
import { collectAfterDays, ageInDays, decayStart } from './decay.js';
import { potentials, type Channels } from './potentials.js';

/** Attention that a tag needs to become a rule. */
export const PROMOTE_ATTENTION = 5;
/** Decision, either way, that a tag needs to become a rule. */
export const PROMOTE_DECISION = 3;
/** Decay per day of a rule that went bankrupt. */
export const BANKRUPT_K = 0.05;

/** Delete an entry that has decayed. */
export interface ForgetOperation { readonly kind: 'forget'; readonly id: string; readonly why: string }
/** Take a rule's timelessness away. */
export interface DemoteOperation { readonly kind: 'demote'; readonly id: string; readonly level: 'K'; readonly k: number; readonly why: string }
/** Make one rule of what a tag holds. `sigma` is its direction, `f` how much of the evidence agrees. */
export interface PromoteOperation {
  readonly kind: 'promote';
  readonly space: string;
  readonly entity: string;
  readonly sigma: 1 | -1;
  readonly f: number;
  readonly sources: readonly string[];
  readonly why: string;
}

type Decayer = Pick<Megram, 'id' | 'level' | 'createdAt' | 'lastRecalledAt' | 'f' | 'k'>;

/**
 * Which entries are to be forgotten at a moment: M and K entries whose own attention has fallen to 0.1 (paper §7.1).
 *
 * @example
 * import { planForget } from 'artoo/memory';
 * planForget(megrams, Date.now()); // [{ kind: 'forget', id: '…', why: '…' }]
 */
export function planForget(megrams: Iterable<Decayer>, at: number): readonly ForgetOperation[] {
  const operations: ForgetOperation[] = [];
  for (const megram of megrams) {
    const days = ageInDays(decayStart(megram), at);
    const limit = collectAfterDays(megram);
    if ((megram.level === 'M' || megram.level === 'K') && days >= limit) {
      operations.push({ kind: 'forget', id: megram.id, why: `attention fell under 0.1 after ${limit.toFixed(1)} days` });
    }
  }
  return operations;
}

/**
 * How far a rule is carried by what happened since it was made: |σ|·f + sgn(σ)·(decision of that evidence). Measured
 * along the rule's own sign, so that a rule against something isn't lost for being negative.
 */
export function supportOf(rule: { readonly f: number; readonly sigma: number }, decision: number): number {
  return Math.abs(rule.sigma) * rule.f + Math.sign(rule.sigma) * decision;
}

/** The verdict on one rule, given the decision potential of the evidence since it was made. */
export function judgeRule(rule: Pick<Megram, 'id' | 'f' | 'sigma'>, decision: number): DemoteOperation | undefined {
  const support = supportOf(rule, decision);
  if (support >= 0) return undefined;
  return { kind: 'demote', id: rule.id, level: 'K', k: BANKRUPT_K, why: `contradicted since it was made: support ${support.toFixed(2)}` };
}

/**
 * Which rules (C entries of the list) have gone bankrupt. Evidence is what the list holds at M and K under the same tag,
 * made at or after the rule and not among its sources; entries of untrusted origin can't take a rule down.
 *
 * @param options.sources For a rule's id, the ids that it was distilled from.
 * @example
 * import { planBankruptcy } from 'artoo/memory';
 * planBankruptcy([rule, ...evidence], Date.now(), { sources: new Map([[rule.id, ['m1', 'm2']]]) });
 */
export function planBankruptcy(
  megrams: Iterable<Megram>,
  at: number,
  options: { readonly sources?: ReadonlyMap<string, readonly string[]> } = {},
): readonly DemoteOperation[] {
  const all = [...megrams];
  const operations: DemoteOperation[] = [];
  for (const rule of all) {
    if (rule.level !== 'C') continue;
    const sources = new Set(options.sources?.get(rule.id));
    const evidence = all.filter((other) => isEvidence(other) && samePlace(other, rule) && other.createdAt >= rule.createdAt && !sources.has(other.id));
    const operation = judgeRule(rule, potentials(evidence, at).decision);
    if (operation) operations.push(operation);
  }
  return operations;
}

/** The direction of the rule that these potentials make, or undefined when they make none. */
export function promotes({ attention, decision }: Channels): 1 | -1 | undefined {
  if (attention < PROMOTE_ATTENTION || Math.abs(decision) < PROMOTE_DECISION) return undefined;
  return decision > 0 ? 1 : -1;
}

/**
 * Which tags have become rules: attention of 5 and a decision of 3 either way, over trusted M and K entries that no
 * rule was made of yet (paper §7.2).
 *
 * @param options.consolidated Ids that a rule was already made of.
 * @example
 * import { planPromotion } from 'artoo/memory';
 * planPromotion(sixAccepts, Date.now()); // [{ kind: 'promote', sigma: 1, f: 1, sources: [six ids], … }]
 */
export function planPromotion(
  megrams: Iterable<Megram>,
  at: number,
  options: { readonly consolidated?: ReadonlySet<string> } = {},
): readonly PromoteOperation[] {
  const places = new Map<string, Megram[]>();
  for (const megram of megrams) {
    if (!isEvidence(megram) || options.consolidated?.has(megram.id)) continue;
    const key = JSON.stringify([megram.space, megram.entity]);
    const list = places.get(key);
    if (list) list.push(megram);
    else places.set(key, [megram]);
  }
  const operations: PromoteOperation[] = [];
  for (const list of places.values()) {
    const sums = potentials(list, at);
    const sigma = promotes(sums);
    const [first] = list;
    if (sigma === undefined || !first) continue;
    operations.push({ kind: 'promote', space: first.space, entity: first.entity, sources: list.map(({ id }) => id), ...ruleNumbers(sums, sigma) });
  }
  return operations;
}

/** Strength and reason of a rule made at these potentials. */
export function ruleNumbers({ attention, decision }: Channels, sigma: 1 | -1): { readonly sigma: 1 | -1; readonly f: number; readonly why: string } {
  return { sigma, f: Math.min(1, Math.abs(decision) / attention), why: `attention ${attention.toFixed(2)}, decision ${decision.toFixed(2)}` };
}

const LONGEST_RULE = 400;

/** At most two sentences and 400 characters of a text, on one line: what a rule may hold, whoever wrote it. */
export function trimRule(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()].slice(0, LONGEST_RULE);
  let sentences = 0;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    // A dot inside of a word or a number ends nothing; the full-width marks always do.
    if (!'。！？'.includes(character) && !('.!?'.includes(character) && (next === undefined || next === ' '))) continue;
    sentences += 1;
    if (sentences === 2) return characters.slice(0, index + 1).join('');
  }
  return characters.join('');
}

/** The rule that code writes where no model does: what was seen, how often, and the newest lesson in its own words. */
export function templateRule(tag: MemoryTag, sigma: 1 | -1, contents: readonly string[]): string {
  const where = tag.entity === undefined || tag.entity === '' ? tag.space : `${tag.space} (${tag.entity})`;
  const newest = (contents[0] ?? '').replace(/\s+/gu, ' ').replace(/[.!?。！？]+(?=\s|$)/gu, ';').trim();
  const lesson = newest === '' ? '' : ` Example: ${newest}`;
  return trimRule(`${sigma > 0 ? 'This has worked again and again' : 'This has failed again and again'}: ${where}.${lesson}`);
}

function isEvidence({ level, origin }: Pick<Megram, 'level' | 'origin'>): boolean {
  return (level === 'M' || level === 'K') && origin.integrity === 'trusted';
}

function samePlace(a: Megram, b: Megram): boolean {
  return a.space === b.space && a.entity === b.entity;
}
