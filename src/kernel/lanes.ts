import type { EffectAddress } from '../contracts/ledger.js';
import type { Lane } from '../contracts/runtime.js';

/** A lane's key in maps: (subtask, role, kind). */
export function laneKey(lane: Lane): string {
  return `${lane.subtaskId ?? ''}|${lane.role}|${lane.kind}`;
}

/** Hands out the places in each lane, in order. */
export class LaneCounter {
  private readonly next = new Map<string, number>();

  take(lane: Lane): EffectAddress {
    const key = laneKey(lane);
    const ordinal = this.next.get(key) ?? 0;
    this.next.set(key, ordinal + 1);
    return lane.subtaskId === undefined
      ? { role: lane.role, kind: lane.kind, ordinal }
      : { subtaskId: lane.subtaskId, role: lane.role, kind: lane.kind, ordinal };
  }
}
