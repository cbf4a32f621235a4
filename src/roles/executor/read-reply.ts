import type { LLMReply, LLMToolCall } from '../../contracts/llm.js';
import { canonicalJson, extractJson, stripThink, unfence } from '../../text/index.js';
import { parseJson } from '../../text/parse-json.js';

/** What R3's model said, once read. */
export type ExecutorStep =
  | { readonly kind: 'calls'; readonly calls: readonly LLMToolCall[]; readonly native: boolean; readonly text: string }
  | { readonly kind: 'end'; readonly status: 'completed' | 'failed'; readonly output: unknown; readonly infeasible: boolean; /** Characters of the whole reply. */ readonly size: number }
  | { readonly kind: 'unusable'; readonly problem: string };

/**
 * Reads a reply. Native calls win; of a JSON call only the first value counts, since what follows can't have seen its
 * result. A call is never taken from repaired JSON: what was meant would be a guess. Plain text is a completed result; a
 * cut reply is none, and neither are two endings that differ.
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
  const { objects, repaired } = objectsIn(text);
  const [first] = objects;
  if (!first && text.startsWith('{') && text.includes('"status"')) return { kind: 'unusable', problem: 'its JSON cannot be read' };
  if (first && typeof first['tool'] === 'string') {
    if (repaired) return { kind: 'unusable', problem: 'the tool call is no valid JSON' };
    return { kind: 'calls', calls: [{ id: '', name: first['tool'], input: first['input'] ?? {} }], native: false, text };
  }
  if (first && 'status' in first && (text.startsWith('{') || 'output' in first)) {
    const other = objects.slice(1).find((value) => 'status' in value && canonicalJson(value) !== canonicalJson(first));
    return other ? { kind: 'unusable', problem: 'it ends in two different ways; exactly one is wanted' } : readEnd(first, text.length);
  }
  return { kind: 'end', status: 'completed', output: text, infeasible: false, size: text.length };
}

function readEnd(value: Readonly<Record<string, unknown>>, size: number): ExecutorStep {
  const { status, output, infeasible } = value;
  if (status !== 'completed' && status !== 'failed') {
    return { kind: 'unusable', problem: '"status" must be "completed" or "failed"' };
  }
  return { kind: 'end', status, output: output ?? null, infeasible: infeasible === true, size };
}

function objectsIn(text: string): { readonly objects: readonly Readonly<Record<string, unknown>>[]; readonly repaired: boolean } {
  if (!text.includes('{')) return { objects: [], repaired: false };
  const whole = parseJson(text);
  if (whole.ok) return { objects: isObject(whole.value) ? [whole.value] : [], repaired: false };
  const { values, repaired } = extractJson(text, { want: 'object' });
  return { objects: values.filter(isObject), repaired };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
