import { ArtooError } from '../contracts/errors.js';
import type { EffectAddress } from '../contracts/ledger.js';
import type { ActResult, Lane, ToolIntent } from '../contracts/runtime.js';
import type { Redactor } from '../text/index.js';
import { laneKey } from './lanes.js';
import { holdsMask, maskedCall } from './redaction.js';
import type { EffectLine } from './replay-index.js';
import { sameRequest } from './same-request.js';
import type { TaskScope } from './task-scope.js';

/** Runs tools between a recorded intent and a recorded outcome, and never a second time on a guess. */
export class Actions {
  /** Begun and not known to be over. */
  readonly open = new Map<string, ToolIntent>();

  constructor(private readonly task: TaskScope) {}

  async act<T>(lane: Lane, intent: ToolIntent, live: (intentId: string) => Promise<T>): Promise<ActResult<T>> {
    const address = this.task.lanes.take(lane);
    const intentId = `${this.task.taskId}/${laneKey(lane)}/${address.ordinal}`;
    this.task.toolCalls += 1;
    const found = this.task.replay?.take(address)?.lines;
    const began = found?.find((line) => line.kind === 'tool.intent');
    if (began?.kind === 'tool.intent' && !sameIntent(began, intent, this.task.redactor)) {
      this.task.diverge(address, `${intent.tool} is called with another input than the record holds`, began);
    } else if (began) {
      const outcome = found?.find((line) => line.kind === 'tool.outcome');
      this.task.reachStop();
      if (outcome) return settled<T>(outcome, intentId);
      // Begun and broken off: going on with it is a step of its own. None is taken after a stop, and the result says so.
      if (intent.effect !== 'read') this.open.set(intentId, intent);
      await this.task.beforeLive();
      this.open.delete(intentId);
      if (intent.effect !== 'read') return this.resolveDoubt(address, intent, intentId, live);
    } else if (this.task.replay) await this.task.beforeLive();
    this.task.throwIfStopped();
    const { tool, effect, target, input } = intent;
    const kept = this.task.append({ kind: 'tool.intent', address, tool, effect, target, input }, effect !== 'read');
    if (kept) await kept;
    return this.carryOut(address, intent, intentId, live);
  }

  private async carryOut<T>(address: EffectAddress, intent: ToolIntent, intentId: string, live: (intentId: string) => Promise<T>): Promise<ActResult<T>> {
    this.task.throwIfStopped();
    if (this.task.replay && this.task.redactor && holdsMask(intent.input)) this.refuseMasked(intent);
    this.task.begin();
    if (intent.effect !== 'read') this.open.set(intentId, intent);
    try {
      const value = await live(intentId);
      const kept = this.task.append({ kind: 'tool.outcome', address, effect: intent.effect, value }, intent.effect !== 'read');
      if (kept) await kept;
      this.open.delete(intentId);
      return { state: 'done', value };
    } finally {
      this.task.finish();
    }
  }

  private refuseMasked({ tool, target }: ToolIntent): never {
    const error = maskedCall(`A call of ${tool} on ${target}`);
    this.task.park(error);
    throw error;
  }

  /** Asks the tool what became of the call. One that fails or doesn't answer has left it unknown. */
  private async probe({ probe, tool }: ToolIntent, intentId: string): Promise<'done' | 'not done' | 'unknown'> {
    if (!probe) return 'unknown';
    const ms = this.task.limits.callTimeoutMs;
    try {
      return await this.task.during(() => this.task.guard(ms, async () => probe(intentId), () => new ArtooError('ARTOO_TOOL_TIMEOUT', `The probe of "${tool}" did not answer within ${ms} ms.`)));
    } catch (error) {
      if (this.task.signal.aborted) throw error;
      return 'unknown';
    }
  }

  private async resolveDoubt<T>(address: EffectAddress, intent: ToolIntent, intentId: string, live: (intentId: string) => Promise<T>): Promise<ActResult<T>> {
    const answer = await this.probe(intent, intentId);
    if (answer === 'not done') return this.carryOut(address, intent, intentId, live);
    const state = answer === 'done' ? 'done-before' : 'in-doubt';
    await this.task.append({ kind: 'tool.outcome', address, effect: intent.effect, error: { code: state, message: 'the process ended before the outcome was recorded' } }, true);
    return { state, intentId };
  }
}

function settled<T>(outcome: Extract<EffectLine, { kind: 'tool.outcome' }>, intentId: string): ActResult<T> {
  const code = outcome.error?.code;
  if (code === 'done-before' || code === 'in-doubt') return { state: code, intentId };
  return { state: 'done', value: outcome.value as T };
}

function sameIntent(recorded: Pick<ToolIntent, 'tool' | 'target' | 'input'>, { tool, target, input }: ToolIntent, redactor: Redactor | undefined): boolean {
  return recorded.tool === tool && sameRequest(recorded.target, target, redactor) && sameRequest(recorded.input, input, redactor);
}
