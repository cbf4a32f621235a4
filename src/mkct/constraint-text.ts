import type { MemoryTag, Megram, PlanConstraint } from '../contracts/messages.js';
import { plainLine } from './plain.js';
import type { RelatedIntent, TagRecollection } from './recollection.js';
import { slugOfSpace, targetOfEntity, toolOfSpace } from './tags.js';

const WORDS: Readonly<Record<PlanConstraint['kind'], string>> = { prefer: 'SHOULD PREFER', must_not: 'MUST NOT', caution: 'CAUTION' };

/** A tag in words, short and on one line. */
export function describeTag({ space, entity }: MemoryTag): string {
  const tool = toolOfSpace(space);
  const target = targetOfEntity(entity);
  const slug = slugOfSpace(space);
  if (tool !== undefined) return target === undefined ? `tool ${quoted(tool)}` : `tool ${quoted(tool)} on ${quoted(target)}`;
  if (slug !== undefined) return `tasks of the kind ${quoted(slug)}`;
  return entity === undefined ? quoted(space) : `${quoted(space)}, ${quoted(entity)}`;
}

/** What potentials say about a tag: the words of code alone, with the numbers in them. */
export function evidenceText(kind: PlanConstraint['kind'], known: TagRecollection, related?: RelatedIntent): string {
  const what = describeTag(known.tag);
  const numbers = `attention ${known.all.attention.toFixed(2)}, decision ${known.all.decision.toFixed(2)}`;
  const words = related && related.shared.length > 0 ? `, which share the words ${related.shared.slice(0, 6).map((word) => quoted(word)).join(', ')}` : '';
  const about = related ? `related ${what}${words}` : what;
  if (toolOfSpace(known.tag.space) !== undefined) return `${WORDS[kind]} use ${about}: ${reason(kind)} (${numbers}).`.replace('CAUTION use', 'CAUTION with').replace('SHOULD PREFER use', 'SHOULD PREFER');
  const advice = kind === 'prefer' ? 'repeat what worked in' : kind === 'must_not' ? 'repeat what failed in' : 'with';
  return `${WORDS[kind]} ${advice} ${about}: ${reason(kind)} (${numbers}).`;
}

/** A rule, quoted: it is the words of a model, so it stands in quotation marks on one line. */
export function ruleText(kind: PlanConstraint['kind'], rule: Megram): string {
  return `${WORDS[kind]}, by a rule of experience about ${describeTag(rule)}: ${quoted(rule.content, 400)}`;
}

function reason(kind: PlanConstraint['kind']): string {
  if (kind === 'prefer') return 'it has worked before';
  return kind === 'must_not' ? 'it has failed before' : 'it has both worked and failed, or was blocked, before';
}

function quoted(text: string, limit = 120): string {
  return JSON.stringify(plainLine(text, limit));
}
