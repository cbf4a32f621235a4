import { ArtooError } from '../contracts/errors.js';
import type { LedgerBody } from '../contracts/ledger.js';
import type { ApprovalReply } from '../contracts/messages.js';
import type { ApprovalDecision } from '../contracts/people.js';
import type { Clock } from '../contracts/runtime.js';
import { runWithTimeout } from '../signals/index.js';
import { backgroundClock, systemClock } from '../signals/system-clock.js';
import type { Redactor } from '../text/index.js';
import { maskedCall } from './redaction.js';
import type { ReplayIndex } from './replay-index.js';

/** What a question needs of its task. */
export interface QuestionedTask {
  readonly signal: AbortSignal;
  /** Set where the record holds masks in the place of secrets. */
  readonly redactor: Redactor | undefined;
  append(body: LedgerBody, sync?: boolean): void | Promise<void>;
  waitForHuman<T>(wait: () => Promise<T>): Promise<T>;
  /** Things under way; a question that is put off is none. */
  inFlight: number;
  isQuiet(): boolean;
  park(error: ArtooError): void;
}

interface OpenQuestion {
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** What settled it. Nothing that is said later counts, not even before this stands in the record. */
  settled: ApprovalReply['decision'] | undefined;
  /** The answer of `artoo.answer()`, from the moment it is given; settles once the record has it. */
  handedIn: Promise<ApprovalReply> | undefined;
  readonly over: Promise<void>;
}

/**
 * A task's questions to people. Each is on record before anybody sees it, so that it outlives the process; one that is put
 * off holds nothing: once everything else of the task has come to rest, the task is parked.
 */
export class QuestionDesk {
  private readonly open = new Map<string, OpenQuestion>();
  private suspended = 0;
  private checking = false;

  constructor(private readonly task: QuestionedTask, private readonly clock: Clock, private readonly approvalMs: number, private readonly replay: ReplayIndex | undefined) {}

  async ask(question: { readonly approvalId: string; readonly fingerprint: string; readonly masked?: boolean }, put: ((expiresAt: number) => void) | undefined, wait: () => Promise<ApprovalReply>): Promise<ApprovalReply | undefined> {
    const { approvalId, fingerprint } = question;
    if (question.masked && this.replay && this.task.redactor) this.refuseMasked();
    const before = this.replay?.questions.get(approvalId);
    this.replay?.questions.delete(approvalId);
    const recorded = before?.fingerprint === fingerprint ? before : undefined;
    const now = this.clock.now();
    // A yes that nobody acted on in time is none any more.
    if (recorded?.answer && (recorded.answer.decision === 'deny' || recorded.expiresAt > now)) return { approvalId, fingerprint, ...recorded.answer };
    if (!put) return undefined;
    const known = recorded && !recorded.answer && recorded.expiresAt > now;
    const expiresAt = known ? recorded.expiresAt : now + this.approvalMs;
    const kept = known ? undefined : this.task.append({ kind: 'approval.asked', approvalId, fingerprint, expiresAt }, true);
    let end = (): void => undefined;
    const entry: OpenQuestion = { fingerprint, expiresAt, settled: undefined, handedIn: undefined, over: new Promise((resolve) => { end = resolve; }) };
    this.open.set(approvalId, entry);
    try {
      const reply = await this.task.waitForHuman(async () => {
        let answer = this.inTime(wait, expiresAt, question);
        answer.catch(() => undefined);
        if (kept) await kept;
        put(expiresAt);
        for (;;) {
          const said = await answer;
          // What is done is what the record says, whoever was heard first.
          if (entry.handedIn) return entry.handedIn;
          if (said.decision !== 'later') {
            entry.settled = said.decision;
            return said;
          }
          answer = this.suspend(() => this.inTime(wait, expiresAt, question));
        }
      });
      if (!entry.handedIn) {
        const { decision, reason } = reply;
        await this.task.append({ kind: 'approval.answered', approvalId, fingerprint, decision: decision as ApprovalDecision, ...(reason === undefined ? {} : { reason }) });
      }
      return reply;
    } finally {
      this.open.delete(approvalId);
      end();
    }
  }

  private refuseMasked(): never {
    const error = maskedCall('A call that needs permission');
    this.task.park(error);
    throw error;
  }

  /** A question that was put and is not over; undefined when there is none. `settled`: what it was answered with. */
  find(approvalId: string): { readonly fingerprint: string; readonly expiresAt: number; readonly settled: string | undefined } | undefined {
    return this.open.get(approvalId);
  }

  /** Resolves when nobody waits for an answer any more. */
  over(approvalId: string): Promise<void> {
    return this.open.get(approvalId)?.over ?? Promise.resolve();
  }

  /** Settles an open question: nothing else that is said counts from now on. `recorded` settles once the record has it. */
  handIn(approvalId: string, decision: ApprovalDecision, recorded: Promise<ApprovalReply>): void {
    const entry = this.open.get(approvalId);
    if (!entry) return;
    entry.settled = decision;
    entry.handedIn = recorded;
    recorded.catch(() => undefined);
  }

  /** Everything that may come to rest tells here. */
  rested(): void {
    if (this.suspended === 0 || this.checking) return;
    this.checking = true;
    // A turn of the loop later, whatever the host's clock says: what the last step sets off begins within this one.
    systemClock.setTimeout(() => {
      this.checking = false;
      if (this.suspended === 0 || this.task.signal.aborted || !this.task.isQuiet()) return;
      const approvalIds = [...this.open.keys()];
      this.task.park(new ArtooError('ARTOO_APPROVAL_PENDING', `The task waits for ${approvalIds.length === 1 ? 'an answer' : `${approvalIds.length} answers`} of a person.`, {
        hint: 'artoo.pending() shows the questions; artoo.answer(approvalId, decision) takes the task up again.', details: { approvalIds },
      }));
    }, 0);
  }

  private async suspend(wait: () => Promise<ApprovalReply>): Promise<ApprovalReply> {
    this.suspended += 1;
    this.task.inFlight -= 1;
    try {
      this.rested();
      return await wait();
    } finally {
      this.suspended -= 1;
      this.task.inFlight += 1;
    }
  }

  private inTime(wait: () => Promise<ApprovalReply>, expiresAt: number, question: { readonly approvalId: string; readonly fingerprint: string }): Promise<ApprovalReply> {
    // A question that is open for days must not keep a process alive by itself.
    const timer = this.clock === systemClock ? backgroundClock : this.clock;
    const expired: ApprovalReply = { ...question, decision: 'deny', reason: 'nobody answered in time' };
    return runWithTimeout({ clock: timer, ms: Math.max(0, expiresAt - this.clock.now()), signal: this.task.signal, run: wait, onTimeout: () => new Expired() })
      .catch((error: unknown) => {
        if (error instanceof Expired) return expired;
        throw error;
      });
  }
}

class Expired extends Error {}
