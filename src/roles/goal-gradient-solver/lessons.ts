import type { Integrity } from '../../contracts/names.js';
import type { FinalResult, Megram, OutcomeSummary, PlanDirective, ReplanRequest, SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import type { Decision } from '../../ggs/state.js';
import { breakthroughMegrams, directiveMegrams, terminalMegram, type LessonFrame } from '../../mkct/lesson.js';

interface Where { readonly environment: string; readonly date: string; readonly integrity: Integrity }

/** What a decided round teaches: where it failed, and what got a stuck task moving. */
export function lessonsOfRound(where: Where, round: ReplanRequest | OutcomeSummary, decision: Decision, previous: PlanDirective['directive'] | undefined): readonly Megram[] {
  const frame = frameOf(where, round.taskSpec, round.round, round.elapsedMs);
  const ended = decision.directive === 'accept' || decision.directive === 'success';
  const breakthrough = breakthroughMegrams({ frame, previous: previous ?? 'init', improved: ended || decision.trend === 'improving', outcomes: round.outcomes });
  if (ended || decision.directive === 'abandon') return breakthrough;
  return [...breakthrough, ...directiveMegrams({ frame, directive: decision.directive, outcomes: round.outcomes })];
}

/** What the end of a task teaches. */
export function lessonsOfEnd(where: Where, spec: TaskSpec, round: number, elapsedMs: number, result: FinalResult, outcomes: readonly SubTaskOutcome[]): readonly Megram[] {
  return [terminalMegram({ frame: frameOf(where, spec, round, elapsedMs), result, outcomes })];
}

/** Times derive from the record, so that a resumed run writes the same memories. */
function frameOf({ environment, date, integrity }: Where, taskSpec: TaskSpec, round: number, elapsedMs: number): LessonFrame {
  return { taskSpec, environment, round, at: Date.parse(date) + elapsedMs, integrity, source: 'R7' };
}
