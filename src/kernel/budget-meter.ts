import type { LLMRequest, LLMUsage } from '../contracts/llm.js';
import type { Budget, Usage } from '../contracts/messages.js';
import type { RoleId, StopReason } from '../contracts/names.js';
import { estimateTokens } from '../llm/estimate-tokens.js';

/** Money per million tokens, in the host's unit. */
export interface Price { readonly input: number; readonly output: number; readonly cached?: number }
export type Prices = Readonly<Record<string, Price>>;

/** A permission for one call: spent whatever becomes of it. */
export interface Grant { readonly tokens: number; readonly money: number; readonly maxOutputTokens: number | undefined }
export interface Denial { readonly reason: StopReason; readonly message: string }

/** Output that is reserved for a call whose request sets no limit and whose budget doesn't force one. */
const ASSUMED_OUTPUT_TOKENS = 1_024;
/** Fewer tokens of room than this make no answer. */
const LEAST_OUTPUT_TOKENS = 16;

type RoleUsage = Usage['perRole'][string];

/** What a run may spend and has spent. Reserved before a call, settled after it, so that parallel calls can't overdraw. */
export class BudgetMeter {
  calls = 0;
  estimated = false;
  private inputTokens = 0;
  private outputTokens = 0;
  private cachedTokens = 0;
  private money = 0;
  private reservedTokens = 0;
  private reservedMoney = 0;
  private readonly perRole = new Map<RoleId, { calls: number; inputTokens: number; outputTokens: number; cachedTokens: number }>();

  constructor(private readonly budget: Budget, private readonly prices: Prices | undefined) {}

  /** Grants a call or says which budget forbids it. */
  reserve(request: LLMRequest, model: string): { grant: Grant } | { denial: Denial } {
    const { tokens, calls, money } = this.budget;
    if (calls !== undefined && this.calls + 1 > calls) {
      return { denial: { reason: 'budget_calls', message: `the budget of ${calls} model calls is spent` } };
    }
    if (tokens === undefined && money === undefined) {
      this.calls += 1;
      return { grant: UNLIMITED };
    }
    const input = estimateTokens(request);
    let output = request.maxOutputTokens;
    if (tokens !== undefined) {
      const room = tokens - this.inputTokens - this.outputTokens - this.reservedTokens - input;
      if (room < LEAST_OUTPUT_TOKENS) {
        return { denial: { reason: 'budget_tokens', message: `the budget of ${tokens} tokens has no room for a call of about ${input}` } };
      }
      output = Math.min(output ?? room, room);
    }
    const price = this.prices?.[model];
    let cost = 0;
    if (money !== undefined && price) {
      const room = money - this.money - this.reservedMoney - (input * price.input) / 1e6;
      const affordable = price.output > 0 ? Math.floor((room * 1e6) / price.output) : Infinity;
      if (room < 0 || affordable < LEAST_OUTPUT_TOKENS) {
        return { denial: { reason: 'budget_money', message: `the budget of ${money} has no room for another call to ${model}` } };
      }
      if (affordable !== Infinity) output = Math.min(output ?? affordable, affordable);
      cost = (input * price.input + Math.min(output ?? ASSUMED_OUTPUT_TOKENS, ASSUMED_OUTPUT_TOKENS) * price.output) / 1e6;
    }
    const grant: Grant = { tokens: input + Math.min(output ?? ASSUMED_OUTPUT_TOKENS, ASSUMED_OUTPUT_TOKENS), money: cost, maxOutputTokens: output };
    this.hold(grant);
    return { grant };
  }

  /** Counts a grant that stands in the record. */
  hold(grant: Pick<Grant, 'tokens' | 'money'>): void {
    this.calls += 1;
    this.reservedTokens += grant.tokens;
    this.reservedMoney += grant.money;
  }

  /** Replaces the reservation by what was used; without a usage (a failed call) the input counts. */
  settle(grant: Pick<Grant, 'tokens' | 'money'>, role: RoleId, model: string, usage: LLMUsage, estimated: boolean): void {
    this.reservedTokens -= grant.tokens;
    this.reservedMoney -= grant.money;
    const cached = usage.cachedTokens ?? 0;
    this.inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
    this.cachedTokens += cached;
    if (estimated) this.estimated = true;
    const price = this.prices?.[model];
    if (price) {
      const fresh = Math.max(0, usage.inputTokens - cached);
      this.money += (fresh * price.input + cached * (price.cached ?? price.input) + usage.outputTokens * price.output) / 1e6;
    }
    const known = this.perRole.get(role) ?? { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    known.calls += 1;
    known.inputTokens += usage.inputTokens;
    known.outputTokens += usage.outputTokens;
    known.cachedTokens += cached;
    this.perRole.set(role, known);
  }

  /** Could another call be granted, as far as counts say? */
  hasRoom(): boolean {
    const { tokens, calls, money } = this.budget;
    return (
      (calls === undefined || this.calls < calls) &&
      (tokens === undefined || this.inputTokens + this.outputTokens + this.reservedTokens < tokens) &&
      (money === undefined || this.money + this.reservedMoney < money)
    );
  }

  usage(sequentialDepth: number, elapsedMs: number): Omit<Usage, 'toolCalls'> {
    const perRole: Record<string, RoleUsage> = {};
    for (const [role, used] of this.perRole) perRole[role] = { ...used };
    return {
      calls: this.calls, sequentialDepth, inputTokens: this.inputTokens, outputTokens: this.outputTokens,
      cachedTokens: this.cachedTokens, estimated: this.estimated, elapsedMs,
      ...(this.prices ? { money: this.money } : {}), perRole,
    };
  }
}

const UNLIMITED: Grant = Object.freeze({ tokens: 0, money: 0, maxOutputTokens: undefined });
