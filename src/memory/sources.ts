import type { Megram } from '../contracts/messages.js';

/** Whose quota an entry counts towards: those that may have influenced it, else its writer; nobody's for a trusted one. */
export function untrustedSources({ origin }: Pick<Megram, 'origin'>): readonly string[] {
  if (origin.integrity !== 'untrusted') return [];
  const { influencedBy = [] } = origin;
  return influencedBy.length > 0 ? [...new Set(influencedBy)] : [origin.source];
}

/** Does an entry come from a source, directly or by way of other memories? */
export function comesFrom({ origin }: Pick<Megram, 'origin'>, source: string): boolean {
  return origin.source === source || origin.influencedBy?.includes(source) === true;
}
