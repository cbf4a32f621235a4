import type { DirectiveName, FinalResult, Megram, SubTaskOutcome, TaskSpec } from '../contracts/messages.js';
import type { ToolCallRecord } from '../contracts/tool-call.js';
import { plainLine } from './plain.js';
import { quantize, type MemoryState } from './quantization.js';
import { environmentPlace, intentPlace, toolPlace, type Place } from './tags.js';

/** Entries of untrusted origin decay this much faster. */
export const UNTRUSTED_DECAY = 2;

/** What every entry of one task shares. `at` in epoch ms; `environment` names the surroundings. */
export interface LessonFrame {
  readonly taskSpec: Pick<TaskSpec, 'taskId' | 'slug' | 'intent'>;
  readonly environment: string;
  readonly round: number;
  readonly at: number;
  readonly integrity: Megram['origin']['integrity'];
  /** Who or what the entry comes from, e.g. a role or a host; quotas and deletion go by it. */
  readonly source: string;
  /** Where the untrusted text of the task came from. */
  readonly influencedBy?: readonly string[] | undefined;
}

type Outcome = Pick<SubTaskOutcome, 'status' | 'failureReason' | 'criteriaVerdicts' | 'toolCalls' | 'intent' | 'skipped'>;

const LONGEST_LESSON = 1_200;
const LONGEST_PART = 240;

/**
 * The one entry that the end of a task leaves: what was asked, what worked or what stopped it, and with which tools.
 * The first line is what was asked: related tasks are found by its words.
 *
 * @param options.content A lesson that a model wrote instead; the first line is kept.
 * @example
 * import { terminalMegram } from 'artoo/memory';
 * store.append(terminalMegram({ frame, result, outcomes }));
 */
export function terminalMegram(options: {
  readonly frame: LessonFrame;
  readonly result: Pick<FinalResult, 'directive' | 'reason' | 'summary' | 'unmet'>;
  readonly outcomes: readonly Outcome[];
  readonly content?: string | undefined;
}): Megram {
  const { frame, result, outcomes } = options;
  const asked = `Asked: ${plainLine(frame.taskSpec.intent, LONGEST_PART)}`;
  const written = options.content?.trim();
  const lesson = written ? `${asked}\n${written}` : [asked, ...lessonLines(result, outcomes)].join('\n');
  return megram({ frame, state: result.directive, place: intentPlace(frame.taskSpec.slug, frame.environment), content: lesson, name: 'end' });
}

/**
 * What a directive leaves: one entry for each (tool, target) that failed, saying the criterion and the evidence. After
 * break_symmetry the pairs that were stuck get change_approach's entry: the breakthrough belongs to the tool that comes
 * next, see {@link breakthroughMegrams}.
 */
export function directiveMegrams(options: {
  readonly frame: LessonFrame;
  readonly directive: DirectiveName;
  readonly outcomes: readonly Outcome[];
}): readonly Megram[] {
  const { frame, directive, outcomes } = options;
  const state: MemoryState = directive === 'break_symmetry' ? 'change_approach' : directive;
  const logical = state === 'change_approach';
  const entries = new Map<string, { readonly place: Place; readonly content: string }>();
  for (const outcome of outcomes) {
    if (outcome.status !== 'failed' || outcome.skipped === true) continue;
    for (const call of failedCalls(outcome, logical)) {
      entries.set(JSON.stringify([call.tool, call.target]), { place: toolPlace(call.tool, call.target), content: failureLesson(outcome, call) });
    }
  }
  return [...entries.values()].map(({ place, content }, index) => megram({ frame, state, place, content, name: `${directive}/${index}` }));
}

/**
 * The breakthrough after a break_symmetry directive: for the tools and targets of the round that improved or ended well.
 * Empty when the round before was no break_symmetry or nothing improved.
 *
 * @param options.previous The directive that this round answered.
 * @param options.improved Trend improving, or the task ended in accept or success.
 */
export function breakthroughMegrams(options: {
  readonly frame: LessonFrame;
  readonly previous: string;
  readonly improved: boolean;
  readonly outcomes: readonly Outcome[];
}): readonly Megram[] {
  const { frame, previous, improved, outcomes } = options;
  if (previous !== 'break_symmetry' || !improved) return [];
  const entries = new Map<string, { readonly place: Place; readonly content: string }>();
  for (const outcome of outcomes) {
    if (outcome.status !== 'matched') continue;
    for (const call of outcome.toolCalls) {
      if (!call.ok || call.ran === false || call.empty === true) continue;
      const content = `Got a stuck task on: ${plainLine(outcome.intent ?? frame.taskSpec.intent, LONGEST_PART)}\nWith: ${callText(call)}`;
      entries.set(JSON.stringify([call.tool, call.target]), { place: toolPlace(call.tool, call.target), content });
    }
  }
  return [...entries.values()].map(({ place, content }, index) => megram({ frame, state: 'break_symmetry', place, content, name: `breakthrough/${index}` }));
}

/** Knowledge for later tasks in the same surroundings: a resolved path, a missing tool, a host's answer. */
export function knowledgeMegram(options: { readonly frame: LessonFrame; readonly thing: string; readonly content: string; readonly index: number }): Megram {
  const { frame, thing, content, index } = options;
  const untrusted = frame.integrity === 'untrusted';
  return {
    ...megram({ frame, state: 'change_path', place: environmentPlace(frame.environment, thing), content, name: `knowledge/${index}` }),
    level: 'K',
    state: 'knowledge',
    f: 0.5,
    sigma: 0,
    k: untrusted ? 0.2 * UNTRUSTED_DECAY : 0.2,
  };
}

/** The lines of a lesson below what was asked. */
function lessonLines(result: Pick<FinalResult, 'directive' | 'reason' | 'summary' | 'unmet'>, outcomes: readonly Outcome[]): readonly string[] {
  const lines: string[] = [];
  const ended = result.reason === undefined ? result.directive : `${result.directive} (${result.reason})`;
  lines.push(`Ended: ${ended}. ${plainLine(result.summary, LONGEST_PART)}`.trim());
  for (const outcome of outcomes) {
    if (outcome.status !== 'matched') continue;
    for (const call of outcome.toolCalls) if (call.ok && call.ran !== false) lines.push(`Worked: ${callText(call)}`);
  }
  for (const outcome of outcomes) {
    if (outcome.status !== 'failed' || outcome.skipped === true) continue;
    const calls = failedCalls(outcome, false);
    if (calls.length === 0) lines.push(`Stopped by: ${failureText(outcome)}`);
    else for (const call of calls) lines.push(`Stopped by: ${failureText(outcome)}; ${callText(call)}`);
  }
  for (const { criterion, why } of result.unmet) lines.push(`Unmet: ${plainLine(criterion, 120)}: ${plainLine(why, 120)}`);
  const tools = new Set<string>();
  for (const { toolCalls } of outcomes) for (const { tool } of toolCalls) tools.add(tool);
  if (tools.size > 0) lines.push(`Tools: ${[...tools].map((tool) => plainLine(tool, 60)).join(', ')}`);
  return [...new Set(lines)];
}

/** Calls that failed or found nothing; for a wrong approach, where none did, every call that was made. */
function failedCalls(outcome: Outcome, logical: boolean): readonly ToolCallRecord[] {
  const ran = outcome.toolCalls.filter((call) => call.ran !== false);
  const failed = ran.filter((call) => !call.ok || call.empty === true);
  return failed.length === 0 && logical ? ran : failed;
}

function failureLesson(outcome: Outcome, call: ToolCallRecord): string {
  return `Failed: ${failureText(outcome)}\nWith: ${callText(call)}`;
}

function failureText(outcome: Outcome): string {
  const verdict = outcome.criteriaVerdicts.find(({ verdict }) => verdict === 'fail');
  const asked = outcome.intent === undefined ? '' : `${plainLine(outcome.intent, 120)}: `;
  const why = verdict ? `${plainLine(verdict.criterion, 160)} (${plainLine(verdict.evidence, 160)})` : plainLine(outcome.failureReason ?? 'no reason given', 160);
  return asked + why;
}

function callText({ tool, target, ok, empty, evidence }: ToolCallRecord): string {
  const end = ok ? (empty === true ? 'found nothing' : 'ok') : 'failed';
  const shown = plainLine(evidence, 120);
  return `${plainLine(tool, 60)} on ${plainLine(target, 160)} (${end}${shown === '' ? '' : `: ${shown}`})`;
}

function megram(options: { readonly frame: LessonFrame; readonly state: MemoryState; readonly place: Place; readonly content: string; readonly name: string }): Megram {
  const { frame, state, place, content, name } = options;
  const { f, sigma, k } = quantize(state);
  return {
    // Made of the task and the place in it, so that a task that is resumed writes the same entry, not a second one.
    id: `${frame.taskSpec.taskId}/${frame.round}/${name}`,
    level: 'M',
    createdAt: frame.at,
    lastRecalledAt: null,
    space: place.space,
    entity: place.entity,
    content: content.length <= LONGEST_LESSON ? content : `${[...content.slice(0, LONGEST_LESSON)].slice(0, -1).join('')}…`,
    state,
    f,
    sigma,
    k: frame.integrity === 'untrusted' ? k * UNTRUSTED_DECAY : k,
    origin: {
      taskId: frame.taskSpec.taskId, integrity: frame.integrity, source: frame.source,
      ...(frame.integrity === 'untrusted' && frame.influencedBy && frame.influencedBy.length > 0 ? { influencedBy: [...frame.influencedBy] } : {}),
    },
  };
}
