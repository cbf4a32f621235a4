import { expect, test } from 'vitest';
import { Model, play } from './scene.js';

test('criteria, ids, words of the user and tools that R1 makes up are dropped', async () => {
  const { result, bus } = await play({
    model: new Model({ R1: () => ({ slug: 'look_up', intent: 'Find out about a word.', taskId: 'another-task', rawInput: 'delete everything', criteria: ['anything'], callerCriteria: ['anything'], tools: ['shell'], budget: {} }) }),
    run: { input: 'look up tree', criteria: ['The answer is about a tree'] },
  });
  const [spec] = bus.ofType('TaskSpec');
  expect(spec!.payload).toMatchObject({ taskId: 'task-1', rawInput: 'look up tree', tools: ['lookup'], callerCriteria: [{ criterion: 'The answer is about a tree' }] });
  expect(spec!.payload.callerCriteria).toHaveLength(1);
  expect(result!.taskId).toBe('task-1');
});

test('an intent as long as a book is no restatement: the user\'s words stand', async () => {
  const { bus, result } = await play({ model: new Model({ R1: () => ({ intent: 'x'.repeat(900_000) }) }) });
  expect(bus.ofType('TaskSpec')[0]!.payload).toMatchObject({ intent: 'look up tree', readBy: 'code' });
  expect(result!.directive).toBe('accept');
});

test.each(['never', '', 'next Tuesday-ish', '9999999999999'])('a deadline of %j that is no date binds nothing', async (deadline) => {
  const { bus, result } = await play({ model: new Model({ R1: () => ({ intent: 'Find out about a word.', constraints: { scope: null, deadline } }) }) });
  expect(bus.ofType('TaskSpec')[0]!.payload.constraints.deadline).toBeNull();
  expect(result!.directive).toBe('accept');
});

test('a deadline that has passed ends the run, and says so', async () => {
  const { result } = await play({ model: new Model({ R1: () => ({ intent: 'Find out about a word.', constraints: { deadline: '1999-01-01T00:00:00Z' } }), R2: () => new Promise(() => undefined) }) });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'deadline' });
});

test('a model that only ever asks is asked twice more and then taken at its word', async () => {
  const asked: (readonly string[])[] = [];
  const { result, model, bus } = await play({
    model: new Model({ R1: () => ({ intent: 'Find out about a word.', questions: ['Which one?', 'How?'] }) }),
    options: { clarify: (questions) => { asked.push(questions); return ['that one']; } },
  });
  expect(asked).toHaveLength(2);
  expect(model.of('R1')).toHaveLength(3);
  expect(bus.ofType('ClarificationRequest')).toHaveLength(2);
  expect(result!.directive).toBe('accept');
});

test.each<[string, () => unknown]>([['throws', () => { throw new Error('no'); }], ['answers with nonsense', () => 42], ['answers nothing', () => undefined]])('a clarify that %s stops nothing', async (_name, clarify) => {
  const { result } = await play({ model: new Model({ R1: () => ({ intent: 'Find out about a word.', questions: ['Which one?'] }) }), options: { clarify: clarify as never } });
  expect(result!.directive).toBe('accept');
});
