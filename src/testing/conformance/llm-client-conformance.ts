import type { LLMClient, LLMReply, LLMRequest } from '../../contracts/llm.js';
import type { ConformanceFactory, ConformanceSuite } from './case.js';
import { check, checkRejects } from './check.js';

/** Makes a client. Its model must answer any request; with `tools` it must call the tool `echo` when one is offered. */
export type LLMClientFactory = ConformanceFactory<LLMClient>;

const FINISH_REASONS: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

/**
 * What every {@link LLMClient} must hold. `needs`: `reply` (a model that answers), `tools` (a model that calls the tool
 * `echo`, which takes `{ text }`, when asked to), `abort` (a call that is slow enough to be aborted under way),
 * `stream` (a client that streams),
 * `listeners` (nothing in the client's SDK may keep a listener on the signal of a call that has ended).
 *
 * @example
 * import { llmClientConformance, runConformance } from 'artoo/testing';
 * await runConformance(llmClientConformance, () => createMyClient(), { supports: { stream: 'the API has no streams' } });
 */
export const llmClientConformance: ConformanceSuite<LLMClientFactory> = [
  {
    name: 'llm: a client names its model, and its rank and capabilities are what they say',
    async run(factory) {
      const { model, rank, capabilities } = await factory();
      check(typeof model === 'string' && model !== '', 'model must be a text that is not empty.', { model });
      check(rank === undefined || Number.isFinite(rank), 'rank must be a number when it is there.', { rank });
      const flags = [capabilities?.tools, capabilities?.jsonSchema];
      check(flags.every((flag) => flag === undefined || typeof flag === 'boolean'), 'capabilities must be booleans when they are there.', { capabilities });
    },
  },
  {
    name: 'llm: a reply has text, a finish reason, and usage in whole tokens when there is usage',
    needs: ['reply'],
    async run(factory) {
      checkReply(await call(await factory(), sampleRequest('R2')));
    },
  },
  {
    name: 'llm: the request is left as it was, also a frozen one',
    needs: ['reply'],
    async run(factory) {
      const request = deepFrozen(sampleRequest('R1'));
      const before = JSON.stringify(request);
      await call(await factory(), request);
      check(JSON.stringify(request) === before, 'The client changed the request.');
    },
  },
  {
    name: 'llm: a signal that is aborted already rejects the call',
    async run(factory) {
      const client = await factory();
      await checkRejects(() => call(client, sampleRequest('R1'), AbortSignal.abort(new Error('stopped'))), 'A call with an aborted signal must reject.');
    },
  },
  {
    name: 'llm: a call under way rejects when its signal aborts',
    needs: ['abort'],
    async run(factory) {
      const client = await factory();
      const controller = new AbortController();
      const pending = call(client, sampleRequest('R3'), controller.signal);
      controller.abort(new Error('stopped'));
      await checkRejects(() => pending, 'An aborted call must reject.');
    },
  },
  {
    name: 'llm: calls that have ended leave no listener on their signal',
    needs: ['reply', 'listeners'],
    async run(factory) {
      const client = await factory();
      const controller = new AbortController();
      const counted = countListeners(controller.signal);
      for (let number = 0; number < 3; number += 1) await call(client, sampleRequest('R1'), controller.signal);
      check(counted() === 0, 'Listeners stayed on the signal.', { listeners: counted() });
    },
  },
  {
    name: 'llm: calls at once are answered each, and aborting one leaves the others alone',
    needs: ['reply'],
    async run(factory) {
      const client = await factory();
      const controller = new AbortController();
      const aborted = call(client, sampleRequest('R3'), controller.signal).catch(() => undefined);
      const others = Promise.all([1, 2, 3].map(() => call(client, sampleRequest('R4a'))));
      controller.abort(new Error('stopped'));
      await aborted;
      for (const reply of await others) checkReply(reply);
    },
  },
  {
    name: 'llm: tool calls come with the provider\'s id, the name, and the input as parsed JSON',
    needs: ['tools'],
    async run(factory) {
      const reply = await call(await factory(), {
        ...sampleRequest('R3'),
        messages: [{ role: 'user', content: 'Call the tool echo with the text "hello".' }],
        tools: [{ name: 'echo', description: 'Returns the text.', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }],
      });
      checkReply(reply);
      const calls = reply.toolCalls ?? [];
      check(calls.length > 0 && reply.finishReason === 'tool_calls', 'A reply with tool calls must say so by its finish reason.', { calls: calls.length, finishReason: reply.finishReason });
      // Empty or doubled ids are the provider's business: the runtime makes them unique.
      check(calls.every(({ id, name }) => typeof id === 'string' && name === 'echo'), 'Each tool call must have a text as its id, and the name of the tool.', { calls });
      check(calls.every(({ input }) => typeof input === 'object' && input !== null), 'The input must be parsed JSON, not its text.', { calls });
    },
  },
  {
    name: 'llm: streamed text is the text of the reply',
    needs: ['stream'],
    async run(factory) {
      const client = await factory();
      const parts: string[] = [];
      const reply = await client.complete(sampleRequest('R1'), { signal: new AbortController().signal, onDelta: (text) => void parts.push(text) });
      check(parts.join('') === reply.text && parts.length > 0, 'The streamed parts do not make the text of the reply.', { parts: parts.length });
    },
  },
];

function call(client: LLMClient, request: LLMRequest, signal: AbortSignal = new AbortController().signal): Promise<LLMReply> {
  return client.complete(request, { signal });
}

function sampleRequest(role: LLMRequest['role']): LLMRequest {
  return { role, taskId: 'task-1', system: 'Answer briefly.', messages: [{ role: 'user', content: 'Say yes.' }] };
}

function checkReply(reply: LLMReply): void {
  check(typeof reply === 'object' && reply !== null && typeof reply.text === 'string', 'A reply must have a text, if an empty one.');
  check(FINISH_REASONS.has(reply.finishReason), 'A reply must have a finish reason that is known.', { finishReason: reply.finishReason });
  const { usage } = reply;
  const counts = usage === undefined ? [] : [usage.inputTokens, usage.outputTokens, usage.cachedTokens ?? 0];
  check(counts.every((value) => Number.isInteger(value) && value >= 0), 'Usage must be in whole tokens.', { usage });
  check(Array.isArray(reply.toolCalls ?? []), 'toolCalls must be an array when they are there.');
}

/** Counts the listeners that stand on a signal which is not aborted. */
function countListeners(signal: AbortSignal): () => number {
  const live = new Set<unknown>();
  const add = signal.addEventListener.bind(signal) as (...inputs: unknown[]) => void;
  const remove = signal.removeEventListener.bind(signal) as (...inputs: unknown[]) => void;
  Object.assign(signal, {
    addEventListener: (...inputs: unknown[]) => {
      live.add(inputs[1]);
      add(...inputs);
    },
    removeEventListener: (...inputs: unknown[]) => {
      live.delete(inputs[1]);
      remove(...inputs);
    },
  });
  return () => live.size;
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFrozen(part);
  }
  return value;
}
