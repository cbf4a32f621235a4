// A tool of one's own: its input is checked, its effect declared, and what can't be undone is asked about first.
import { createArtoo, defineTool, ToolError } from 'artoo';
import { ScriptedLLM } from 'artoo/testing';

const shelf = new Map([['tea', 3], ['salt', 1]]);

const stock = defineTool({
  name: 'stock',
  description: 'How many packets of a thing are on the shelf.',
  input: { type: 'object', properties: { thing: { type: 'string', minLength: 1 } }, required: ['thing'] },
  effect: 'read',
  target: ({ thing }) => thing,
  execute: ({ thing }) => {
    // Environmental: the world lacks it. Logical: the call made no sense.
    if (!shelf.has(thing)) throw ToolError.environmental(`There is no ${thing}.`, { hint: `There is: ${[...shelf.keys()].join(', ')}.` });
    return `${thing}: ${shelf.get(thing)} packets`;
  },
});

const order = defineTool({
  name: 'order',
  description: 'Orders packets of a thing. An order is binding.',
  input: { type: 'object', properties: { thing: { type: 'string' }, packets: { type: 'integer', minimum: 1 } }, required: ['thing', 'packets'] },
  effect: 'irreversible',
  target: ({ thing }) => thing,
  preview: ({ thing, packets }) => `${packets} × ${thing}, to be paid on delivery`,
  execute: ({ thing, packets }) => `ordered ${packets} ${thing}`,
});

// A script instead of a model keeps the example still; any LLMClient will do.
const llm = new ScriptedLLM([
  { role: 'R1', reply: { slug: 'restock', intent: 'Order salt if there is less than two packets.' } },
  { role: 'R2', reply: {
    taskCriteria: [{ criterion: 'The result says what was ordered', about: 'result' }],
    subtasks: [{ intent: 'Look at the salt and order what is missing', successCriteria: [{ criterion: 'order was carried out', check: { type: 'toolSucceeded', tool: 'order' } }], sequence: 0, tools: ['stock', 'order'] }],
  } },
  { role: 'R3', reply: { toolCalls: [{ name: 'stock', input: { thing: 'salt' } }] } },
  { role: 'R3', reply: { toolCalls: [{ name: 'order', input: { thing: 'salt', packets: 2 } }] } },
  { role: 'R3', reply: { status: 'completed', output: 'There was 1 packet of salt; ordered 2 salt.' } },
  { role: 'R4b', reply: { summary: 'Ordered.', mergedOutput: 'There was 1 packet of salt; ordered 2 salt.', verdicts: [{ index: 0, verdict: 'pass', evidence: 'ordered 2 salt' }] } },
]);

const artoo = createArtoo({
  models: { brain: llm, tool: llm }, tools: [stock, order],
  confirm: ({ tool, target, preview }) => {
    console.log(`asked: ${tool} on ${target}: ${preview}`);
    return 'allow';
  },
});
const { directive, output } = await artoo.run('Order salt if there are fewer than two packets.').result;
console.log(directive, '-', output);
await artoo.close();
