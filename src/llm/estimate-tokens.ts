import type { LLMRequest } from '../contracts/llm.js';

/** What a message costs beside its text. */
const PER_MESSAGE = 4;

/**
 * A rough count of tokens, for budgets where a provider reports none: a quarter per ASCII character, three quarters per
 * other UTF-16 unit. Of a request: system, messages, tool descriptions and schema.
 *
 * @example
 * import { estimateTokens } from 'artoo/llm';
 * estimateTokens('How many files are there?'); // 7
 */
export function estimateTokens(what: string | LLMRequest): number {
  if (typeof what === 'string') return Math.ceil(quarters(what) / 4);
  let sum = quarters(what.system) + PER_MESSAGE * 4;
  for (const message of what.messages) {
    sum += quarters(message.content) + PER_MESSAGE * 4;
    if (message.toolCalls) sum += quarters(jsonOf(message.toolCalls));
  }
  if (what.tools) sum += quarters(jsonOf(what.tools));
  if (what.schema) sum += quarters(jsonOf(what.schema.jsonSchema));
  return Math.ceil(sum / 4);
}

function quarters(text: string): number {
  let sum = text.length;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) sum += 2;
  return sum;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
