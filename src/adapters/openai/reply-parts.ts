import type { LLMReply, LLMUsage } from '../../contracts/llm.js';
import { ToolCallParts } from './tool-call-parts.js';
import { asContent, asCount, asList, asRecord, asText, type Wire } from './wire.js';

/** Longer replies are cut off by giving up on the call; in UTF-16 code units. */
export const MAX_STREAM_LENGTH = 8_000_000;

/** Gathers a reply from the chunks of a stream or from one whole completion. */
export class ReplyParts {
  text = '';
  /** As the server wrote it; undefined until it said how it ended. */
  finishReason: string | undefined;
  sawChoice = false;
  private refusal = '';
  private readonly calls = new ToolCallParts();
  private usage: LLMUsage | undefined;

  /** Takes a chunk and returns the text that is new in it. Reasoning fields are none of the reply's text. */
  addChunk(chunk: unknown): string {
    const record = asRecord(chunk);
    this.readUsage(record['usage']);
    const choice = asRecord(asList(record['choices']).find((item) => (asRecord(item)['index'] ?? 0) === 0));
    if (Object.keys(choice).length === 0) return '';
    this.sawChoice = true;
    // Some servers send whole messages in their last chunk; it repeats what came before.
    const delta = asRecord(choice['delta']);
    this.finishReason = asText(choice['finish_reason']) || this.finishReason;
    for (const piece of asList(delta['tool_calls'])) this.calls.add(piece);
    return this.addMessage(delta);
  }

  addCompletion(completion: unknown): void {
    const record = asRecord(completion);
    this.readUsage(record['usage']);
    const choice = asRecord(asList(record['choices'])[0]);
    if (Object.keys(choice).length === 0) return;
    this.sawChoice = true;
    this.finishReason = asText(choice['finish_reason']) || 'stop';
    const message = asRecord(choice['message']);
    asList(message['tool_calls']).forEach((call, position) => this.calls.add(call, position));
    this.addMessage(message);
  }

  reply(): LLMReply {
    const toolCalls = this.calls.finish();
    return {
      text: this.text === '' ? this.refusal : this.text,
      ...(toolCalls.length > 0 ? { toolCalls } : {}),
      ...(this.usage ? { usage: this.usage } : {}),
      finishReason: finishReason(this.finishReason, toolCalls.length > 0),
    };
  }

  private addMessage(message: Wire): string {
    const content = asContent(message['content']);
    this.text += content;
    this.refusal += asText(message['refusal']);
    return content;
  }

  private readUsage(usage: unknown): void {
    const record = asRecord(usage);
    const inputTokens = asCount(record['prompt_tokens']);
    const outputTokens = asCount(record['completion_tokens']);
    if (inputTokens === undefined || outputTokens === undefined) return;
    const cachedTokens = asCount(asRecord(record['prompt_tokens_details'])['cached_tokens']) ?? asCount(record['prompt_cache_hit_tokens']);
    this.usage = { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
  }
}

function finishReason(reason: string | undefined, hasCalls: boolean): LLMReply['finishReason'] {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_length': return 'length';
    case 'content_filter':
    case 'safety': return 'content_filter';
    default: return hasCalls ? 'tool_calls' : 'stop';
  }
}
