import type { LLMRequest, RoleId } from 'artoo/contracts';
import { createMemoryLedger } from 'artoo/ledger';
import { createArtoo } from 'artoo';
import { CountingIds, ManualClock } from 'artoo/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { lookupTool, Model, passAll, play, settle } from '../hostile/scene.js';

const ROLES: readonly RoleId[] = ['R1', 'R2', 'R3', 'R4a', 'R4b'];
const many = (count: number, change: object = {}): object => ({
  taskCriteria: ['The answer states the number of letters'],
  subtasks: Array.from({ length: count }, (_, index) => ({ intent: `Look up word${index}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'], ...change })),
});
const checked = { successCriteria: [{ criterion: 'The lookup ran', check: { type: 'toolSucceeded', tool: 'lookup' } }] };

test('one subtask takes six calls one after the other: R1, R2, R3 twice, R4a, R4b, and nothing else', async () => {
  const { result, model } = await play();
  expect(model.requests.map(({ role }) => role)).toEqual(['R1', 'R2', 'R3', 'R3', 'R4a', 'R4b']);
  expect(result!.usage).toMatchObject({ calls: 6, sequentialDepth: 6 });
});

test('ten parallel subtasks add not one call to the depth', async () => {
  const { result, model } = await play({ model: new Model({ R2: () => many(10) }), options: { limits: { parallel: 10 } } });
  expect(result!.directive).toBe('accept');
  expect(result!.usage).toMatchObject({ calls: 33, sequentialDepth: 6 });
  expect(model.of('R4a')).toHaveLength(10);
});

test('a limit of parallel subtasks changes what runs at once, not what waits for what', async () => {
  const { result, model } = await play({ model: new Model({ R2: () => many(10) }), options: { limits: { parallel: 2 } } });
  expect(result!.usage).toMatchObject({ calls: 33, sequentialDepth: 6 });
  expect(model.peak).toBeLessThanOrEqual(2);
});

test('each sequence adds its own calls to the depth', async () => {
  const plan = many(3) as { subtasks: { sequence: number }[] };
  plan.subtasks.forEach((subtask, index) => { subtask.sequence = index; });
  const { result } = await play({ model: new Model({ R2: () => plan }) });
  expect(result!.usage).toMatchObject({ calls: 12, sequentialDepth: 12 });
});

test('a subtask whose criteria are all checked by code costs no call of R4a', async () => {
  const { result, model } = await play({ model: new Model({ R2: () => many(1, checked) }) });
  expect(result!.directive).toBe('accept');
  expect(model.of('R4a')).toHaveLength(0);
  expect(result!.usage).toMatchObject({ calls: 5, sequentialDepth: 5 });
});

test('R4b is asked even where code checks every criterion: R2 can\'t switch its own check off', async () => {
  const plan = { ...many(1, checked), taskCriteria: [{ criterion: 'The answer names letters', check: { type: 'outputMatches', pattern: 'letters' } }] };
  const { result, model } = await play({ model: new Model({ R2: () => plan }) });
  expect(model.of('R4b')).toHaveLength(1);
  expect(result!.directive).toBe('accept');
});

test('intent and plan of the host spare the calls of R1 and R2; a plan that breaks the rules does not', async () => {
  const plan = many(1) as { taskCriteria: unknown[]; subtasks: unknown[] };
  const spared = await play({ run: { intent: 'Find out about a word.', slug: 'look_up', plan } });
  expect(spared.model.requests.map(({ role }) => role)).toEqual(['R3', 'R3', 'R4a', 'R4b']);
  const broken = await play({ run: { plan: { ...plan, taskCriteria: ['It is done'] } } });
  expect(broken.model.of('R2')).toHaveLength(1);
  expect(broken.result!.directive).toBe('accept');
});

const textOf = (request: LLMRequest): string => [request.system, ...request.messages.map(({ content }) => content), request.tools ? JSON.stringify(request.tools) : '', request.schema ? JSON.stringify(request.schema.jsonSchema) : ''].join('\n');

test('the five prompts of an empty task stay under 2,500 tokens (o200k)', async () => {
  const { model } = await play({ run: { input: 'x' }, options: { tools: [lookupTool()] } });
  const prompts = ROLES.map((role) => model.of(role)[0]!);
  const tokens = prompts.map((request) => countTokens([request.system, ...request.messages.map(({ content }) => content)].join('\n')));
  expect(tokens.reduce((sum, count) => sum + count, 0), ROLES.map((role, index) => `${role} ${tokens[index]}`).join(', ')).toBeLessThanOrEqual(2_500);
  expect(Math.min(...tokens)).toBeGreaterThan(100);
});

test('prompts are stable first: system never changes, and what a replan shows begins as the first plan did', async () => {
  const first = await play({ model: new Model({ R4a: (_request, { number }) => (number > 3 ? passAll() : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }] }) }), run: { input: 'look up tree' }, options: { limits: { maxRetries: 2 } } });
  const second = await play({ run: { input: 'something else altogether' } });
  for (const role of ROLES) expect(new Set([...first.model.of(role), ...second.model.of(role)].filter(({ schema }) => schema?.name !== 'next_moves').map(({ system }) => system)).size, role).toBe(1);
  const [plan, again] = first.model.of('R2').map(({ messages }) => messages[0]!.content);
  // All of the first prompt stands at the beginning of the second, up to where memory and the directive come in.
  const shared = [...plan!].findIndex((character, index) => character !== again![index]);
  expect(shared === -1 ? plan!.length : shared).toBeGreaterThan(0.9 * plan!.length);
});

test('R3\'s conversation grows at its end only', async () => {
  const { model } = await play({ model: new Model({ R4a: (_request, { number }) => (number > 1 ? passAll() : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }] }) }) });
  const conversations = model.of('R3').map(({ messages }) => messages);
  expect(conversations.length).toBeGreaterThan(2);
  for (const [index, messages] of conversations.slice(1).entries()) expect(messages.slice(0, conversations[index]!.length)).toEqual(conversations[index]);
});

test('a replan prompt holds no running number: two runs at other speeds ask the same', async () => {
  const failing = (clock: ManualClock, ms: number): Model => new Model({
    R4a: (_request, { number }) => { clock.jump(ms); return number > 3 ? passAll() : { verdicts: [{ index: 0, verdict: 'fail', evidence: '', failureClass: 'logical' }] }; },
  });
  const replanOf = async (ms: number, wait: number): Promise<string> => {
    const clock = new ManualClock();
    const model = failing(clock, ms);
    const slow = lookupTool(() => new Promise((resolve) => { clock.setTimeout(() => resolve(undefined), wait); }));
    const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [slow], ids: new CountingIds(), clock, ledger: createMemoryLedger() });
    await settle(artoo.run('look up tree'), clock, { stepMs: wait });
    await artoo.close();
    return model.of('R2')[1]!.messages[0]!.content;
  };
  expect(await replanOf(1_234, 777)).toBe(await replanOf(17, 9));
});

test('effectors see no memory, no plan and no other subtask', async () => {
  const { model } = await play({ model: new Model({ R2: () => many(3) }) });
  for (const request of [...model.of('R3'), ...model.of('R4a')]) {
    const own = /Subtask: Look up (word\d)/.exec(request.messages[0]!.content)![1]!;
    for (const other of ['word0', 'word1', 'word2'].filter((word) => word !== own)) expect(textOf(request)).not.toContain(other);
    expect(textOf(request)).not.toContain('The answer states the number of letters');
  }
});
