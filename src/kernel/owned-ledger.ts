import { ArtooError } from '../contracts/errors.js';
import type { Ledger } from '../contracts/ledger.js';

interface Claim { readonly owner: object; givingBack: Promise<void> | undefined }

/** By the ledger as the host made it: several artoos may have been given the same one. */
const claims = new WeakMap<Ledger, Map<string, Claim>>();

/**
 * A ledger whose tasks belong to one artoo at a time. A ledger's own lock keeps processes apart, if it has one; it can't
 * tell apart who uses the same object, and two runs of one task would do everything twice.
 */
export function ownedLedger(ledger: Ledger, shared: Ledger): Ledger & Required<Pick<Ledger, 'acquire' | 'release'>> {
  const owner = {};
  const claimed = claims.get(shared) ?? new Map<string, Claim>();
  claims.set(shared, claimed);
  return {
    ...ledger,
    async acquire(taskId) {
      while (claimed.get(taskId)?.givingBack) await claimed.get(taskId)?.givingBack;
      const known = claimed.get(taskId);
      if (known && known.owner !== owner) throw taken(taskId);
      claimed.set(taskId, known ?? { owner, givingBack: undefined });
      try {
        await ledger.acquire?.(taskId);
      } catch (error) {
        if (!known) claimed.delete(taskId);
        throw error;
      }
    },
    async release(taskId) {
      const claim = claimed.get(taskId);
      if (claim?.owner !== owner || claim.givingBack) return claim?.givingBack;
      const given = ledger.release?.(taskId);
      // Whoever wants the task next waits until the ledger has let go of it.
      claim.givingBack = given?.catch(() => undefined);
      try {
        if (given) await given;
      } finally {
        claimed.delete(taskId);
      }
    },
  };
}

function taken(taskId: string): ArtooError {
  return new ArtooError('ARTOO_LEDGER_LOCKED', `Another artoo of this process runs ${taskId}.`, {
    hint: 'Answer, abort or await the task there, or close that artoo first.',
  });
}
