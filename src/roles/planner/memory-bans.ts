import type { MemoryReply, ToolTarget } from '../../contracts/messages.js';

/** What memory forbids in the next round, and where it wants each call confirmed. */
export interface MemoryBans {
  readonly tools: readonly string[];
  readonly targets: readonly string[];
  readonly pairs: readonly ToolTarget[];
  readonly cautionTools: readonly string[];
  /** Set when memory would have left no tool at all: its bans on tools are not followed. */
  readonly lifted: boolean;
}

/**
 * Reads a reply by its structure alone, never by its words. `usable` are the tools that the round may use so far. Memory
 * can make a plan careful, never helpless, whatever store it comes from.
 */
export function bansOf(memory: MemoryReply, usable: readonly string[]): MemoryBans {
  const bans = memory.constraints.filter(({ kind }) => kind === 'must_not');
  const said = memory.mustNot;
  const tools = distinct([...(said?.tools ?? []), ...bans.flatMap(({ tool, target }) => (tool !== undefined && target === undefined ? [tool] : []))])
    .filter((tool) => usable.includes(tool));
  const lifted = tools.length > 0 && tools.length === new Set(usable).size;
  const pairs = [...(said?.pairs ?? []), ...bans.flatMap(({ tool, target }) => (tool !== undefined && target !== undefined ? [{ tool, target }] : []))];
  return {
    tools: lifted ? [] : tools,
    targets: distinct([...(said?.targets ?? []), ...bans.flatMap(({ tool, target }) => (tool === undefined && target !== undefined ? [target] : []))]),
    pairs: distinctPairs(pairs),
    cautionTools: distinct(memory.constraints.flatMap(({ kind, tool, target }) => (kind === 'caution' && tool !== undefined && target === undefined ? [tool] : []))),
    lifted,
  };
}

/** The same reply with its bans on whole tools as warnings, for where memory would have left no tool. */
export function asWarnings(memory: MemoryReply): MemoryReply {
  return {
    ...memory,
    constraints: memory.constraints.map((constraint) => {
      if (constraint.kind !== 'must_not' || constraint.tool === undefined || constraint.target !== undefined) return constraint;
      // It names no tool any more: a caution that does would have each call confirmed.
      const { tool, text, ...warning } = constraint;
      return { ...warning, kind: 'caution', text: `CAUTION with ${tool}, since no tool would be left: ${text.replace(/^MUST NOT:? ?/, '')}` };
    }),
  };
}

/** Pairs of several sources, each once. */
export function distinctPairs(pairs: readonly ToolTarget[]): ToolTarget[] {
  return [...new Map(pairs.map(({ tool, target }) => [JSON.stringify([tool, target]), { tool, target }])).values()];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
