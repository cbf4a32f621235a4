import { createArtoo, type LLMClient, type LLMMessage, type LLMReply, type LLMRequest } from 'artoo';
import { createOfflineModel, OFFLINE_MODEL_NAME } from 'artoo/offline';
import { llmClientConformance, runConformance } from 'artoo/testing';
import { workspaceTools } from 'artoo/tools';
import { describe, expect, it } from 'vitest';
import { agentValidatorPrompt } from '../../src/roles/agent-validator/prompt.js';
import { EXECUTOR_SYSTEM } from '../../src/roles/executor/prompt.js';
import { metaValidatorPrompt } from '../../src/roles/meta-validator/prompt.js';
import { plannerPrompt, type PlannerPrompt } from '../../src/roles/planner/prompt.js';
import { fence } from '../../src/text/index.js';
import { workspace } from './workspace.js';

const model = createOfflineModel();
const signal = new AbortController().signal;
const ask = (request: Partial<LLMRequest> & Pick<LLMRequest, 'role'>): Promise<LLMReply> => model.complete({ taskId: 't', system: '', messages: [], ...request }, { signal });
const json = async (request: Partial<LLMRequest> & Pick<LLMRequest, 'role'>): Promise<Record<string, never>> => JSON.parse((await ask(request)).text) as Record<string, never>;

const tools = workspaceTools({ root: '.', shell: false }).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const spec = (intent: string): PlannerPrompt['spec'] => ({ taskId: 't', slug: 's', intent, constraints: { scope: null, deadline: null }, rawInput: intent, callerCriteria: [], tools: tools.map(({ name }) => name), budget: {} });
const outcome = (intent: string, status: 'matched' | 'failed', why: string | null = null) => ({ subtaskId: intent, parentTaskId: 't', status, output: 'x', failureReason: why, criteriaVerdicts: [], gapTrajectory: [], toolCalls: [], intent });
const directive = (name: 'break_symmetry' | 'change_path' | 'change_approach', blocked: { tools?: string[]; targets?: string[] }, outcomes: ReturnType<typeof outcome>[]): PlannerPrompt['directive'] => ({
  taskId: 't', round: 1, taskSpec: spec('x'), directive: name, prevDirective: 'init', loss: { D: 1, P: 0, Omega: 0.2, L: 0.5 }, gradL: 0, gradGoal: 0,
  blockedTools: blocked.tools ?? [], blockedTargets: blocked.targets ?? [], blockedPairs: [], failedCriterion: 'c', failureClass: 'logical', budgetPressure: 0, urgency: 'normal', rationale: '', hints: [], outcomes,
});
interface Plan { taskCriteria: unknown[]; subtasks: { intent: string; tools: string[]; sequence: number; targets: string[]; successCriteria: { check?: { type: string } }[] }[]; keep: number[] }
const plan = async (intent: string, more: Partial<PlannerPrompt> = {}): Promise<Plan> => {
  const blocked = more.directive?.blockedTools ?? [];
  const content = plannerPrompt({ spec: spec(intent), tools: tools.filter(({ name }) => !blocked.includes(name)), checks: [], date: '2030-01-01', nonce: 'n', maxSubtasks: 16, keepable: [], ...more });
  return await json({ role: 'R2', messages: [{ role: 'user', content }], schema: { name: 'plan', jsonSchema: {} } }) as unknown as Plan;
};

it('it says what it is', async () => {
  expect(model.model).toBe(OFFLINE_MODEL_NAME);
  expect(OFFLINE_MODEL_NAME).toBe('artoo-offline-rules');
  expect((await ask({ role: 'host', messages: [{ role: 'user', content: 'hello' }] })).text).toContain("I can't do this offline");
});

it('keeps the rules of the LLMClient port', async () => {
  const results = await runConformance(llmClientConformance, () => createOfflineModel(), { supports: { stream: 'rules have nothing to stream', tools: 'it calls file tools alone' }, print: () => undefined });
  expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(results.filter(({ status }) => status === 'passed').length).toBeGreaterThanOrEqual(5);
});

it('answers the same to the same, and says how many tokens that was', async () => {
  const request = { role: 'R1' as const, messages: [{ role: 'user' as const, content: `The user's words:\n${fence({ label: 'user', text: 'list src', nonce: 'n', address: 'a' })}` }] };
  const [one, other] = [await ask(request), await ask(request)];
  expect(one).toEqual(other);
  expect(one.usage!.inputTokens).toBeGreaterThan(10);
  expect(one.usage!.outputTokens).toBeGreaterThan(5);
});

describe('R1', () => {
  const perceive = (words: string, earlier?: string): Promise<Record<string, unknown>> => json({
    role: 'R1', messages: [{ role: 'user', content: [...(earlier === undefined ? [] : [`Earlier turns, oldest first:\n${fence({ label: 'earlier turns', text: earlier, nonce: 'n', address: 'R1 context' })}`]), `The user's words:\n${fence({ label: 'user', text: words, nonce: 'n', address: 'R1 input' })}`].join('\n\n') }],
  });
  it('passes on what it does not understand word for word, and asks nothing', async () => {
    expect(await perceive('Please knit me a jumper, today')).toMatchObject({ intent: 'Please knit me a jumper, today', questions: [] });
  });
  it('takes a reaction as the previous request', async () => {
    expect(await perceive('wrong', 'user: How many TODOs are in src?\nresult: 7')).toMatchObject({ intent: 'How many TODOs are in src?', slug: 'count_occurrences' });
  });
});

describe('R2', () => {
  it('plans side by side what does not wait, and the report after it, with code checks', async () => {
    const { subtasks, taskCriteria } = await plan('Count the .ts files in src, list docs, and write it to r.md');
    expect(subtasks.map(({ intent, sequence, tools: names }) => [intent, sequence, names])).toEqual([
      ['Count files (matching: *.ts, in: src)', 0, ['glob', 'listFiles']], ['List folder (in: docs)', 0, ['listFiles']], ['Write report (to: r.md)', 1, ['writeFile']],
    ]);
    expect(subtasks.map(({ successCriteria }) => successCriteria.flatMap(({ check }) => check?.type ?? []))).toEqual([
      ['toolSucceeded', 'numberInRange'], ['toolSucceeded', 'outputMatches'], ['toolSucceeded', 'fileExists', 'fileContains', 'fileContains'],
    ]);
    expect(taskCriteria).toHaveLength(3);
  });
  it('uses tools by what they say of themselves when their names are others', async () => {
    const own = [{ name: 'look', description: 'Lists what a folder holds.', inputSchema: { properties: { path: {} } } }];
    expect((await plan('list docs', { tools: own })).subtasks[0]!.tools).toEqual(['look']);
  });
  it('break_symmetry and change_approach: another class of tool', async () => {
    const failed = outcome('Count occurrences (text: TODO, in: src)', 'failed', 'the disk was slow');
    for (const name of ['break_symmetry', 'change_approach'] as const) {
      const { subtasks } = await plan('How many TODOs are in src?', { directive: directive(name, { tools: ['grep', 'listFiles'] }, [failed]) });
      expect(subtasks.map((subtask) => subtask.tools)).toEqual([['readFile', 'glob']]);
    }
    const listed = outcome('List folder (in: docs)', 'failed', 'the disk was slow');
    expect((await plan('list docs', { directive: directive('break_symmetry', { tools: ['listFiles'] }, [listed]) })).subtasks[0]!.tools).toEqual(['glob']);
  });
  it('change_path: by name elsewhere; where the folder alone was mistyped, the path that the tool suggested', async () => {
    const missing = 'infeasible: Not done: The file "scr/a.ts" does not exist in the workspace.';
    const intent = 'Count lines (in: scr/a.ts)';
    const moved = async (why: string): Promise<string> => (await plan(intent, { directive: directive('change_path', { targets: ['scr/a.ts'] }, [outcome(intent, 'failed', why)]) })).subtasks[0]!.intent;
    expect(await moved(missing)).toBe('Count lines (in: a.ts, in searched: by name, in meant: scr/a.ts)');
    expect(await moved(`${missing} Did you mean "src/a.ts"?`)).toBe('Count lines (in: src/a.ts, in meant: scr/a.ts)');
  });
  it('keeps what matched by its index', async () => {
    const failed = outcome('Count lines (in: a.md)', 'failed', 'The file "a.md" does not exist');
    const { keep, subtasks } = await plan('list docs and count the lines in a.md', {
      directive: directive('change_path', { targets: ['a.md'] }, [outcome('List folder (in: docs)', 'matched'), failed]),
      keepable: [{ outcome: outcome('List folder (in: docs)', 'matched'), writtenSince: false }],
    });
    expect([keep, subtasks.map(({ intent }) => intent)]).toEqual([[0], ['Count lines (in: a.md, in searched: by name, in meant: a.md)']]);
  });
  it('a step that was denied is not tried by other means: the plan is empty', async () => {
    const denied = outcome('Write report (to: r.md)', 'failed', 'infeasible: Not done: [LAW1] writeFile on r.md was denied.');
    expect((await plan('list docs and write it to r.md', { directive: directive('change_path', {}, [denied]) })).subtasks).toEqual([]);
  });
  it('a tool that the validator refused is left out of the next try', async () => {
    const content = plannerPrompt({ spec: spec('list docs'), tools, checks: [], date: '2030-01-01', nonce: 'n', maxSubtasks: 16, keepable: [] });
    const refusal = 'Your last reply could not be used: subtask 0: tool "listFiles" must not be used. Answer again with the one JSON value alone.';
    const reply = await json({ role: 'R2', messages: [{ role: 'user', content }, { role: 'assistant', content: '{}' }, { role: 'user', content: refusal }] }) as unknown as Plan;
    expect(reply.subtasks[0]!.tools).toEqual(['glob']);
  });
});

describe('R3', () => {
  const start = (intent: string): LLMMessage => ({ role: 'user', content: `Subtask: ${intent}\n\nIt is done when:\n- x` });
  const turn = (...messages: LLMMessage[]): Promise<LLMReply> => ask({ role: 'R3', system: EXECUTOR_SYSTEM, messages, tools });
  const answered = (name: string, input: unknown, text: string, ok = true): LLMMessage[] => [
    { role: 'assistant', content: '', toolCalls: [{ id: '1', name, input }] },
    { role: 'tool', toolCallId: '1', content: `${ok ? '' : 'The call failed.\n'}${fence({ label: `output of ${name}`, text, nonce: 'n', address: '1' })}` },
  ];
  it('asks for a call, then answers from its output alone', async () => {
    const intent = 'Count occurrences (text: TODO, in: src)';
    const first = await turn(start(intent));
    expect(first.toolCalls).toMatchObject([{ name: 'grep', input: { pattern: 'TODO', path: 'src', literal: true } }]);
    const { input } = first.toolCalls![0]!;
    expect(JSON.parse((await turn(start(intent), ...answered('grep', input, 'src/a.ts:1: TODO TODO\nsrc/b.ts:9: TODO'))).text)).toMatchObject({ status: 'completed', output: '3 occurrences of "TODO" in src, on 2 lines of 2 files.' });
  });
  it('a failed call ends in an honest failure with the words of the tool', async () => {
    const intent = 'List folder (in: nowhere)';
    const { toolCalls } = await turn(start(intent));
    expect(JSON.parse((await turn(start(intent), ...answered('listFiles', toolCalls![0]!.input, 'The folder "nowhere" does not exist.', false))).text)).toMatchObject({ status: 'failed', infeasible: true, output: 'Not done: The folder "nowhere" does not exist.' });
  });
  it('a correction is met by another way, and by honesty where there is none', async () => {
    const intent = 'Count lines (in: a.md)';
    const { toolCalls } = await turn(start(intent));
    const done = [start(intent), ...answered('readFile', toolCalls![0]!.input, 'one\n')];
    const correction: LLMMessage = { role: 'user', content: 'Not done yet. Failed criterion: x\nWhat was wrong: y\nWhat to do: z\nGo on from here; don\'t repeat what failed.' };
    expect((await turn(...done, correction)).toolCalls).toMatchObject([{ name: 'grep', input: { pattern: '^', path: 'a.md' } }]);
    expect(JSON.parse((await turn(...done, correction, correction)).text)).toMatchObject({ status: 'failed', infeasible: true });
  });
  it('a subtask in plain English, of a plan that a host wrote, is understood as well', async () => {
    expect((await turn(start('Count the TODOs in src'))).toolCalls).toMatchObject([{ name: 'grep' }]);
  });
  it('without native tool calls it speaks the JSON protocol', async () => {
    const root = workspace();
    const plain: LLMClient = { model: 'plain', complete: (request, options) => model.complete(request, options) };
    const artoo = createArtoo({ models: { brain: plain, tool: plain }, tools: workspaceTools({ root, shell: false }) });
    const result = await artoo.run('How many lines are in all .md files?').result;
    await artoo.close();
    expect([result.directive, result.output]).toEqual(['accept', '22 lines in the workspace, over 3 files that match *.md.']);
  });
});

describe('R4a and R4b', () => {
  const call = (output: string, input: unknown = { pattern: 'TODO', path: 'src', literal: true }) => ({ id: '1', tool: 'grep', input, target: 'src', effect: 'read' as const, ok: true, evidence: '', output, startedAt: 0, durationMs: 1 });
  const FOLLOWS = { criterion: 'The answer is the one that follows from what the tools showed', mode: 'verifiable' as const, about: 'result' as const };
  const subtask = { subtaskId: 's', parentTaskId: 't', round: 1, index: 0, intent: 'Count occurrences (text: TODO, in: src)', successCriteria: [FOLLOWS], context: '', deadline: null, sequence: 0, tools: [], blockedTools: [], blockedTargets: [], blockedPairs: [], cautionTools: [] };
  const judge = (output: string, toolOutput: string, criterion: typeof subtask.successCriteria[number] | { criterion: string; mode: 'verifiable'; about: 'world' | 'result' } = FOLLOWS): Promise<Record<string, unknown>> => json({
    role: 'R4a', messages: [{ role: 'user', content: agentValidatorPrompt(subtask, [[0, criterion]], { subtaskId: 's', attempt: 1, status: 'completed', output, toolCalls: [call(toolOutput)] }, '2030-01-01', 'n') }],
  });
  const right = '2 occurrences of "TODO" in src, on 2 lines of 1 file.';
  it('a count that the output shows passes, and is quoted from the result', async () => {
    expect(await judge(right, 'src/a.ts:1: TODO\nsrc/a.ts:2: TODO')).toMatchObject({ verdicts: [{ index: 0, verdict: 'pass', evidence: right }] });
  });
  it('a count that it does not show fails, with the right one said', async () => {
    expect(await judge(right.replace('2 occ', '3 occ'), 'src/a.ts:1: TODO\nsrc/a.ts:2: TODO')).toMatchObject({ verdicts: [{ verdict: 'fail', failureClass: 'logical' }], whatWasWrong: `the tool output shows: ${right}` });
  });
  it('no call, no pass', async () => {
    const content = agentValidatorPrompt(subtask, [[0, FOLLOWS]], { subtaskId: 's', attempt: 1, status: 'completed', output: right, toolCalls: [] }, '2030-01-01', 'n');
    expect(await json({ role: 'R4a', messages: [{ role: 'user', content }] })).toMatchObject({ verdicts: [{ verdict: 'fail' }] });
  });
  it('a criterion of the caller is judged by what it names, else failed', async () => {
    const world = (criterion: string) => ({ criterion, mode: 'verifiable' as const, about: 'world' as const });
    expect(await judge(right, 'src/a.ts:1: TODO\nsrc/a.ts:2: TODO', world('src/a.ts is among the files'))).toMatchObject({ verdicts: [{ verdict: 'pass', evidence: 'src/a.ts:1: TODO' }] });
    expect(await judge(right, 'src/a.ts:1: TODO', world('src/b.ts is among the files'))).toMatchObject({ verdicts: [{ verdict: 'fail' }] });
    expect(await judge(right, 'src/a.ts:1: TODO', world('The tone is friendly'))).toMatchObject({ verdicts: [{ verdict: 'fail' }] });
  });
  it('R4b merges nothing that was changed on the way', async () => {
    const criterion = { criterion: 'The result has the answer to: Count occurrences (text: TODO, in: src)', mode: 'verifiable' as const, about: 'result' as const };
    const merge = (output: string): Promise<Record<string, unknown>> => json({
      role: 'R4b', messages: [{ role: 'user', content: metaValidatorPrompt(spec('How many TODOs are in src?'), [[0, criterion]], [{ ...outcome(subtask.intent, 'matched'), output, toolCalls: [call('src/a.ts:1: TODO\nsrc/a.ts:2: TODO')] }], '2030-01-01', 'n', 1) }],
    });
    expect(await merge(right)).toMatchObject({ mergedOutput: right, verdicts: [{ verdict: 'pass', evidence: right }] });
    expect(await merge(right.replace('2 occ', '9 occ'))).toMatchObject({ verdicts: [{ verdict: 'fail' }] });
  });
});
