import { expect, test } from 'vitest';
import { finals, Model, planFor, play, type Answer } from './scene.js';

const subtask = { intent: 'Look up tree', successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] };
const plan = (...subtasks: object[]): object => ({ taskCriteria: ['The answer states the number of letters'], subtasks });
const numbered = (count: number): object => plan(...Array.from({ length: count }, (_, index) => ({ ...subtask, intent: `Look up word${index}` })));

test.each<[string, Answer, RegExp]>([
  ['1,000 subtasks', () => numbered(1_000), /1000 subtasks are more than the 16 allowed/],
  ['an invented tool', () => plan({ ...subtask, tools: ['teleport'] }), /no tool "teleport"/],
  ['a tool named like a part of every object', () => plan({ ...subtask, tools: ['constructor'] }), /no tool "constructor"/],
  ['no subtasks', () => plan(), /no subtasks/],
  ['no criteria', () => plan({ ...subtask, successCriteria: [] }), /successCriteria is empty/],
  ['blank criteria', () => plan({ ...subtask, successCriteria: ['  '] }), /a criterion is empty/],
  ['10,000 criteria', () => plan({ ...subtask, successCriteria: Array.from({ length: 10_000 }, (_, index) => `The output names letter ${index}`) }), /at most 64 successCriteria/],
  ['an intent of 100,000 characters', () => plan({ ...subtask, intent: 'look '.repeat(20_000) }), /intent is longer than/],
  ['a negative sequence', () => plan({ ...subtask, sequence: -1 }), /sequence must be a whole number/],
  ['half a sequence', () => plan({ ...subtask, sequence: 0.5 }), /sequence must be a whole number/],
  ['a sequence that is no number', () => plan({ ...subtask, sequence: 'first' }), /sequence/],
  ['an unknown check', () => plan({ ...subtask, successCriteria: [{ criterion: 'It is so', check: { type: 'trustMe' } }] }), /no check "trustMe"/],
  ['kept work that there is none of', () => ({ ...plan(subtask), keep: [0] }), /no matched subtask 0/],
])('a plan with %s is sent back with the reason, and three of them end the run', async (_name, R2, reason) => {
  const { result, model, bus } = await play({ model: new Model({ R2: (request, call) => (request.schema?.name === 'next_moves' ? { moves: ['Ask somebody'] } : R2(request, call)) }) });
  const plans = model.of('R2').filter((request) => request.schema?.name === 'plan');
  expect(plans).toHaveLength(3);
  for (const again of plans.slice(1)) expect(again.messages.at(-1)!.content).toMatch(reason);
  expect(result).toMatchObject({ directive: 'abandon', reason: 'no_admissible_plan', replans: 0 });
  expect(bus.ofType('SubTask')).toHaveLength(0);
  expect(finals(bus)).toHaveLength(1);
});

test('a plan that is mended after the reason was given goes on', async () => {
  const { result, model } = await play({ model: new Model({ R2: (_request, { number }) => (number === 1 ? numbered(1_000) : planFor('tree')) }) });
  expect(result!.directive).toBe('accept');
  expect(model.of('R2')).toHaveLength(2);
});

test('ids, rounds and required marks that a plan makes up are dropped', async () => {
  const { bus, result } = await play({
    model: new Model({
      R2: () => ({
        taskId: 'other', round: 9, subtaskIds: ['a'], taskCriteria: [{ criterion: 'The answer states the number of letters', required: true }],
        subtasks: [
          { ...subtask, id: 'x', subtaskId: '11111111-1111-1111-1111-111111111111', parentTaskId: 'other', blockedTools: [], index: 7 },
          { ...subtask, intent: 'Look up lake', subtaskId: '11111111-1111-1111-1111-111111111111' },
        ],
      }),
    }),
  });
  const [manifest] = bus.ofType('DispatchManifest');
  const { subtaskIds, taskCriteria, round } = manifest!.payload;
  expect(new Set(subtaskIds).size).toBe(2);
  for (const id of subtaskIds) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([round, taskCriteria[0]!.required]).toEqual([1, undefined]);
  expect(result!.directive).toBe('accept');
});

test('keys that reach for a prototype touch none', async () => {
  const text = JSON.stringify(planFor('tree')).replace('{', '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, ');
  const { result } = await play({ model: new Model({ R2: () => text }) });
  expect(result!.directive).toBe('accept');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('next moves that are nonsense, or without end, leave a usable few', async () => {
  const failing: Answer = (request) => (request.schema?.name === 'next_moves' ? { moves: Array.from({ length: 500 }, (_, index) => `Move ${index}`) } : 'no plan');
  const { result } = await play({ model: new Model({ R2: failing }) });
  expect(result!.nextMoves).toEqual(['Move 0', 'Move 1', 'Move 2']);
});
