import { ArtooError } from '../contracts/errors.js';
import type { LLMClient } from '../contracts/llm.js';

/** The roles that ask a model. */
export type ModelRole = 'R1' | 'R2' | 'R3' | 'R4a' | 'R4b' | 'dreamer';

/** Two tiers, and a client of its own for any role. */
export interface Models {
  /** Perceives, plans, and judges the whole: R1, R2, R4b. */
  readonly brain?: LLMClient | undefined;
  /** Executes and judges the parts: R3, R4a, and the Dreamer. */
  readonly tool?: LLMClient | undefined;
  readonly R1?: LLMClient | undefined;
  readonly R2?: LLMClient | undefined;
  readonly R3?: LLMClient | undefined;
  readonly R4a?: LLMClient | undefined;
  readonly R4b?: LLMClient | undefined;
  readonly dreamer?: LLMClient | undefined;
}

const TIERS: readonly (readonly [ModelRole, 'brain' | 'tool'])[] = [
  ['R1', 'brain'], ['R2', 'brain'], ['R3', 'tool'], ['R4a', 'tool'], ['R4b', 'brain'], ['dreamer', 'tool'],
];

/**
 * Says which client each role asks: its own, else its tier's. Throws ARTOO_INVALID_CONFIG when a role is left without
 * one (the missing tiers are named), when something given is no client, or when R4b's `rank` is below R2's: who judges
 * the whole must not be weaker than who planned it.
 *
 * @example
 * import { resolveModels } from 'artoo/llm';
 * const { R2, R3 } = resolveModels({ brain, tool });
 */
export function resolveModels(models: Models): Readonly<Record<ModelRole, LLMClient>> {
  if (typeof models !== 'object' || models === null) throw invalid('models must be an object with "brain" and "tool".');
  for (const [key, client] of Object.entries(models)) {
    if (client !== undefined && !isClient(client)) throw invalid(`models.${key} is no model client: it needs a "model" name and a "complete" method.`);
  }
  const resolved = new Map<ModelRole, LLMClient>();
  const missing = new Map<string, ModelRole[]>();
  for (const [role, tier] of TIERS) {
    const client = models[role] ?? models[tier];
    if (client) resolved.set(role, client);
    else missing.set(tier, [...(missing.get(tier) ?? []), role]);
  }
  if (missing.size > 0) {
    throw invalid(`No model for ${[...missing].map(([tier, roles]) => `"${tier}" (${roles.join(', ')})`).join(' and ')}.`);
  }
  const result = Object.fromEntries(resolved) as Record<ModelRole, LLMClient>;
  checkRanks(result.R2, result.R4b);
  return result;
}

function checkRanks(planner: LLMClient, validator: LLMClient): void {
  if (planner === validator) return;
  if (planner.rank === undefined && validator.rank === undefined) return;
  if (planner.rank === undefined || validator.rank === undefined) {
    const without = planner.rank === undefined ? 'R2' : 'R4b';
    throw invalid(`R4b must be at least as capable as R2, but the model of ${without} has no rank to compare.`, `Give both models a rank, or neither. ${without} uses "${(planner.rank === undefined ? planner : validator).model}".`);
  }
  if (!(validator.rank >= planner.rank)) {
    throw invalid(`R4b's model ("${validator.model}", rank ${validator.rank}) ranks below R2's ("${planner.model}", rank ${planner.rank}).`, 'Use a model for R4b that is at least as capable as the planner, or correct the ranks.');
  }
}

function isClient(value: unknown): value is LLMClient {
  const client = value as Partial<LLMClient> | null;
  return typeof client === 'object' && client !== null && typeof client.model === 'string' && typeof client.complete === 'function';
}

function invalid(message: string, hint = 'Pass models: { brain, tool }; clients come from artoo/openai or implement LLMClient.'): ArtooError {
  return new ArtooError('ARTOO_INVALID_CONFIG', message, { hint });
}
