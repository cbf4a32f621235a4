export { createOpenAIClient, type OpenAIClientOptions, type OpenAILike } from '../adapters/openai.js';
