import type { LLMToolCall } from '../../contracts/llm.js';
import { headTail, stringifyOutput } from '../../text/index.js';
import { findUnsafeInput } from '../../tools/unsafe-input.js';

/** A call under the runtime's own id, with an input that can be recorded and shown. */
export interface CallRequest {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the input can't reach a tool; `input` is then its text. */
  readonly unsafe?: string;
  /** The input as records hold it, where it is too long for them. */
  readonly recorded?: string;
}

/** Longer inputs stand in records with head and tail alone, in characters of JSON. */
const RECORDED_CHARACTERS = 16_000;
const UNSAFE_CHARACTERS = 2_000;

/** Makes what a client handed over fit for messages and records: circles, endless depth and what is no JSON become text. */
export function safeCall(call: LLMToolCall, id: string): CallRequest {
  const { name, input } = call;
  const json = jsonOf(input);
  const unsafe = findUnsafeInput(input) ?? (json === undefined ? 'it is no JSON' : undefined);
  if (unsafe !== undefined) return { id, name, input: headTail(stringifyOutput(input), { max: UNSAFE_CHARACTERS }), unsafe };
  return { id, name, input, ...(json!.length > RECORDED_CHARACTERS ? { recorded: headTail(json!, { max: RECORDED_CHARACTERS }) } : {}) };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}
