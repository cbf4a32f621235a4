/** The variants by the name that `--only` takes. `group` lets `--only artoo` mean all of artoo's. */
export const VARIANTS = [
  { name: 'floor', group: 'floor', title: 'plain async functions + zod', file: 'floor', package: 'zod' },
  { name: 'artoo', group: 'artoo', title: 'artoo, ledger in RAM', file: 'artoo', package: 'artoo' },
  { name: 'artoo-file', group: 'artoo', title: 'artoo, file ledger (hash chain, fsync never)', file: 'artoo', options: { ledger: 'file' }, package: 'artoo' },
  { name: 'ai-sdk', group: 'ai-sdk', title: 'AI SDK generateText', file: 'ai-sdk', package: 'ai' },
  { name: 'mastra', group: 'mastra', title: 'Mastra workflow', file: 'mastra', package: '@mastra/core' },
  { name: 'mastra-registered', group: 'mastra', title: 'Mastra workflow, registered', file: 'mastra', options: { registered: true }, package: '@mastra/core' },
  { name: 'openai-agents', group: 'openai-agents', title: 'OpenAI Agents SDK', file: 'openai-agents', package: '@openai/agents' },
  { name: 'langgraph', group: 'langgraph', title: 'LangGraph.js', file: 'langgraph', package: '@langchain/langgraph' },
  { name: 'langgraph-memory', group: 'langgraph', title: 'LangGraph.js + MemorySaver', file: 'langgraph', options: { checkpoints: true }, package: '@langchain/langgraph' },
];

/** Makes one variant. `latencyMs` is how long each model call takes. */
export async function createVariant(name, { latencyMs = 0 } = {}) {
  const entry = VARIANTS.find((variant) => variant.name === name);
  if (!entry) throw new Error(`There is no variant ${name}. Known: ${VARIANTS.map((variant) => variant.name).join(', ')}.`);
  const { create } = await import(`./variants/${entry.file}.mjs`);
  return create({ latencyMs, ...entry.options });
}
