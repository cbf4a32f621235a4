import type { MemoryStore } from '../../contracts/memory.js';
import type { MemoryQuery, MemoryReply, MemoryTag, PlanConstraint } from '../../contracts/messages.js';
import type { Potentials } from '../../contracts/memory.js';

const MOST_CONSTRAINTS = 10;

/**
 * What a store says of the tags of a query: rules, potentials, and the constraints that follow from them. For stores that
 * can't answer a whole question: no targets, no related tasks, no lessons.
 */
export async function recall(memory: MemoryStore, query: MemoryQuery, at: number): Promise<MemoryReply> {
  const sops: MemoryReply['sops'] = [];
  const potentials: MemoryReply['potentials'] = [];
  const constraints: PlanConstraint[] = [];
  const known = await Promise.all(query.tags.map(async (tag) => ({ tag, rules: await memory.sops(tag, at), now: await memory.potentials(tag, at) })));
  for (const { tag, rules, now } of known) {
    for (const { content, sigma } of rules) sops.push({ tag, content, sigma });
    if (now.action === 'ignore') continue;
    potentials.push({ tag, ...now });
    // Blocked paths take no side: many of them say nothing against the tool itself.
    if (now.action === 'caution' && now.decision === 0 && toolOf(tag.space) !== undefined) continue;
    constraints.push(constraintOf(tag, now));
  }
  const tools = query.tools ?? query.tags.flatMap(({ space }) => toolOf(space) ?? []);
  const log: string[] = [];
  const kept = neverHelpless(constraints, tools, log).slice(0, MOST_CONSTRAINTS);
  return { sops, potentials, constraints: kept, ...(log.length > 0 ? { log } : {}) };
}

function constraintOf(tag: MemoryTag, { action, attention, decision }: Potentials): PlanConstraint {
  const kind = action === 'exploit' ? 'prefer' : action === 'avoid' ? 'must_not' : 'caution';
  const tool = toolOf(tag.space);
  const subject = tool === undefined ? 'the way this kind of task was done before' : `the tool ${tool}`;
  const said = kind === 'prefer' ? 'did well' : kind === 'must_not' ? 'did badly' : 'did well at times and badly at others';
  return {
    kind, text: `${subject} ${said} (attention ${attention.toFixed(2)}, decision ${decision.toFixed(2)})`,
    ...(tool === undefined ? {} : { tool }), source: `memory of ${tag.space}`,
  };
}

function toolOf(space: string): string | undefined {
  return space.startsWith('tool:') ? space.slice('tool:'.length) : undefined;
}

/**
 * Memory may make a planner careful, never helpless: a ban on the last tools is weakened to a warning. It names no tool
 * any more, since a caution that does would have each call confirmed, and where nobody can confirm that is a ban again.
 */
function neverHelpless(constraints: readonly PlanConstraint[], tools: readonly string[], log: string[]): PlanConstraint[] {
  const banned = new Set(constraints.flatMap(({ kind, tool }) => (kind === 'must_not' && tool !== undefined ? [tool] : [])));
  const helpless = tools.length > 0 && tools.every((tool) => banned.has(tool));
  return constraints.map((constraint) => {
    if (!helpless || constraint.kind !== 'must_not' || constraint.tool === undefined) return constraint;
    const { tool, ...warning } = constraint;
    log.push(`MUST NOT use ${tool} is weakened to CAUTION: it would leave no tool at all.`);
    return { ...warning, kind: 'caution' };
  });
}
