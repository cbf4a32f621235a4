import { describe, expect, it } from 'vitest';
import { accept, initialState, step, traceFailures, type Decision, type GgsState, type Round, type SubTaskOutcome } from 'artoo/ggs';
import { call, failed, failedOutcome, gate, logical, matchedOutcome, passed } from './builders.js';

/** A state after one round with the tool `old` on the target `/old`, so far away that the next round improves or worsens. */
function after(D: number, P = 0): GgsState {
  return { ...initialState(), replans: 1, directives: 1, last: { D, P, L: 0.5 }, prevDirective: 'refine', failedTools: ['old'], failedPairs: [{ tool: 'old', target: '/old' }] };
}
const half = (wrong: boolean, toolCalls: SubTaskOutcome['toolCalls'], fields: Partial<Round> = {}) =>
  gate([matchedOutcome(), failedOutcome({ criteriaVerdicts: [wrong ? logical() : failed()], toolCalls })], fields);
const sets = ({ blockedTools, blockedTargets, blockedPairs }: Decision) => ({ blockedTools, blockedTargets, blockedPairs });
const calls = [call('search', '/a'), call('read', '/b', { ok: true }), call('search', '/c')];

describe('the directives table', () => {
  it('break_symmetry blocks all tools of failing subtasks, this and earlier rounds, and no target', () => {
    const { decision } = step(after(0.5, 1), half(true, calls));
    expect([decision.directive, decision.urgency]).toEqual(['break_symmetry', 'normal']);
    expect(sets(decision)).toEqual({ blockedTools: ['old', 'search', 'read'], blockedTargets: [], blockedPairs: [] });
  });
  it('change_approach, worsening, blocks the tools of any round', () => {
    const { decision } = step(after(0, 1), half(true, calls));
    expect([decision.directive, decision.trend, decision.urgency]).toEqual(['change_approach', 'worsening', 'high']);
    expect(sets(decision)).toEqual({ blockedTools: ['old', 'search', 'read'], blockedTargets: [], blockedPairs: [] });
  });
  it('change_approach, improving, blocks the tools of this round only', () => {
    const { decision } = step(after(1, 1), half(true, calls));
    expect([decision.directive, decision.trend, decision.urgency]).toEqual(['change_approach', 'improving', 'low']);
    expect(sets(decision)).toEqual({ blockedTools: ['search', 'read'], blockedTargets: [], blockedPairs: [] });
  });
  it('change_path blocks every target that failed so far and no tool', () => {
    const { decision } = step(after(0.5), half(false, calls));
    expect([decision.directive, decision.urgency]).toEqual(['change_path', 'normal']);
    expect(sets(decision)).toEqual({ blockedTools: [], blockedTargets: ['/old', '/a', '/c'], blockedPairs: [] });
  });
  it('refine, worsening, blocks the targets of all rounds', () => {
    const { decision } = step(after(0), half(false, calls));
    expect([decision.directive, decision.trend, decision.urgency]).toEqual(['refine', 'worsening', 'high']);
    expect(sets(decision)).toEqual({ blockedTools: [], blockedTargets: ['/old', '/a', '/c'], blockedPairs: [] });
  });
  it('refine, improving, blocks only the latest failure of each failing subtask', () => {
    const other = failedOutcome({ toolCalls: [call('search', '/w'), call('search', '/x'), call('search', '/y'), call('read', '/z', { ok: true })] });
    const round = half(false, calls);
    const { decision } = step(after(1), { ...round, outcomes: [...round.outcomes, other, matchedOutcome()] });
    expect([decision.directive, decision.trend, decision.urgency]).toEqual(['refine', 'improving', 'low']);
    expect(sets(decision)).toEqual({ blockedTools: [], blockedTargets: ['/c', '/y'], blockedPairs: [] });
  });
  it('success and abandon block nothing', () => {
    const little = gate([matchedOutcome({ criteriaVerdicts: Array(9).fill(passed()) }), failedOutcome({ toolCalls: calls })]);
    expect(sets(step(initialState(), little).decision)).toEqual({ blockedTools: [], blockedTargets: [], blockedPairs: [] });
    expect(sets(step(initialState(), half(false, calls, { elapsedMs: 1e6 })).decision)).toEqual({ blockedTools: [], blockedTargets: [], blockedPairs: [] });
  });
  it('accumulates targets over all rounds even where a round shows fewer', () => {
    let state = initialState();
    const shown = [['/1', '/2'], ['/3'], []].map((targets) => {
      const next = step(state, half(false, targets.map((target) => call('search', target))));
      state = next.state;
      return next.decision.blockedTargets;
    });
    expect(shown).toEqual([['/1', '/2'], ['/1', '/2', '/3'], ['/1', '/2', '/3']]);
  });
  it('remembers what failed in rounds whose directive blocked nothing of the kind', () => {
    const first = step(initialState(), half(true, [call('search', '/1')]));
    expect(first.decision.blockedTargets).toEqual([]);
    const second = step(first.state, gate([failedOutcome({ criteriaVerdicts: [failed(), passed()], toolCalls: [] })]));
    expect(second.decision.directive).toBe('refine');
    const third = step(second.state, gate([failedOutcome({ criteriaVerdicts: [failed(), passed()], toolCalls: [] })]));
    expect([third.decision.directive, third.decision.blockedTargets]).toEqual(['change_path', ['/1']]);
  });
});

describe('what blocks a target', () => {
  const blocked = (...toolCalls: SubTaskOutcome['toolCalls']) => step(initialState(), half(false, toolCalls)).decision.blockedTargets;
  it('a call that failed', () => expect(blocked(call('read', '/a'))).toEqual(['/a']));
  it('a call that came back empty', () => expect(blocked(call('search', '/a', { ok: true, empty: true, output: 'none' }))).toEqual(['/a']));
  it('never a successful read', () => expect(blocked(call('read', '/a', { ok: true, empty: false, output: '' }), call('read', '/b', { ok: true, output: 'text' }))).toEqual([]));
  it.each(['', ' \n', '[]', ' [ ] ', '{}', 'null', '""'])('a read whose output is %j, where the record says nothing of emptiness', (output) => {
    expect(blocked(call('search', '/a', { ok: true, output }))).toEqual(['/a']);
  });
  it.each(['[1]', '{"a":1}', 'nullable', '0', 'x\n[]', '[]\nx'])('not a read whose output is %j', (output) => {
    expect(blocked(call('search', '/a', { ok: true, output }))).toEqual([]);
  });
  it('not a write that went well and said nothing', () => expect(blocked(call('write', '/a', { ok: true, effect: 'write', output: '' }))).toEqual([]));
  it('not a call that never ran', () => {
    expect(blocked(call('remove', '/a', { ran: false }))).toEqual([]);
    expect(blocked(call('remove', '/a', { ran: true }))).toEqual(['/a']);
  });
  it('not a target that the same tool reached later in the subtask', () => {
    expect(blocked(call('fetch', '/a'), call('fetch', '/a', { ok: true, output: 'text' }))).toEqual([]);
    expect(blocked(call('fetch', '/a', { ok: true, output: 'text' }), call('fetch', '/a'))).toEqual(['/a']);
    expect(blocked(call('fetch', '/a'), call('other', '/a', { ok: true, output: 'text' }))).toEqual(['/a']);
  });
  it('not a target without a name', () => expect(blocked(call('read', ''))).toEqual([]));
  it('each target once, whichever tool failed on it', () => expect(blocked(call('read', '/a'), call('search', '/a'), call('read', '/a'))).toEqual(['/a']));
  it('not the calls of matched subtasks', () => {
    const round = gate([matchedOutcome({ toolCalls: [call('read', '/m')] }), failedOutcome({ toolCalls: [call('read', '/f')] })]);
    const { decision, state } = step(initialState(), round);
    expect(decision.blockedTargets).toEqual(['/f']);
    expect(state.failedTools).toEqual(['read']);
  });
  it('an outcome without a list of calls blocks nothing', () => {
    const { toolCalls: _, ...bare } = failedOutcome();
    expect(step(initialState(), gate([bare as never])).decision.blockedTargets).toEqual([]);
  });
});

describe('traceFailures', () => {
  it('lists tools, failed pairs and latest targets, each once', () => {
    const repeated = [call('a', '/1'), call('b', '/2'), call('a', '/1'), call('c', '/3', { ran: false })];
    expect(traceFailures([failedOutcome({ toolCalls: repeated }), failedOutcome({ toolCalls: [call('a', '/1')] }), matchedOutcome({ toolCalls: [call('d', '/4')] })])).toEqual({
      tools: ['a', 'b'], pairs: [{ tool: 'b', target: '/2' }, { tool: 'a', target: '/1' }], latestTargets: ['/1'],
    });
  });
  it('keeps pairs apart whose names run together', () => {
    expect(traceFailures([failedOutcome({ toolCalls: [call('a"', 'b'), call('a', '"b'), call('ab', 'c'), call('a', 'bc')] })]).pairs).toHaveLength(4);
  });
});

describe('tools that are all the run has', () => {
  const used = [call('search', '/a'), call('search', '/b', { ok: true, output: 'text' })];
  it('are blocked together with their failed targets instead', () => {
    const { decision } = step(initialState(), half(true, used, { tools: ['search'] }));
    expect([decision.directive, sets(decision)]).toEqual(['break_symmetry', { blockedTools: [], blockedTargets: [], blockedPairs: [{ tool: 'search', target: '/a' }] }]);
  });
  it('are blocked as tools as long as one other is left, or the run\'s tools are unknown', () => {
    for (const tools of [['search', 'read'], undefined]) {
      expect(sets(step(initialState(), half(true, used, { tools })).decision)).toEqual({ blockedTools: ['search'], blockedTargets: [], blockedPairs: [] });
    }
  });
  it('take the pairs of the same rounds that the tools would come from', () => {
    const tools = ['search', 'old'];
    const everything = [{ tool: 'old', target: '/old' }, { tool: 'search', target: '/a' }];
    expect(step(after(0.5, 1), half(true, used, { tools })).decision.blockedPairs).toEqual(everything);
    expect(step(after(0, 1), half(true, used, { tools })).decision.blockedPairs).toEqual(everything);
    expect(step(after(1, 1), half(true, used, { tools: ['search'] })).decision.blockedPairs).toEqual([{ tool: 'search', target: '/a' }]);
  });
  it('don\'t touch directives that block targets', () => {
    expect(sets(step(initialState(), half(false, used, { tools: ['search'] })).decision)).toEqual({ blockedTools: [], blockedTargets: ['/a'], blockedPairs: [] });
  });
});

describe('what a directive carries', () => {
  it('prevDirective is init first, then the last directive that was issued', () => {
    const first = step(initialState(), half(true, []));
    const second = step(first.state, half(true, []));
    const last = step(second.state, half(true, [], { elapsedMs: 1e6 }));
    expect([first, second, last].map(({ decision }) => decision.prevDirective)).toEqual(['init', 'break_symmetry', 'break_symmetry']);
    expect(last.state.prevDirective).toBe('break_symmetry');
  });
  it('failedCriterion is the heaviest failed one, the first on a tie', () => {
    const criterion = (...criteriaVerdicts: SubTaskOutcome['criteriaVerdicts']) => step(initialState(), gate([failedOutcome({ criteriaVerdicts })])).decision.failedCriterion;
    expect(criterion(passed({ criterion: 'p', weight: 9 }), failed({ criterion: 'a' }), failed({ criterion: 'b', weight: 2 }), failed({ criterion: 'c', weight: 2 }))).toBe('b');
    expect(criterion(failed({ criterion: 'light', weight: 0.5 }), failed({ criterion: 'default' }))).toBe('default');
    const merge: Round = { stage: 'merge', outcomes: [matchedOutcome()], taskVerdicts: [failed({ criterion: 'of the task' })], elapsedMs: 0 };
    expect(step(initialState(), merge).decision.failedCriterion).toBe('of the task');
    expect(step(initialState(), { ...merge, taskVerdicts: [] }).decision).not.toHaveProperty('failedCriterion');
  });
  it('failureClass is logical above ρ, environmental below, mixed on it', () => {
    const classOf = (...criteriaVerdicts: SubTaskOutcome['criteriaVerdicts']) => step(initialState(), gate([failedOutcome({ criteriaVerdicts })])).decision.failureClass;
    expect([classOf(logical(), logical(), failed()), classOf(logical(), failed()), classOf(logical(), failed(), failed())]).toEqual(['logical', 'mixed', 'environmental']);
  });
  it('the rationale gives the reason and the numbers', () => {
    const text = (round: Round, state = initialState()) => step(state, round).decision.rationale;
    const numbers = 'D 0.5, P 1, Ω 0.2, L 0.62, ∇L 0, goal gradient 0.';
    expect(text(half(true, []))).toBe(`The gap isn't moving (|gradient| 0 < ε 0.1) and the failures are mostly logical (P 1 > ρ 0.5): use a kind of tool that wasn't tried yet. ${numbers}`);
    expect(text(half(false, []))).toMatch(/isn't moving .* aren't mostly logical \(P 0 ≤ ρ 0\.5\): same tools, other targets\./);
    expect(text(half(true, []), after(1, 1))).toMatch(/The gap is improving \(\|gradient\| 0\.3 ≥ ε 0\.1\) and the failures are mostly logical .*: use another method\./);
    expect(text(half(false, []), after(0))).toMatch(/The gap is worsening .*: same tools, tighter inputs\./);
    expect(text(half(false, [], { elapsedMs: 1e6 }))).toMatch(/^The budget is spent \(Ω 1 ≥ θ 0\.8\)\. D 0\.5/);
    expect(text(half(false, []), { ...after(0.5), replans: 3 })).toMatch(/^Round 4 failed and 3 replans are allowed\. D/);
    expect(text({ ...half(false, []), planRejected: true })).toMatch(/^The planner found no plan/);
  });
  it('the rationale of a good end says so', () => {
    expect(accept(initialState(), { elapsedMs: 0 }).decision.rationale).toBe('Every subtask matched and the merged result was accepted. D 0, P 0, Ω 0, L 0, ∇L 0, goal gradient 0.');
    const little = gate([matchedOutcome({ criteriaVerdicts: Array(9).fill(passed()) }), failedOutcome()]);
    expect(step(initialState(), little).decision.rationale).toMatch(/^Good enough to deliver \(D 0\.1 ≤ δ 0\.3\); what is unmet is listed\. D 0\.1/);
  });
  it('the rationale explains a missed success only where D ≤ δ', () => {
    expect(step(initialState(), gate([failedOutcome({ criteriaVerdicts: [failed({ required: true })] })])).decision.rationale).not.toContain('no success');
  });
  it('under the total gradient the rationale speaks of that one', () => {
    const { decision } = step(after(0.5), half(false, []), { gradient: 'total' });
    expect(decision.rationale).toContain(`|gradient| ${Number(Math.abs(decision.gradL).toFixed(3))} `);
    expect(decision.gradGoal).toBe(0);
  });
  it.each([['aborted', 'aborted'], ['deadline', 'deadline'], ['budget_tokens', 'token budget'], ['budget_calls', 'model calls'], ['budget_money', 'money'], ['role_failure', 'could not be carried out']] as const)(
    'the rationale of %s says so', (stop, words) => expect(step(initialState(), { stop, outcomes: [], elapsedMs: 0 }).decision.rationale).toContain(words),
  );
});

describe('hints', () => {
  const hints = (output: string, fields: Parameters<typeof call>[2] = {}, wrong = false) => step(initialState(), half(wrong, [call('read', '/a', { output, ...fields })])).decision.hints;
  it.each([
    'Did you mean data.csv?', 'error: no such file (perhaps you meant "src")', 'The most similar command is status', 'Closest match: report.md',
    'Siblings: a.txt, b.txt', 'Available files: a.txt', 'Available: a', 'Similar names: a, b', 'Files here: a', 'The folder contains: a, b', 'neighbours: x',
  ])('come from %j', (line) => expect(hints(`not found\n  ${line}  \nmore`)).toEqual([line]));
  it.each(['', 'not found', 'siblings:', 'the meaning of similar', 'available soon'])('don\'t come from %j', (output) => expect(hints(output)).toEqual([]));
  it('go with change_path and refine only', () => {
    const output = 'Did you mean b?';
    expect(hints(output, {}, true)).toEqual([]);
    expect(step(after(0), half(false, [call('read', '/a', { output })])).decision.hints).toEqual([output]);
    expect(step(after(0, 1), half(true, [call('read', '/a', { output })])).decision.hints).toEqual([]);
  });
  it('come from calls that failed or came back empty, of failing subtasks', () => {
    const output = 'Did you mean b?';
    expect(hints(output, { ok: true })).toEqual([]);
    expect(hints(output, { ok: true, empty: true })).toEqual([output]);
    expect(step(initialState(), gate([failedOutcome(), matchedOutcome({ toolCalls: [call('read', '/a', { output })] })])).decision.hints).toEqual([]);
    const { output: _, ...silent } = call('read', '/a');
    expect(step(initialState(), half(false, [silent as never])).decision.hints).toEqual([]);
  });
  it('are five at most, each once, the latest call first, and short', () => {
    const many = (name: string) => Array.from({ length: 4 }, (_, index) => `did you mean ${name}${index}`).join('\r\n');
    const toolCalls = [call('read', '/a', { output: many('x') }), call('read', '/b', { output: `${many('y')}\n${many('y')}` })];
    expect(step(initialState(), half(false, toolCalls)).decision.hints).toEqual(['y0', 'y1', 'y2', 'y3', 'x0'].map((name) => `did you mean ${name}`));
    expect(hints(`did you mean ${'z'.repeat(1e6)}`)).toEqual([`did you mean ${'z'.repeat(146)}…`]);
    expect(hints(`did you mean ${'z'.repeat(147)}`)).toEqual([`did you mean ${'z'.repeat(147)}`]);
  });
  it('are looked for in the first 400 characters of a line', () => {
    const line = (before: number) => `${'x'.repeat(before)} did you mean b?`;
    expect(hints(line(386))).toHaveLength(1);
    expect(hints(line(387))).toHaveLength(1);
    expect(hints(line(388))).toHaveLength(0);
  });
  it('cope with huge output made to slow a matcher down', () => {
    expect(hints('available '.repeat(200_000))).toEqual([]);
    expect(hints(`${'folder contains'.repeat(10_000)}\n`.repeat(20))).toEqual([]);
  });
});
