import type { LLMMessage, LLMRequest } from '../contracts/llm.js';
import type { OfferedTool } from './methods.js';
import { dataBlocks, isCut, sectionOf, withoutData } from './prompt-text.js';
import { callKey, type CallResult } from './work/procedure.js';

/** What R3's conversation holds. */
export interface ReadConversation {
  readonly intent: string;
  readonly tools: readonly OfferedTool[];
  readonly results: ReadonlyMap<string, CallResult>;
  /** How often the work was sent back. */
  readonly corrections: number;
  readonly mustEnd: boolean;
  /** Paths that the context forbids. */
  readonly avoid: readonly string[];
  /** Outputs of earlier steps, with what they answer. */
  readonly earlier: readonly { readonly intent: string; readonly output: string }[];
  /** Whether calls go out as native ones; without them as JSON in the text. */
  readonly native: boolean;
}

export function readConversation(request: LLMRequest): ReadConversation {
  const first = request.messages[0]?.content ?? '';
  const native = request.tools !== undefined || !/^One JSON value per reply\. To call a tool/m.test(request.system);
  const said = request.messages.filter(({ role }) => role === 'user').slice(1);
  return {
    intent: sectionOf(first, 'Subtask:') ?? '',
    tools: native ? (request.tools ?? []).map(({ name, description, inputSchema }) => ({ name, description, inputs: inputsOf(inputSchema) })) : promptedTools(first),
    results: native ? nativeResults(request.messages) : promptedResults(request.messages),
    corrections: said.filter(({ content }) => content.startsWith('Not done yet.')).length,
    mustEnd: said.some(({ content }) => content.startsWith('No further tool calls are possible.')),
    avoid: [...withoutData(first).matchAll(/^MUST NOT touch: (.+)$/gm)].flatMap(([, paths]) => paths!.split(', ')),
    earlier: earlierOutputs(first),
    native,
  };
}

function nativeResults(messages: readonly LLMMessage[]): ReadonlyMap<string, CallResult> {
  const byId = new Map(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, call] as const)));
  const results = new Map<string, CallResult>();
  for (const { role, toolCallId, content } of messages) {
    const call = role === 'tool' && toolCallId !== undefined ? byId.get(toolCallId) : undefined;
    if (call) results.set(callKey({ tool: call.name, input: call.input }), readResult(content));
  }
  return results;
}

/** The JSON protocol: the call stands in the assistant's text, its result in the user turn after it. */
function promptedResults(messages: readonly LLMMessage[]): ReadonlyMap<string, CallResult> {
  const results = new Map<string, CallResult>();
  messages.forEach((message, index) => {
    const next = messages[index + 1];
    if (message.role !== 'assistant' || !next?.content.startsWith('Result of ')) return;
    try {
      const { tool, input } = JSON.parse(message.content) as { tool: string; input: unknown };
      results.set(callKey({ tool, input }), readResult(next.content.slice(next.content.indexOf('\n') + 1)));
    } catch {
      // A turn that holds no call has no result to be found again.
    }
  });
  return results;
}

/** What a tool returned stands in a block of data; all else is the runtime's word that the call did not run. */
function readResult(content: string): CallResult {
  const block = dataBlocks(content)[0];
  if (!block) return { ok: false, text: content, cut: false };
  const failed = content.startsWith('The call failed.\n');
  return { ok: !failed, text: block.text === '(no output)' ? '' : block.text, cut: isCut(block.text) };
}

function earlierOutputs(prompt: string): { intent: string; output: string }[] {
  return dataBlocks(prompt).filter(({ label }) => label === 'earlier output').map(({ text, at }) => {
    const title = prompt.slice(0, at).trimEnd().split('\n').at(-1) ?? '';
    return { intent: /^Output of "(.*)" \([^)]*\):$/.exec(title)?.[1] ?? '', output: text };
  });
}

function inputsOf(schema: Readonly<Record<string, unknown>>): string[] {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function promptedTools(prompt: string): OfferedTool[] {
  return [...(sectionOf(prompt, 'Tools:') ?? '').matchAll(/^- ([\w.-]+): (.*)\n {2}input: (\{.*\})$/gm)].map(([, name, description, schema]) => {
    try {
      return { name: name!, description: description!, inputs: inputsOf(JSON.parse(schema!) as Record<string, unknown>) };
    } catch {
      return { name: name!, description: description!, inputs: [] };
    }
  });
}
