import type { LLMReply, LLMToolCall } from '../../contracts/llm.js';
import { extractJson, stripThink, unfence } from '../../text/index.js';

/** What R3's model said, once read. */
export type ExecutorStep =
  | { readonly kind: 'calls'; readonly calls: readonly LLMToolCall[]; readonly native: boolean; readonly text: string }
  | { readonly kind: 'end'; readonly status: 'completed' | 'failed'; readonly output: unknown; readonly infeasible: boolean }
  | { readonly kind: 'unusable'; readonly problem: string };

/**
 * Reads a reply. Native calls win; of a JSON call only the first value counts, since what follows can't have seen its
 * result. Plain text is a completed result; a cut reply is none.
 */
export function readReply(reply: LLMReply): ExecutorStep {
  if (reply.finishReason === 'content_filter') return { kind: 'unusable', problem: 'the reply was withheld by a content filter' };
  const cut = reply.finishReason === 'length';
  if (reply.toolCalls && reply.toolCalls.length > 0) {
    return cut ? { kind: 'unusable', problem: 'the reply was cut off in a tool call' } : { kind: 'calls', calls: reply.toolCalls, native: true, text: reply.text };
  }
  const text = unfence(stripThink(reply.text)).trim();
  if (cut) return { kind: 'unusable', problem: 'the reply was cut off before its end' };
  if (text === '') return { kind: 'unusable', problem: 'the reply was empty' };
  const first = firstObject(text);
  if (first && typeof first['tool'] === 'string') {
    return { kind: 'calls', calls: [{ id: '', name: first['tool'], input: first['input'] ?? {} }], native: false, text };
  }
  if (first && 'status' in first && (text.startsWith('{') || 'output' in first)) return readEnd(first);
  return { kind: 'end', status: 'completed', output: text, infeasible: false };
}

function readEnd(value: Readonly<Record<string, unknown>>): ExecutorStep {
  const { status, output, infeasible } = value;
  if (status !== 'completed' && status !== 'failed') {
    return { kind: 'unusable', problem: `"status" must be "completed" or "failed", not ${JSON.stringify(status)}` };
  }
  return { kind: 'end', status, output: output ?? null, infeasible: infeasible === true };
}

function firstObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.includes('{')) return undefined;
  try {
    const whole: unknown = JSON.parse(text);
    return isObject(whole) ? whole : undefined;
  } catch {
    return extractJson(text, { want: 'object' }).values.find(isObject);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
