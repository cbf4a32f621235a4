import { ageInDays } from '../../mkct/decay.js';
import type { TopEntity, TopEntry } from './records.js';

/** Strong entries kept for each side: for, against, and without valence. */
const PER_SIDE = 3;
const ENTITIES = 8;
/** A longer entity is found when it is asked for, but not offered. */
const LONGEST_ENTITY = 1_024;
const LONGEST_ID = 512;
/** Entities are compared as if all of their evidence decayed like a success. */
const ENTITY_K = 0.05;

/** Adds an entry to the strongest of its tag, at most three for each side. Among equals the newest stays. */
export function withEntry(top: readonly TopEntry[], { id, sequence, time, f, sigma, k }: TopEntry): readonly TopEntry[] {
  if (id.length > LONGEST_ID) return top;
  const entry = { id, sequence, time, f, sigma, k };
  const side = Math.sign(sigma);
  const kept = [...top.filter((other) => other.id !== id), entry];
  const same = kept.filter((other) => Math.sign(other.sigma) === side);
  if (same.length <= PER_SIDE) return kept;
  const at = kept.reduce((newest, other) => Math.max(newest, other.time), time);
  const weakest = same.reduce((weak, other) => (strength(other, at) < strength(weak, at) || (strength(other, at) === strength(weak, at) && other.sequence < weak.sequence) ? other : weak));
  return kept.filter((other) => other !== weakest);
}

/** Takes an entry out. */
export function withoutEntry(top: readonly TopEntry[], id: string): readonly TopEntry[] {
  return top.some((entry) => entry.id === id) ? top.filter((entry) => entry.id !== id) : top;
}

/** Notes how strong an entity of a space is; the strongest few are kept. */
export function withEntity(entities: readonly TopEntity[], entity: TopEntity): readonly TopEntity[] {
  const others = entities.filter((other) => other.entity !== entity.entity);
  if (entity.attention <= 0 || entity.entity.length > LONGEST_ENTITY) return others;
  const at = others.reduce((newest, other) => Math.max(newest, other.at), entity.at);
  return [entity, ...others].sort((a, b) => weight(b, at) - weight(a, at)).slice(0, ENTITIES);
}

/** The strongest first at a moment. */
export function strongestFirst(top: readonly TopEntry[], at: number): readonly TopEntry[] {
  return [...top].sort((a, b) => strength(b, at) - strength(a, at) || b.sequence - a.sequence);
}

/** What an entry weighs: its salience, a little more when it takes sides. */
function strength({ f, k, time, sigma }: Pick<TopEntry, 'f' | 'k' | 'time' | 'sigma'>, at: number): number {
  return f * (0.5 + 0.5 * Math.abs(sigma)) * Math.exp(-k * ageInDays(time, at));
}

function weight({ attention, at: since }: TopEntity, at: number): number {
  return attention * Math.exp(-ENTITY_K * ageInDays(since, at));
}
