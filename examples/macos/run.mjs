// Asks one question with the macOS tools: OPENAI_API_KEY=… node examples/macos/run.mjs "Which invoices came in this week?"
import { createInterface } from 'node:readline/promises';
import { createArtoo } from 'artoo';
import { createOpenAIClient } from 'artoo/openai';
import { macosTools } from './tools.mjs';

const question = process.argv.slice(2).join(' ');
const apiKey = process.env.OPENAI_API_KEY;
if (question === '' || apiKey === undefined) {
  console.error('Give a question as argument and a key in OPENAI_API_KEY.');
  process.exit(2);
}
const model = createOpenAIClient({ apiKey, model: process.env.OPENAI_MODEL ?? 'gpt-5' });
const person = createInterface({ input: process.stdin, output: process.stderr });
const artoo = createArtoo({
  models: { brain: model, tool: model },
  tools: macosTools({ root: process.cwd() }),
  confirm: async ({ tool, preview, reason }) => ((await person.question(`${tool}: ${reason}\n${preview ?? ''}\nAllow? [y/N] `)).trim().toLowerCase() === 'y' ? 'allow' : 'deny'),
});
const { directive, output, unmet } = await artoo.run(question).result;
console.log(directive, output, unmet);
person.close();
await artoo.close();
