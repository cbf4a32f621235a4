import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest } from '../contracts/llm.js';
import { estimateTokens } from '../llm/estimate-tokens.js';
import { CANNOT } from './english/read-requests.js';
import { execute } from './execute.js';
import { judge } from './judge.js';
import { merge } from './merge.js';
import { nextMoves } from './next-moves.js';
import { perceive } from './perceive.js';
import { plan } from './plan.js';

/** Options of {@link createOfflineModel}. */
export interface OfflineModelOptions {
  /** See LLMClient; needed only beside a model that has one. */
  readonly rank?: number;
}

/** The name under which the offline model appears in records. */
export const OFFLINE_MODEL_NAME = 'artoo-offline-rules';

/**
 * A model client made of rules: no network, no key, no weights. It is no language model and doesn't pretend to be one.
 *
 * It reads English requests about the files of a workspace: count files, lines, words or occurrences; find files or
 * lines; list a folder; compare two files or counts; show a file; summarise one by its structure; write a report of
 * such findings; up to four of them joined by "and", ";" or "then". Everything else it answers with "I can't do this
 * offline". It knows only what the prompt and the tool output in it say, and the same request always gets the same
 * reply. `usage` is estimated from the length of the text.
 *
 * `complete` rejects with the signal's reason when it is aborted, and with nothing else.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * import { createOfflineModel } from 'artoo/offline';
 * import { workspaceTools } from 'artoo/tools';
 * const model = createOfflineModel();
 * const artoo = createArtoo({ models: { brain: model, tool: model }, tools: workspaceTools({ root: '.' }) });
 * console.log((await artoo.run('How many TODOs are in src?').result).output);
 */
export function createOfflineModel(options: OfflineModelOptions = {}): LLMClient {
  return {
    model: OFFLINE_MODEL_NAME,
    ...(options.rank === undefined ? {} : { rank: options.rank }),
    capabilities: { tools: true, jsonSchema: true },
    async complete(request: LLMRequest, { signal }: LLMCallOptions): Promise<LLMReply> {
      // Whoever stops the task right after asking must be heard.
      await Promise.resolve();
      signal.throwIfAborted();
      const reply = replyTo(request);
      return { ...reply, usage: { inputTokens: estimateTokens(request), outputTokens: estimateTokens(reply.text + JSON.stringify(reply.toolCalls ?? '')) } };
    },
  };
}

function replyTo(request: LLMRequest): LLMReply {
  const prompt = request.messages[0]?.content ?? '';
  switch (request.role) {
    case 'R1': return json(perceive(prompt));
    case 'R2': return json(asksForMoves(request) ? nextMoves(prompt) : plan(request));
    case 'R3': return executed(request);
    case 'R4a': return json(judge(prompt));
    case 'R4b': return json(merge(prompt));
    case 'dreamer': return json({ rule: '' });
    default: return { text: `${CANNOT}: this is a set of rules for files of a workspace, no language model.`, finishReason: 'stop' };
  }
}

function asksForMoves({ schema, system }: LLMRequest): boolean {
  return schema ? schema.name === 'next_moves' : system.includes('{"moves"');
}

function executed(request: LLMRequest): LLMReply {
  const turn = execute(request);
  if (turn.kind === 'end') return json({ status: turn.status, output: turn.output, ...(turn.infeasible ? { infeasible: true } : {}) });
  if (turn.native) return { text: '', toolCalls: turn.calls, finishReason: 'tool_calls' };
  const [first] = turn.calls;
  return json({ tool: first!.name, input: first!.input });
}

/** Marks that readers of replies act upon are escaped: quoted file text must not be taken for thinking or a fence. */
function json(value: object): LLMReply {
  return { text: JSON.stringify(value).replace(/[<`]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`), finishReason: 'stop' };
}
