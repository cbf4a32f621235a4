import type { LLMRequest } from 'artoo/contracts';

/** All that a model was shown, outside of fences whose ends match and of what the model itself had said. */
export function outsideOfFences(model: { readonly requests: readonly LLMRequest[] }): string {
  return model.requests.map(({ system, messages }) => [system, ...messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content.replace(/<<<data (\w+) [^\n]*>>>\n[\s\S]*?\n<<<end \1>>>/g, '[data]'))].join('\n')).join('\n');
}
