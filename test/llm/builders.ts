import type { LLMCallOptions, LLMClient, LLMReply, LLMRequest } from '../../src/contracts/llm.js';

export const request = (content = 'go', extra: Partial<LLMRequest> = {}): LLMRequest => ({
  role: 'host', taskId: 'task', system: 'Be exact.', messages: [{ role: 'user', content }], ...extra,
});

export const live = (): AbortSignal => new AbortController().signal;

export const text = (value: string, extra: Partial<LLMReply> = {}): LLMReply => ({ text: value, finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 2 }, ...extra });

export interface Recorder extends LLMClient { readonly requests: LLMRequest[] }

type Step = LLMReply | Error | ((request: LLMRequest, options: LLMCallOptions) => LLMReply | Promise<LLMReply>);

/** Answers with one step after the other and refuses to answer more. */
export function scripted(steps: readonly Step[], extra: Partial<LLMClient> = {}): Recorder {
  const requests: LLMRequest[] = [];
  return {
    model: 'scripted',
    ...extra,
    requests,
    async complete(given, options) {
      const step = steps[requests.length];
      requests.push(given);
      if (step === undefined) throw new Error(`call ${requests.length} was not expected`);
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step(given, options) : step;
    },
  };
}

/** Lets everything that is ready run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settle();
}

export const failure = (promise: Promise<unknown>): Promise<import('../../src/contracts/errors.js').ArtooError> =>
  promise.then(() => { throw new Error('it did not fail'); }, (error) => error);
