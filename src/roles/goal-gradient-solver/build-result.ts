import type { CriterionVerdict } from '../../contracts/criterion.js';
import type { FinalResult, LawEvent, OutcomeSummary, ReplanRequest, SubTaskOutcome, TaskSpec, Usage } from '../../contracts/messages.js';
import type { Decision } from '../../ggs/state.js';
import { callsOf } from '../calls-of.js';
import { headTail, stringifyOutput, ungrounded } from '../../text/index.js';

/** Everything that a result is made of. */
export interface ResultInput {
  readonly taskId: string;
  readonly spec: TaskSpec | undefined;
  readonly decision: Decision;
  /** Directives issued. */
  readonly replans: number;
  /** The round that ended the run, where a round did. */
  readonly round: ReplanRequest | OutcomeSummary | undefined;
  /** Matched outcomes of all rounds. */
  readonly matched: readonly SubTaskOutcome[];
  readonly failed: readonly SubTaskOutcome[];
  readonly lawEvents: readonly LawEvent[];
  readonly nextMoves: readonly string[];
  /** Why it ended, in words. */
  readonly because: string;
}

const NO_USAGE: Usage = { calls: 0, sequentialDepth: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: false, toolCalls: 0, elapsedMs: 0, perRole: {} };
const MOST_EVIDENCE = 100;

/** The one message that ends a run. Says no more than the tools showed: what is missing stands in `unmet`. */
export function buildResult(input: ResultInput): FinalResult {
  const { decision, round } = input;
  const directive = decision.directive === 'accept' || decision.directive === 'success' ? decision.directive : 'abandon';
  const output = directive === 'abandon' ? null : outputOf(input);
  const partial = input.matched.map((outcome) => ({ intent: outcome.intent ?? '', output: outcome.output }));
  const verdicts = [...(round?.taskVerdicts ?? []), ...(round?.outcomes ?? input.matched).flatMap((outcome) => outcome.criteriaVerdicts)];
  return {
    taskId: input.taskId,
    directive,
    ...(decision.reason ? { reason: decision.reason } : {}),
    summary: summaryOf(input, directive),
    output,
    unmet: directive === 'accept' ? [] : unmetOf(input),
    ...(directive === 'abandon' ? { partial } : {}),
    nextMoves: directive === 'abandon' ? [...input.nextMoves] : [],
    loss: { D: decision.D, P: decision.P, Omega: decision.Omega, L: decision.L },
    gradL: decision.gradL,
    replans: input.replans,
    prevDirective: decision.prevDirective,
    evidence: verdicts.filter(({ verdict }) => verdict === 'pass').slice(0, MOST_EVIDENCE)
      .map(({ criterion, evidence, by }) => ({ criterion, evidence, ...(by ? { by } : {}) })),
    ungrounded: output === null ? [] : ungrounded(output, corporaOf(input)),
    usage: NO_USAGE,
    lawEvents: [...input.lawEvents],
  };
}

/** What was judged: the merged output where there is one, else the matched outputs put together by code. */
function outputOf({ round, matched }: ResultInput): unknown {
  if (round && 'mergedOutput' in round && round.mergedOutput !== undefined) return round.mergedOutput;
  if (matched.length === 1) return matched[0]!.output;
  return matched.map((outcome) => ({ intent: outcome.intent ?? '', output: outcome.output }));
}

function unmetOf({ round, failed, because }: ResultInput): FinalResult['unmet'] {
  const unmet = new Map<string, string>();
  const add = ({ criterion, verdict, evidence }: CriterionVerdict): void => {
    if (verdict === 'fail' && !unmet.has(criterion)) unmet.set(criterion, evidence || 'no evidence that it holds');
  };
  round?.taskVerdicts.forEach(add);
  const outcomes = round ? round.outcomes.filter(({ status }) => status === 'failed') : failed;
  outcomes.forEach((outcome) => outcome.criteriaVerdicts.forEach(add));
  for (const outcome of outcomes) {
    if (outcome.criteriaVerdicts.every(({ verdict }) => verdict === 'pass')) unmet.set(outcome.intent ?? 'a subtask', outcome.failureReason ?? 'failed');
  }
  // Nobody judged the task's own criteria where the gate already failed.
  const judged = new Set(round?.taskVerdicts.map(({ criterion }) => criterion));
  for (const { criterion } of round?.taskCriteria ?? []) if (!judged.has(criterion) && !unmet.has(criterion)) unmet.set(criterion, 'not judged: the round failed before the merge');
  if (!round && unmet.size === 0) unmet.set('the task', because);
  return [...unmet].map(([criterion, why]) => ({ criterion, why }));
}

function summaryOf(input: ResultInput, directive: FinalResult['directive']): string {
  const { round, matched, lawEvents, spec, because } = input;
  const parts: string[] = [];
  for (const event of lawEvents) if (event.law === 1 && !ALLOWED.has(event.decision)) parts.push(`[LAW1] Not done without confirmation: ${event.what}.`);
  if (spec?.readBy === 'code') parts.push("The model's reading of the task was unusable, so its words were taken as they stand.");
  if (directive === 'accept') parts.push(round && 'summary' in round ? round.summary : 'Done.');
  else if (directive === 'success') parts.push(`Good enough, not complete: ${unmetOf(input).length} criteria are unmet. ${headTail(stringifyOutput(outputOf(input)), { max: 300 })}`);
  else parts.push(`Abandoned: ${because}`, matched.length > 0 ? `${matched.length} subtask${matched.length === 1 ? '' : 's'} succeeded; see partial.` : 'No subtask succeeded.');
  return parts.join(' ');
}

const ALLOWED: ReadonlySet<string> = new Set(['allow', 'allow-for-task', 'standing']);

/** What the output may rest on: tool output, the user's words, what the caller handed in. */
function corporaOf({ round, matched, spec }: ResultInput): string[] {
  const corpora: string[] = [];
  for (const { ran, output, target } of callsOf(round?.outcomes ?? matched)) if (ran !== false) corpora.push(output, target);
  corpora.push(spec?.rawInput ?? '');
  for (const turn of spec?.context ?? []) corpora.push(stringifyOutput(turn));
  return corpora;
}
