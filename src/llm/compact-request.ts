import type { LLMRequest } from '../contracts/llm.js';
import { headTail } from '../text/index.js';

/** What is kept of a long turn, in characters, head and tail. */
const KEPT_CHARACTERS = 2_000;

/**
 * The same request with its long turns shortened from their middles, each with a mark that says how much was left out.
 * Undefined when there is nothing to shorten: then a smaller request would be another request.
 */
export function compactRequest(request: LLMRequest): LLMRequest | undefined {
  let shortened = false;
  const messages = request.messages.map((message) => {
    if (message.content.length <= KEPT_CHARACTERS) return message;
    shortened = true;
    return { ...message, content: headTail(message.content, { max: KEPT_CHARACTERS }) };
  });
  return shortened ? { ...request, messages } : undefined;
}
