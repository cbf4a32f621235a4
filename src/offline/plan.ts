import type { CriterionInput } from '../contracts/criterion.js';
import type { LLMRequest } from '../contracts/llm.js';
import { describe, unsupported } from './canonical.js';
import { subtaskCriteria, taskCriteria } from './criteria.js';
import { CANNOT, readRequests, type Step } from './english/read-requests.js';
import { readExperience, relocated, type Experience } from './experience.js';
import { offeredTools, readRefusals, readReplan } from './failures.js';
import { methodsFor, skillsOf, type Skills } from './methods.js';
import { nextTry } from './next-try.js';
import { dataOf, sectionOf } from './prompt-text.js';
import { asMeant, placesOf, type OfflineRequest, type Part, type Unsupported } from './requests.js';

interface PlannedSubtask { readonly intent: string; readonly successCriteria: CriterionInput[]; readonly sequence: number; readonly tools: readonly string[]; readonly targets: readonly string[] }
/** R2's reply. */
export interface OfflinePlan { readonly taskCriteria: CriterionInput[]; readonly subtasks: readonly PlannedSubtask[]; readonly keep: readonly number[]; readonly infeasible?: string; readonly memory?: readonly number[] }

/** How many criteria a part has that can be done. */
const CRITERIA_OF_A_PART = 3;

/** R2's reply to a planning prompt. Without any way left the plan is empty: the round then ends the task. */
export function plan(request: LLMRequest): OfflinePlan {
  const prompt = request.messages[0]?.content ?? '';
  const experience = readExperience(prompt);
  const used = new Set<number>();
  const steps = stepsOf(prompt).map(({ part, step }): Step => ({ part: part.kind === 'unsupported' ? part : relocated(part, experience, used), step }));
  const refused = readRefusals(request.messages.slice(1).concat(request.messages.at(-1) ?? []));
  const skills = skillsOf(offeredTools(prompt).filter(({ name }) => !refused.tools.includes(name)));
  const replan = readReplan(prompt);
  const criteria = taskCriteria(steps.flatMap(({ part }) => (part.kind === 'unsupported' ? [] : [part])));
  if (!replan) return naming(firstPlan(steps, { skills, criteria, blockedTargets: refused.targets, experience, used }), used);
  const blockedTargets = [...replan.blockedTargets, ...refused.targets];

  const keep: number[] = [];
  const subtasks: PlannedSubtask[] = [];
  for (const { part, step } of steps) {
    if (part.kind === 'unsupported') return nothing(criteria, part);
    const kept = [...replan.keepable].find(([, known]) => isSame(known, part));
    const failure = replan.failed.find((failed) => isSame(failed.part, part));
    // Where every subtask matched and the whole was refused, keeping all of them would change nothing.
    if (kept && !failure && replan.failed.length > 0) {
      keep.push(kept[0]);
      continue;
    }
    const next = nextTry(part, failure, { directive: replan.directive, blockedTargets, skills, refusedWhole: replan.failed.length === 0, experience });
    if (!next) return nothing(criteria, unsupported(describe(part), 'no other way is left'));
    for (const number of next.reasons) used.add(number);
    subtasks.push(planned(next.request, next.method, skills, step, steps));
  }
  return naming({ taskCriteria: criteria, subtasks, keep }, used);
}

/** A plan says which experience changed it. */
function naming(made: OfflinePlan, used: ReadonlySet<number>): OfflinePlan {
  return used.size === 0 ? made : { ...made, memory: [...used].sort((a, b) => a - b) };
}

interface FirstPlan {
  readonly skills: Skills;
  readonly criteria: CriterionInput[];
  readonly blockedTargets: readonly string[];
  readonly experience: Experience;
  readonly used: Set<number>;
}

function firstPlan(steps: readonly Step[], { skills, criteria, blockedTargets, experience, used }: FirstPlan): OfflinePlan {
  const subtasks = steps.map(({ part, step }): PlannedSubtask => {
    if (part.kind === 'unsupported') return honestFailure(part, step, steps.length);
    const next = nextTry(part, undefined, { directive: '', blockedTargets, skills, refusedWhole: false, experience });
    for (const number of next?.reasons ?? []) used.add(number);
    return next ? planned(next.request, next.method, skills, step, steps) : honestFailure(unsupported(describe(part), `${CANNOT}: it takes ${methodsFor(part)[0]!.join(' and ')}, and no tool for that is offered`), step, steps.length);
  });
  const failing = subtasks.filter(({ tools }) => tools.length === 0).length;
  const open: CriterionInput[] = failing === 0 ? [] : [{ criterion: 'Everything that the words ask for was done by a tool', mode: 'verifiable', about: 'world' }];
  return { taskCriteria: [...criteria, ...open], subtasks, keep: [] };
}

function planned(request: OfflineRequest, method: Parameters<typeof subtaskCriteria>[1], skills: Skills, step: number, steps: readonly Step[]): PlannedSubtask {
  const earlier = steps.filter((other) => other.step < step).flatMap(({ part }) => (part.kind === 'unsupported' || part.kind === 'write report' ? [] : [part]));
  return {
    intent: describe(request),
    successCriteria: subtaskCriteria(request, method, skills, request.kind === 'write report' ? earlier : []),
    sequence: step,
    tools: [...new Set(method.map((skill) => skills.get(skill)!))],
    targets: request.kind === 'write report' ? [request.to] : [...new Set(placesOf(request).map(({ path, search }) => (search === 'exact' ? path : `**/${path.split('/').pop()!}`)))],
  };
}

/** A subtask that can only say why it isn't done: so the reason reaches the user as evidence, not as silence. */
function honestFailure(part: Unsupported, sequence: number, parts: number): PlannedSubtask {
  // As heavy as all the rest: whatever else was achieved, a request of which a part was never tried is no success.
  const criterion: CriterionInput = { criterion: `A tool shows that this was done: ${JSON.stringify(part.words.slice(0, 300))}`, mode: 'verifiable', about: 'world', weight: CRITERIA_OF_A_PART * parts };
  return { intent: describe(part), successCriteria: [criterion], sequence, tools: [], targets: [] };
}

function nothing(criteria: CriterionInput[], part: Unsupported): OfflinePlan {
  return { taskCriteria: [...criteria, { criterion: `Done as asked: ${JSON.stringify(part.words.slice(0, 300))}`, mode: 'verifiable', about: 'world' }], subtasks: [], keep: [], infeasible: part.why === '' ? `${CANNOT}: ${part.words.slice(0, 300)}` : part.why };
}

/** The parts of the intent; of the user's own words where the intent is none of ours. */
function stepsOf(prompt: string): readonly Step[] {
  const intent = readRequests(sectionOf(prompt, 'Intent:') ?? '');
  if (intent.some(({ part }) => part.kind !== 'unsupported')) return intent;
  const words = dataOf(prompt, 'user');
  const own = words === undefined ? intent : readRequests(words);
  return own.every(({ part }) => part.kind !== 'unsupported') ? own : intent;
}

function isSame(left: Part, right: Part): boolean {
  if (left.kind === 'unsupported' || right.kind === 'unsupported') return false;
  return describe(asMeant(left)) === describe(asMeant(right));
}
