import type { Integrity } from '../../contracts/names.js';
import type { FinalResult, LawEvent, Megram, OutcomeSummary, PlanDirective, ReplanRequest, SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import type { Decision } from '../../ggs/state.js';
import { breakthroughMegrams, directiveMegrams, knowledgeMegram, terminalMegram, type LessonFrame } from '../../mkct/lesson.js';
import { headTail } from '../../text/index.js';
import { callsOf } from '../calls-of.js';
import { knowledgeFrom } from './knowledge.js';

/** Sources that the kernel names at most, those of one memory, and the characters of a target in a source's name. */
const FULL = 12;
const MOST_SOURCES = 64;
const LONGEST_TARGET = 160;

interface Where { readonly environment: string; readonly date: string; readonly integrity: Integrity; readonly influencedBy?: readonly string[] | undefined }

/** How a task ended, for what it teaches. */
export interface EndOfTask {
  readonly spec: TaskSpec;
  readonly round: number;
  readonly elapsedMs: number;
  readonly result: FinalResult;
  /** Of the round that ended it. */
  readonly outcomes: readonly SubTaskOutcome[];
  /** Of all rounds, for what they say of the surroundings. */
  readonly history: readonly SubTaskOutcome[];
  readonly lawEvents: readonly LawEvent[];
  /** The host's own words for the lesson. */
  readonly reflection?: string | undefined;
}

/** What a decided round teaches: where it failed, and what got a stuck task moving. */
export function lessonsOfRound(where: Where, round: ReplanRequest | OutcomeSummary, decision: Decision, previous: PlanDirective['directive'] | undefined): readonly Megram[] {
  const frame = frameOf(where, round.taskSpec, round.round, round.elapsedMs, round.outcomes);
  const ended = decision.directive === 'accept' || decision.directive === 'success';
  const breakthrough = breakthroughMegrams({ frame, previous: previous ?? 'init', improved: ended || decision.trend === 'improving', outcomes: round.outcomes });
  if (ended || decision.directive === 'abandon') return breakthrough;
  return [...breakthrough, ...directiveMegrams({ frame, directive: decision.directive, outcomes: round.outcomes })];
}

/** What the end of a task teaches: one lesson, and what was learned of the surroundings. */
export function lessonsOfEnd(where: Where, end: EndOfTask): readonly Megram[] {
  const { spec, result, outcomes, reflection, history, lawEvents } = end;
  const frame = frameOf(where, spec, end.round, end.elapsedMs, history);
  const known = knowledgeFrom({ outcomes: history, lawEvents, tools: spec.tools });
  return [
    terminalMegram({ frame, result, outcomes, content: reflection }),
    ...known.map(({ thing, content }, index) => knowledgeMegram({ frame, thing, content, index })),
  ];
}

/** Times derive from the record, so that a resumed run writes the same memories. */
function frameOf({ environment, date, integrity, influencedBy }: Where, taskSpec: TaskSpec, round: number, elapsedMs: number, outcomes: readonly SubTaskOutcome[]): LessonFrame {
  return { taskSpec, environment, round, at: Date.parse(date) + elapsedMs, integrity, source: 'R7', influencedBy: allSources(influencedBy, outcomes) };
}

/**
 * Where a task's untrusted text came from. The kernel names a few sources, enough for whoever is asked; memory must be able
 * to take every one of them out again, so where that list is full, each call that ran counts as one.
 */
function allSources(named: readonly string[] | undefined, outcomes: readonly SubTaskOutcome[]): readonly string[] | undefined {
  if (named === undefined || named.length < FULL) return named;
  const calls = callsOf(outcomes).filter(({ ran }) => ran !== false);
  return [...new Set([...named, ...calls.map(({ tool, target }) => `${tool} ${headTail(target.replaceAll('\n', ' '), { max: LONGEST_TARGET })}`)])].slice(0, MOST_SOURCES);
}
