import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import type { LLMClient } from '../../src/contracts/llm.js';
import { classifyLLMError } from '../../src/entries/llm.js';
import { failure, live, request } from './builders.js';
import { completion, json, OpenAIServer } from './openai-server.js';

let server: OpenAIServer | undefined;
afterEach(() => server?.close());

async function clientOfThePage(): Promise<LLMClient> {
  const page = await readFile(new URL('../../docs/ports/llm-client.md', import.meta.url), 'utf8');
  const source = /```ts\n(import type[\s\S]*?)```/.exec(page)![1]!;
  expect(source.split('\n').length).toBeLessThan(40);
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const { handMadeClient } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { handMadeClient: (options: object) => LLMClient };
  return handMadeClient({ url: server!.baseURL, key: 'k', model: 'm' });
}

test('the client on the port\'s page answers, and its failures are judged by what they carry', async () => {
  server = await OpenAIServer.start(completion({ content: 'hello' }), json(429, {}, { 'retry-after': '4' }));
  const client = await clientOfThePage();
  expect(await client.complete(request(), { signal: live() })).toEqual({ text: 'hello', finishReason: 'stop' });
  expect(classifyLLMError(await failure(client.complete(request(), { signal: live() })))).toEqual({ code: 'ARTOO_LLM_RATE_LIMITED', retryable: true, retryAfterMs: 4_000 });
});
