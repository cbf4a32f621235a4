/** Milliseconds in the day that `k` counts in. */
export const DAY_MS = 86_400_000;

/** An M or K entry whose own attention has fallen to this is collected. */
export const FORGET_BELOW = 0.1;

/** The parts of a megram that decide how it decays. Times in epoch ms, k per day. */
export interface Decaying {
  readonly createdAt: number;
  readonly lastRecalledAt: number | null;
  readonly f: number;
  readonly k: number;
}

/** When the decay clock of an entry last started: at its creation or its last recall, whichever is later. Epoch ms. */
export function decayStart(megram: Decaying): number {
  return Math.max(megram.createdAt, megram.lastRecalledAt ?? megram.createdAt);
}

/** Age in days, never negative: a clock that jumps back must not amplify. */
export function ageInDays(since: number, at: number): number {
  return Math.max(0, at - since) / DAY_MS;
}

/** What is left of an entry's salience: f·e^(−k·Δt), in [0, 1]. */
export function attentionOf(megram: Decaying, at: number): number {
  return megram.f * Math.exp(-megram.k * ageInDays(decayStart(megram), at));
}

/**
 * Days after which an entry's attention has fallen to {@link FORGET_BELOW}: 0 when it starts there, Infinity when it
 * never decays.
 *
 * @example
 * import { collectAfterDays, QUANTIZATION } from 'artoo/memory';
 * collectAfterDays(QUANTIZATION.accept); // 43.94…
 */
export function collectAfterDays(megram: { readonly f: number; readonly k: number }): number {
  if (megram.k === 0) return Infinity;
  return megram.f <= FORGET_BELOW ? 0 : Math.log(megram.f / FORGET_BELOW) / megram.k;
}

/** The moment an entry may be collected, in epoch ms; Infinity for one that stays. */
export function dueAt(megram: Decaying): number {
  return decayStart(megram) + Math.ceil(collectAfterDays(megram) * DAY_MS);
}
