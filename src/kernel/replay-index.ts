import type { EffectAddress, LedgerLine } from '../contracts/ledger.js';
import type { Stop } from '../contracts/messages.js';
import type { ApprovalDecision } from '../contracts/people.js';
import { laneKey } from './lanes.js';

/** What the record holds for one address: one value, or the attempts of a model call, or an intent and its outcome. */
export interface RecordedEffect {
  readonly lines: EffectLine[];
  readonly beforeStop: boolean;
}
export type EffectLine = Extract<LedgerLine, { readonly address: EffectAddress }>;

/** A question to a person as the record holds it. */
export interface RecordedQuestion {
  readonly fingerprint: string;
  readonly expiresAt: number;
  readonly answer?: { readonly decision: ApprovalDecision; readonly reason?: string };
}

/** A task's lines, arranged so that a second run of the same task finds at each address what was recorded there. */
export class ReplayIndex {
  /** Message id → its number and time. */
  readonly messages = new Map<string, { readonly seq: number | undefined; readonly at: number }>();
  /** Lines that are no effects, counted by kind: computed again on a resume, not written again. */
  readonly notes = new Map<string, number>();
  /** Questions to a person by approval id, the last of each, with their answers. */
  readonly questions = new Map<string, RecordedQuestion>();
  readonly stop: Stop | undefined;
  readonly lastSeq: number;
  /** Running time so far, ms. */
  readonly elapsedMs: number;
  readonly ended: boolean;
  private readonly effects = new Map<string, RecordedEffect>();
  private beforeStopLeft = 0;

  constructor(lines: readonly LedgerLine[]) {
    let stop: Stop | undefined;
    let lastSeq = 0;
    let ended = false;
    for (const line of lines) {
      if (line.kind === 'message') {
        const { id, seq, at } = line.envelope;
        this.messages.set(id, { seq, at });
        if (seq !== undefined && seq > lastSeq) lastSeq = seq;
      } else if (line.kind === 'stop') stop ??= line.stop;
      else if (line.kind === 'task.end') ended = true;
      else if (line.kind === 'approval.asked') this.questions.set(line.approvalId, { fingerprint: line.fingerprint, expiresAt: line.expiresAt });
      else if (line.kind === 'approval.answered') {
        const question = this.questions.get(line.approvalId);
        if (question?.fingerprint === line.fingerprint) this.questions.set(line.approvalId, { ...question, answer: line });
      } else if ('address' in line) this.add(line, stop === undefined);
      else this.notes.set(line.kind, (this.notes.get(line.kind) ?? 0) + 1);
    }
    this.stop = stop;
    this.lastSeq = lastSeq;
    this.ended = ended;
    this.elapsedMs = lines.at(-1)?.elapsedMs ?? 0;
    for (const effect of this.effects.values()) if (effect.beforeStop) this.beforeStopLeft += 1;
  }

  /** Takes out what is recorded at the address. */
  take(address: EffectAddress): RecordedEffect | undefined {
    const key = addressKey(address);
    const effect = this.effects.get(key);
    if (!effect) return undefined;
    this.effects.delete(key);
    if (effect.beforeStop) this.beforeStopLeft -= 1;
    return effect;
  }

  /** True once everything that was recorded before the stop has been asked for again. */
  get reachedStop(): boolean {
    return this.beforeStopLeft === 0;
  }

  /** A recorded action that lies ahead, not asked for yet: acting on a guess could repeat it. */
  actionAhead(): string | undefined {
    for (const { lines } of this.effects.values()) {
      for (const line of lines) if (line.kind === 'tool.intent' && line.effect !== 'read') return `${line.tool} on ${line.target}`;
    }
    return undefined;
  }

  /** Forgets the rest of a lane that went another way this time. */
  dropLane(address: EffectAddress): void {
    const prefix = `${laneKey(address)}|`;
    for (const [key, effect] of this.effects) {
      if (!key.startsWith(prefix)) continue;
      this.effects.delete(key);
      if (effect.beforeStop) this.beforeStopLeft -= 1;
    }
  }

  private add(line: EffectLine, beforeStop: boolean): void {
    const key = addressKey(line.address);
    const known = this.effects.get(key);
    // A first line at a known address was written by a run that had left the record: it replaces what was there.
    if (known && !startsAnew(known, line)) known.lines.push(line);
    else this.effects.set(key, { lines: [line], beforeStop });
  }
}

function startsAnew(known: RecordedEffect, line: EffectLine): boolean {
  if (line.kind === 'effect' || line.kind === 'budget.denied') return line.kind === 'effect';
  if (line.kind === 'tool.intent') return true;
  if (line.kind !== 'llm.call') return false;
  const first = known.lines[0];
  return first?.kind === 'llm.call' && line.attempt <= first.attempt;
}

function addressKey(address: EffectAddress): string {
  return `${laneKey(address)}|${address.ordinal}`;
}
