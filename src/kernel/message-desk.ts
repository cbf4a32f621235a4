import type { Draft } from '../contracts/bus.js';
import { MESSAGE_VERSION, type Envelope, type Recipient } from '../contracts/envelope.js';
import type { DispatchManifest, SubTaskOutcome } from '../contracts/messages.js';
import type { RoleId } from '../contracts/names.js';
import type { Causality } from './causality.js';
import type { ReplayIndex } from './replay-index.js';

/** Makes the envelopes of one task: ids from their place, numbers without a gap, the same ones when it is resumed. */
export class MessageDesk {
  private seq: number;
  private readonly counts = new Map<string, number>();
  /** Outcomes by subtask, as far as they were published: what a stop must not lose. */
  private readonly outcomes = new Map<string, SubTaskOutcome>();
  /** Their messages: who passes outcomes on says what they say, whether or not it heard them. */
  private readonly outcomeIds: string[] = [];
  private readonly manifests: DispatchManifest[] = [];
  private readonly made = new Set<Envelope>();

  constructor(
    private readonly taskId: string,
    private readonly causality: Causality,
    private readonly now: () => number,
    private readonly replay: ReplayIndex | undefined,
  ) {
    this.seq = replay?.lastSeq ?? 0;
  }

  /** The envelope, and whether the record has it already. Lines for people are fleeting: unnumbered, unrecorded. */
  make(draft: Draft, from: RoleId, to: Recipient): { readonly envelope: Envelope; readonly record: boolean } {
    const { type, payload } = draft;
    const subtaskId = draft.subtaskId ?? (payload as { readonly subtaskId?: string }).subtaskId;
    const place = placeOf(from, draft, subtaskId);
    const count = this.counts.get(place) ?? 0;
    this.counts.set(place, count + 1);
    const id = `${this.taskId}/${place}/${count}`;
    if (type === 'Progress' || type === 'Delta') {
      const fleeting = { v: MESSAGE_VERSION, id, type, from, to, taskId: this.taskId, at: this.now(), integrity: this.causality.integrityOf(from, subtaskId), payload };
      return { envelope: fleeting as Envelope, record: false };
    }
    const known = this.replay?.messages.get(id);
    // A result hands on what came of the work, whoever words it and whether or not he heard it.
    const after = 'outcomes' in payload || type === 'FinalResult' ? [...(draft.after ?? []), ...this.outcomeIds] : draft.after;
    const made: Record<string, unknown> = {
      v: MESSAGE_VERSION, id, type, from, to, taskId: this.taskId, seq: known?.seq ?? ++this.seq, at: known?.at ?? this.now(),
      integrity: this.causality.said(id, from, subtaskId, { causeId: draft.causeId, after }), payload,
    };
    if (draft.causeId !== undefined) made['causeId'] = draft.causeId;
    if (known) made['replayed'] = true;
    const envelope = made as unknown as Envelope;
    this.made.add(envelope);
    if (envelope.type === 'SubTaskOutcome') {
      this.outcomes.set(envelope.payload.subtaskId, envelope.payload);
      this.outcomeIds.push(id);
    }
    if (envelope.type === 'DispatchManifest') this.manifests.push(envelope.payload);
    return { envelope, record: !known };
  }

  /** Made here, not by foreign code that knows the names. */
  isOwn(envelope: Envelope): boolean {
    return this.made.has(envelope);
  }

  /** What was published of outcomes so far, in the order of the manifests. */
  orderedOutcomes(): SubTaskOutcome[] {
    const ids = new Set(this.manifests.flatMap(({ subtaskIds }) => subtaskIds));
    return [...ids].flatMap((id) => this.outcomes.get(id) ?? []);
  }
}

/** A question that was answered before a restart is not put again: those after it must not take its number. */
function placeOf(from: RoleId, { type, payload }: Draft, subtaskId: string | undefined): string {
  if ('approvalId' in payload) return `${from}/${type}/${payload.approvalId}/${payload.fingerprint}`;
  return subtaskId === undefined ? `${from}/${type}` : `${from}/${type}/${subtaskId}`;
}
