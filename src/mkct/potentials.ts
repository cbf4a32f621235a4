import { attentionOf, type Decaying } from './decay.js';

/** Below this attention a tag says nothing. */
export const ATTENTION_THRESHOLD = 0.5;
/** Above it a decision potential prefers, under its negative it avoids. */
export const DECISION_THRESHOLD = 0.2;

/** The two channels of paper §6.4: unsigned salience and signed preference. */
export interface Channels { readonly attention: number; readonly decision: number }

/** What the planner does with a tag. */
export type Action = 'ignore' | 'exploit' | 'avoid' | 'caution';

/**
 * What two channels say together (paper §6.4). Both a success and a failure on record give caution, not silence.
 *
 * @example
 * import { classify } from 'artoo/memory';
 * classify({ attention: 1.85, decision: -0.05 }); // 'caution'
 */
export function classify({ attention, decision }: Channels): Action {
  if (attention < ATTENTION_THRESHOLD) return 'ignore';
  if (decision > DECISION_THRESHOLD) return 'exploit';
  if (decision < -DECISION_THRESHOLD) return 'avoid';
  return 'caution';
}

/**
 * The full sums over a list of megrams at a moment in epoch ms: attention Σ f·e^(−kΔt), decision Σ σ·f·e^(−kΔt), Δt in
 * days since creation or last recall and never negative. Stores answer the same from running sums.
 *
 * @example
 * import { potentials } from 'artoo/memory';
 * potentials(megrams, Date.now()); // { attention: 1.62, decision: 1.62, action: 'exploit' }
 */
export function potentials(megrams: Iterable<Decaying & { readonly sigma: number }>, at: number): Channels & { readonly action: Action } {
  let attention = 0;
  let decision = 0;
  for (const megram of megrams) {
    const live = attentionOf(megram, at);
    attention += live;
    decision += megram.sigma * live;
  }
  return { attention, decision, action: classify({ attention, decision }) };
}
