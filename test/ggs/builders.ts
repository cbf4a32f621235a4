import fc from 'fast-check';
import type { CriterionVerdict, GradedVerdict, Round, SubTaskOutcome } from 'artoo/ggs';

type ToolCall = SubTaskOutcome['toolCalls'][number];

/** Fixed, so that a failure repeats; fast-check prints it with the counterexample. */
export const FIXED_SEED = { seed: 20_260_301, numRuns: 400 } as const;

export const passed = (fields: Partial<CriterionVerdict> = {}): CriterionVerdict =>
  ({ criterion: 'c', mode: 'verifiable', verdict: 'pass', evidence: '', ...fields });

export const failed = (fields: Partial<CriterionVerdict> = {}): CriterionVerdict =>
  ({ ...passed(), verdict: 'fail', failureClass: 'environmental', ...fields });

export const logical = (fields: Partial<CriterionVerdict> = {}): CriterionVerdict => failed({ failureClass: 'logical', ...fields });

export const call = (tool: string, target: string, fields: Partial<ToolCall> = {}): ToolCall => ({
  id: `${tool}:${target}`, tool, target, input: { target }, effect: 'read', ok: false, evidence: '', output: 'no such thing',
  startedAt: 0, durationMs: 1, ...fields,
});

export const matchedOutcome = (fields: Partial<SubTaskOutcome> = {}): SubTaskOutcome => ({
  subtaskId: 'matched', parentTaskId: 'task', status: 'matched', output: 'a result', failureReason: null,
  criteriaVerdicts: [passed()], gapTrajectory: [], toolCalls: [], ...fields,
});

export const failedOutcome = (fields: Partial<SubTaskOutcome> = {}): SubTaskOutcome =>
  matchedOutcome({ subtaskId: 'failed', status: 'failed', output: null, failureReason: 'why', criteriaVerdicts: [failed()], ...fields });

export const gate = (outcomes: readonly SubTaskOutcome[], fields: Partial<Round> = {}): Round =>
  ({ stage: 'gate', outcomes, elapsedMs: 0, ...fields });

/** A gate round with one failed subtask of `count` criteria of which `bad` failed, `wrong` of them logically. */
export function gapRound(gap: { bad: number; count: number; wrong?: number }, fields: Partial<Round> = {}): Round {
  const { bad, count, wrong = 0 } = gap;
  const verdicts = Array.from({ length: count }, (_, index) => {
    const criterion = `criterion ${index}`;
    if (index >= bad) return passed({ criterion });
    return index < wrong ? logical({ criterion }) : failed({ criterion });
  });
  return gate([matchedOutcome({ criteriaVerdicts: verdicts.slice(bad) }), failedOutcome({ criteriaVerdicts: verdicts.slice(0, bad) })], fields);
}

/** Any verdict at all, also contradictory ones. */
export const anyVerdict: fc.Arbitrary<GradedVerdict> = fc.record({
  criterion: fc.string({ maxLength: 5 }),
  mode: fc.constantFrom('verifiable' as const, 'plausible' as const),
  verdict: fc.constantFrom('pass' as const, 'fail' as const),
  failureClass: fc.constantFrom('logical' as const, 'environmental' as const, undefined),
  weight: fc.oneof(fc.constant(undefined), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  required: fc.constantFrom(true, false, undefined),
  failedAttempts: fc.option(fc.nat(6), { nil: undefined }),
  attempts: fc.option(fc.nat(6), { nil: undefined }),
});

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

/** Every object in the value, the value included. */
export function objectsIn(value: unknown): object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
