// The controller alone: unit-test decisions without a model, a bus or a tool.
import assert from 'node:assert/strict';
import { DECISION_TABLE, decide, distance, initialState, step } from 'artoo/ggs';

// 1. One decision is one line.
assert.equal(decide({ D: 0.8, P: 0.9, Omega: 0.2, gradL: 0 }), 'break_symmetry');
assert.equal(decide({ D: 0.8, P: 0.9, Omega: 0.2, gradL: -0.2 }), 'change_approach');
assert.equal(DECISION_TABLE.filter(({ macroState }) => macroState === 'abandon').length, 12);

// 2. The distance of a result, from the verdicts on its criteria.
assert.equal(distance([
  { criterion: 'the file has 12 rows', mode: 'verifiable', verdict: 'pass' },
  { criterion: 'the summary is fair', mode: 'plausible', verdict: 'fail', failedAttempts: 1, attempts: 2 },
]), 0.25);

// 3. A whole run, round by round. Each round one more of four pages can be fetched.
/** @returns {import('artoo/ggs').SubTaskOutcome} */
const page = (/** @type {string} */ name, /** @type {boolean} */ fetched) => ({
  subtaskId: name,
  parentTaskId: 'task',
  status: fetched ? 'matched' : 'failed',
  output: fetched ? `the text of ${name}` : null,
  failureReason: fetched ? null : 'not found',
  criteriaVerdicts: [{
    criterion: `${name} was fetched`, mode: 'verifiable', verdict: fetched ? 'pass' : 'fail', evidence: '',
    ...(fetched ? {} : { failureClass: /** @type {const} */ ('environmental') }),
  }],
  gapTrajectory: [],
  toolCalls: fetched ? [] : [{
    id: name, tool: 'fetch', input: { url: name }, target: name, effect: 'read', ok: false, evidence: '404', output: '404', startedAt: 0, durationMs: 20,
  }],
});
/** @returns {import('artoo/ggs').Round} */
const round = (/** @type {number} */ fetched) => ({
  stage: 'gate',
  elapsedMs: 10_000 * (fetched + 1),
  outcomes: ['a', 'b', 'c', 'd'].map((name, index) => page(name, index < fetched)),
});

let state = initialState();
/** @type {string[]} */
const course = [];
for (const fetched of [0, 1, 2]) {
  const next = step(state, round(fetched));
  course.push(next.decision.directive);
  console.log(`${next.decision.prevDirective} → ${next.decision.directive}: ${next.decision.rationale}`);
  console.log(`  blocked: ${next.decision.blockedTargets.join(', ')}`);
  state = next.state;
}
assert.deepEqual(course, ['change_path', 'refine', 'refine']);

// 4. What if? A fourth failed round is one too many by default; with five replans it is good enough to deliver.
assert.equal(step(state, round(3)).decision.reason, 'replan_budget');
assert.equal(step(state, round(3), { maxReplans: 5 }).decision.directive, 'success');
