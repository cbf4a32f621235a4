// A model client of one's own: one method over fetch. A tiny server on this machine stands in for the provider.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createArtoo, defineTool } from 'artoo';

/** @returns {import('artoo').LLMClient} */
function createMyClient(/** @type {string} */ url) {
  return {
    model: 'my-model',
    async complete({ system, messages, role }, { signal }) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ system, messages, role }), signal });
      // A numeric `status` is all that the runtime needs to tell a busy server from a wrong request.
      if (!response.ok) throw Object.assign(new Error(`the model answered ${response.status}`), { status: response.status });
      const { text, inputTokens, outputTokens } = await response.json();
      return { text, usage: { inputTokens, outputTokens }, finishReason: 'stop' };
    },
  };
}

// What a model would say in each role. Without `capabilities` tools are called by JSON in the text.
const said = {
  R1: { slug: 'tide_height', intent: 'Say how high the tide is in Brest.' },
  R2: {
    taskCriteria: ['The height is the one that the tide table shows'],
    subtasks: [{ intent: 'Look up the tide in Brest', successCriteria: [{ criterion: 'tideTable was asked', check: { type: 'toolSucceeded', tool: 'tideTable' } }], sequence: 0, tools: ['tideTable'] }],
  },
  R3: [{ tool: 'tideTable', input: { harbour: 'Brest' } }, { status: 'completed', output: 'High water in Brest: 6.9 m' }],
  R4b: { summary: 'Looked it up.', mergedOutput: 'High water in Brest: 6.9 m', verdicts: [{ index: 0, verdict: 'pass', evidence: '6.9 m' }] },
};
const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { role, messages } = JSON.parse(body);
  const reply = role === 'R3' ? said.R3[messages.length === 1 ? 0 : 1] : said[/** @type {'R1'} */ (role)];
  response.end(JSON.stringify({ text: JSON.stringify(reply), inputTokens: Math.ceil(body.length / 4), outputTokens: 20 }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const tideTable = defineTool({
  name: 'tideTable', description: 'The height of high water in a harbour, today.', effect: 'read',
  input: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
  execute: (/** @type {{ harbour: string }} */ { harbour }) => `${harbour}: high water 6.9 m at 07:14`,
});

const client = createMyClient(`http://127.0.0.1:${port}/`);
const artoo = createArtoo({ models: { brain: client, tool: client }, tools: [tideTable] });
const result = await artoo.run('How high is the tide in Brest?').result;
console.log(result.directive, '-', result.output);
console.log(`${result.usage.calls} calls, ${result.usage.inputTokens > 0 ? 'tokens counted by the client' : 'no tokens'}`);
await artoo.close();
server.close();
