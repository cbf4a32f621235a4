import { ArtooError, type LLMClient } from '../index.js';
import { createOfflineModel } from '../entries/offline.js';
import { createOpenAIClient } from '../entries/openai.js';
import type { CommandOptions } from './arguments.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** The clients of a session, and what must be said about them. */
export interface ChosenModels { readonly brain: LLMClient; readonly tool: LLMClient; readonly notice: string }

const DEFAULT_BRAIN = 'deepseek-reasoner';
const DEFAULT_ENDPOINT = 'https://api.deepseek.com';
const OFFLINE = 'the rule-based offline model is used. It is no language model: it counts, finds, lists, compares, shows and summarises files, nothing else.';

/** Picks the clients by options, then environment. Throws ARTOO_INVALID_CONFIG for half a configuration. */
export function chooseModels(options: CommandOptions, environment: Environment): ChosenModels {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (options.offline) return offline(`--offline: ${OFFLINE}`);
  const brainKey = read('BRAIN_API_KEY');
  const key = brainKey ?? read('OPENAI_API_KEY');
  const endpoint = options.baseURL ?? read('BRAIN_BASE_URL') ?? read('OPENAI_BASE_URL');
  const named = options.model ?? read('BRAIN_MODEL') ?? read('OPENAI_MODEL');
  if (key === undefined && endpoint === undefined && named === undefined) {
    return offline(`No model is configured (BRAIN_MODEL, BRAIN_BASE_URL, BRAIN_API_KEY or OPENAI_*), so ${OFFLINE}`);
  }
  const model = named ?? DEFAULT_BRAIN;
  if (named === undefined && endpoint === undefined && brainKey === undefined) {
    throw new ArtooError('ARTOO_INVALID_CONFIG', `OPENAI_API_KEY is set, but no model is named, and the default ${DEFAULT_BRAIN} is not one of OpenAI's.`, {
      hint: 'Set BRAIN_MODEL or OPENAI_MODEL, pass --model NAME, or use --offline.',
    });
  }
  const baseURL = endpoint ?? (model.startsWith('deepseek') ? DEFAULT_ENDPOINT : undefined);
  const brain = client(model, baseURL, key);
  const toolModel = options.model ?? read('TOOL_MODEL') ?? model;
  const toolURL = options.baseURL ?? read('TOOL_BASE_URL') ?? baseURL;
  const toolKey = read('TOOL_API_KEY') ?? key;
  const tool = toolModel === model && toolURL === baseURL && toolKey === key ? brain : client(toolModel, toolURL, toolKey);
  return { brain, tool, notice: brain === tool ? `Model: ${brain.model}.` : `Models: ${brain.model} (brain), ${tool.model} (tool).` };
}

function client(model: string, baseURL: string | undefined, apiKey: string | undefined): LLMClient {
  return createOpenAIClient({ model, ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) });
}

function offline(notice: string): ChosenModels {
  const model = createOfflineModel();
  return { brain: model, tool: model, notice };
}
