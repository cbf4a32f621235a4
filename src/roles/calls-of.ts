import type { SubTaskOutcome } from '../contracts/messages.js';
import type { ToolCallRecord } from '../contracts/tool-call.js';

/** The tool calls of several outcomes, in their order. A loop, since `flatMap` costs many times as much on lists this short. */
export function callsOf(outcomes: readonly Pick<SubTaskOutcome, 'toolCalls'>[]): ToolCallRecord[] {
  const calls: ToolCallRecord[] = [];
  for (const { toolCalls } of outcomes) for (const call of toolCalls) calls.push(call);
  return calls;
}
