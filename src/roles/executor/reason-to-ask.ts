import type { Effect } from '../../contracts/names.js';
import { isNamed } from '../../text/named.js';

/** What is known of a call before it is let through. */
export interface CallFacts {
  readonly effect: Effect;
  /** Experience with the tool is mixed. */
  readonly cautious: boolean;
  /** An earlier run of this call has an unknown outcome. */
  readonly doubtful: boolean;
  /** Texts that leave the machine with it. */
  readonly outward: readonly string[];
  readonly secret: boolean;
  /** Where untrusted text came from that may have led to it; undefined: nowhere. */
  readonly influencedBy: readonly string[] | undefined;
  /** What the user and the host said. */
  readonly trustedTexts: readonly string[];
}
/** Why a person is asked. `always`: a standing permission doesn't cover it. */
export interface ReasonToAsk { readonly reason: string; readonly always: boolean }

/** Whether a call needs a person's yes, and why; undefined when it may just happen. */
export function reasonToAsk(facts: CallFacts): ReasonToAsk | undefined {
  const { effect, cautious, doubtful, outward, secret, influencedBy, trustedTexts } = facts;
  const influenced = influencedBy !== undefined;
  if (doubtful) return { reason: 'its earlier outcome is unknown', always: true };
  if (secret && outward.length > 0) return { reason: 'it sends out what looks like a secret', always: true };
  if (effect === 'irreversible') return { reason: 'it cannot be undone', always: influenced };
  if (influenced && outward.some((text) => !isNamed(text, trustedTexts))) {
    return { reason: 'it sends out what nobody named, after untrusted text came in', always: true };
  }
  return cautious ? { reason: 'experience with this tool is mixed', always: influenced } : undefined;
}
