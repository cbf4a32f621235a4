// An HTTP endpoint that streams a run's messages as server-sent events. A client that goes away stops its run.
import { once } from 'node:events';
import express from 'express';
import { createArtoo } from 'artoo';
import { createOfflineModel } from 'artoo/offline';
import { workspaceTools } from 'artoo/tools';

const model = createOfflineModel();
const artoo = createArtoo({ models: { brain: model, tool: model }, tools: workspaceTools({ root: import.meta.dirname, shell: false }) });

const app = express();
app.get('/run', async (request, response) => {
  const run = artoo.run(String(request.query.task ?? ''));
  response.on('close', () => run.abort('the client went away'));
  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  try {
    for await (const { type, from, payload } of run) {
      const data = type === 'FinalResult' ? { directive: payload.directive, output: payload.output } : type === 'Progress' ? payload : { from };
      response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    await run.result;
  } catch (error) {
    // Misuse rejects: an empty task, a closed artoo.
    response.write(`event: error\ndata: ${JSON.stringify({ message: /** @type {Error} */ (error).message })}\n\n`);
  }
  response.end();
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

// A client, to see it work.
const answer = await fetch(`http://127.0.0.1:${port}/run?task=${encodeURIComponent('How many .mjs files are there?')}`);
const events = (await answer.text()).trim().split('\n\n').map((block) => /^event: (\w+)\ndata: (.*)$/.exec(block));
console.log(events.map((event) => event?.[1]).filter((type) => type !== 'Progress').join(' '));
console.log(events.at(-1)?.[2]);

server.close();
await artoo.close();
