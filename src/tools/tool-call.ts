import type { Effect, Tool, ToolProbeContext } from '../contracts/tool.js';
import { cleanText, headTail } from '../text/index.js';

const EFFECTS: ReadonlySet<unknown> = new Set<Effect>(['read', 'write', 'irreversible']);
const LONGEST_TARGET = 1_000;

/**
 * What this call would do to the world. An answer that is none of the three counts as `irreversible`; what the tool's
 * function throws or rejects with (a path that leads outside, say) is passed on: the call then failed before it ran.
 */
export async function effectOf(tool: Tool, input: unknown, context: ToolProbeContext): Promise<Effect> {
  const effect = typeof tool.effect === 'function' ? await tool.effect(input as never, context) : tool.effect;
  return EFFECTS.has(effect) ? effect : 'irreversible';
}

/** What the call is about, cleaned, at most 1,000 characters; empty where the tool can't say. Never throws. */
export function targetOf(tool: Tool, input: unknown): string {
  try {
    const target: unknown = tool.target?.(input as never);
    return typeof target === 'string' ? headTail(cleanText(target), { max: LONGEST_TARGET }) : '';
  } catch {
    return '';
  }
}
